"""Ctrl-C while the main thread is in the library.

Python runs signal handlers in the main thread, between its own instructions: only when the library returns. But a
signal writes a byte at once to the descriptor of signal.set_wakeup_fd. A thread reads it and cancels the run; when the
library has returned, Python raises KeyboardInterrupt."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
from typing import Iterator

_END = 0  # no signal has this number


class _Watcher:
    """The thread, and the flags of the runs that the main thread is in: one run, or more if policies start runs."""

    def __init__(self) -> None:
        self.flags: list[ctypes.c_int] = []
        self.outer = -1  # descriptor of an event loop, which wants the bytes, too
        self.idle = threading.Event()
        self.read, self.write = os.pipe()
        os.set_blocking(self.write, False)
        threading.Thread(target=self._watch, name="tilewright interrupts", daemon=True).start()

    def _watch(self) -> None:
        while True:
            for number in os.read(self.read, 64):
                if number == signal.SIGINT:
                    for flag in self.flags:
                        flag.value = 1
                if number == _END:
                    self.idle.set()
                elif self.outer >= 0:
                    with contextlib.suppress(OSError):
                        os.write(self.outer, bytes([number]))

    def settle(self) -> None:
        """Waits until no earlier signal can cancel a later run."""
        self.idle.clear()
        os.write(self.write, bytes([_END]))
        self.idle.wait()


_watcher: _Watcher | None = None


def _forget() -> None:
    """A forked child has no such thread, and must not write to its parent's."""
    global _watcher
    if _watcher is not None:
        os.close(_watcher.read)
        os.close(_watcher.write)
        _watcher = None


os.register_at_fork(after_in_child=_forget)


@contextlib.contextmanager
def interruptible(cancel: ctypes.c_int) -> Iterator[None]:
    """While the main thread is inside, SIGINT stores 1 in `cancel`."""
    global _watcher
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _watcher is None:
        _watcher = _Watcher()
    watcher = _watcher
    before = signal.set_wakeup_fd(watcher.write, warn_on_full_buffer=False)
    if before != watcher.write:
        watcher.outer = before
    watcher.flags.append(cancel)
    try:
        yield
    finally:
        watcher.flags.remove(cancel)
        signal.set_wakeup_fd(before)
        if cancel.value:
            watcher.settle()
