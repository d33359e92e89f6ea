from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(max_workers=4) as pool:
    print(list(pool.map(lambda n: n * n, range(10))))
    print(list(pool.map(pow, [2, 3, 4], [3, 2, 1])))

#| [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]
#| [8, 9, 4]
