"""Numbers and records in order."""

from time import perf_counter

EXPECTED = (31_950, 2_147_465_837, "467834507")


def numbers(count):
    """Returns the same numbers everywhere, in no order."""
    value = 12_345
    result = []
    for _ in range(count):
        value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
        result.append(value)
    return result


def work():
    values = numbers(20_000)
    ascending = sorted(values)
    records = [{"key": value % 1000, "name": str(value)} for value in values]
    records.sort(key=lambda record: (record["key"], record["name"]))
    descending = sorted(values, reverse=True)
    return ascending[0], descending[0], records[10_000]["name"]


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
