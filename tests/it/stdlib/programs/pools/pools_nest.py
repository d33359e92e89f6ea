from concurrent.futures import ThreadPoolExecutor


def row(n):
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(lambda m: n * m, range(3)))


with ThreadPoolExecutor(max_workers=2) as pool:
    print(list(pool.map(row, range(4))))

#| [[0, 0, 0], [0, 1, 2], [0, 2, 4], [0, 3, 6]]
