"""Text that is split, formatted, joined and replaced."""

from time import perf_counter

EXPECTED = (1_028_889, 200_000, 160_000)


def work():
    lines = []
    for i in range(40_000):
        lines.append(f"{i:>6} | {i * 0.5:8.2f} | {str(i)[::-1]}")
    text = "\n".join(lines)
    words = text.upper().replace("|", ",").split()
    parts = ""
    for word in words[:20_000]:
        parts += word.strip(",").zfill(8)
    return len(text), len(words), len(parts)


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
