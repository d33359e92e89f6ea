"""Threads and thread pools on top of `waiting`: started ones run when somebody waits, one after another."""

import _thread
import _threading_local
import concurrent.futures
import concurrent.futures.thread
import itertools
import queue
import sys
import threading

from hermes_guest import waiting

MAIN_IDENT = _thread.get_ident()
_idents = itertools.count(MAIN_IDENT + 1)
_current = [MAIN_IDENT]


def get_ident():
    """Returns the identifier of the thread whose code runs now."""
    return _current[-1]


class ThreadJob(waiting.Job):
    """The run of one `threading.Thread`."""

    def __init__(self, thread):
        self.thread = thread
        self.daemon = thread.daemon
        if isinstance(thread, threading.Timer):
            self.due = waiting.monotonic() + thread.interval

    def run(self):
        thread = self.thread
        _current.append(thread._ident)
        try:
            thread.run()
        except waiting.Parked:
            pass
        except BaseException as error:
            threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, thread)))
        finally:
            _current.pop()
            _end(thread)


def _end(thread):
    thread._hermes_job = None
    threading._active.pop(thread._ident, None)


def _start(self):
    if not getattr(self, "_initialized", False):
        raise RuntimeError("thread.__init__() not called")
    if self._started.is_set():
        raise RuntimeError("threads can only be started once")
    job = ThreadJob(self)
    # A thread that is refused stays one that was not started.
    waiting.add(job)
    self._hermes_job = job
    self._ident = self._native_id = next(_idents)
    self._started.set()
    threading._active[self._ident] = self


def _is_alive(self):
    if self is threading.main_thread():
        return True
    return getattr(self, "_hermes_job", None) is not None


def _join(self, timeout=None):
    if not getattr(self, "_initialized", False):
        raise RuntimeError("Thread.__init__() not called")
    if not self._started.is_set():
        raise RuntimeError("cannot join thread before it is started")
    if self is threading.current_thread():
        raise RuntimeError("cannot join current thread")
    job = getattr(self, "_hermes_job", None)
    if job in waiting.pending and not job.due and timeout is None:
        waiting.pending.remove(job)
        waiting.run_job(job)
    waiting.wait_until(lambda: not self.is_alive(), timeout)


def _timer_run(self):
    if not self.finished.is_set():
        self.function(*self.args, **self.kwargs)
    self.finished.set()


def _timer_cancel(self):
    self.finished.set()
    job = getattr(self, "_hermes_job", None)
    if job in waiting.pending:
        waiting.pending.remove(job)
        _end(self)


def start_new_thread(function, args, kwargs={}, /):
    """Starts a thread as `_thread.start_new_thread` does; returns its identifier."""
    thread = threading.Thread(target=function, args=args, kwargs=kwargs, daemon=True)
    thread.start()
    return thread._ident


class PoolJob(waiting.Job):
    """One call that was given to a `ThreadPoolExecutor`."""

    def __init__(self, pool, future, call):
        self.pool = pool
        self.future = future
        self.call = call

    def run(self):
        pool, future = self.pool, self.future
        pool._hermes_jobs.discard(self)
        if not future.set_running_or_notify_cancel():
            return
        _current.append(_worker(pool))
        try:
            if not pool._hermes_ready:
                pool._hermes_ready = True
                if pool._initializer is not None:
                    pool._initializer(*pool._initargs)
            function, args, kwargs = self.call
            result = function(*args, **kwargs)
        except waiting.Parked:
            future.set_exception(RuntimeError(waiting.DEADLOCK))
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            _current.pop()


def _worker(pool):
    """Returns the identifier of the worker whose turn it is."""
    turn = pool._hermes_turn
    pool._hermes_turn = (turn + 1) % pool._max_workers
    if turn == len(pool._hermes_workers):
        worker = threading.Thread(name=f"{pool._thread_name_prefix or pool}_{turn}", daemon=True)
        worker._ident = worker._native_id = next(_idents)
        worker._started.set()
        worker._hermes_job = pool
        threading._active[worker._ident] = worker
        pool._threads.add(worker)
        pool._hermes_workers.append(worker)
    return pool._hermes_workers[turn]._ident


_pool_init = concurrent.futures.ThreadPoolExecutor.__init__


def _init_pool(self, *args, **kwargs):
    _pool_init(self, *args, **kwargs)
    self._hermes_jobs = set()
    self._hermes_workers = []
    self._hermes_turn = 0
    self._hermes_ready = False


def _submit(self, fn, /, *args, **kwargs):
    if self._shutdown:
        raise RuntimeError("cannot schedule new futures after shutdown")
    future = concurrent.futures.Future()
    job = PoolJob(self, future, (fn, args, kwargs))
    waiting.add_pooled(job)
    self._hermes_jobs.add(job)
    return future


def _shutdown(self, wait=True, *, cancel_futures=False):
    self._shutdown = True
    if cancel_futures:
        for job in [job for job in waiting.pending if job in self._hermes_jobs]:
            waiting.pending.remove(job)
            self._hermes_jobs.discard(job)
            job.future.cancel()
            job.future.set_running_or_notify_cancel()
    if wait:
        waiting.wait_until(lambda: not self._hermes_jobs)
    for worker in self._hermes_workers:
        _end(worker)


_queue_put = queue.Queue.put


def _put(self, item, block=True, timeout=None):
    """Puts an item; where a full queue would block although other threads have yet to run, the queue grows instead."""
    if not block or self.maxsize <= 0 or (timeout is not None and not waiting.pending):
        return _queue_put(self, item, block, timeout)
    with self.mutex:
        if getattr(self, "is_shutdown", False):
            raise queue.ShutDown
        self._put(item)
        self.unfinished_tasks += 1
        self.not_empty.notify()


def install():
    """Puts these implementations where scripts and the standard library find them."""
    waiting.install()
    thread = threading.Thread
    thread.start, thread.join, thread.is_alive = _start, _join, _is_alive
    threading.Timer.run, threading.Timer.cancel = _timer_run, _timer_cancel
    threading.Lock = threading._allocate_lock = waiting.Lock
    _thread.allocate_lock = waiting.Lock
    _thread.start_new_thread = threading._start_new_thread = start_new_thread
    threading.get_ident = threading.get_native_id = get_ident
    threading.local = _threading_local.local
    queue.SimpleQueue = queue._PySimpleQueue
    queue.Queue.put = _put
    pool = concurrent.futures.ThreadPoolExecutor
    pool.__init__, pool.submit, pool.shutdown = _init_pool, _submit, _shutdown
    sys.modules["concurrent.futures.thread"].queue.SimpleQueue = queue._PySimpleQueue
