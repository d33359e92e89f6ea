"""Walks the module tree of `runtime/src` and compares its folders with those that ARCHITECTURE.md names.

Run it from the project's root: hermes-exec run examples/rooms.py --workdir . --max-tool-calls 500
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from hermes_tools import read_file

SOURCE = "runtime/src"
ROOTS = ("lib.rs", "frontend/main.rs")
MODULE = re.compile(r"^(?:pub(?:\([a-z]+\))? )?mod (\w+);$")


@dataclass
class Room:
    """What the files of one folder amount to."""

    files: int = 0
    lines: int = 0
    documented: int = 0
    longest: tuple = field(default=(0, ""))

    def add(self, name, text):
        self.files += 1
        self.lines += len(text)
        self.documented += sum(line.lstrip().startswith(("///", "//!")) for line in text)
        self.longest = max(self.longest, (len(text), name))


def read(path):
    """Returns the lines of a file of any length, or None where there is no such file."""
    lines, offset = [], 1
    while True:
        page = read_file(path, offset=offset)
        if "error" in page:
            return None
        # Each line comes as `number|text`.
        fresh = [line.partition("|")[2] for line in page["content"].split("\n")] if page["content"] else []
        lines += fresh
        offset += len(fresh)
        if not page["truncated"]:
            return lines


def join(folder, name):
    return f"{folder}/{name}" if folder else name


def declared(text):
    """Yields the names of the modules that a file declares, without those that only tests have."""
    previous = ""
    for line in text:
        found = MODULE.match(line)
        if found and previous != "#[cfg(test)]":
            yield found[1]
        previous = line


def walk(path, text, inside, folders):
    """Yields the path and lines of a module and of everything below it; `inside` is the folder of its children."""
    yield path, text
    for name in declared(text):
        child = join(inside, name)
        # A folder of its own has a `mod.rs`. The document says which those are; where it is wrong the other place is tried.
        places = [f"{child}/mod.rs", f"{child}.rs"]
        if child not in folders:
            places.reverse()
        for place in places:
            text = read(f"{SOURCE}/{place}")
            if text is not None:
                yield from walk(place, text, child, folders)
                break
        else:
            print(f"declared, but not there: {child}")


document = "\n".join(read("ARCHITECTURE.md") or [])
named = set(re.findall(r"^\| `([\w/]+)/` \|", document, re.MULTILINE))

rooms, real = defaultdict(Room), set()
for root in ROOTS:
    folder = root.rpartition("/")[0]
    for path, text in walk(root, read(f"{SOURCE}/{root}") or [], folder, named):
        home, _, name = path.rpartition("/")
        if name in ("mod.rs", "main.rs"):
            real.add(home)
        # A file below a folder that has no `mod.rs` belongs to the nearest folder that has one.
        while home and home not in real:
            home = home.rpartition("/")[0]
        rooms[home].add(path, text)

print(f"{'room':<20} {'files':>5} {'lines':>6} {'docs':>5}  longest file")
for name in sorted(rooms):
    room = rooms[name]
    lines, longest = room.longest
    share = 100 * room.documented / max(room.lines, 1)
    print(f"{name + '/' if name else '(top)':<20} {room.files:>5} {room.lines:>6} {share:>4.0f}%  {longest} ({lines} lines)")
print(f"{'all':<20} {sum(r.files for r in rooms.values()):>5} {sum(r.lines for r in rooms.values()):>6}")

print()
if real == named:
    print(f"ARCHITECTURE.md names all {len(real)} folders.")
for name in sorted(real - named):
    print(f"not in ARCHITECTURE.md: {name}/")
for name in sorted(named - real):
    print(f"in ARCHITECTURE.md, but not in the code: {name}/")
