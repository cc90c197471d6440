#!/usr/bin/env python3
"""Conclusions of Gonthier et al. 2024 on DARTS."""

from runs import by_policy, choose, run, say


def beyond_memory(factorisation, gpus, memory, tiles, more_loads, slower):
    """darts stays above 80 % of the peak of gemm (14 TFlop/s a V100). The others load more and fall."""
    rows = run(f"--platform v100x4 --workload {factorisation}:nt={tiles}:nb=2880:priority=bottom_level",
               "--policy darts,dmdas,lws,eager --validate",
               f"--extrapolate --runtime starpu:eviction_waits=yes --gpus {gpus} --gpu-mem {memory}")
    rate = {policy: gflops / float(gpus) / 14000 for policy, gflops in by_policy(rows, "gflops").items()}
    loads = {row["policy"]: row.h2d_bytes + row.p2p_bytes for row in rows}
    yield f"{sum(row['validated'] == 'true' for row in rows)} {say(rate['darts'] > 0.8, rate['darts'], text='high')}"
    for policy in ("eager", "lws", "dmdas"):
        more = loads[policy] / loads["darts"]
        moved = say(more > float(more_loads), more, text="loads more")
        ratio = rate[policy] / rate["darts"]
        speed = "falls" if ratio < float(slower) else "not faster" if ratio < 1.01 else f"{ratio:g}"
        yield f"{policy} {moved} {speed}"


def few_tasks():
    """Four GPUs that hold all, few tasks: darts is slower than the best other. data_first is on average as fast,
    and never more than 6 % behind."""
    first, darts = [], []
    for node in ("v100x4", "a100x4"):
        for factorisation in ("cholesky", "lu"):
            for tiles in (8, 12, 16):
                rate = {}
                for row in run(f"--platform {node}",
                               f"--workload {factorisation}:nt={tiles}:nb=2880:priority=bottom_level --policy",
                               "data_first,darts,dmdas,lws,ap,eager --extrapolate --noise 0.02 --repeat 3"):
                    rate[row["policy"]] = rate.get(row["policy"], 0) + row.gflops
                best = max(value for policy, value in rate.items() if policy not in ("darts", "data_first"))
                first.append(rate["data_first"] / best)
                darts.append(rate["darts"] / best)
    mean_first, mean_darts = sum(first) / len(first), sum(darts) / len(darts)
    yield say(min(first) > 0.94 and mean_first > 1 and mean_darts < mean_first - 0.02,
              min(first), mean_first, mean_darts)


def out_of_core(memory, beyond):
    """12 cores of 15 GFlop/s each, main memory bounded, with a disk. Where the matrix is beyond memory (yes or no),
    the other policies load more and fall."""
    rows = run("--platform cpu-outofcore --workload lu:nt=24:nb=2880:priority=bottom_level",
               f"--policy darts,dmdas,lws,eager --extrapolate --mem RAM={memory} --validate")
    rate = {policy: gflops / 180 for policy, gflops in by_policy(rows, "gflops").items()}
    moved = by_policy(rows, "transferred_bytes")
    valid = sum(row["validated"] == "true" for row in rows)
    best = max(rate.values())
    yield f"{valid} " + say(rate["darts"] > 0.8 and rate["darts"] > 0.95 * best, rate["darts"], text="high")
    for policy in ("eager", "lws", "dmdas") if beyond == "yes" else ():
        loads = say(moved[policy] > 1.5 * moved["darts"], moved[policy] / moved["darts"], text="loads more")
        ratio = rate[policy] / rate["darts"]
        yield f"{policy} {loads} {say(ratio < 0.85, ratio, text='falls')}"


def as_fast_on_eight_gpus(*workloads):
    """data_first on eight V100 that share one link: within 5 % of the best other policy, and leave=no at least 10 %
    slower."""
    for workload in workloads:
        rate = {}
        for row in run(f"--platform gemini-starpu --workload {workload}:priority=bottom_level --policy",
                       "data_first,data_first:leave=no,dmdas,ap,lws,eager --cpus 0 --gpus 8 --extrapolate",
                       "--noise 0.02 --repeat 3"):
            rate[row["policy"]] = rate.get(row["policy"], 0) + row.gflops
        best = max(value for policy, value in rate.items() if not policy.startswith("data_first"))
        first, stays = rate["data_first"] / best, rate["data_first:leave=no"] / rate["data_first"]
        yield f"{say(first > 0.95, first)} {say(stays < 0.9, stays, text='needed')}"


def fits():
    """Where all fits, darts and data_first are within 5 % of the best."""
    for gpus in (1, 4):
        for workload in ("cholesky:nt=30", "lu:nt=24"):
            rows = run(f"--platform v100x4 --workload {workload}:nb=2880:priority=bottom_level --gpus {gpus}",
                       "--policy darts,data_first,dmdas,lws,eager,ap --extrapolate")
            rate = by_policy(rows, "gflops")
            best = max(rate.values())
            yield " ".join(say(rate[policy] > 0.95 * best, rate[policy] / best) for policy in ("darts", "data_first"))


def little_memory():
    """From 500 MiB down to a chunk of nine tiles: fewer bytes than dmdar, by a tenth and more but in the least memory,
    and as fast or faster."""
    for mib in (500, 250, 96, 32):
        for gpus in (1, 3):
            dmdar, darts = run(f"--platform mirage --workload cholesky:nt=40 --policy dmdar,darts",
                               f"--cpus 0 --gpus {gpus} --gpu-mem {mib}MiB --validate")
            moved = darts.transferred_bytes / dmdar.transferred_bytes
            ratio = darts.makespan_s / dmdar.makespan_s
            yield (f"{darts['validated']} {say(moved < (0.9 if mib > 32 else 0.97), moved, text='fewer bytes')} "
                   f"{say(ratio < 1.002, ratio, text='as fast')}")


choose([beyond_memory, few_tasks, fits, out_of_core, little_memory, as_fast_on_eight_gpus])
