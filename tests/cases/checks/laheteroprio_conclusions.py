#!/usr/bin/env python3
"""Conclusions of Bramas 2019 on LAHeteroprio, on three nodes. Links are shared equally, as those of real nodes are."""

from runs import choose, run, say

NODES = ("sirocco", "k40-hipc", "mirage")
OPTIONS = "--extrapolate --runtime starpu:link_shares=equal"


def policies(*pushes):
    return "heteroprio,laheteroprio," + ",".join(f"laheteroprio:push={push}" for push in pushes)


def formulas(workload):
    """auto: LAHeteroprio moves fewer bytes than Heteroprio and is faster. write: LS_SDH2 and LS_SDHB are faster
    than LaRU and MC. bmd: LaRU has the highest BMD, and a formula with less than half of another's is as fast
    within 5 %. Otherwise the figures: formula, speedup over Heteroprio, bytes relative to it, BMD."""
    names = ("laru", "mc", "ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb")
    for node in NODES:
        plain, auto, *pushed = run(f"--platform {node} --workload {workload} --policy {policies(*names)} {OPTIONS}")
        of = dict(zip(names, pushed))
        laru, mc = of["laru"].makespan_s, of["mc"].makespan_s
        holds = {
            "auto": auto.makespan_s < 0.9 * plain.makespan_s and auto.transferred_bytes < 0.9 * plain.transferred_bytes,
            "write": all(of[name].makespan_s < min(laru, mc) for name in ("ls_sdh2", "ls_sdhb")),
            "bmd": all(a.counter() <= of["laru"].counter() and
                       not any(a.counter() < b.counter() / 2 and a.makespan_s > 1.05 * b.makespan_s for b in pushed)
                       for a in pushed),
        }
        yield " ".join(name for name, is_so in holds.items() if is_so)
        if not all(holds.values()):
            for name, row in zip(("auto", *names), (auto, *pushed)):
                moved = row.transferred_bytes / plain.transferred_bytes
                yield f"{name} {plain.makespan_s / row.makespan_s:g} {moved:g} {row.counter():g}"


def life():
    """Formulas that look at where data are choose alike, and are faster than LaRU. MC is as good."""
    for node in NODES:
        rows = run(f"--platform {node} --workload life {OPTIONS}",
                   f"--policy {policies('laru', 'mc', 'ls_sdh2', 'ls_sdhb')}")
        plain, auto, laru, mc, sdh2, sdhb = (row.makespan_s for row in rows)
        moved = [row.transferred_bytes for row in rows]
        bmd = [row.counter() for row in rows[2:5]]
        yield say(auto < 0.7 * plain and moved[1] < 0.5 * moved[0] and sdh2 < 0.8 * laru and sdhb < 0.8 * laru
                  and bmd[0] > 2.5 * bmd[1] and bmd[0] > 2.5 * bmd[2] and mc < 1.15 * sdh2,
                  auto / plain, moved[1] / moved[0], laru / plain, mc / plain, sdh2 / plain)


def stencil():
    """Blocks save their halos in tasks of their own: auto moves fewer bytes than Heteroprio, and is not much slower."""
    for node in NODES:
        rows = run(f"--platform {node} --workload stencil:precision=b {OPTIONS} --policy {policies('ls_sdh2')}")
        plain, auto, sdh2 = (row.makespan_s for row in rows)
        moved = rows[1].transferred_bytes / rows[0].transferred_bytes
        yield say(auto < 1.1 * plain and moved < 0.8 and auto < 1.06 * sdh2, auto / plain, moved, auto / sdh2)


def stolen():
    """LaRU's BMD, and that of two formulas, for QrMumps and SpLDLT."""
    rows = run("--platform mirage --workload qrmumps:grid3d=32:precision=d,spldlt:grid3d=20:relax=1:precision=d",
               "--policy", ",".join(f"laheteroprio:push={push}" for push in ("laru", "ls_sdh", "ls_sdhb")), OPTIONS)
    qr_laru, qr_sdh, qr_sdhb, ldlt_laru, ldlt_sdh, ldlt_sdhb = (row.counter() for row in rows)
    yield say(0.3 < qr_laru < 0.5 and 0.6 < ldlt_laru < 0.9 and qr_sdh < 0.1 and ldlt_sdh > 0.3 and qr_sdhb < 0.01
              and ldlt_sdhb < 0.01, qr_laru, qr_sdh, qr_sdhb, ldlt_laru, ldlt_sdh, ldlt_sdhb)


def gpu_locality():
    """With the largest locality coefficient for GPUs fewer bytes move, and LU is faster."""
    for node in NODES:
        rows = run(f"--platform {node} --workload lu:nt=20,qrmumps:grid3d=40:precision=d --policy",
                   "laheteroprio:l_gpu=1,laheteroprio:l_gpu=2,laheteroprio", OPTIONS)
        t = [row.makespan_s for row in rows]
        b = [row.transferred_bytes for row in rows]
        yield say(t[2] < 0.97 * t[1] and t[1] < t[0]
                  and b[2] < 0.95 * b[1] and b[2] < 0.95 * b[0] and b[5] < 0.99 * b[3], *t[:3], *b[:4], b[5])


choose([formulas, life, stencil, stolen, gpu_locality])
