"""The event loop of `asyncio` without sockets: it sleeps until the next timer, and lets pending jobs run instead of waiting."""

import asyncio
import asyncio.events
import asyncio.unix_events

from hermes_guest import refusals, waiting


class _Selector:
    """Stands where a loop waits for input: there is none, so only time and other threads can bring something."""

    def __init__(self, loop):
        self._loop = loop

    def select(self, timeout):
        if timeout is None or timeout > 0:
            waiting.wait_until(lambda: bool(self._loop._ready), timeout)
        return []

    def close(self):
        pass


class SandboxEventLoop(asyncio.BaseEventLoop):
    """An event loop of timers, callbacks and executors."""

    def __init__(self):
        super().__init__()
        self._selector = _Selector(self)

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass


#: What a loop of CPython can do and this one cannot, and why.
REFUSED = (
    ("subprocess_shell subprocess_exec", refusals.PROCESSES),
    ("connect_read_pipe connect_write_pipe", refusals.PIPES),
    ("create_server create_connection create_datagram_endpoint create_unix_server create_unix_connection", refusals.NETWORK),
    ("sock_accept sock_connect sock_recv sock_recv_into sock_recvfrom sock_recvfrom_into", refusals.NETWORK),
    ("sock_sendall sock_sendto sock_sendfile sendfile start_tls", refusals.NETWORK),
)


def _refuse(message):
    async def refuse(self, *_, **__):
        raise OSError(message)

    return refuse


def install():
    """Makes this loop the one that `asyncio` creates."""
    for names, reason in REFUSED:
        for name in names.split():
            setattr(SandboxEventLoop, name, _refuse(reason))
    asyncio.DefaultEventLoopPolicy._loop_factory = SandboxEventLoop
    asyncio.SelectorEventLoop = asyncio.EventLoop = SandboxEventLoop
    asyncio.unix_events.SelectorEventLoop = SandboxEventLoop
