"""Searches and replaces in log lines."""

import re
from time import perf_counter

EXPECTED = (6000, 2024, 48_000)

LINES = "".join(f"10.0.{i % 256}.7 - user{i} [12/Mar/2026] \"GET /item/{i}?q=1 HTTP/1.1\" {200 + i % 3} foo=1\n" for i in range(6000))


def work():
    requests = re.findall(r"^(\d+\.\d+\.\d+\.\d+) - (\w+) .*\"(?:GET|POST) (\S+) HTTP", LINES, re.MULTILINE)
    failures = sum(1 for _ in re.finditer(r"\b202\b", LINES))
    _, replaced = re.subn(r"[A-Z]", lambda match: match[0].lower(), LINES)
    return len(requests), failures, replaced


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
