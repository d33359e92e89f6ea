import asyncio


async def main():
    try:
        await asyncio.to_thread(int, "x")
    except ValueError as error:
        print(error)


asyncio.run(main())

#| invalid literal for int() with base 10: 'x'
