"""Reads Cargo.lock page by page, asks a database about it, and writes a table that is read back.

Run it from the project's root: hermes-exec run examples/dependencies.py --workdir . --max-tool-calls 500
"""

import csv
import io
import re
import sqlite3
import sys
import tomllib

from hermes_tools import read_file, write_file

PAGE = 500
TABLE = "target/report/dependencies.csv"


def read(path):
    """Returns the text of a file, read in pages of 500 lines, and the number of pages."""
    lines, pages = [], 0
    while True:
        page = read_file(path, offset=len(lines) + 1, limit=PAGE)
        if "error" in page:
            sys.exit(page["error"])
        # Each line comes as `number|text`.
        lines += [line.partition("|")[2] for line in page["content"].split("\n")]
        pages += 1
        if not page["truncated"]:
            return "\n".join(lines) + "\n", pages


def load(packages):
    """Returns a database of the packages and of who needs whom."""
    db = sqlite3.connect(":memory:")
    db.executescript(
        """
        create table package (name text, version text, own integer, primary key (name, version));
        create table need (name text, version text, needs text, needs_version text);
        """
    )
    versions = {}
    for package in packages:
        versions.setdefault(package["name"], []).append(package["version"])
        db.execute("insert into package values (?, ?, ?)", (package["name"], package["version"], "source" not in package))
    for package in packages:
        for needed in package.get("dependencies", []):
            # A version stands behind the name only where the lock file has several.
            name, version = re.fullmatch(r"(\S+)(?: (\S+))?.*", needed).groups()
            version = version or versions[name][0]
            db.execute("insert into need values (?, ?, ?, ?)", (package["name"], package["version"], name, version))
    return db


text, pages = read("Cargo.lock")
db = load(tomllib.loads(text)["package"])


def ask(query, *values):
    return db.execute(query, values).fetchall()


[(total, own)] = ask("select count(*), sum(own) from package")
[(edges,)] = ask("select count(*) from need")
print(f"Cargo.lock: {len(text):,} characters in {pages} pages, {total} packages ({own} of this project), {edges} dependencies")

print("\nneeded by most packages:")
for name, users in ask("select needs, count(distinct name) n from need group by needs order by n desc, needs limit 8"):
    print(f"  {users:>3}  {name}")

print("\nin more than one version:")
for name, versions in ask(
    "select name, group_concat(version, ', ' order by version) from package group by name having count(*) > 1 order by name"
):
    print(f"  {name:<24} {versions}")

BELOW = """
with recursive below (name, version) as (
    values (?, ?)
    union
    select need.needs, need.needs_version from need join below on need.name = below.name and need.version = below.version
)
select count(*) - 1 from below
"""
print("\npackages below each of our own:")
rows = []
for name, version in ask("select name, version from package where own order by name"):
    [(direct,)] = ask("select count(*) from need where name = ? and version = ?", name, version)
    [(below,)] = ask(BELOW, name, version)
    rows.append((name, version, direct, below))
    print(f"  {name:<16} {direct:>3} direct, {below:>3} in all")

out = io.StringIO()
table = csv.writer(out, lineterminator="\n")
table.writerow(("package", "version", "direct", "all"))
table.writerows(rows)
written = write_file(TABLE, out.getvalue())
if "error" in written:
    sys.exit(written["error"])
back, _ = read(TABLE)
assert [tuple(row) for row in csv.reader(io.StringIO(back))][1:] == [tuple(map(str, row)) for row in rows]
print(f"\nwrote {written['bytes_written']} bytes to {TABLE} and read the same rows back")
