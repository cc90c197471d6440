"""Loads the library, and turns its errors into exceptions."""

from __future__ import annotations

import ctypes
import difflib
import itertools
import logging
import os
import pathlib
import re
from typing import Any, Callable

from . import _built, _interface

_FOLDER = pathlib.Path(__file__).resolve().parent
COMMAND = (_FOLDER / _built.COMMAND).resolve()  # the command `tilewright` of the same installation


class Error(Exception):
    """An error of Tilewright. Its text is one line, as the command prints it."""


class Invalid(Error, ValueError):
    """Bad arguments or bad input; a run was refused before its start."""


class Failed(Error, RuntimeError):
    """The run began and failed: it got stuck, or its schedule is invalid."""


class OutOfMemory(Error, MemoryError):
    """Memory ran out."""


class SystemFault(Error, OSError):
    """For now the system has no descriptors, no processes or no disk space."""


class Cancelled(Error):
    """The run was cancelled."""


for _kind in (Error, Invalid, Failed, OutOfMemory, SystemFault, Cancelled):
    _kind.__module__ = "tilewright"  # where users find them, and what a traceback shows

_EXCEPTIONS: dict[int, type[Error]] = {
    _interface.TW_FAILED: Failed,
    _interface.TW_INVALID: Invalid,
    _interface.TW_NOMEM: OutOfMemory,
    _interface.TW_SYSTEM: SystemFault,
    _interface.TW_CANCELLED: Cancelled,
}


def _load(kind: type[ctypes.CDLL]) -> ctypes.CDLL:
    path = (_FOLDER / _built.LIBRARY).resolve()
    try:
        # Kernels and plug-ins in shared objects find the library's functions among the global names.
        found = kind(os.fspath(path), mode=ctypes.RTLD_GLOBAL)
        found.tw_version.restype = ctypes.c_char_p
        version = found.tw_version().decode()
    except (OSError, AttributeError) as error:
        raise ImportError(f"no library of Tilewright: {error}") from None
    if version != _interface.VERSION:
        raise ImportError(f"{path}: version {version}: expected {_interface.VERSION}, as of the Python package")
    _interface.declare(found)
    return found


library = _load(ctypes.CDLL)
# Calls that keep Python's lock: short ones, and changes of an object that other threads may see.
quick = _load(ctypes.PyDLL)


def error_buffer() -> _interface.tw_error:
    """Room for the message of an error."""
    return _interface.tw_error()


def text_of(error: _interface.tw_error) -> str:
    return str(error.message.decode(errors="replace"))


def check(status: int, error: _interface.tw_error) -> None:
    """Raises the exception of an error's status."""
    if status < 0:
        raise _EXCEPTIONS.get(status, Error)(with_keywords(text_of(error)))


_QUOTED_OR_OPTION = re.compile(
    r"'[^']*'|tilewright run --format csv"
    r"|(?<!\S)--([a-z-]+)(?:=| (?=\d))([\w.]+)|(?<!\S)--([a-z-]+)(?: '([^']*)')?"
)
_UNKNOWN = re.compile(r"^sweep: unknown option '--([^'=]*)[^']*': .*")
_C_NAME = re.compile(
    r"(?<![\w'./-])(?:TW_(R|W|RW|SCRATCH|REDUX)|tw_graph_(finish|reduction)|(?:a )?tw_(wake|report))\b"
)
_NAME = re.compile(r"(?<=^option ')[a-z-]+|(?<=, as in ')[a-z-]+(?==)")


def with_keywords(text: str) -> str:
    """A message with the names of options as a program gives them: "--gpu-mem 'x'" becomes "option 'gpu_mem=x'". The
    functions and constants of C have the names that they have in Python."""
    text = _C_NAME.sub(lambda name: name[1] or (f"Graph.{name[2]}" if name[2] else f"s.{name[3]}"), text)
    if unknown := _UNKNOWN.match(text):
        name = unknown[1].replace("-", "_")
        return f"sweep: unknown option '{name}': expected one of `tilewright help run`, with '_' for '-'"
    if text.startswith("unknown option '"):
        return text.replace("-", "_")
    if text.startswith("option '"):
        return _NAME.sub(lambda name: name[0].replace("-", "_"), text)

    def renamed(found: re.Match[str]) -> str:
        name, value = (found[1], found[2]) if found[1] else (found[3], found[4])
        return f"option '{name.replace('-', '_')}{'' if value is None else '=' + value}'" if name else found[0]

    return _QUOTED_OR_OPTION.sub(renamed, text)


class Named(dict[str, Any]):
    """A dictionary whose KeyError says which names there are."""

    def __missing__(self, name: object) -> Any:
        near = difflib.get_close_matches(str(name), self, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise KeyError(f"no '{name}'{hint}: expected one of {', '.join(self)}")


def option_words(name: str, value: object) -> list[str]:
    """An option as the library takes it: gpu_mem="500MiB" is "gpu-mem=500MiB", and speedup={"gemm": 2} is
    "speedup=gemm=2". True is the name alone. None and False leave the option out. Items of lists and dictionaries have
    commas between them; a comma of a key becomes "\\,"."""
    name = name.replace("_", "-")
    if value is None or value is False:
        return []
    if isinstance(value, dict):
        value = ["{}={}".format(str(key).replace(",", "\\,"), item) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    return [name if value is True else f"{name}={value}"]


def texts(options: dict[str, object]) -> ctypes.Array[ctypes.c_char_p]:
    """The array of options, which ends with NULL."""
    words = [encoded(word) for name, value in options.items() for word in option_words(name, value)]
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)


def names(function: Callable[[int], bytes | None]) -> list[str]:
    """The names that a function has for the numbers from 0 on."""
    listed = itertools.takewhile(lambda name: name is not None, map(function, itertools.count()))
    return [name.decode() for name in listed if name is not None]


def columns() -> list[str]:
    """The names of all columns of results."""
    return names(library.tw_column_name)


def encoded(text: object) -> bytes:
    """A text for the library: a path, a name or words."""
    data = os.fsencode(text) if isinstance(text, (str, os.PathLike)) else None
    if data is None:
        raise TypeError(f"{text!r}: expected a text, not {type(text).__name__}")
    if b"\0" in data:
        raise Invalid(f"{text!r}: expected a text without zero bytes")
    return data


_log = logging.getLogger("tilewright")
_LEVELS = (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)


def _write_log(level: int, message: bytes, _context: int | None) -> None:
    _log.log(_LEVELS[level], "%s", message.decode(errors="replace"))


_log_function = _interface.tw_log_fn(_write_log)  # the library keeps it
library.tw_set_log(_log_function, None)
