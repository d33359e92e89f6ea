import asyncio


async def slow():
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("cancelled")
        raise


async def main():
    try:
        await asyncio.wait_for(slow(), timeout=0.01)
    except TimeoutError:
        print("timed out")
    print(await asyncio.wait_for(asyncio.sleep(0, "in time"), timeout=5))


asyncio.run(main())

#| cancelled
#| timed out
#| in time
