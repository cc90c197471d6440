"""Simulates the scheduling of task graphs on heterogeneous nodes.

>>> import tilewright as tw
>>> run = tw.simulate("mirage", "cholesky:nt=20", "dmdas", cpus=9, gpus=3)
>>> run.makespan, run.row["gflops"], run.tasks

All times are seconds and all sizes bytes."""

try:
    from ._interface import VERSION as __version__
except ModuleNotFoundError:
    raise ImportError("this is the source of Tilewright's package: expected the built one, in build/python") from None
from ._library import Cancelled, Error, Failed, Invalid, OutOfMemory, SystemFault
from .analysis import (
    Figure,
    Report,
    bounds,
    describe,
    diff,
    explain,
    gantt,
    plot,
    plot_memory,
    validate,
    write_trace,
)
from .graph import REDUX, RW, SCRATCH, Graph, GraphView, R, W
from .platform import Node, Platform, Worker
from .policy import ALL, NONE, Eviction, Policy, Sched, Victims
from .run import Run, Scene, simulate
from .sweep import sweep

__all__ = [
    "ALL",
    "Cancelled",
    "Error",
    "Eviction",
    "Failed",
    "Figure",
    "Graph",
    "GraphView",
    "Invalid",
    "NONE",
    "Node",
    "OutOfMemory",
    "Platform",
    "Policy",
    "R",
    "REDUX",
    "RW",
    "Report",
    "Run",
    "SCRATCH",
    "Scene",
    "Sched",
    "SystemFault",
    "Victims",
    "W",
    "Worker",
    "__version__",
    "bounds",
    "describe",
    "diff",
    "explain",
    "gantt",
    "plot",
    "plot_memory",
    "simulate",
    "sweep",
    "validate",
    "write_trace",
]
