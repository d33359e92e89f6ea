"""Objects with methods, properties and operators."""

from time import perf_counter

EXPECTED = (60_000, 4_999_900_000)


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    @property
    def total(self):
        return self.x + self.y


class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        self.balance += self.checked(amount)

    def checked(self, amount):
        return amount


class Limited(Account):
    def checked(self, amount):
        return super().checked(amount)


def work():
    position = Vector(0, 0)
    step = Vector(1, 2)
    for _ in range(20_000):
        position = position + step
    account = Limited()
    for amount in range(100_000):
        account.deposit(amount)
    return position.total, account.balance - 50_000


def milliseconds():
    start = perf_counter()
    result = work()
    elapsed = perf_counter() - start
    assert result == EXPECTED, result
    return elapsed * 1000


print(min(milliseconds() for _ in range(3)))
