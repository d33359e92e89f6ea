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

    async def subprocess_shell(self, *_, **__):
        raise OSError(refusals.PROCESSES)

    async def subprocess_exec(self, *_, **__):
        raise OSError(refusals.PROCESSES)

    async def create_server(self, *_, **__):
        raise OSError(refusals.NETWORK)

    async def create_connection(self, *_, **__):
        raise OSError(refusals.NETWORK)

    async def create_datagram_endpoint(self, *_, **__):
        raise OSError(refusals.NETWORK)


def install():
    """Makes this loop the one that `asyncio` creates."""
    asyncio.DefaultEventLoopPolicy._loop_factory = SandboxEventLoop
    asyncio.SelectorEventLoop = asyncio.EventLoop = SandboxEventLoop
    asyncio.unix_events.SelectorEventLoop = SandboxEventLoop
