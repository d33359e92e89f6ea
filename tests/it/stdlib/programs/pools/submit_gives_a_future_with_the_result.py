from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    futures = [pool.submit(divmod, 17, n) for n in (2, 3, 5)]
    print([future.result() for future in futures], [future.done() for future in futures])

#| [(8, 1), (5, 2), (3, 2)] [True, True, True]
