import asyncio

inside = most = 0


async def work(semaphore):
    global inside, most
    async with semaphore:
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.001)
        inside -= 1


async def main():
    semaphore = asyncio.Semaphore(3)
    await asyncio.gather(*(work(semaphore) for _ in range(10)))
    print(most)


asyncio.run(main())

#| 3
