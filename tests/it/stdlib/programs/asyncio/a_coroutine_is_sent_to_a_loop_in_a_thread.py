import asyncio
import threading


async def double(n):
    await asyncio.sleep(0.001)
    return n * 2


loop = asyncio.new_event_loop()
thread = threading.Thread(target=loop.run_forever, daemon=True)
thread.start()
print(asyncio.run_coroutine_threadsafe(double(21), loop).result())
loop.call_soon_threadsafe(loop.stop)
thread.join()
print(thread.is_alive())

#| 42
#| False
