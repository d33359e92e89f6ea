import asyncio


async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


class Resource:
    async def __aenter__(self):
        print("open")
        return self

    async def __aexit__(self, *_):
        print("close")


async def main():
    async with Resource():
        print([n async for n in numbers(3)])
        async for n in numbers(2):
            print(n)


asyncio.run(main())

#| open
#| [0, 1, 2]
#| 0
#| 1
#| close
