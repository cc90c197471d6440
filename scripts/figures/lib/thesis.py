"""Augonnet 2011: Scheduling Tasks over Multicore machines enhanced with Accelerators: a Runtime System's Perspective.

In the thesis's words greedy is eager, heft-tm dm:prefetch=no, heft-tm-pr dm, heft-tmdp dmda:prefetch=no, heft-tmdp-pr dmda. Its GPUs
run one kernel at a time and fetch the data of the next when it ends: gpu_pipeline=1. Of HANNIBAL's bus the thesis tells nothing; with
mordor's, 2 GB/s in all, heft-tm-pr stops at the 700 GFlop/s that it tells (docs/evidence/conclusions.md)."""

from lib.plan import REAL
from lib.rows import Undecided
from lib.variant import Variant

NAMES = {"eager": "greedy", "dm:prefetch=no": "heft-tm", "dm": "heft-tm-pr", "dmda:prefetch=no": "heft-tmdp", "dmda": "heft-tmdp-pr"}
HANNIBAL = Variant("hannibal2011", "hannibal-2GBps", (r'(<link id="host" bandwidth=)"5989MBps"', r'\1"2GBps"'))
AS_IN_2011 = f"{REAL}:gpu_pipeline=1"
ORDERS = {10: (3.8, 1.9), 26: (57.2, 16.3), 32: (105.6, 25.4), 36: (154.7, 41.6)}  # table 7.2: tiles of 960, GB of heft-tm-pr and heft-tmdp-pr


def named(values, form="{:.0f}"):
    return ", ".join(f"{NAMES[policy]} {form.format(value)}" for policy, value in values.items())


def greatest(rows):
    """The rows of the greatest matrix."""
    if not rows:
        raise Undecided("no runs")
    return rows.where(nt=max(rows.of("nt")))
