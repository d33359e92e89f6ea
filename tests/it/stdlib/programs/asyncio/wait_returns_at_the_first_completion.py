import asyncio


async def main():
    quick = asyncio.create_task(asyncio.sleep(0, "quick"))
    slow = asyncio.create_task(asyncio.sleep(60))
    done, pending = await asyncio.wait([quick, slow], return_when=asyncio.FIRST_COMPLETED)
    print([task.result() for task in done], len(pending))
    slow.cancel()


asyncio.run(main())

#| ['quick'] 1
