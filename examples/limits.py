"""Tries what a sandbox does not allow, and shows what a script sees of it. Nothing here ends the script.

Run it from the project's root: hermes-exec run examples/limits.py --workdir . --max-tool-calls 500
"""

import os
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

from hermes_tools import read_file, write_file


def attempt(what, function):
    """Prints what a function returns or raises."""
    try:
        answer = function()
    except Exception as error:
        answer = f"{type(error).__name__}: {error}".removesuffix(": ")
    print(f"{what:<28} {answer}")


def recurse(depth=0):
    return recurse(depth + 1)


print("what is the host's")
attempt("a file of the host", lambda: open("/etc/passwd"))
attempt("a place outside of /scratch", lambda: open("/lib/mine", "w"))
attempt("a process", lambda: subprocess.run(["ls"]))
attempt("the network", lambda: socket.create_connection(("example.org", 443)))
attempt("standard input", input)
attempt("environment", lambda: ", ".join(sorted(os.environ)))
attempt("working directory", os.getcwd)

print("\nwhat a tool refuses is a returned dict, never an exception")
attempt("an absolute path outside", lambda: read_file("/etc/passwd")["error"])
attempt("a path that climbs out", lambda: write_file("../escaped.txt", "x")["error"])

print("\nwhat is too much")
attempt("1 GiB of memory", lambda: bytearray(1 << 30))
attempt("endless recursion", recurse)
attempt("memory after that", lambda: f"{sum(bytearray(b'x' * 1_000_000)):,}")

print("\nthreads run one after another, and give what they give elsewhere")
with ThreadPoolExecutor(4) as pool:
    print("  a pool keeps the order:", list(pool.map(lambda n: n * n, range(8))))
lock, counts = threading.Lock(), []


def count(name):
    with lock:
        counts.append((name, len(counts)))


threads = [threading.Thread(target=count, args=(name,)) for name in "abc"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("  a lock protects a list:", counts)

print("\na failure in the middle leaves the rest")
for path in ("README.md", "NO-SUCH-FILE.md", "SECURITY.md"):
    answer = read_file(path, limit=1)
    # A line comes as `number|text`.
    print(f"  {path:<16}", "missing" if "error" in answer else f"begins with {answer['content'].partition('|')[2]!r}")

print("\nThree tool calls failed on purpose. The script went on, but the result lists them as `tool_errors`,")
print("and the command line prints them as warnings.")
