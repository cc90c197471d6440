"""Bramas 2019: Impact study of data locality on task-based applications through the Heteroprio scheduler.

Applications: QrMumps on a cube, with panels on processors; SpLDLT on one full matrix; the game of life; and a stencil
with separate tasks that save halos. Kernel times of sizes without measurements are extrapolated.

As in the paper, a GPU worker holds four tasks (STARPU_CUDA_PIPELINE=4), and a case is the mean of six executions. The
paper does not give the variation of its executions; here kernels vary by 2 %. The paper has 3 to 18 workers (streams)
per GPU; here each GPU has one. Locality coefficients are this policy's defaults (1 for processors, all for GPUs: "the
largest value for the GPUs"); the paper's text and captions disagree about them. The paper does not give the speedup
factors. QrMumps and SpLDLT, which had their own, get the ratios of kernel times. The stencils, which were adapted to
Heteroprio for the paper, get none (factor=0)."""

import statistics

from lib.figure import Plot
from lib.plan import REAL
from lib.rows import Undecided

QRMUMPS, SPLDLT, STENCILS = "qrmumps:grid3d=40:precision=d:gpu=update", "spldlt:grid3d=20:relax=1:precision=d", [
    "life", "stencil:precision=b"]
FORMULAS = ["laru", "mc", "ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb", "auto"]
AUTOMATIC = ["ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb"]  # the formulas among which auto chooses
WRITES = ["ls_sdh2", "ls_sdhb"]

NO_FACTORS = ":factor=0"
GPUS = {"k40-hipc": {"tiny": "1", "small": "1,4", "full": "1:4"},
        "sirocco": {"tiny": "1", "small": "1,4", "full": "1:4"},
        "mirage": {"tiny": "1", "small": "1,3", "full": "1:3"}}
EXECUTIONS = {"runtime": REAL + ":gpu_pipeline=4", "noise": "0.02", "repeat": {"tiny": 2, "small": 3, "full": 6},
              "extrapolate": "yes"}


def base(factors=""):
    return "heteroprio" + factors


def push(formula, factors=""):
    return f"laheteroprio:push={formula}{factors}"


def policies(factors=""):
    return [base(factors), *(push(f, factors) for f in FORMULAS)]


def plans(workloads, tiny, factors=""):
    return [{"platform": platform, "gpus": gpus, "workload": {"tiny": tiny, "small": workloads, "full": workloads},
             "policy": policies(factors)} | EXECUTIONS for platform, gpus in GPUS.items()]


def bars():
    """The pictures for two nodes."""
    for platform in "k40-hipc", "sirocco":
        for panel, metric in ("speed", "gflops"), ("transfers", "transferred_bytes"):
            yield Plot(f"{platform}-{panel}", "bars", "--metric", metric, "--where", f"platform={platform}",
                       in_docs=platform == "k40-hipc")


class Case:
    """An application on a node with a number of GPUs. For each formula, from means over executions: the speedup over
    Heteroprio, the bytes relative to Heteroprio, and the BMD."""

    def __init__(self, rows):
        first = rows[0]
        self.name = (
            f"{first['workload'].split(':')[0]} on {first['platform']}, {first['gpus']} "
            f"GPU{'s' if first.gpus > 1 else ''}")
        self.rows = {}
        for row in rows:
            self.rows.setdefault(row["policy"].removesuffix(NO_FACTORS), []).append(row)
        self.speedup = {f: self.mean("makespan_s", base()) / self.mean("makespan_s", push(f)) for f in FORMULAS}
        self.bytes = {f: self.mean("transferred_bytes", push(f)) / self.mean("transferred_bytes", base())
                      for f in FORMULAS}
        self.bmd = {f: statistics.mean(self.bmd_of(row, f) for row in self.rows[push(f)]) for f in FORMULAS}

    def mean(self, metric, policy):
        if policy not in self.rows:
            raise Undecided(f"no run of '{policy}'")
        return statistics.mean(getattr(row, metric) for row in self.rows[policy])

    @staticmethod
    def bmd_of(row, formula):
        """The BMD of a formula. For auto, the BMD of the formula that it used most."""
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
            yield (f"{case.name if name == 'speedup' else '':28}{name:8}"
                   + "".join(f"{values[f]:9.3f}" for f in FORMULAS))


def means(rows, of, formulas=FORMULAS):
    """Means over all cases: geometric for `speedup` and `bytes`, arithmetic for `bmd`."""
    mean = statistics.mean if of == "bmd" else statistics.geometric_mean
    found = {f: mean([getattr(case, of)[f] for case in cases(rows)]) for f in formulas}
    return found, ", ".join(f"{f} {value:.2f}" for f, value in found.items())


def ranks(values):
    """Ranks from 0; equal values get the mean of their ranks."""
    return [sum(v < value for v in values) + (sum(v == value for v in values) - 1) / 2 for value in values]


def rank_correlation(x, y):
    """Spearman's rank correlation; None if x or y is constant."""
    x, y = ranks(x), ranks(y)
    return None if min(x) == max(x) or min(y) == max(y) else statistics.correlation(x, y)


# Statements of the text about all applications.

def low_bmd_goes_with_speed(rows):
    formulas = [f for f in FORMULAS if f != "auto"]
    found = [rank_correlation([case.bmd[f] for f in formulas], [1 / case.speedup[f] for f in formulas])
             for case in cases(rows)]
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
    """True if auto is faster in every case, and by more than 5 % on average."""
    faster = sorted(cases(rows), key=lambda case: case.speedup["auto"])
    return (faster[0].speedup["auto"] > 1 and statistics.geometric_mean(case.speedup["auto"] for case in faster) > 1.05,
            f"speedup {faster[0].speedup['auto']:.2f} ({faster[0].name}) to {faster[-1].speedup['auto']:.2f}")


def laru_mc_do_not_improve(rows):
    mean, text = means(rows, "speedup", ["laru", "mc"])
    least = min(case.speedup[f] for case in cases(rows) for f in mean)
    return max(mean.values()) < 1.05 and least < 1, f"mean speedup over Heteroprio: {text}; at least {least:.2f}"


def writes_improve(rows):
    mean, text = means(rows, "speedup", WRITES)
    return min(mean.values()) > 1.1, f"mean speedup over Heteroprio: {text}"


def beat_laru_mc(rows, formulas):
    speed, fast = means(rows, "speedup", [*formulas, "laru", "mc"])
    moved, few = means(rows, "bytes", [*formulas, "laru", "mc"])
    return (all(speed[f] > speed[o] and moved[f] < moved[o] for f in formulas for o in ("laru", "mc")),
            f"mean speedup over Heteroprio: {fast}; bytes relative to it: {few}")


def competitive(rows, formula):
    """True if the formula is within a tenth of the best."""
    mean, text = means(rows, "speedup", AUTOMATIC)
    return mean[formula] > 0.9 * max(mean.values()), f"mean speedup over Heteroprio: {text}"


def laru_bmd(rows, most):
    """True if the greatest BMD of laru is near `most`, the paper's value."""
    found = max(case.bmd["laru"] for case in cases(rows))
    return abs(found - most) < 0.2, f"up to {found:.0%}"
