import asyncio


async def wait(event, order):
    await event.wait()
    order.append("woken")


async def main():
    event, lock, order = asyncio.Event(), asyncio.Lock(), []
    task = asyncio.create_task(wait(event, order))
    async with lock:
        await asyncio.sleep(0)
        order.append("setting")
        event.set()
    await task
    print(order, lock.locked())


asyncio.run(main())

#| ['setting', 'woken'] False
