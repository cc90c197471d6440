"""Ctrl-C, and other signals whose handlers raise exceptions, while the library runs.

Python runs signal handlers in the main thread, before its next instruction: only when the library has returned, or at
the begin of a function that the library calls, where ctypes drops the exception. So the main thread waits, and another
thread calls the library. The exception may come at any instruction of the main thread, even within the lines below."""

from __future__ import annotations

import contextvars
import ctypes
import os
import queue
import threading
import time
from typing import Any, Callable, TypeVar

Result = TypeVar("Result")


class _Caller:
    """The other thread. It ends when it gets None."""

    def __init__(self) -> None:
        self.calls: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._serve, name="tilewright", daemon=True)
        before = threading.stack_size(0)  # a stack of the default size
        try:
            self.thread.start()
        finally:
            threading.stack_size(before)

    def _serve(self) -> None:
        try:
            while call := self.calls.get():
                call()
        except KeyboardInterrupt:
            pass  # of `abandon`, when the call has just ended

    def abandon(self, interrupts: bool) -> None:
        """Lets the thread end behind its call. `interrupts`: a function in Python that does not return is interrupted,
        too; one that waits in C ends first."""
        self.calls.put(None)
        if interrupts:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.thread.ident or 0), ctypes.py_object(KeyboardInterrupt)
            )


_caller: _Caller | None = None


def _forget() -> None:
    """A forked child has no such thread."""
    global _caller
    _caller = None


os.register_at_fork(after_in_child=_forget)


def _ends(ended: threading.Lock, timeout_s: float) -> bool:
    """Whether a call ends in time. One more Ctrl-C changes nothing."""
    last = time.monotonic() + timeout_s
    while True:
        try:
            return ended.acquire(timeout=max(0, last - time.monotonic()))
        except BaseException:
            pass


def interruptible(call: Callable[[], Result], cancel: ctypes.c_int, runs_python: bool) -> Result:
    """Calls. When a signal handler raises an exception, stores 1 in `cancel` and raises it within 0.2 s. A call that
    does not end in time goes on in the background. `runs_python`: whether it runs functions of policies in Python. The
    call itself raises nothing."""
    global _caller
    if threading.current_thread() is not threading.main_thread():
        return call()
    results: list[Result] = []
    begun, ended = threading.Lock(), threading.Lock()  # the thread that gets `begun` decides whether there is a call
    ended.acquire()
    context = contextvars.copy_context()

    def work() -> None:
        if begun.acquire(blocking=False):
            try:
                results.append(context.run(call))
            finally:
                ended.release()

    try:
        if _caller is None:
            _caller = _Caller()
        _caller.calls.put(work)
        ended.acquire()
    except BaseException:
        cancel.value = 1
        if not results and not begun.acquire(blocking=False) and not _ends(ended, 0.1):
            caller, _caller = _caller, None
            if caller is not None:
                caller.abandon(runs_python)
            _ends(ended, 0.05)
        raise
    return results.pop()  # no cycle: frames of an exception in the results have the list
