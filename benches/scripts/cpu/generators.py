"""Generators that feed each other, and comprehensions."""

from itertools import islice
from time import perf_counter

EXPECTED = (2_531_266_874_925_000, 135_000)


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def pairs(numbers):
    for number in numbers:
        yield number, number * number


def flatten(items):
    for item in items:
        yield from item


def work():
    chain = flatten(pairs(n for n in naturals() if n % 3))
    total = sum(islice(chain, 300_000))
    squares = {n: [m for m in range(n % 10)] for n in range(30_000)}
    return total, sum(len(row) for row in squares.values())


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
