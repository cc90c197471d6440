"""Bramas 2019: Impact study of data locality on task-based applications through the Heteroprio scheduler.

Applications: QrMumps on a cube, with panels on processors; SpLDLT on one full matrix; the game of life, and a stencil whose blocks
save their halos in tasks of their own. Kernel times of sizes that no node has are extrapolated. The application sets speedup factors,
the paper tells none: kernels' ratios (the default), and none (factor=0)."""

import statistics

from lib.figure import Plot
from lib.rows import Undecided

QRMUMPS, SPLDLT, STENCILS = "qrmumps:grid3d=40:precision=d:gpu=update", "spldlt:grid3d=20:relax=1:precision=d", ["life", "stencil:precision=b"]
FORMULAS = ["laru", "mc", "ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb", "auto"]
AUTOMATIC = ["ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb"]  # of which auto takes one
WRITES = ["ls_sdh2", "ls_sdhb"]

BASE = "heteroprio:setup=kernels"
WITHOUT_FACTORS = ["heteroprio:setup=kernels:factor=0", "laheteroprio:factor=0"]
GPUS = {"k40-hipc": {"tiny": "1", "small": "1,4", "full": "1:4"}, "sirocco": {"tiny": "1", "small": "1,4", "full": "1:4"},
        "mirage": {"tiny": "1", "small": "1,3", "full": "1:3"}}


def push(formula):
    return f"laheteroprio:push={formula}"


def plans(workloads, tiny):
    policies = [BASE, *map(push, FORMULAS), *WITHOUT_FACTORS]
    return [{"platform": platform, "gpus": gpus, "workload": {"tiny": tiny, "small": workloads, "full": workloads}, "policy": policies,
             "extrapolate": "yes"} for platform, gpus in GPUS.items()]


def bars():
    """The pictures, of two nodes."""
    policies = ",".join([BASE, *map(push, FORMULAS)])
    for platform in "k40-hipc", "sirocco":
        for panel, metric in ("speed", "gflops"), ("transfers", "transferred_bytes"):
            yield Plot(f"{platform}-{panel}", "bars", "--metric", metric, "--where", f"platform={platform}", "--where", f"policy={policies}",
                       in_docs=platform == "k40-hipc")


class Case:
    """An application on a node with so many GPUs: for each formula the speedup over Heteroprio, the bytes relative to it, the BMD."""

    def __init__(self, rows):
        of = {row["policy"]: row for row in rows}
        try:
            base, mine = of[BASE], {f: of[push(f)] for f in FORMULAS}
            without, la_without = (of[policy].makespan_s for policy in WITHOUT_FACTORS)
        except KeyError as missing:
            raise Undecided(f"no run of {missing}") from None
        self.name = f"{base['workload'].split(':')[0]} on {base['platform']}, {base['gpus']} GPU{'s' if base.gpus > 1 else ''}"
        self.speedup = {f: base.makespan_s / row.makespan_s for f, row in mine.items()}
        self.bytes = {f: row.transferred_bytes / base.transferred_bytes for f, row in mine.items()}
        self.bmd = {f: self.bmd_of(row, f) for f, row in mine.items()}
        self.with_best_factors = min(base.makespan_s, without) / min(mine["auto"].makespan_s, la_without)

    @staticmethod
    def bmd_of(row, formula):
        """Of auto, that of the formula that it used most."""
        if formula == "auto":
            formula = max(AUTOMATIC, key=lambda f: row.counter("used_" + f))
        return row.counter("bmd_" + formula)


def cases(rows):
    runs = {}
    for row in rows:
        runs.setdefault((row["workload"], row["platform"], row["gpus"]), []).append(row)
    if not runs:
        raise Undecided("no runs")
    return [Case(of) for of in runs.values()]


def table(rows):
    yield f"{'':28}{'':8}" + "".join(f"{f:>9}" for f in FORMULAS)
    for case in cases(rows):
        for name, values in ("speedup", case.speedup), ("bytes", case.bytes), ("BMD", case.bmd):
            yield f"{case.name if name == 'speedup' else '':28}{name:8}" + "".join(f"{values[f]:9.3f}" for f in FORMULAS)


def means(rows, of, formulas=FORMULAS):
    """Over all cases: of `speedup` and `bytes` geometric ones, of `bmd` the usual."""
    mean = statistics.mean if of == "bmd" else statistics.geometric_mean
    found = {f: mean([getattr(case, of)[f] for case in cases(rows)]) for f in formulas}
    return found, ", ".join(f"{f} {value:.2f}" for f, value in found.items())


def ranks(values):
    """From 0; equal ones share the mean of their places."""
    return [sum(v < value for v in values) + (sum(v == value for v in values) - 1) / 2 for value in values]


def rank_correlation(x, y):
    """Spearman's; None: one of them is constant."""
    x, y = ranks(x), ranks(y)
    return None if min(x) == max(x) or min(y) == max(y) else statistics.correlation(x, y)


# What the text says of all applications.

def low_bmd_goes_with_speed(rows):
    formulas = [f for f in FORMULAS if f != "auto"]
    found = [rank_correlation([case.bmd[f] for f in formulas], [1 / case.speedup[f] for f in formulas]) for case in cases(rows)]
    found = [value for value in found if value is not None]
    if not found:
        raise Undecided("all formulas have one BMD, or one speed")
    return (statistics.mean(found) > 0.2,
            f"rank correlation of BMD and time {statistics.mean(found):.2f} on average, "
            f"positive in {sum(v > 0 for v in found)} of {len(found)} cases")


def auto_is_close(rows):
    parts = [case.speedup["auto"] / max(case.speedup[f] for f in AUTOMATIC) for case in cases(rows)]
    return (min(parts) > 0.875,
            f"{min(parts):.0%} to {max(parts):.0%} of the speed of the best of its four formulas, "
            f"{statistics.geometric_mean(parts):.0%} on average")


def auto_moves_less(rows):
    moved = [case.bytes["auto"] for case in cases(rows)]
    return max(moved) < 1, f"{min(moved):.2f} to {max(moved):.2f} times the bytes of Heteroprio"


def auto_is_faster(rows):
    """But for a twentieth: each case is one run."""
    faster = sorted(cases(rows), key=lambda case: case.speedup["auto"])
    return (faster[0].speedup["auto"] > 0.95 and statistics.geometric_mean(case.speedup["auto"] for case in faster) > 1.05,
            f"{faster[0].speedup['auto']:.2f} ({faster[0].name}) to {faster[-1].speedup['auto']:.2f} times as fast")


def faster_with_factors_that_suit(rows):
    faster = [case.with_best_factors for case in cases(rows)]
    return min(faster) > 0.95 and statistics.geometric_mean(faster) > 1.1, f"{min(faster):.3f} to {max(faster):.2f} times as fast"


def laru_mc_do_not_improve(rows):
    mean, text = means(rows, "speedup", ["laru", "mc"])
    least = min(case.speedup[f] for case in cases(rows) for f in mean)
    return max(mean.values()) < 1.1 and least < 1, f"times as fast as Heteroprio, on average: {text}; at least {least:.2f}"


def writes_improve(rows):
    mean, text = means(rows, "speedup", WRITES)
    return min(mean.values()) > 1.1, f"times as fast as Heteroprio, on average: {text}"


def competitive(rows, formula):
    """As fast as the best, but for a tenth."""
    mean, text = means(rows, "speedup", AUTOMATIC)
    return mean[formula] > 0.9 * max(mean.values()), f"times as fast as Heteroprio, on average: {text}"


def laru_bmd(rows, most):
    """`most`: of the paper."""
    found = max(case.bmd["laru"] for case in cases(rows))
    return abs(found - most) < 0.2, f"up to {found:.0%}"
