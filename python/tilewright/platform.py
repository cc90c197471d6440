"""Platforms: the workers, memories and links of a node, with its kernel times."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from . import _interface
from ._interrupts import checked, closes
from ._library import encoded, library, names, texts

UNBOUNDED = 2**64 - 1


class Worker(NamedTuple):
    """A worker computes tasks: a CPU core, a group of cores or a GPU."""

    name: str  #: such as "CPU3" and "CUDA0"
    arch: str  #: its kind, such as "cpu" and "k40m"
    accelerator: bool  #: whether it is a GPU
    cores: int  #: cores that compute a task together: 1, or the size of a group
    node: int  #: number of the memory where it computes
    rank: int = 0  #: number of the cluster's node


class Node(NamedTuple):
    """A memory node. Main memory is node 0."""

    name: str  #: such as "RAM" and "GPU0"
    capacity_bytes: int | None  #: size or limit; None: unbounded
    rank: int = 0  #: number of the cluster's node


class Platform:
    """A node to simulate, by the name that the option --platform of the command takes.

    >>> Platform("mirage", cpus=9, gpus=3, gpu_mem="500MiB")

    Options are those of the command that choose workers, memories and kernel times, with '_' for '-': `communication`,
    `cpu_groups`, `gpu_workers`, `max_parallelism`, `cpus`, `gpus`, `gpu_mem`, `mem`, `emulate`, `speedup`,
    `amdahl`, `time_factor`, `extrapolate`, `learn`. Sizes are texts with a unit. An option with several items takes a
    list or a dictionary: mem={"RAM": "16GiB"}, speedup={"gemm": 2}.

    Threads may share a platform."""

    OPTIONS = tuple(name.replace("-", "_") for name in names(library.tw_platform_option))  #: names of options

    def __init__(self, name: str, **options: Any) -> None:
        self.name, self.options = name, options
        self._pointer = ctypes.c_void_p()  # the library sets it
        self._close = closes(self, library.tw_platform_close, self._pointer)
        checked(library.tw_platform_open, ctypes.byref(self._pointer), encoded(name), texts(options), kept=self)

    @property
    def workers(self) -> list[Worker]:
        """All workers, by their numbers: accelerators come first."""
        array = ctypes.POINTER(_interface.tw_worker_about)()
        n = library.tw_platform_workers(self._pointer, ctypes.byref(array))
        return [Worker(w.name.decode(), w.arch.decode(), w.accelerator, w.cores, w.node, w.rank) for w in array[:n]]

    @property
    def nodes(self) -> list[Node]:
        """All memory nodes, by their numbers."""
        array = ctypes.POINTER(_interface.tw_node_about)()
        n = library.tw_platform_nodes(self._pointer, ctypes.byref(array))
        bounds = [(about.name.decode(), about.capacity_bytes, about.rank) for about in array[:n]]
        return [Node(name, None if capacity == UNBOUNDED else capacity, rank) for name, capacity, rank in bounds]

    def __reduce__(self) -> tuple[Any, ...]:
        return _open, (self.name, self.options)

    def __repr__(self) -> str:
        return f"Platform({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.options.items())])})"


def _open(name: str, options: dict[str, Any]) -> Platform:
    return Platform(name, **options)
