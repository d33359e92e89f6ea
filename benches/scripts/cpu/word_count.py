"""Words of a text, counted, grouped and written as a table."""

import csv
import io
from collections import Counter, defaultdict
from time import perf_counter

EXPECTED = (14_955, 37, 14_955, 200_000)

WORDS = "the quick brown fox jumps over the lazy dog while seven other foxes watch and wait".split()
TEXT = " ".join(f"{WORDS[i * 7 % 16]}{i % 997}" for i in range(200_000))


def work():
    counts = Counter(word.lower() for word in TEXT.split())
    groups = defaultdict(set)
    for word in counts:
        groups[word[0], len(word)].add(word)
    table = io.StringIO()
    writer = csv.writer(table)
    for word, count in counts.most_common():
        writer.writerow([word, count, f"{count / 2000:.3f}"])
    rows = list(csv.reader(io.StringIO(table.getvalue())))
    return len(counts), len(groups), len(rows), sum(int(row[1]) for row in rows)


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
