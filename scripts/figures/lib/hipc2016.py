"""Beaumont, Cojean, Eyraud-Dubois, Guermouche, Kumar 2016: Scheduling of Linear Algebra Kernels on Multiple
Heterogeneous Resources.

All ways to group 20 cores in groups of at most 10, beside four GPUs. Transfers take no time, and a GPU has one task at
a time. heft is the paper's: "the highest priority ready task is allocated to the resource that is expected to complete
it first". It chooses among idle resources, with the priorities of HeteroPrio. READY is the other reading, with all
resources; only the table has it. docs/reference/heteroprio-types.md gives the reasons."""

import statistics

from lib.plan import Plan
from lib.recorded import Recorded
from lib.rows import Undecided
from lib.variant import Variant

# Why a tolerance is what it is.
NEARLY_ALL = "better is as fast or faster on nine tenths"
MANY_GROUPS = "good use is a tenth below the best"
STABLE = "more stable is a smaller spread"
CORES, GREATEST, NT = 20, 10, "4,8,12,16,20,24,32"
SINGLE = ""  # the value for single cores in rows
HEFT, AREA, INDEX = "heft:order=idle:rank=fastest", "heteroprio_types:score=area", "heteroprio_types"
READY = "heft:order=ready"
NAMES = {HEFT: "heft", AREA: "Area", INDEX: "Het.Index"}
DRAWN = ["--where", "policy=" + ",".join(NAMES)]
SETTINGS = {"platform": "k40-hipc", "gpus": 4, "policy": [*NAMES, READY], "communication": "off",
            "runtime": "ideal:gpu_pipeline=1"}


def partitions(n, greatest):
    """All ways to write n as a sum of numbers up to `greatest`, the largest first."""
    if n == 0:
        yield []
    for first in range(min(n, greatest), 0, -1):
        for rest in partitions(n - first, first):
            yield [first, *rest]


def groups(every):
    """Every `every`-th of the ways, and always the last one, single cores."""
    ways = ["+".join(map(str, way)) for way in partitions(CORES, GREATEST)]
    return ways[:-1:every] + ["none"]


def plan_of(kernel):
    return {**SETTINGS, "workload": f"{kernel}:nb=960:precision=d",
            "nt": {"tiny": "4,8", "small": NT, "full": NT},
            "cpu_groups": {"tiny": groups(100), "small": groups(10), "full": groups(1)}}


# Figures 6 to 8: schedules of simulations without transfers, executed with them. Tasks on cores take 15 % longer in
# executions than the measured times say (IV.D), which schedules do not know, or know (SLOWER).

SLOWER = Variant("k40-hipc", "k40-hipc-slower-cores", cpu_times=1.15)  # "a 15 % increase"
REPLAYED = {"platform": SLOWER, "gpus": 4}
# The configurations of figure 3, full, in which Het.Index and heft are the fastest.
BEST = {12: ("10+4+4+2", "7+7+6"), 24: ("6+4+4+4+2", "6+4+3+3+2+2"),
        32: ("4" + 8 * "+2", "4+2+2" + 12 * "+1")}


def cholesky(nt):
    return f"cholesky:nb=960:precision=d:priority=bottom_level:nt={nt}"


def heteroprio_schedule(nt, groups, platform):
    """The schedule of HeteroPrio on a platform, with the paper's two relaxations."""
    name = f"heteroprio-{nt}-{'as-measured' if platform == 'k40-hipc' else 'slower-cores'}"
    return Recorded(name, "both", **REPLAYED | {"platform": platform}, workload=cholesky(nt), policy=INDEX,
                    cpu_groups=groups, communication="off", runtime=SETTINGS["runtime"])


def one_execution(platform):
    """The plan of figures 6 and 7."""
    def at(nt, groups):
        return {"workload": cholesky(nt), "policy": heteroprio_schedule(nt, groups, platform), "cpu_groups": groups}
    sizes = {"tiny": at(6, "10+10"), "small": at(24, BEST[24][0]), "full": at(24, BEST[24][0])}
    return Plan(**REPLAYED, **{option: {size: of[option] for size, of in sizes.items()} for option in sizes["tiny"]})


class Cloud:
    """The configurations of one kernel at one size: GFlop/s by policy and groups."""

    def __init__(self, rows, nt):
        self.nt = nt
        self.of = {policy: {row["cpu_groups"]: row for row in rows.where(policy=policy, nt=nt)}
                   for policy in [*NAMES, READY]}
        common = set.intersection(*(set(of) for of in self.of.values()))
        if not common:
            raise Undecided(f"no configuration under all policies at {nt} x {nt} tiles")
        self.of = {policy: {g: row for g, row in of.items() if g in common} for policy, of in self.of.items()}

    def speeds(self, policy):
        return [row.gflops for row in self.of[policy].values()]

    def best(self, policy):
        return max(self.speeds(policy))

    def spread(self, policy):
        """The spread of configurations with the same number of groups, which are above one another in the picture: (9th
        - 1st decile) / median. The mean over the configurations; numbers of groups with fewer than eight configurations
        are left out."""
        by_groups = {}
        for row in self.of[policy].values():
            by_groups.setdefault(row.cpus, []).append(row.gflops)
        alike = [sorted(values) for values in by_groups.values() if len(values) > 7]
        if not alike:
            raise Undecided(f"no eight configurations of as many groups at {self.nt} x {self.nt} tiles")
        def apart(values):
            low, high = (values[int(part * (len(values) - 1))] for part in (0.1, 0.9))
            return (high - low) / statistics.median(values)
        return sum(len(values) * apart(values) for values in alike) / sum(map(len, alike))

    def behind(self, policy, other, by=0.03):
        """The fraction of configurations in which the policy is significantly slower."""
        mine, theirs = self.of[policy], self.of[other]
        return sum(mine[g].gflops < (1 - by) * theirs[g].gflops for g in mine) / len(mine)

    def top(self, policy):
        """The mean speed of the best tenth of the configurations."""
        return statistics.mean(sorted(self.speeds(policy))[-max(1, len(self.of[policy]) // 10):])

    def top_gain(self, policy, other):
        return self.top(policy) / self.top(other) - 1

    def gain(self, policy, other):
        """The mean gain over the configurations."""
        return statistics.mean(row.gflops / self.of[other][g].gflops - 1 for g, row in self.of[policy].items())

    def as_good(self, policy, other):
        """The fraction of configurations in which the policy is as fast. Differences below a thousandth do not
        count."""
        mine, theirs = self.of[policy], self.of[other]
        return sum(mine[g].gflops >= 0.999 * theirs[g].gflops for g in mine) / len(mine)

    def slower_than_single(self, policy):
        """The fraction of configurations that are slower than single cores. Differences below a thousandth do not
        count."""
        return sum(v < 0.999 * self.of[policy][SINGLE].gflops for v in self.speeds(policy)) / len(self.of[policy])

    def mean(self, policy, least, most, value=lambda row: row.gflops):
        """The mean of a value over the configurations with `least` to `most` groups."""
        found = [value(row) for row in self.of[policy].values() if least <= row.cpus <= most]
        if not found:
            raise Undecided(f"no configuration of {least} to {most} groups")
        return statistics.mean(found)


def bound(row):
    """The upper bound of a run's GFlop/s."""
    return row.flops / max(row.bound_area_s, row.bound_critical_path_s) / 1e9


def clouds(rows, least=0):
    """The clouds by size, with at least `least` tiles per side."""
    found = [Cloud(rows, nt) for nt in rows.of("nt") if nt >= least]
    if not found:
        raise Undecided(f"no matrix of {least} x {least} tiles or more")
    return found


def by_size(clouds, function):
    """The values by size."""
    return {cloud.nt: function(cloud) for cloud in clouds}


def by_variant(clouds, function):
    """The values of Het.Index and Area by size. `function` takes a cloud and a policy."""
    return {NAMES[policy]: by_size(clouds, lambda c, p=policy: function(c, p)) for policy in (INDEX, AREA)}


def spread_text(cloud, policy):
    try:
        return f"{cloud.spread(policy):.1%}"
    except Undecided:
        return "-"


def table(rows):
    """Lines with the best and the median by size and policy, the gains of Het.Index over both readings of heft, and the
    spreads."""
    yield "  nt" + "".join(f"{name + ' best':>16} {'median':>7}" for name in [*NAMES.values(), "ready"]) + (
        f"{'index >= heft':>15} {'gain':>7} {'top gain':>9} {'index >= ready':>15} {'gain':>7} {'top gain':>9}"
        f"{'spread Area':>13} {'index':>6} {'Area behind':>12} {'index':>6}")
    for c in clouds(rows):
        yield f"{c.nt:4}" + "".join(f"{c.best(p):16.0f} {statistics.median(c.speeds(p)):7.0f}"
                                    for p in [*NAMES, READY]) + (
f"{c.as_good(INDEX, HEFT):15.1%} {c.gain(INDEX, HEFT):7.1%} {c.top_gain(INDEX, HEFT):9.1%}"
f" {c.as_good(INDEX, READY):15.1%} {c.gain(INDEX, READY):7.1%} {c.top_gain(INDEX, READY):9.1%}"
f"{spread_text(c, AREA):>13} {spread_text(c, INDEX):>6} {c.behind(AREA, INDEX):12.1%} {c.behind(INDEX, AREA):6.1%}")
