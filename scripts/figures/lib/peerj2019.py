"""Bramas 2019: Impact study of data locality on task-based applications through the Heteroprio scheduler.

Applications: QrMumps on a cube, where GPUs can run two kinds of tasks (the paper: three of four); SpLDLT
on one full matrix; and the game of life, as StarPU-Stencil "uses only one type of tasks". Kernel times of sizes
without measurements are extrapolated.

As in the paper, a GPU worker holds four tasks (STARPU_CUDA_PIPELINE=4), and a case is the mean of six executions. The
paper does not give the variation of its executions; here kernels vary by 2 %. The paper has 3 to 18 workers (streams)
per GPU; here each GPU has one. Locality coefficients (processors, GPUs) are those of the text, section "Execution
details": (1,3) for QrMumps, (3,1) for SpLDLT; the captions disagree. The paper does not give the speedup factors.
QrMumps and SpLDLT, which had their own, get the ratios of kernel times. The stencil, which was adapted to Heteroprio
for the paper, gets none (factor=0)."""

import statistics

from lib.claim import TWO_SPEEDS, Near, at_least, at_most
from lib.plan import REAL
from lib.plot import Derived, Plot
from lib.rows import Undecided

QRMUMPS, SPLDLT, STENCIL = "qrmumps:grid3d=40:precision=d", "spldlt:grid3d=20:relax=1:precision=d", "life"
FORMULAS = ["laru", "mc", "ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb", "auto"]
AUTOMATIC = ["ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb"]  # the formulas among which auto chooses
WRITES = ["ls_sdh2", "ls_sdhb"]

NO_FACTORS = ":factor=0"
COEFFICIENTS = {QRMUMPS: ":l_cpu=1:l_gpu=3", SPLDLT: ":l_cpu=3:l_gpu=1"}
GPUS = {"k40-hipc": {"tiny": "1", "small": "1,4", "full": "1:4"},
        "sirocco": {"tiny": "1", "small": "1,4", "full": "1:4"},
        "mirage": {"tiny": "1", "small": "1,3", "full": "1:3"}}
EXECUTIONS = {"runtime": REAL + ":gpu_pipeline=4", "noise": "0.02", "repeat": {"tiny": 2, "small": 3, "full": 6},
              "extrapolate": "yes"}


def base():
    return "heteroprio"


def push(formula):
    return f"laheteroprio:push={formula}"


def plain(policy):
    """A policy without factors and coefficients."""
    return ":".join(part for part in policy.split(":") if not part.startswith(("factor=", "l_")))


def policies(workload):
    return [base(), *(push(f) + COEFFICIENTS.get(workload, "") for f in FORMULAS)]


def plans(workload, tiny, factors=""):
    return [{"platform": platform, "gpus": gpus, "workload": {"tiny": tiny, "small": workload, "full": workload},
             "policy": [policy + factors for policy in policies(workload)]} | EXECUTIONS
            for platform, gpus in GPUS.items()]


def bars():
    """The pictures for two nodes; the page shows the speed on one."""
    for platform in "k40-hipc", "sirocco":
        for panel, metric in ("speed", "gflops"), ("transfers", "transferred_bytes"):
            yield Plot(f"{platform}-{panel}", "bars", "--metric", metric, "--where", f"platform={platform}",
                       in_docs=platform == "k40-hipc" and panel == "speed")
        yield Derived(f"{platform}-bmd", "bmd", lambda rows, p=platform: with_bmd(rows.where(platform=p)),
                      in_docs=False)


def with_bmd(rows):
    """The rows of LAHeteroprio with a column for the BMD of the formula."""
    found = [row | {"bmd": Case.bmd_of(row, f)} for row in rows for f in FORMULAS
             if plain(row["policy"]) == push(f)]
    if not found:
        raise Undecided("no runs")
    return found


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
            self.rows.setdefault(plain(row["policy"]), []).append(row)
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
    return {f: mean([getattr(case, of)[f] for case in cases(rows)]) for f in formulas}


def ranks(values):
    """Ranks from 0; equal values get the mean of their ranks."""
    return [sum(v < value for v in values) + (sum(v == value for v in values) - 1) / 2 for value in values]


def rank_correlation(x, y):
    """Spearman's rank correlation; None if x or y is constant."""
    x, y = ranks(x), ranks(y)
    return None if min(x) == max(x) or min(y) == max(y) else statistics.correlation(x, y)


# Statements of the text about all applications.

def low_bmd_goes_with_speed(figure, **differs):
    figure.says("BMD", "BMD and speedup are clearly related: runs with a low BMD are fast",
                at_least("rank correlation of BMD and time over the formulas, on average", 0.5, "'clear' is 0.5",
                         form="{:.2f}", start=0), **differs)(lambda rows: mean_correlation(rows, "bmd"))


def mean_correlation(rows, of):
    """The mean over the cases of the rank correlation between a number of the formulas and their times."""
    formulas = [f for f in FORMULAS if f != "auto"]
    found = [rank_correlation([getattr(case, of)[f] for f in formulas], [1 / case.speedup[f] for f in formulas])
             for case in cases(rows)]
    found = [value for value in found if value is not None]
    if not found:
        raise Undecided("all formulas have one value, or one speed")
    return statistics.mean(found)


def auto_is_close(figure, **differs):
    figure.says("Speedup", "the automatic selection is always close to the best formula",
                at_least("speed relative to the best of its four formulas", 0.9, "'close' is a tenth"), **differs)(
        lambda rows: [case.speedup["auto"] / max(case.speedup[f] for f in AUTOMATIC) for case in cases(rows)])


def auto_moves_less(figure):
    figure.says("Summary", "the automatic selection transfers fewer bytes with any number of GPUs",
                at_most("bytes relative to Heteroprio", 1, "'reduced'", form="{:.2f}"))(
        lambda rows: [case.bytes["auto"] for case in cases(rows)])


def auto_moves_half(figure, **differs):
    figure.says("Concl.", "LAHeteroprio reduces the transfers by more than 50 %",
                at_most("bytes of auto, relative to Heteroprio, on average", 0.5, "'more than'", paper=0.5, start=1,
                        form="{:.2f}"), **differs)(lambda rows: means(rows, "bytes", ["auto"])["auto"])


def auto_improves(figure, gain, **differs):
    figure.says("Concl.", f"LAHeteroprio makes the application {gain * 100:.0f} % faster",
                Near("mean gain of auto over Heteroprio", gain, TWO_SPEEDS, by=0.05, start=0, form="{:+.0%}"),
                **differs)(lambda rows: means(rows, "speedup", ["auto"])["auto"] - 1)


def laru_mc_do_not_improve(figure, **differs):
    """The text says "slower than Heteroprio in some cases" of figures 6 to 8 together: so QrMumps' cases count for all
    three."""
    def speedups(rows):
        every = [*cases(rows), *(cases(rows.beside) if rows.beside else [])]
        return means(rows, "speedup", ["laru", "mc"]), min(case.speedup[f] for case in every for f in ("laru", "mc"))
    figure.says("Speedup", "LaRU and MC are hardly faster than Heteroprio, and slower in some cases",
                at_most("mean speedup over Heteroprio", 1.05, "not 'significantly' is 5 %", form="{:.2f}"),
                at_most("least speedup, QrMumps included", 0.99, "'slower' is 1 %", form="{:.2f}"), **differs)(speedups)


def writes_improve(figure, **differs):
    figure.says("Speedup", "LS_SDH2 and LS_SDHB are significantly faster than Heteroprio",
                at_least("mean speedup", 1.1, "'significantly' is a tenth", form="{:.2f}", start=1), **differs)(
        lambda rows: means(rows, "speedup", WRITES))


def competes(figure, formula, name, **differs):
    """Within a tenth of the best of the formulas among which auto chooses."""
    figure.says("Speedup", f"{name} is competitive",
                at_least("mean speed relative to the best formula", 0.9, "'competitive' is a tenth"), **differs)(
        lambda rows: part_of_best(rows, formula))


def does_not_compete(figure, formula, text, **differs):
    figure.says("Speedup", text, at_most("mean speed relative to the best formula", 0.9, "'competitive' is a tenth"),
                **differs)(lambda rows: part_of_best(rows, formula))


def part_of_best(rows, formula):
    of = means(rows, "speedup", AUTOMATIC)
    return of[formula] / max(of.values())


def stolen(figure, most, **differs):
    figure.says("BMD", f"the BMD of LaRU tells how many tasks were stolen: up to {most * 100:.0f} %",
                Near("greatest BMD of LaRU", most, "the paper gives tens of per cent", by=0.05), **differs)(
        lambda rows: max(case.bmd["laru"] for case in cases(rows)))
