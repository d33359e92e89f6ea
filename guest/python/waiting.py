"""Waiting, where there is one thread of execution: whoever has to wait runs the work that others have left to do.

A job (a started thread, a task given to a pool) is kept until somebody waits for anything: a lock, a queue, a result, an event, a
sleep, the end of the cell. It then runs to its end on top of the one that waits. A job that itself waits for something which only
those below it could bring is ended (`Parked`), so that they can go on.
"""

import time
from collections import deque

#: How long a daemon thread may go on sleeping after the one below it is free to continue, in seconds.
GRACE = 0.1

DEADLOCK = (
    "deadlock: this waits for something that no other thread is left to do (in the sandbox threads run one after another; "
    "a thread that waits for more work while the others have finished is ended)"
)

#: How many jobs may be pending before no further thread is started.
MOST = 10_000
#: How many may be when a pool is given one where nothing can be run first: in another job, or while the cell holds a lock.
MOST_IN_POOLS = 10 * MOST

NO_THREAD = "can't start new thread"

monotonic = time.monotonic
_real_sleep = time.sleep

#: Jobs that nobody has run yet, oldest first.
pending = deque()
#: What the suspended ones wait for, innermost last: functions that say whether the wait is over.
_waits = []
#: The jobs that run now, innermost last.
_running = []
#: Locks that the cell's own code holds by a `with` statement. While it holds one, its sleeps run nothing: what ran might need the lock.
held = 0


class Parked(BaseException):
    """Ends a job that can never go on."""


class Job:
    """Work that waits to be run once; subclasses say how and when."""

    daemon = False
    #: The earliest moment to run it, on the monotonic clock; 0 for at once.
    due = 0.0

    def run(self):
        raise NotImplementedError


def add(job):
    """Leaves a job to whoever waits next; refuses it when too many are pending, as CPython does when there are no more threads."""
    if len(pending) >= MOST:
        raise RuntimeError(NO_THREAD)
    pending.append(job)


def add_pooled(job):
    """Leaves a pool's job to whoever waits next; when too many are pending, the oldest is run first."""
    if len(pending) >= MOST and not _running and not held:
        run_next()
    if len(pending) >= MOST_IN_POOLS:
        raise RuntimeError(NO_THREAD)
    pending.append(job)


def run_job(job):
    """Runs one job to its end on top of whatever runs now."""
    running_loop = _swap_running_loop(None)
    _running.append(job)
    try:
        job.run()
    finally:
        _running.pop()
        _swap_running_loop(running_loop)


def run_next():
    """Runs the oldest job that is due; returns whether there was one."""
    for job in pending:
        if not job.due or job.due <= monotonic():
            pending.remove(job)
            run_job(job)
            return True
    return False


def wait_until(ready, timeout=None):
    """Runs pending jobs until `ready()` is true or the time is over; returns the last answer of `ready`."""
    if ready():
        return True
    end = None if timeout is None else monotonic() + max(timeout, 0)
    _waits.append(ready)
    try:
        while not ready():
            now = monotonic()
            if end is not None and now >= end:
                return False
            if run_next():
                continue
            moments = [job.due for job in pending]
            if end is not None:
                moments.append(end)
                if _running and _somebody_below_is_ready():
                    raise Parked
            if not moments:
                raise Parked if _running else RuntimeError(DEADLOCK)
            _real_sleep(max(min(moments) - now, 0))
        return True
    finally:
        _waits.pop()


def sleep(seconds, /):
    """Suspends the caller, as `time.sleep` does; the cell's own code lets pending jobs run meanwhile."""
    if _running:
        _real_sleep(seconds)
        if _running[-1].daemon and _somebody_below_is_ready() and _overstayed():
            raise Parked
    elif pending and not held and seconds > 0:
        end = monotonic() + seconds
        wait_until(lambda: monotonic() >= end, seconds)
    else:
        _real_sleep(seconds)


def finish():
    """Runs what a cell's end has to wait for: every pending job but those of daemon threads."""
    while True:
        jobs = [job for job in pending if not job.daemon]
        if not jobs:
            return
        job = min(jobs, key=lambda job: job.due)
        if job.due:
            _real_sleep(max(job.due - monotonic(), 0))
        pending.remove(job)
        run_job(job)


def forget_running():
    """Resets what a cell that ended in the middle of things may have left."""
    global held
    _waits.clear()
    _running.clear()
    held = 0


def _somebody_below_is_ready():
    return any(ready() for ready in _waits[: len(_running)])


def _overstayed():
    job = _running[-1]
    since = getattr(job, "free_since", None)
    if since is None:
        job.free_since = monotonic()
        return False
    return monotonic() - since > GRACE


def _swap_running_loop(loop):
    from asyncio import _get_running_loop, _set_running_loop

    previous = _get_running_loop()
    _set_running_loop(loop)
    return previous


class Lock:
    """A mutual exclusion lock with the interface of `threading.Lock`."""

    __slots__ = ("_locked", "__weakref__")

    def __init__(self):
        self._locked = False

    def acquire(self, blocking=True, timeout=-1):
        if timeout != -1 and not blocking:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if self._locked:
            if not blocking or not wait_until(lambda: not self._locked, None if timeout == -1 else timeout):
                return False
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        self._locked = False

    def locked(self):
        return self._locked

    def __enter__(self):
        global held
        self.acquire()
        if not _running:
            held += 1
        return True

    def __exit__(self, *_):
        global held
        if not _running:
            held = max(held - 1, 0)
        self.release()

    def _at_fork_reinit(self):
        self._locked = False

    def __repr__(self):
        state = "locked" if self._locked else "unlocked"
        return f"<{state} _thread.lock object at {id(self):#x}>"


def install():
    """Makes `time.sleep` let pending jobs run."""
    time.sleep = sleep
