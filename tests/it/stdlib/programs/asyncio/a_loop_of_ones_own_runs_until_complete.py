import asyncio


async def add(a, b):
    await asyncio.sleep(0)
    return a + b


loop = asyncio.new_event_loop()
print(loop.run_until_complete(add(1, 2)), loop.run_until_complete(add(3, 4)))
loop.call_soon(print, "called soon")
loop.call_later(0.01, loop.stop)
loop.run_forever()
loop.close()
print(loop.is_closed())
with asyncio.Runner() as runner:
    print(runner.run(add(5, 6)))

#| 3 7
#| called soon
#| True
#| 11
