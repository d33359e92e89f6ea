import asyncio
from concurrent.futures import ThreadPoolExecutor


async def double(n):
    await asyncio.sleep(0.001)
    return n * 2


print([asyncio.run(double(n)) for n in range(3)])
with ThreadPoolExecutor(max_workers=2) as pool:
    print(list(pool.map(lambda n: asyncio.run(double(n)), range(3))))

#| [0, 2, 4]
#| [0, 2, 4]
