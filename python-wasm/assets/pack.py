"""Packs the standard library for the sandbox into one zip.

Every module is there twice: compiled and stored as it is, which is what an import reads, and as compressed source,
which is what a traceback reads. Run by the interpreter whose bytecode the sandbox runs. The same input gives the same
bytes: order and timestamps are fixed, and one process compiles all modules with a fixed hash seed.
"""

import argparse
import importlib.util
import json
import marshal
import os
import pathlib
import struct
import sys
import zipfile

# Where the archive lies in the sandbox: part of every traceback line of a library function.
MOUNT = "/lib/python313.zip"

# A compiled module that says "belongs to the source with this hash, do not check": bit 0 is set, bit 1 is not.
UNCHECKED_HASH = 0b01

TIMESTAMP = (1980, 1, 1, 0, 0, 0)

# Modules and packages that cannot work in the sandbox, or are of no use there.
LEFT_OUT = {
    # Tests and demonstrations.
    "test", "__hello__", "__phello__", "antigravity", "turtledemo",
    # A screen or a terminal.
    "curses", "idlelib", "pty", "tkinter", "tty", "turtle",
    # Installers of packages.
    "ensurepip", "site-packages", "venv",
    # C extensions that the sandbox does not have.
    "ctypes", "dbm/gnu", "dbm/ndbm", "ssl",
    # Other platforms.
    "_aix_support", "_android_support", "_apple_support", "_ios_support", "_osx_support",
    "asyncio/windows_events", "asyncio/windows_utils", "encodings/mbcs", "encodings/oem",
    "multiprocessing/popen_spawn_win32",
}

# Of the terminal's interactive prompt only what `pydoc` imports.
PROMPT = "_pyrepl"
PROMPT_KEPT = {"_pyrepl/__init__", "_pyrepl/pager"}


def main():
    options = arguments()
    packed = Archive()
    for name, source in library(options.library):
        packed.module(name, source)
    packed.module(options.sysconfig.name, configuration(options.sysconfig, options.hide))
    for name, content in time_zones(options.time_zones):
        if name.endswith(".py"):
            packed.module(name, content)
        else:
            packed.data(name, content)
    packed.refuse(options.hide)
    size = packed.write(options.out)
    print(json.dumps({"modules": packed.modules, "data_files": packed.data_files, "bytes": size}))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=pathlib.Path, required=True, help="the Lib directory of the source")
    parser.add_argument("--time-zones", type=pathlib.Path, required=True, help="the wheel of tzdata")
    parser.add_argument("--sysconfig", type=pathlib.Path, required=True, help="_sysconfigdata of the cross build")
    parser.add_argument("--hide", required=True, help="a path of this machine that must not be in the archive")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the archive to write")
    return parser.parse_args()


class Archive:
    """The entries of the zip, by name."""

    def __init__(self):
        self.entries = {}
        self.modules = 0
        self.data_files = 0

    def module(self, name, source):
        """Adds a module by its path and source."""
        code = compile(source, f"{MOUNT}/{name}", "exec", dont_inherit=True, optimize=0)
        header = importlib.util.MAGIC_NUMBER + struct.pack("<I", UNCHECKED_HASH) + importlib.util.source_hash(source)
        self.entries[name + "c"] = (header + marshal.dumps(code), zipfile.ZIP_STORED)
        self.entries[name] = (source, zipfile.ZIP_DEFLATED)
        self.modules += 1

    def data(self, name, content):
        """Adds a file that a package reads."""
        self.entries[name] = (content, zipfile.ZIP_STORED)
        self.data_files += 1

    def refuse(self, path):
        """Stops when a path of this machine is in an entry."""
        for name, (content, _) in self.entries.items():
            if path.encode() in content:
                sys.exit(f"`{name}` holds the path `{path}` of this machine")

    def write(self, path):
        """Writes the archive in one move and returns its size in bytes."""
        temporary = path.with_suffix(".tmp")
        with zipfile.ZipFile(temporary, "w") as archive:
            for name, (content, method) in sorted(self.entries.items()):
                entry = zipfile.ZipInfo(name, TIMESTAMP)
                entry.compress_type = method
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content, compresslevel=9)
        size = temporary.stat().st_size
        os.replace(temporary, path)
        return size


def library(directory):
    """Yields the path and source of every module that goes in."""
    for path in sorted(directory.rglob("*.py")):
        relative = path.relative_to(directory)
        if goes_in(relative):
            yield relative.as_posix(), path.read_bytes()


def goes_in(relative):
    name = relative.with_suffix("").as_posix()
    if relative.parts[0] == PROMPT:
        return name in PROMPT_KEPT
    parts = name.split("/")
    prefixes = ("/".join(parts[:length]) for length in range(1, len(parts) + 1))
    return LEFT_OUT.isdisjoint(prefixes)


def configuration(path, hide):
    """Returns the build's configuration variables with paths as on every machine."""
    return path.read_text().replace(hide, "/build").encode()


def time_zones(wheel):
    """Yields the path and content of the files of the tzdata package."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith("tzdata/") and not name.endswith("/"):
                yield name, archive.read(name)


if __name__ == "__main__":
    main()
