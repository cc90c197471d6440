"""Gonthier, Thibault and Marchal 2024: A generic scheduler to foster data locality for GPU and out-of-core task-based
applications.

Kernel times are extrapolated from gemm, the only time in the paper. Priorities are bottom levels. Under StarPU a card
finishes its kernel before it evicts, as a measured V100 does (docs/evidence/fidelity.md). AP ran in PaRSEC (sections 2
and 4.4), so it has no such wait. "Each point is the average of the performance obtained over 10 iterations", with a
standard deviation of less than 2 % for most (6.1): here kernels vary by 2 %. A picture of an order is one execution,
without such noise."""

import statistics

from lib.claim import at_least, at_most
from lib.plan import REAL, Plan
from lib.plot import Derived
from lib.rows import Row, Undecided

POLICIES = ["darts", "dmdas", "lws", "eager", "ap"]
OTHERS = POLICIES[1:]
OURS = "data_first"  # darts with our own rules: shown where it changes a verdict
CHOLESKY, LU = "cholesky", "lu"
# Why a tolerance is what it is.
ALIKE, CLOSE = "'comparable' is 5 %: the paper's points vary by 2 % (6.1)", "close is a tenth"
MUCH, MANY = "much is a fifth", "many is twice"
BLOCKS = "twice tells blocks from diagonals"
BYTES = "bytes follow from the schedule, as makespans do"
SETTINGS = {"extrapolate": "yes", "runtime": f"{REAL}:eviction_waits=yes"}
IN_PARSEC = SETTINGS | {"runtime": REAL}
EXECUTIONS = {"noise": "0.02", "repeat": {"tiny": 2, "small": 3, "full": 10}}
AVERAGED = "makespan_s", "gflops", "bound_area_s", "transferred_bytes", "h2d_bytes", "p2p_bytes"

# Table 1: GFlop/s of gemm on one processing unit; bytes of the memory that the 12 cores share.
PEAK = {"v100x4": 14000, "a100x4": 18000, "p100": 6700, "cpu-outofcore": 15}
CORES_MEMORY = 32e9

# By platform and number of GPUs: bytes/s from main memory to the GPUs (table 1, figure 5), or from the disk (section
# 7.3).
BUS = {("v100x4", 1): 12e9, ("v100x4", 4): 22e9, ("a100x4", 1): 12e9, ("a100x4", 4): 48e9, ("p100", 1): 13e9,
       ("cpu-outofcore", 0): 94e6}


def plans(policies=tuple(POLICIES), **options):
    """The plans of a figure: policies in StarPU, and AP in PaRSEC."""
    return [Plan(policy=[policy for policy in policies if policy != "ap"], **SETTINGS, **EXECUTIONS, **options),
            Plan(policy="ap", **IN_PARSEC, **EXECUTIONS, **options)]


def bars(panel, **wanted):
    """Bars of these rows: GPUs and sizes side by side, and AP beside the others."""
    def drawn(rows):
        found = [row | {"runtime": "", "platform": "", "gpu_mem_bytes": "",
                        "workload": f"{row['platform']}, {row.nt} x {row.nt}"}
                 for row in rows.where(**wanted)]
        if not found:
            raise Undecided("no runs")
        return found
    return Derived(panel, "gflops", drawn)


def workload(kind, nb=2880):
    return f"{kind}:nb={nb}:priority=bottom_level"


def tile_bytes(nb=2880):
    """The bytes of a tile in single precision."""
    return 4 * nb * nb


def set_bytes(row):
    """The bytes of the working set: the tiles of the matrix, in single precision."""
    nt, nb = row.nt, row.word("nb")
    return tile_bytes(nb) * (nt * (nt + 1) // 2 if row["workload"].startswith(CHOLESKY) else nt * nt)


def memory_bytes(row):
    """The bytes of all GPUs together that data can use."""
    return row.gpus * row.gpu_mem_bytes if row.gpus else CORES_MEMORY


def part_of_peak(row):
    return row.gflops / (PEAK[row["platform"]] * (row.gpus or row.cpus))


def bus_limit(row):
    """The bytes that the bus can transfer within the area bound."""
    return BUS[row["platform"], int(row.gpus)] * row.bound_area_s


def mean(rows):
    """A row of the means over executions."""
    return Row(rows[0] | {name: statistics.mean(getattr(row, name) for row in rows) for name in AVERAGED})


class Sizes:
    """The runs of a figure, sorted by the ratio of working set to memory. Each entry is a dict of rows by policy, with
    means over executions. Platforms have separate entries."""

    def __init__(self, rows, least=0.0, most=float("inf"), **wanted):
        at = {}
        for row in rows.where(**wanted):
            ratio = set_bytes(row) / memory_bytes(row)
            if least <= ratio < most:
                at.setdefault((ratio, row["platform"]), {}).setdefault(row["policy"], []).append(row)
        self.at = [{policy: mean(found) for policy, found in at[key].items()} for key in sorted(at)]
        if not self.at or any("darts" not in of for of in self.at):
            raise Undecided(f"no runs of darts with a working set of {least:g} to {most:g} times the memory")

    def each(self, function):
        """The values of a function for all sizes."""
        try:
            return [function(of) for of in self.at]
        except KeyError as missing:
            raise Undecided(f"no run of {missing}") from None

    def last(self, function):
        """The value of a function for the largest size."""
        return self.each(function)[-1]


def beyond(rows, **wanted):
    """The sizes whose working set exceeds the memories together."""
    return Sizes(rows, least=1.0, **wanted)


def fitting(rows, **wanted):
    return Sizes(rows, most=0.95, **wanted)


def over_darts(policy, metric):
    return lambda of: getattr(of[policy], metric) / getattr(of["darts"], metric)


def of_darts(policies, sizes, metric="gflops", last=False):
    """The policies' speeds (or bytes) relative to DARTS at these sizes, or at the largest."""
    return {policy: sizes.each(over_darts(policy, metric))[-1 if last else 0:] for policy in policies}


# Statements of the text about several figures.

def comparable_spread():
    return at_least("speed of the slowest policy, relative to the fastest", 0.95, ALIKE)


def spread_where_it_fits(rows):
    return fitting(rows).each(lambda of: min(row.gflops for row in of.values())
                              / max(row.gflops for row in of.values()))


def comparable():
    return at_least("speed of DARTS, relative to the best other policy", 0.95, ALIKE)


def darts_where_it_fits(rows):
    return fitting(rows).each(lambda of: 1 / best_other(of))


def fastest():
    return at_most("speed of the best other policy beyond the memory, relative to DARTS", 1.01, "1 % counts as equal")


def best_beyond(rows):
    return beyond(rows).each(best_other)


def best_other(of):
    """The speed of the best policy other than DARTS, relative to DARTS."""
    return max(row.gflops for policy, row in of.items() if policy not in ("darts", OURS)) / of["darts"].gflops


# Figures 8, 9 and 13: the order of 40 x 40 tiles, "to mimic a very memory-constrained situation".

def order_plan(policy, gpus):
    return {"platform": "v100x4", "gpus": gpus, "policy": policy, "gpu_mem": "2GB",
            **(IN_PARSEC if policy == "ap" else SETTINGS),
            "workload": {"tiny": workload(CHOLESKY) + ":nt=16", "small": workload(CHOLESKY) + ":nt=40",
                         "full": workload(CHOLESKY) + ":nt=40"}}
