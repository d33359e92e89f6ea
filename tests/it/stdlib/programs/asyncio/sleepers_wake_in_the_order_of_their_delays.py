import asyncio


async def work(name, delay):
    await asyncio.sleep(delay)
    print(name)


async def main():
    await asyncio.gather(work("third", 0.06), work("first", 0.0), work("second", 0.03))


asyncio.run(main())

#| first
#| second
#| third
