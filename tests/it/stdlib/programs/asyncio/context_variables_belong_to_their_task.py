import asyncio
import contextvars

user = contextvars.ContextVar("user", default="nobody")


async def work(name):
    user.set(name)
    await asyncio.sleep(0)
    return user.get()


async def main():
    print(await asyncio.gather(work("ada"), work("bob")), user.get())


asyncio.run(main())

#| ['ada', 'bob'] nobody
