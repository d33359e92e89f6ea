"""The training run of the profile: what scripts in the sandbox do most, in small doses.

Each part is a function; all of them run a few times. Weight matters more than coverage: what runs longest here is what
the compiler makes fast. Nothing is printed and nothing is measured. Modules that the counting build may lack are
optional.
"""

import abc
import argparse
import ast
import base64
import bisect
import collections
import contextlib
import copy
import csv
import dataclasses
import datetime
import decimal
import difflib
import enum
import fractions
import functools
import hashlib
import heapq
import html
import io
import itertools
import json
import math
import operator
import pathlib
import pickle
import random
import re
import shlex
import statistics
import string
import struct
import tempfile
import textwrap
import traceback
import typing
import urllib.parse
import uuid

try:
    import gzip
    import zlib
except ImportError:
    zlib = gzip = None
try:
    import sqlite3
except ImportError:
    sqlite3 = None

ROUNDS = 40

LOG_LINES = [
    f"2024-0{month}-{day:02} 12:{day:02}:07,{day * 31 % 1000:03} {level:<7} worker-{day % 5} "
    f"request id={day * month} path=/api/v{month}/items/{day} took={day * 1.5:.2f}ms status={status}"
    for month in range(1, 7)
    for day in range(1, 29)
    for level, status in (("INFO", 200), ("WARNING", 404), ("ERROR", 500))
]

MARKUP = "".join(f'<li class="row {n % 3}"><a href="/item/{n}?q=a&amp;b={n}">Item &quot;{n}&quot;</a></li>' for n in range(300))


def calls():
    def recursive(n):
        return n if n < 2 else recursive(n - 1) + recursive(n - 2)

    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    def keywords(first, second=2, *rest, third=3, **others):
        return first + second + third + len(rest) + len(others)

    @functools.lru_cache(maxsize=None)
    def cached(n):
        return n if n < 2 else cached(n - 1) + cached(n - 2)

    def counted(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            wrapper.count += 1
            return function(*args, **kwargs)

        wrapper.count = 0
        return wrapper

    decorated = counted(keywords)
    recursive(20)
    ackermann(2, 30)
    for n in range(4000):
        decorated(n)
        keywords(n, third=4)
        decorated(n, 1, 2, 3, extra=n)
        keywords(*(n, 1), **{"third": 1})
    cached(300)
    list(map(lambda x: x * 2 + 1, range(8000)))
    functools.reduce(operator.add, range(8000))
    add_five = functools.partial(operator.add, 5)
    [add_five(n) for n in range(4000)]


def loops():
    counts = {}
    for n in range(60_000):
        key = n % 1000
        counts[key] = counts.get(key, 0) + n
    total = 0
    for n in range(40_000):
        if n % 3 == 0 and n % 5 != 0:
            total += n
        elif n & 1:
            total -= 1
        else:
            continue
    n, steps = 27, 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    sieve = bytearray([1]) * 20_000
    for n in range(2, 142):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, 20_000, n)))
    return sum(sieve), total, steps


def numbers():
    points = [(math.sin(n) * 1.5, math.cos(n) / 2.5) for n in range(8000)]
    norm = 0.0
    for x, y in points:
        norm += math.sqrt(x * x + y * y) - abs(x) ** 0.5
    statistics.mean(x for x, _ in points[:500])
    statistics.stdev([y for _, y in points[:500]])
    big = 3**400 * 7**250 // 11**100 % 10**150
    str(big), int(str(big)), pow(7, big, 10**40), math.factorial(200), math.gcd(big, 2**60)
    divmod(big, 97), big >> 17, big & (1 << 100) - 1, round(2.675, 2), f"{norm:.3f}"
    sum(decimal.Decimal(n) / 7 for n in range(300))
    sum((fractions.Fraction(1, n) for n in range(1, 60)), fractions.Fraction())
    size = 24
    left = [[(row * col) % 7 + 0.5 for col in range(size)] for row in range(size)]
    right = list(zip(*left))
    [[sum(a * b for a, b in zip(row, col)) for col in right] for row in left]
    for limit in range(200):
        random.random(), random.randint(0, limit), random.choice("abcdef")
    random.shuffle(list(range(2000)))


def containers():
    words = [f"{chr(97 + n % 26)}{n * 7919 % 1000}" for n in range(6000)]
    tally = collections.Counter(words)
    tally.most_common(10)
    groups = collections.defaultdict(list)
    for word in words:
        groups[word[0]].append(word)
    {key: len(value) for key, value in sorted(groups.items())}
    unique = set(words)
    unique & {word for word in words if word > "m"} | {"x"} - {"y"}
    sum(1 for word in words if word in unique)
    sorted(words), sorted(words, key=len, reverse=True), sorted(words, key=lambda w: (w[-1], int(w[1:])))
    rows = [{"id": n, "name": words[n], "score": n * 37 % 101, "tags": [words[n], "t"]} for n in range(2500)]
    rows.sort(key=operator.itemgetter("score", "name"))
    {row["name"]: row for row in rows}, [row for row in rows if row["score"] > 50 and "t" in row["tags"]]
    max(rows, key=lambda row: row["score"]), min(row["id"] for row in rows), any(row["id"] < 0 for row in rows)
    merged = {**rows[0], **{"extra": 1}} | {"more": 2}
    queue = collections.deque(maxlen=100)
    for row in rows:
        queue.append(row["id"])
    while queue:
        queue.popleft()
    heap = []
    for n in range(3000):
        heapq.heappush(heap, (n * 7919 % 1009, n))
    [heapq.heappop(heap) for _ in range(3000)]
    ordered = []
    for n in range(1500):
        bisect.insort(ordered, n * 7919 % 1009)
    flat = [cell for row in [[1, 2, 3]] * 2000 for cell in row]
    flat[10:200:3], flat[::-1], flat + flat, flat.index(3), flat.count(2), list(reversed(flat))
    stack = []
    for n in flat:
        stack.append(n)
        if len(stack) > 50:
            stack.pop(), stack.insert(0, n)
    pairs = list(zip(flat, itertools.cycle("ab")))
    dict(enumerate(pairs)), list(itertools.chain.from_iterable(pairs))
    [(key, len(list(group))) for key, group in itertools.groupby(sorted(words), key=lambda w: w[0])]
    list(itertools.product("abc", repeat=5)), list(itertools.combinations(range(12), 4)), list(itertools.permutations(range(6)))
    list(itertools.islice(itertools.accumulate(itertools.count()), 2000)), list(itertools.batched(flat, 7))
    first, *middle, last = flat
    return merged, first, middle, last


def texts():
    lines = []
    for number, line in enumerate(LOG_LINES):
        date, time, level, *rest = line.split()
        fields = dict(part.split("=", 1) for part in rest if "=" in part)
        lines.append(f"{number:>5} | {date:<12}|{time} {level.lower()!r:^12} {fields['path']} {float(fields['took'][:-2]):8.2f}")
    joined = "\n".join(lines)
    joined.splitlines(), joined.upper().count("ERROR"), joined.replace("worker", "w").find("status"), joined.title()
    joined.encode().decode(), joined.startswith("x"), joined.strip().rstrip("0"), joined.partition("|")
    "%s is %d of %5.1f" % ("a", 1, 2.5), "{0:>10} {name!r} {0:x}".format(255, name="n")
    [word.strip(string.punctuation).casefold() for word in joined.split()]
    "".join(chr((ord(c) - 97 + 13) % 26 + 97) if c.islower() else c for c in joined[:6000])
    reversed_words = " ".join(word[::-1] for word in joined[:4000].split(" "))
    "héllo wörld ünïcode ✓ 漢字 😀 ".join(["a", "b"] * 300).encode("utf-8").decode("utf-8").swapcase()
    table = str.maketrans("abc", "xyz")
    joined.translate(table), joined[:3000].isalpha(), joined.zfill(10), joined.rjust(20)
    textwrap.fill(reversed_words, 60), textwrap.dedent("    a\n      b\n" * 100), textwrap.indent(joined[:2000], "> ")
    list(difflib.unified_diff(lines[:60], lines[20:90], lineterm="")), difflib.get_close_matches("appel", ["apple", "ape", "peach"])
    html.escape(MARKUP), html.unescape(MARKUP), shlex.split("a 'b c' \"d e\" f\\ g " * 20)
    urllib.parse.urlencode({"a": "b c", "d": "é"}), urllib.parse.urlparse("https://u@h:1/p/q?x=1&y=2#f"), urllib.parse.unquote("%20a%C3%A9" * 30)
    template = string.Template("$name owes $$${amount}")
    [template.substitute(name=n, amount=n) for n in range(60)]


def expressions():
    text = "\n".join(LOG_LINES)
    entry = re.compile(r"^(?P<date>\d{4}-\d\d-\d\d) (?P<time>[\d:,]+) (?P<level>\w+)\s+(\S+) .*?status=(\d+)$", re.MULTILINE)
    [match.groupdict() for match in entry.finditer(text)]
    re.findall(r"(\w+)=([^\s]+)", text)
    re.sub(r"\d+", lambda match: str(int(match[0]) + 1), text)
    re.sub(r"(?i)error|warning", "<\\g<0>>", text)
    re.split(r"[\s,;|]+", text)
    re.findall(r'<a href="([^"]*)">(.*?)</a>', MARKUP), re.sub(r"<[^>]+>", "", MARKUP)
    re.findall(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[a-z]{2,}", "mail a.b@c.example, x@y.zz now " * 200)
    for line in LOG_LINES:
        re.match(r"\d+-\d+", line), re.search(r"took=(\d+\.\d+)", line), re.fullmatch(r".*", line)
    sum(len(match[0]) for match in re.finditer(r"\b\w{5,}\b", text))


@dataclasses.dataclass(order=True)
class Item:
    name: str
    price: float = 1.0
    tags: list = dataclasses.field(default_factory=list)

    @property
    def total(self):
        return self.price * (1 + len(self.tags))


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Shape(abc.ABC):
    count = 0

    def __init__(self, size):
        self.size = size
        type(self).count += 1

    @abc.abstractmethod
    def area(self): ...

    def __lt__(self, other):
        return self.area() < other.area()

    def __repr__(self):
        return f"{type(self).__name__}({self.size!r})"


class Square(Shape):
    def area(self):
        return self.size**2


class Circle(Shape):
    __slots__ = ("label",)

    def __init__(self, size, label=""):
        super().__init__(size)
        self.label = label

    def area(self):
        return 3.14159 * self.size**2


class Node(typing.NamedTuple):
    value: int
    left: typing.Any = None
    right: typing.Any = None


def classes():
    shapes = [Square(n % 17) if n % 2 else Circle(n % 13, str(n)) for n in range(3000)]
    sorted(shapes), sum(shape.area() for shape in shapes), [repr(shape) for shape in shapes[:500]]
    [shape for shape in shapes if isinstance(shape, Circle) and hasattr(shape, "label")]
    items = [Item(f"i{n}", n / 3, ["a"] * (n % 3)) for n in range(1200)]
    sorted(items), [item.total for item in items], items[0] == items[1], dataclasses.asdict(items[0])
    position = Point(0)
    for n in range(3000):
        position = position + Point(n, -n)
    {Point(n % 50, 1) for n in range(1500)}, [Colour(1 + n % 2).name for n in range(800)], Colour["RED"] is Colour.RED

    def insert(node, value):
        if node is None:
            return Node(value)
        if value < node.value:
            return node._replace(left=insert(node.left, value))
        return node._replace(right=insert(node.right, value))

    root = None
    for n in range(250):
        root = insert(root, n * 7919 % 1009)
    for n in range(2000):
        match (n % 5, n):
            case (0, value):
                value += 1
            case (1 | 2, value) if value > 10:
                value -= 1
            case _:
                pass


def flow():
    def numbers_up_to(limit):
        for n in range(limit):
            try:
                if n % 7 == 0:
                    raise ValueError(n)
                yield n
            except ValueError as error:
                yield -error.args[0]
            finally:
                limit -= 0

    def delegating(limit):
        received = yield from numbers_up_to(limit)
        return received

    @contextlib.contextmanager
    def managed(target):
        target.append(1)
        try:
            yield target
        finally:
            target.pop()

    sum(delegating(12_000)), list(itertools.takewhile(lambda n: n < 2000, numbers_up_to(3000)))
    target = []
    for n in range(1500):
        with managed(target), contextlib.suppress(KeyError):
            {}[n]
    for n in range(3000):
        try:
            int("x") if n % 2 else [][n]
        except (ValueError, IndexError):
            pass
        else:
            raise AssertionError
    try:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise RuntimeError("outer") from error
    except RuntimeError:
        traceback.format_exc()

    async def leaf(n):
        return n

    async def branch(n):
        return await leaf(n) + await leaf(n + 1)

    for n in range(1500):
        try:
            branch(n).send(None)
        except StopIteration:
            pass


def data():
    records = [
        {"id": n, "name": f"näme {n}", "value": n * 1.5, "ok": n % 2 == 0, "none": None, "list": [n, n + 1, {"deep": "x" * 20}]}
        for n in range(1500)
    ]
    text = json.dumps(records)
    loaded = json.loads(text)
    json.dumps(loaded, indent=2, sort_keys=True), json.dumps(loaded, ensure_ascii=False), json.loads(json.dumps(text))
    table = io.StringIO()
    writer = csv.DictWriter(table, ["id", "name", "value"], extrasaction="ignore")
    writer.writeheader()
    writer.writerows(records)
    table.seek(0)
    [(int(row["id"]), float(row["value"])) for row in csv.DictReader(table)]
    pickle.loads(pickle.dumps(records)), copy.deepcopy(records[:300]), copy.copy(records)
    base64.b64decode(base64.b64encode(text.encode())), bytes.fromhex(text.encode()[:4000].hex())
    for name in ("md5", "sha1", "sha256", "sha512", "blake2b", "sha3_256"):
        hashlib.new(name, text.encode()[:40_000]).hexdigest()
    [struct.unpack("<IhB", struct.pack("<IhB", n, -5, 200)) for n in range(1500)]
    [str(uuid.UUID(int=n * 2**90)) for n in range(300)]
    day = datetime.datetime(2024, 2, 28, 23, 59, tzinfo=datetime.timezone.utc)
    for n in range(800):
        later = day + datetime.timedelta(hours=n, minutes=7)
        later.isoformat(), later.weekday(), (later - day).total_seconds(), later.date() > day.date()
    [datetime.datetime.fromisoformat(f"2024-03-{n % 28 + 1:02}T10:00:00") for n in range(400)]
    [day.strftime("%Y-%m-%d %H:%M") for _ in range(200)], [datetime.datetime.strptime("2024-05-06 07:08", "%Y-%m-%d %H:%M") for _ in range(100)]


def compilers():
    for module in (textwrap, argparse):
        source = pathlib.Path(module.__file__).read_text()
        tree = ast.parse(source)
        [node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        compile(source, "training", "exec")
    small = "def f(a, b=2):\n    return [x * a for x in range(b) if x]\nclass C:\n    y = f(3)\nresult = [f(n, 4) for n in range(5)]\n"
    for _ in range(60):
        exec(compile(small, "<cell>", "exec"), {"__name__": "__main__"})
    [eval(f"{n} + 2 * (3 - {n})") for n in range(300)], ast.literal_eval(repr({"a": [1, 2.5, None, True, "x"]})), ast.unparse(tree)


def files():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        for n in range(40):
            path = directory / f"d{n % 4}" / f"file{n}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(LOG_LINES[n : n + 60]) + "\n", encoding="utf-8")
        sizes = {path.relative_to(directory).as_posix(): path.stat().st_size for path in sorted(directory.rglob("*.txt"))}
        for path in directory.glob("*/*.txt"):
            with path.open(encoding="utf-8") as lines:
                errors = [line.rstrip("\n") for line in lines if "ERROR" in line]
            with open(path, "rb") as raw:
                raw.seek(10), raw.read(100), raw.readline()
        (directory / "report.md").write_text("".join(f"- {key}: {value}\n" for key, value in sizes.items()))
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        for line in LOG_LINES:
            print(line, len(line), 1.5, [1, "a"], {"k": None}, sep=" | ")
        print(*errors, sep="\n")
    for line in io.BytesIO("\n".join(LOG_LINES).encode()):
        line.strip().split(b" ", 2)


def archives():
    content = "\n".join(LOG_LINES).encode()
    if zlib:
        zlib.decompress(zlib.compress(content)), gzip.decompress(gzip.compress(content)), zlib.crc32(content)
    if sqlite3:
        database = sqlite3.connect(":memory:")
        database.execute("create table item (id integer primary key, name text, score real)")
        database.executemany("insert into item (name, score) values (?, ?)", ((f"n{n}", n * 1.5) for n in range(1500)))
        database.execute("select substr(name, 1, 2) as k, count(*), avg(score) from item group by k order by 2 desc").fetchall()
        for row in database.execute("select * from item where score > ?", (500,)):
            dict(zip(("id", "name", "score"), row))


def main():
    random.seed(1)
    for _ in range(ROUNDS):
        for part in (calls, loops, numbers, containers, texts, expressions, classes, flow, data, compilers, files, archives):
            part()


if __name__ == "__main__":
    main()
