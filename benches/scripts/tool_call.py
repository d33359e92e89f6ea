"""Prints the seconds of one call of the host's tool `answer`, on average over CALLS calls; the host sets CALLS."""

from time import perf_counter

from hermes_tools import answer

answer()
start = perf_counter()
for _ in range(CALLS):
    answer()
print((perf_counter() - start) / CALLS)
