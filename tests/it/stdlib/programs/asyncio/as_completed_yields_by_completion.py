import asyncio


async def work(delay):
    await asyncio.sleep(delay)
    return delay


async def main():
    print([await next_done for next_done in asyncio.as_completed([work(0.06), work(0), work(0.03)])])


asyncio.run(main())

#| [0, 0.03, 0.06]
