import asyncio


async def produce(queue):
    for i in range(6):
        await queue.put(i)


async def consume(queue, seen):
    while True:
        seen.append(await queue.get())
        queue.task_done()


async def main():
    queue, seen = asyncio.Queue(maxsize=2), []
    consumers = [asyncio.create_task(consume(queue, seen)) for _ in range(2)]
    await produce(queue)
    await queue.join()
    for consumer in consumers:
        consumer.cancel()
    print(sorted(seen), await asyncio.gather(*consumers, return_exceptions=True))


asyncio.run(main())

#| [0, 1, 2, 3, 4, 5] [CancelledError(''), CancelledError('')]
