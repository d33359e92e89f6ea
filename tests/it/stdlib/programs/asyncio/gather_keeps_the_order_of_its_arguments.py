import asyncio


async def work(n):
    await asyncio.sleep(0.03 - n / 100)
    return n


async def main():
    print(await asyncio.gather(*(work(n) for n in range(3))))


asyncio.run(main())

#| [0, 1, 2]
