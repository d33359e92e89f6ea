import asyncio
from concurrent.futures import ThreadPoolExecutor


async def main():
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, sum, range(10)))
    with ThreadPoolExecutor(max_workers=2) as pool:
        print(await asyncio.gather(*(loop.run_in_executor(pool, pow, 2, n) for n in range(5))))


asyncio.run(main())

#| 45
#| [1, 2, 4, 8, 16]
