"""Gonthier, Marchal and Thibault 2021: Locality-Aware Scheduling Of Independent Tasks For Runtime Systems.

The GPUs are Tesla V100 with memories limited to 500 MB. The paper measured figure 8 and simulated the others, with 6000
MB/s of PCI bandwidth "to represent the bandwidth share typically available for a given GPU". StarPU's simulation has
one link for all GPUs, and so has gemini-starpu; copies share links there as SimGrid has it, the default of the runtime
`starpu`. The measured card finishes its kernel before it evicts (docs/evidence/fidelity.md). hfp has the eviction
policy belady."""

from lib.plan import REAL
from lib.rows import Rows, Undecided
from lib.variant import Variant

CLOSE = "'close' is a tenth"
SETTINGS = {"cpus": 0, "gpu_mem": "500MiB", "extrapolate": "yes", "runtime": "starpu"}
MEASURED = SETTINGS | {"runtime": f"{REAL}:eviction_waits=yes"}
SLOW_BUS = Variant("gemini-starpu", "gemini-6GBps",
                   (r'(id="RAM-GPU\d" bandwidth=)"[^"]*"', r'\1"6GBps"'),
                   (r'(id="GPU\d-RAM" bandwidth=)"[^"]*"', r'\1"6GBps"'))


def to_bound(row):
    """The reached fraction of the peak. With one kernel, the area bound is the time at peak speed."""
    return row.bound_area_s / row.makespan_s


def parts(rows, policy, sizes=None, **wanted):
    """Fractions of the peak, by nt."""
    found = {row.nt: to_bound(row) for row in rows.where(policy=policy, **wanted) if sizes is None or sizes(row)}
    if not found:
        raise Undecided(f"no run of {policy} at such sizes")
    return dict(sorted(found.items()))


def ratio(rows, policy, other, metric="gflops", sizes=None):
    """Ratios of a policy to another, by nt."""
    mine, theirs = ({row.nt: getattr(row, metric) for row in rows.where(policy=p) if sizes is None or sizes(row)}
                    for p in (policy, other))
    found = {nt: mine[nt] / theirs[nt] for nt in sorted(set(mine) & set(theirs))}
    if not found:
        raise Undecided(f"no runs of {policy} and {other} at such sizes")
    return found


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def with_belady(rows):
    """The rows without those of HFP with another eviction policy than its own."""
    return Rows(row for row in rows if row["policy"] != "hfp" or row["eviction"] == "belady")


def mean_gain(rows):
    """The mean gain in speed of HFP over DMDAR, over all sizes."""
    return mean(ratio(with_belady(rows), "hfp", "dmdar").values()) - 1


def outgrows(row):
    """True if the data does not fit the memories of all GPUs together."""
    return row.working_set_bytes > row.gpus * row.gpu_mem_bytes


# Figures 5 and 7: the order of 40 x 40 blocks; the poster does not give their number.

def order_plan(policy, gpus):
    return {"platform": SLOW_BUS, "gpus": gpus, "policy": policy, **SETTINGS,
            "workload": {"tiny": "matmul2d:nb=960:nt=20", "small": "matmul2d:nb=960:nt=40",
                         "full": "matmul2d:nb=960:nt=40"}}
