from concurrent.futures import ThreadPoolExecutor, as_completed

with ThreadPoolExecutor(3) as pool:
    futures = {pool.submit(str.upper, word): word for word in ("a", "b", "c", "d")}
    print(sorted((futures[future], future.result()) for future in as_completed(futures)))

#| [('a', 'A'), ('b', 'B'), ('c', 'C'), ('d', 'D')]
