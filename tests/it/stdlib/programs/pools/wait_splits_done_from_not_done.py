from concurrent.futures import ALL_COMPLETED, FIRST_EXCEPTION, ThreadPoolExecutor, wait

with ThreadPoolExecutor(2) as pool:
    futures = [pool.submit(int, text) for text in ("1", "2", "3")]
    done, pending = wait(futures, return_when=ALL_COMPLETED)
    print(sorted(future.result() for future in done), pending)
    failing = pool.submit(int, "x")
    done, pending = wait([failing], return_when=FIRST_EXCEPTION)
    print(failing in done, type(failing.exception()).__name__)

#| [1, 2, 3] set()
#| True ValueError
