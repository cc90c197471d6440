"""Writes summary.md of a campaign's folder, from the files in this folder alone."""

import csv
import statistics
import time

KEY = ("workload", "policy", "memory")


def read(path):
    with path.open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def of_all(folder, pattern):
    return [row for path in sorted(folder.glob(pattern)) for row in label(read(path))]


def good(rows):
    return [row for row in rows if row["status"] == "ok"]


def label(rows):
    """Adds the GPU's memory limit to each row. The greatest is the free memory before the run, which differs a little
    from run to run."""
    most = max((int(row["gpu_mem_bytes"]) for row in rows), default=0)
    for row in rows:
        n_bytes = int(row["gpu_mem_bytes"])
        row["memory"] = ("ample" if n_bytes == most and n_bytes % 2**30 else f"{n_bytes / 2**30:.3g} GiB"
                         if n_bytes >= 2**30 else f"{n_bytes / 2**20:.3g} MiB")
    return rows


def tests(folder):
    rows = of_all(folder, "tests-*.csv")
    if not rows:
        return "Not run.\n", []
    bad = [f"{row['workload']}, {row['policy']}: {row['message']}" for row in rows if row["status"] != "ok"]
    worst = {}
    for row in good(rows):
        worst[row["workload"]] = max(worst.get(row["workload"], 0), float(row["residual"] or 0))
    text = (
        f"{len(rows)} runs, {len(bad)} wrong. Each compared every tile with a serial run, and had a valid "
        "schedule.\n\n")
    return (text + table(["workload", "greatest residual"], [[name, f"{value:.1e}"] for name, value in worst.items()]),
            bad)


def rates(folder):
    """The section about GFlop/s in double precision."""
    alone = {(row["routine"], row["precision"]): row
             for row in read(folder / "libraries.csv")} if (folder / "libraries.csv").exists() else {}
    rows = good(read(folder / "rates.csv")) if (folder / "rates.csv").exists() else []
    text = table(["routine", "precision", "n", "GFlop/s"],
                 [[r["routine"], r["precision"], r["n"], r["gflops"]] for r in alone.values()]) if alone else ""
    lines = []
    for row in rows:
        routine = {"cholesky": "potrf", "lu": "getrf"}[row["workload"].split(":")[0]]
        whole, peak = (alone.get((name, "d"), {}).get("gflops") for name in (routine, "gemm"))
        lines.append([row["workload"], f"{float(row['gflops']):.1f}",
                      *(f"{float(row['gflops']) / float(x):.2f}" if x else "" for x in (whole, peak)),
                      f"{float(row['residual']):.1e}", f"{float(row['turn_us_per_task']):.1f}"])
    heads = ["workload (dmdas)", "GFlop/s", "of cuSOLVER's on the whole matrix", "of gemm's", "residual",
             "us in turns per task"]
    return (text + "\n" + table(heads, lines)) if lines else text + "\nNo run yet.\n"


def both(folder):
    """Pairs of a real and a simulated row."""
    simulated = {tuple(row[k] for k in KEY): row for row in good(of_all(folder, "simulated-*.csv"))}
    for row in good(of_all(folder, "real-*.csv")):
        if other := simulated.get(tuple(row[k] for k in KEY)):
            yield row, other


def validation(folder):
    pairs = list(both(folder))
    if not pairs:
        return "No run yet.\n"
    errors = [float(s["makespan_s"]) / float(r["makespan_s"]) - 1 for r, s in pairs]
    lines = [[r["workload"], r["policy"], r["memory"], f"{float(r['makespan_s']):.4f}",
              f"{float(s['makespan_s']):.4f}", f"{100 * e:+.1f} %",
              f"{float(r['transferred_bytes']) / 1e9:.2f}", f"{float(s['transferred_bytes']) / 1e9:.2f}",
              f"{float(r['turn_us_per_task']):.1f}"]
             for (r, s), e in zip(pairs, errors)]
    size = [abs(e) for e in errors]
    text = (
        f"{len(pairs)} points. Simulated makespans differ from real ones by {100 * statistics.median(size):.1f} % at "
        f"the median, {100 * max(size):.1f} % at most. " \
       "Limits that are greater than a workload's data are left out.\n\n")
    return text + table(["workload", "policy", "memory", "real (s)", "simulated (s)", "error", "real GB",
                         "simulated GB", "us in turns per task"], lines)


def causes(folder):
    """The section about the calibrated platform: errors of makespans, and their causes."""
    path = folder / "validation.csv"
    rows = good(read(path)) if path.exists() else []
    if not rows:
        return "No run yet.\n"
    parts = ["kernels", "order", "bus", "runtime", "rest"]
    return table(["workload", "policy", "real (s)", "simulated (s)", "error", *parts],
                 [[r["workload"], r["policy"], f"{float(r['makespan_real_s']):.4f}",
                   f"{float(r['makespan_simulated_s']):.4f}",
                   *(f"{100 * float(r[name]):+.1f} %" for name in ["makespan_error", *(f"part_{p}" for p in parts)])]
                  for r in rows])


def copies(folder):
    times = {}
    for name in ("pinned", "pageable"):
        path = folder / f"{name}.csv"
        rows = good(read(path)) if path.exists() else []
        if rows:
            times[name] = statistics.median(float(row["makespan_s"]) for row in rows)
    if len(times) < 2:
        return "Not run.\n"
    return (
        f"Makespan with pinned main memory {times['pinned']:.4f} s, with pageable memory {times['pageable']:.4f} s.\n")


def write(folder, left, wrong):
    """Writes the summary and returns the errors in the files."""
    tested, bad = tests(folder)
    bad += [f"{row['workload']}, {row['policy']}, {row['memory']}: {row['message']}"
            for row in of_all(folder, "real-*.csv") + of_all(folder, "rates*.csv")
            if row["status"] != "ok"]
    parts = [f"# Campaign of {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC\n",
             "```\n" + "".join((folder / n).read_text(encoding="utf-8")
                               for n in ("version.txt", "nvidia-smi.txt", "platform.txt") if (folder / n).exists())
             + "```\n",
             "## Results are right\n", tested, "## Rates\n", rates(folder), "## Simulated beside real\n",
             validation(folder), "## Calibrated\n", causes(folder), "## Pinned memory\n", copies(folder)]
    if wrong or bad:
        parts += ["## Wrong\n", "".join(f"- {line}\n" for line in dict.fromkeys(wrong + bad))]
    parts += ["## Not reached\n", "".join(f"- {line}\n" for line in left) or "Nothing: all steps were done.\n"]
    (folder / "summary.md").write_text("\n".join(parts), encoding="utf-8")
    return bad
