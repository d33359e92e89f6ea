from concurrent.futures import ThreadPoolExecutor


def fail(n):
    if n == 2:
        raise ValueError(f"bad {n}")
    return n


with ThreadPoolExecutor(max_workers=2) as pool:
    for future in [pool.submit(fail, n) for n in range(4)]:
        try:
            print("ok", future.result())
        except ValueError as error:
            print("failed", error, type(future.exception()).__name__)

#| ok 0
#| ok 1
#| failed bad 2 ValueError
#| ok 3
