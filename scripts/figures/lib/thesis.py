"""Augonnet 2011: Scheduling Tasks over Multicore machines enhanced with Accelerators: a Runtime System's Perspective.

The thesis's names: greedy is eager, heft-tm is dm:prefetch=no, heft-tm-pr is dm, heft-tmdp is dmda:prefetch=no,
heft-tmdp-pr is dmda. In all figures, GPUs run one kernel at a time, and fetch the data of the next kernel when it ends:
gpu_pipeline=1. The thesis does not describe HANNIBAL's bus. With mordor's total of 2 GB/s, heft-tm-pr reaches the 700
GFlop/s of the thesis (docs/evidence/conclusions.md)."""

import pathlib

from lib.plan import REAL
from lib.rows import Undecided
from lib.variant import Variant, Written

NAMES = {"eager": "greedy", "dm:prefetch=no": "heft-tm", "dm": "heft-tm-pr", "dmda:prefetch=no": "heft-tmdp",
         "dmda": "heft-tmdp-pr"}
HANNIBAL = Variant("hannibal2011", "hannibal-2GBps", (r'(<link id="host" bandwidth=)"5989MBps"', r'\1"2GBps"'))
AS_IN_2011 = f"{REAL}:gpu_pipeline=1"
# table 7.2: by tiles of 960 per side, GB of heft-tm-pr and heft-tmdp-pr
ORDERS = {10: (3.8, 1.9), 26: (57.2, 16.3), 32: (105.6, 25.4), 36: (154.7, 41.6)}


def greatest(rows):
    """The rows of the greatest matrix."""
    if not rows:
        raise Undecided("no runs")
    return rows.where(nt=max(rows.of("nt")))


class Tasks(Written):
    """A graph of n equal, independent tasks. `attributes`: of each, as DOT has them."""

    def __init__(self, kernel, n, attributes):
        self.kernel, self.n, self.attributes = kernel, n, attributes

    def file(self, place):
        return pathlib.Path(place) / f"{self.kernel}-{self.n}.dot"

    def text(self, place):
        return f"file:{self.path(self.file(place))}"

    def make(self, place, _command):
        tasks = "; ".join(map(str, range(self.n)))
        self.file(place).write_text(f"digraph {{ node [kernel={self.kernel} {self.attributes}]; {tasks} }}\n",
                                    encoding="utf-8")
