"""Records to JSON text and back."""

import json
from time import perf_counter

EXPECTED = (15_000, 0)


def work():
    records = [{"id": i, "name": "x" * 20, "values": [1, 2.5, None], "text": "a\nb"} for i in range(15_000)]
    for _ in range(2):
        records = json.loads(json.dumps(records))
    return len(records), records[0]["id"]


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
