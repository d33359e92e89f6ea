"""A loop that counts in a dictionary."""

from time import perf_counter

EXPECTED = (1000, 159_600_400)


def work():
    totals = {}
    for i in range(400_000):
        key = i % 1000
        totals[key] = totals.get(key, 0) + i
    return len(totals), totals[1] + totals[0]


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
