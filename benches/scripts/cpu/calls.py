"""Recursive calls of a function."""

from time import perf_counter

EXPECTED = 196_418


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def work():
    return fibonacci(27)


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
