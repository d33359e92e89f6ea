import asyncio


async def work(done):
    await asyncio.sleep(0.3)
    done.append("finished")


async def main():
    done = []
    task = asyncio.create_task(work(done))
    try:
        await asyncio.wait_for(asyncio.shield(task), timeout=0.001)
    except TimeoutError:
        print("timed out", done)
    await task
    print(done)


asyncio.run(main())

#| timed out []
#| ['finished']
