import asyncio


async def work(n):
    await asyncio.sleep(0)
    return n * n


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(n)) for n in range(4)]
    print([task.result() for task in tasks])


asyncio.run(main())

#| [0, 1, 4, 9]
