"""Arrays, with numpy: graphs from arrays, and copies of those that a run owns."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy

from . import _interface
from ._interrupts import interruptible
from ._library import Invalid, encoded, library

if TYPE_CHECKING:
    from .graph import Graph

Pointer = Any


class _Arrays:
    """Arrays as the library takes them, which must live as long as it reads them."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.kept: list[Any] = []

    def whole(self, values: Any, name: str, kind: str, length: int | None = None) -> Any:
        """Whole numbers of the type `kind`."""
        array = numpy.asarray(values)
        if array.size and array.dtype.kind not in "iu":
            raise TypeError(f"from_arrays: {name}: expected whole numbers, not {array.dtype}")
        bounds = numpy.iinfo(kind)
        if array.size and (int(array.min()) < bounds.min or int(array.max()) > bounds.max):
            raise Invalid(f"from_arrays: {name}: expected numbers from {bounds.min} to {bounds.max}")
        return self.keep(array, name, kind, length)

    def real(self, values: Any, name: str) -> Any:
        """A number for each task."""
        return self.keep(numpy.broadcast_to(numpy.asarray(values, float), self.n), name, "float64", self.n)

    def keep(self, array: Any, name: str, kind: str, length: int | None) -> Any:
        if array.ndim != 1 or length is not None and len(array) != length:
            expected = "one dimension" if length is None else f"{length} numbers"
            raise Invalid(f"from_arrays: {name}: shape {array.shape}: expected {expected}")
        self.kept.append(numpy.ascontiguousarray(array, kind))
        return self.kept[-1]

    def parts(self, first: Any, values: Any, names: tuple[str, str]) -> Any:
        """The n + 1 indices at which each task's part of `values` begins."""
        array = self.whole(first, names[0], "int64", self.n + 1)
        if array[0] != 0 or array[-1] != len(values) or (array[1:] < array[:-1]).any():
            raise Invalid(
                f"from_arrays: {names[0]}: expected ascending numbers from 0 to {len(values)}, the length of "
                f"{names[1]}"
            )
        return array


def _at(array: Any, kind: Any) -> Pointer:
    return array.ctypes.data_as(ctypes.POINTER(kind))


def submit(
    graph: Graph,
    kernels: Sequence[str | tuple[Any, ...]],
    kernel: Any,
    data_bytes: Any,
    first_access: Any,
    data: Any,
    mode: Any,
    priority: Any,
    seconds_on: Mapping[str, Any],
    first_dependency: Any,
    depends_on: Any,
) -> None:
    """Adds handles and tasks: see Graph.from_arrays."""
    if isinstance(kernels, str):
        raise TypeError(f"from_arrays: kernels: {kernels!r}: expected a list of names")
    if (first_dependency is None) != (depends_on is None):
        raise Invalid("from_arrays: expected both of first_dependency and depends_on, or none")
    numbers = numpy.array([graph.kernel(*((k,) if isinstance(k, str) else k)) for k in kernels], "int32")
    n = len(kernel)
    made = _Arrays(n)
    index = made.whole(kernel, "kernel", "int32", n)
    if n and not (0 <= index.min() and index.max() < len(numbers)):
        raise Invalid(f"from_arrays: kernel: expected numbers from 0 to {len(numbers) - 1}, the indices of kernels")
    sizes = made.whole(data_bytes, "data_bytes", "uint64")
    tasks = _interface.tw_task_arrays(size=ctypes.sizeof(_interface.tw_task_arrays), n=n, n_archs=len(seconds_on))
    tasks.kernel = _at(made.keep(numbers[index] if n else index, "kernel", "int32", n), ctypes.c_int32)
    handles = made.whole(data, "data", "int32")
    tasks.data = _at(handles, ctypes.c_int32)
    tasks.mode = _at(made.whole(mode, "mode", "uint8", len(handles)), ctypes.c_uint8)
    tasks.first_access = _at(made.parts(first_access, handles, ("first_access", "data")), ctypes.c_int64)
    if priority is not None:
        tasks.priority = _at(made.whole(priority, "priority", "int32", n), ctypes.c_int32)
    if depends_on is not None:
        others = made.whole(depends_on, "depends_on", "int32")
        tasks.depends_on = _at(others, ctypes.c_int32)
        tasks.first_dependency = _at(
            made.parts(first_dependency, others, ("first_dependency", "depends_on")), ctypes.c_int64
        )
    if seconds_on:
        columns = [made.real(values, f"seconds of {arch}") for arch, values in seconds_on.items()]
        tasks.seconds_on = _at(made.keep(numpy.concatenate(columns), "seconds", "float64", None), ctypes.c_double)
        tasks.archs = (ctypes.c_char_p * len(seconds_on))(*map(encoded, seconds_on))

    def call(_made: _Arrays = made) -> None:
        with graph._lock:
            pointer = graph._open()
            library.tw_graph_data_many(pointer, len(sizes), _at(sizes, ctypes.c_uint64))
            library.tw_graph_submit_many(pointer, tasks)

    interruptible(call)


def copied(function: Any, run: Any, structure: type[ctypes.Structure]) -> Any:
    """A copy of an array that the run owns."""
    first = ctypes.POINTER(structure)()
    n = function(run, ctypes.byref(first))
    if not n:
        return numpy.empty(0, structure)
    memory = (ctypes.c_char * (n * ctypes.sizeof(structure))).from_address(ctypes.addressof(first.contents))
    return numpy.frombuffer(memory, structure).copy()
