import asyncio


async def divide(n):
    return 12 // n


async def main():
    print(await asyncio.gather(*(divide(n) for n in (1, 0, 4)), return_exceptions=True))
    try:
        await asyncio.gather(divide(2), divide(0))
    except ZeroDivisionError as error:
        print("raised:", error)


asyncio.run(main())

#| [12, ZeroDivisionError('integer division or modulo by zero'), 3]
#| raised: integer division or modulo by zero
