"""Integers of thousands of digits."""

from time import perf_counter

EXPECTED = (604_721, 452_140, 4112)


def pi_digits(count):
    """Returns digits of pi after Machin, as one integer."""
    unity = 10 ** (count + 10)

    def arctangent(inverse):
        total = term = unity // inverse
        square = inverse * inverse
        divisor = 1
        while term:
            term //= -square
            divisor += 2
            total += term // divisor
        return total

    return 4 * (4 * arctangent(5) - arctangent(239)) // 10**10


def work():
    digits = pi_digits(5000)
    power = pow(7, 10**300 + 7, 10**300 + 69)
    product = 1
    for n in range(2, 1500):
        product *= n
    return digits % 10**6, power % 10**6, len(str(product))


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
