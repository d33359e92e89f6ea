from concurrent.futures import Future, ThreadPoolExecutor

seen = []
with ThreadPoolExecutor(1) as pool:
    pool.submit(sum, [1, 2, 3]).add_done_callback(lambda future: seen.append(future.result()))
print(seen)
future = Future()
future.add_done_callback(lambda future: seen.append("set"))
future.set_result(1)
print(seen, future.done(), future.cancelled())

#| [6]
#| [6, 'set'] True False
