"""Ctrl-C, and other signals whose handlers raise exceptions, while the library runs.

Python runs signal handlers in the main thread, before its next instruction: only when the library has returned, or at
the begin of a function that the library calls, where ctypes drops the exception. So the main thread waits, and another
thread calls the library. The exception may come at any instruction of the main thread, even within the lines below."""

from __future__ import annotations

import contextvars
import ctypes
import functools
import os
import queue
import threading
import time
import weakref
from typing import Any, Callable, TypeVar

from ._library import check, error_buffer

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
                del call  # and with it the run, which no one else may have any more
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


def interruptible(
    call: Callable[[], Result], cancel: ctypes.c_int | None = None, runs_python: bool = False
) -> Result:
    """Calls, and returns or raises what the call does. When a signal handler raises an exception, stores 1 in `cancel`
    and raises it within 0.2 s. A call that does not end in time goes on in the background, so it has all that it needs
    itself. `runs_python`: whether it runs functions of policies in Python."""
    global _caller
    if threading.current_thread() is not threading.main_thread():
        return call()
    results: list[Result] = []
    failures: list[BaseException] = []
    begun, ended = threading.Lock(), threading.Lock()  # the thread that gets `begun` decides whether there is a call
    ended.acquire()
    context = contextvars.copy_context()

    def work() -> None:
        if begun.acquire(blocking=False):
            try:
                results.append(context.run(call))
            except BaseException as failure:
                failures.append(failure)
            finally:
                ended.release()

    try:
        if _caller is None:
            _caller = _Caller()
        _caller.calls.put(work)
        ended.acquire()
    except BaseException:
        if cancel is not None:
            cancel.value = 1
        if not results and not failures and not begun.acquire(blocking=False) and not _ends(ended, 0.1):
            caller, _caller = _caller, None
            if caller is not None:
                caller.abandon(runs_python)
            _ends(ended, 0.05)
        raise
    if failures:
        raise failures.pop()  # no cycle: frames of the exception have the list
    return results.pop()


def closes(owner: object, function: Any, pointer: ctypes.c_void_p) -> Callable[[], object]:
    """Closes an object of the library when its owner is gone. The end of the program closes none: calls may go on in
    the background."""
    close = weakref.finalize(owner, _close, function, pointer)
    close.atexit = False
    return close


def _close(function: Any, pointer: ctypes.c_void_p) -> None:
    # Python drops exceptions of signal handlers in finalizers. So another thread does what may take long.
    caller = _caller
    if caller is not None and threading.current_thread() is threading.main_thread():
        caller.calls.put(functools.partial(function, pointer))
    else:
        function(pointer)


def checked(function: Callable[..., int], *arguments: Any, kept: object = None) -> None:
    """Calls a function of the library whose last argument is an error, and raises the error. `kept`: the owner of the
    arguments, which lives as long as the call."""
    error = error_buffer()

    def call(_kept: object = kept) -> int:
        return int(function(*arguments, error))

    check(interruptible(call), error)
