#!/usr/bin/env python3
"""Statements of Augonnet 2011, as orderings and ratios."""

import os
import pathlib

from runs import choose, run, say

PIPELINE = "--runtime starpu:gpu_pipeline=1"


def rate(options):
    return run(options)[-1].gflops


def random_shares():
    """Section 3.4.1: tasks drawn by speed. A GPU that is 31 times as fast as a core gets 31 times as many of many tasks
    (3 GPUs: 91.2 %), and with few tasks the balance is worse."""
    workloads = [f"matmul2d:nt={n}:nb=960:k=960" for n in (200, 6)]
    rows = run(f"--platform mirage --workload {','.join(workloads)} --policy random --extrapolate --repeat 10")
    many, few = ([row for row in rows if row["workload"] == workload] for workload in workloads)
    share = sum(row.gpu_tasks / row.tasks for row in many) / len(many)
    idle_many, idle_few = (sum(row.idle_ratio for row in rows) / 10 for rows in (many, few))
    yield say(0.907 < share < 0.917 and idle_few > 2 * idle_many, share, idle_few, idle_many)


def prefetching():
    """Section 3.6.1: prefetching moves as much, but sooner, whether policies count transfers or not."""
    rows = run("--platform mordor --workload qr:nt=20 --policy dm:prefetch=no,dm,dmda:prefetch=no,dmda", PIPELINE)
    for without, ahead in zip(rows[::2], rows[1::2]):
        time = ahead.makespan_s / without.makespan_s
        moved = ahead.transferred_bytes / without.transferred_bytes
        yield say(time < 0.95 and 0.9 < moved < 1.1, time, moved)


def dealt_out():
    """Table 8.2: tasks dealt out in turn to GPUs and cores waste the GPUs; dynamic scheduling gains by the cores."""
    gpus, both, dmda, dmdas = g = [
        rate("--platform hannibal2011 --workload matmul2d:nt=8:nb=2048:k=16384 --validate "
             f"--policy {policy} --cpus {cpus} --gpus 3")
        for cpus, policy in ((0, "roundrobin"), (5, "roundrobin"), (5, "dmda"), (5, "dmdas"))]
    yield say(both < 0.5 * gpus and dmda > 1.1 * gpus and dmdas > 1.1 * gpus, *g)


def copies_of_the_diagonal():
    """Figure 7.3: copies of the diagonal tiles gain up to 30 % with four GPUs, by the size of the matrix."""
    gains = []
    for nt in (8, 10, 12, 16, 20):
        rows = run(f"--platform mordor --workload qr:nt={nt},qr:nt={nt}:copy_diagonal=yes --policy eager,prio",
                   PIPELINE)
        gains += [copies.gflops / plain.gflops for plain, copies in zip(rows[:2], rows[2:])]
    yield say(1.05 < max(gains) <= 1.3, max(gains))


def gpus_in_all():
    """Figure 7.5, QR on one to four GPUs: nearly linear. More than linear on four where the matrix fits in the memories
    of all four, but not in that of one."""
    ample, little = ([rate(f"--platform mordor --workload qr:nt=36 --policy dmda --cpus 0 --gpus {n} "
                           f"--gpu-mem {memory}")
                      for n in (1, 2, 3, 4)] for memory in ("none", "1300MB"))
    for n in (2, 3, 4):
        a, b = ample[n - 1] / ample[0] / n, little[n - 1] / little[0] / n
        yield say(0.95 < a <= 1 and (n < 4 or (b > a and b > 1)), a, b)


def cores_in_double_precision():
    """Section 7.3.3: cores contribute more in double precision, which halves their speed, but divides that of the GPUs
    by eight."""
    for node, cpus, gpus in (("mordor", 12, 4), ("hannibal2011", 5, 3)):
        base = f"--platform {node} --policy dmda --gpus {gpus} --workload qr:nt=20:precision"
        single, double = (rate(f"{base}={p} --cpus {cpus}") / rate(f"{base}={p} --cpus 0") for p in "sd")
        yield say(single > 1.1 and double > 1.2 * single, single, double)


def steps():
    """Figure 7.4b: each step of heft-tm < heft-tm-pr < heft-tmdp < heft-tmdp-pr is faster, and greedy the slowest.
    Table 7.2: the penalty for data halves the bytes that move."""
    rows = run("--platform mordor --workload qr:nt=20 --policy eager,dm:prefetch=no,dm,dmda:prefetch=no,dmda",
               PIPELINE, "--validate")
    greedy, tm, tm_pr, tmdp, tmdp_pr = g = [row.gflops for row in rows]
    yield say(greedy < tm and 1.05 * tm < tm_pr and 1.05 * tm_pr < tmdp and 1.05 * tmdp < tmdp_pr
              and 1.1 < tm / greedy < 1.35 and 1.2 < tm_pr / greedy < 1.6
              and rows[4].transferred_bytes < 0.5 * rows[2].transferred_bytes, *g)


def more_than_the_sum():
    """Cores and GPUs together are faster than the sum of each alone where each gets what suits it. Not so for
    products, whose kernels have all the same ratio."""
    for node, workload, cores, gpus, options in (("mordor", "qr:nt=20", 12, 4, PIPELINE),
                                                 ("hannibal2011", "matmul2d:nt=30:nb=2048:k=16384", 5, 3, "")):
        base = f"--platform {node} --workload {workload} --policy dmda {options}"
        both, cpus_alone, gpus_alone = (rate(f"{base} --cpus {c} --gpus {g}")
                                        for c, g in ((cores, gpus), (cores, 0), (0, gpus)))
        yield "more" if both > cpus_alone + gpus_alone else "less"


def placement():
    """Figure 7.9, a stencil of 64 blocks on three GPUs: with the penalty for data, dynamic placement is as good as
    placement by hand, whether the first iteration is placed by hand or not. Without the penalty it is far slower."""
    rows = run("--platform mirage --workload stencil:nx=128:ny=128:nz=8192:blocks=64:iterations=32:precision=b",
               "--policy static,dmda:pinned=192,dmda,dm:pinned=192,dm --cpus 0 --validate")
    hand, dmda_init, dmda, dm_init, dm = t = [row.makespan_s for row in rows]
    yield say(dmda_init < 1.1 * hand and hand < 1.1 * dmda_init and dmda > 0.99 * dmda_init and dmda < 1.1 * hand
              and dm_init > 2 * hand and dm > 2 * hand and dm_init < 1.2 * dm and dm < 1.2 * dm_init, *t)


def stencil_gpus():
    """Figure 7.9b: heft-tmdp's stencil is nearly linear in GPUs. Prefetching helps, but not with one GPU."""
    without, ahead = ([run("--platform hannibal2011 --workload stencil:precision=b --extrapolate --cpus 0",
                           f"--gpus {gpus} --policy dmda:prefetch={prefetch}")[-1].makespan_s for gpus in (1, 2, 3)]
                      for prefetch in ("no", "yes"))
    two, three = ahead[0] / ahead[1], ahead[0] / ahead[2]
    yield say(1.8 < two < 2.2 and 2.7 < three < 3.3, two, three)
    yield say(ahead[0] > 0.97 * without[0] and ahead[1] < 0.97 * without[1] and ahead[2] < 0.97 * without[2],
              *(a / b for a, b in zip(ahead, without)))


def chain(node, n):
    """The row of a chain of n tasks that two GPUs take in turn."""
    tasks = ",".join(["[0,0,0,3]"] * n)
    pathlib.Path("chain.json").write_text(
        '{"tilewright":1,"flops":0,"priorities":"all",'
        '"kernels":[{"name":"gemm","size":"960","precision":"d","flops":1769472000}],'
        f'"data":[7372800],"tasks":[{tasks}]}}', encoding="utf-8")
    return run(f"--platform {node} --workload file:chain.json --policy roundrobin --cpus 0 --gpus 2 --runtime ideal",
               "--validate")[-1]


def without_peers():
    """The bytes to GPUs, from GPUs and between them, in handles, of a chain of 21 tasks on a node with direct
    copies, and on one without. A hand-over by way of main memory takes twice as long as a direct one; a task takes
    1685.1 us."""
    shipped = pathlib.Path(os.environ["TILEWRIGHT_PLATFORMS"], "k40-hipc")
    own = pathlib.Path("own")
    own.mkdir()
    (own / "kernels.csv").write_bytes((shipped / "kernels.csv").read_bytes())
    lines = (shipped / "platform.xml").read_text(encoding="utf-8").splitlines(keepends=True)
    no_peers = (line.replace("yes", "no", 1) if 'id="peer"' in line else line for line in lines)
    (own / "platform.xml").write_text("".join(no_peers), encoding="utf-8")
    hand_over = []
    for node in ("k40-hipc", "./own"):
        one, many = chain(node, 1), chain(node, 21)
        handles = " ".join(f"{int(many[column]) / 7372800:g}" for column in ("h2d_bytes", "d2h_bytes", "p2p_bytes"))
        yield f"{handles} {many['validated']}"
        hand_over.append((many.makespan_s - one.makespan_s) / 20 - 1685.1e-6)
    direct, by_main_memory = hand_over
    yield say(1.99 * direct < by_main_memory < 2.01 * direct, by_main_memory / direct)


def moved_bytes():
    """Table 7.2, in GB for three orders: what heft-tm-pr moves, and how many times that heft-tmdp-pr moves less.
    Section 6.4: QR comes near to 800 GFlop/s."""
    rows = run("--platform hannibal2011 --workload qr:nt=10,qr:nt=26,qr:nt=32 --policy dm,dmda", PIPELINE)
    for (dm, dmda), table, ratio in zip(zip(rows[::2], rows[1::2]), (3.8, 57.2, 105.6), (1.5, 2.5, 2.5)):
        moved, times = dm.transferred_bytes / 1e9 / table, dm.transferred_bytes / dmda.transferred_bytes
        yield f"{say(0.9 < moved < 1.1, moved)}, {say(times > ratio, times)}"
    speed = rows[-1].gflops
    yield say(720 < speed < 880, speed)


def wrong_beliefs():
    """Figure 3.17, LU on cores and a GPU: beliefs that are wrong by 5 % cost little, and great errors make the
    policy slower than one without beliefs."""
    base = "--platform barracuda --workload lu:nt=12 --policy dm --gpus 1 --extrapolate"
    right, off, far_off = (sum(rate(f"{base} --belief-error {error} --seed {seed}") for seed in range(1, 6)) / 5
                           for error in (0, 0.05, 0.5))
    eager = rate("--platform barracuda --workload lu:nt=12 --policy eager --gpus 1 --extrapolate")
    yield say(off > 0.92 * right and off > eager and far_off < eager, right, off, far_off, eager)


def wrong_beliefs_on_mirage():
    """Figure 3.17: the more wrong the beliefs, the slower; only very wrong ones are worse than none. A policy
    without beliefs does not change."""
    errors, total = (0, 0.05, 0.2, 0.5, 1), {"dm": [], "dmda": [], "eager": []}
    for error in errors:
        rows = run("--platform mirage --workload cholesky:nt=12 --policy dm,dmda,eager --repeat 10",
                   f"--belief-error {error}")
        for policy, sums in total.items():
            sums.append(sum(row.makespan_s for row in rows if row["policy"] == policy))
    eager = total["eager"]
    for policy in ("dm", "dmda"):
        t = total[policy]
        yield say(t[1] < 1.06 * t[0] and t[1] < t[2] < t[3] < t[4] and t[2] < eager[0] < t[4], *t)
    yield "the same" if eager[0] == eager[4] else "another"


choose([random_shares, prefetching, dealt_out, copies_of_the_diagonal, gpus_in_all, cores_in_double_precision, steps,
        more_than_the_sum, placement, stencil_gpus, without_peers, moved_bytes, wrong_beliefs, wrong_beliefs_on_mirage])
