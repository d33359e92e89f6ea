import asyncio
import time


def block(n):
    time.sleep(0.01)
    return n * 2


async def main():
    print(await asyncio.to_thread(block, 21))
    print(await asyncio.gather(*(asyncio.to_thread(block, n) for n in range(4))))


asyncio.run(main())

#| 42
#| [0, 2, 4, 6]
