from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(max_workers=3)
futures = [pool.submit(len, "x" * n) for n in range(4)]
pool.shutdown()
print([future.result() for future in futures], [future.running() for future in futures])

#| [0, 1, 2, 3] [False, False, False, False]
