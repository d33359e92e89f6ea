from concurrent.futures import ThreadPoolExecutor, TimeoutError, as_completed

with ThreadPoolExecutor(max_workers=4) as pool:
    futures = [pool.submit(lambda n=n: n + 1) for n in range(6)]
    try:
        print(sorted(future.result(timeout=5) for future in as_completed(futures, timeout=5)))
    except TimeoutError:
        print("too late")

#| [1, 2, 3, 4, 5, 6]
