"""Prints the seconds of one JSON round trip to another process over a pair of Unix sockets, on average.

Usage: socket_pair.py CALLS FILE, where FILE has the JSON text of the answer.
"""

import json
import os
import socket
import sys
from time import perf_counter


def serve(stream, answer):
    """Answers each request, one JSON object a line, until the other side is gone."""
    for line in stream:
        request = json.loads(line)
        assert request["tool"] == "answer"
        stream.write(answer)
        stream.flush()


def call(stream):
    """Sends one request and returns the parsed answer."""
    stream.write(json.dumps({"tool": "answer", "args": {}}).encode() + b"\n")
    stream.flush()
    return json.loads(stream.readline())


def main():
    calls = int(sys.argv[1])
    with open(sys.argv[2], "rb") as file:
        answer = file.read().strip() + b"\n"
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    if os.fork() == 0:
        ours.close()
        serve(theirs.makefile("rwb"), answer)
        return
    theirs.close()
    stream = ours.makefile("rwb")
    call(stream)
    start = perf_counter()
    for _ in range(calls):
        call(stream)
    print((perf_counter() - start) / calls)


main()
