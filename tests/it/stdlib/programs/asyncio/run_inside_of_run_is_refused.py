import asyncio


async def main():
    inner = asyncio.sleep(0)
    try:
        asyncio.run(inner)
    except RuntimeError as error:
        print(error)
    inner.close()


asyncio.run(main())

#| asyncio.run() cannot be called from a running event loop
