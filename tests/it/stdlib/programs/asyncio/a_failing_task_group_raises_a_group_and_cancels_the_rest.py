import asyncio


async def fail():
    raise ValueError("bad")


async def wait():
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("cancelled")
        raise


async def main():
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(wait())
            group.create_task(fail())
    except* ValueError as group:
        print([str(error) for error in group.exceptions])


asyncio.run(main())

#| cancelled
#| ['bad']
