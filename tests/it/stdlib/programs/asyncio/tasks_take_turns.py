import asyncio


async def count(name):
    for i in range(3):
        print(name, i)
        await asyncio.sleep(0)


async def main():
    tasks = [asyncio.create_task(count(name)) for name in "ab"]
    for task in tasks:
        await task


asyncio.run(main())

#| a 0
#| b 0
#| a 1
#| b 1
#| a 2
#| b 2
