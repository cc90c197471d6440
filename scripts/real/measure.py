"""Shared code of the scripts of this folder: running and watching commands, tables, types of arguments."""

import argparse
import contextlib
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STARPU = "/usr/lib/x86_64-linux-gnu/starpu/examples"  # of Debian's package starpu-examples
CORES = len(os.sched_getaffinity(0))
SAMPLE_EVERY_S = 0.05


class Failed(Exception):
    """A command failed."""


def processes_of(pid):
    """The process and its descendants."""
    yield pid
    with contextlib.suppress(OSError):
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            yield from processes_of(int(child))


def blas_files(pid):
    """Files of BLAS and LAPACK that a process and its descendants have mapped, with symbolic links resolved."""
    found = set()
    for process in processes_of(pid):
        with contextlib.suppress(OSError):
            maps = pathlib.Path(f"/proc/{process}/maps").read_text(encoding="utf-8")
            found |= {line[5] for line in (entry.split(None, 5) for entry in maps.splitlines())
                      if len(line) == 6 and re.search("blas|lapack", pathlib.Path(line[5]).name)}
    return found


def machine_busy_s():
    """Busy processor seconds of all cores since the boot, including time that the hypervisor gave to other machines."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # without idle and iowait


class Run:
    """Runs a command to its end. Keeps its output, its wall time, the processor time with descendants, the mapped files
    of BLAS, and the share of the machine that other programs took meanwhile."""

    def __init__(self, command, **environment):
        self.blas = set()
        start, busy_s, ended = time.monotonic(), machine_busy_s(), threading.Event()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            child = subprocess.Popen(list(map(str, command)), stdout=out, stderr=err, env={**os.environ, **environment})
            watcher = threading.Thread(target=self.watch, args=(child.pid, ended))
            watcher.start()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            ended.set()
            watcher.join()
            self.wall_s = time.monotonic() - start
            self.cpu_s = usage.ru_utime + usage.ru_stime
            self.others = max(0, machine_busy_s() - busy_s - self.cpu_s) / (os.cpu_count() * self.wall_s)
            self.out, self.err = (f.seek(0) or f.read() for f in (out, err))
        if child.returncode:
            raise Failed(f"exit status {child.returncode} of: {' '.join(map(str, command))}\n{self.err.strip()}")

    def watch(self, pid, ended):
        while not ended.wait(SAMPLE_EVERY_S):
            self.blas |= blas_files(pid)


def tilewright(options, *words, **environment):
    """Runs `tilewright run`. Returns the rows of results, and the run."""
    run = Run([options.tilewright, "run", *words, "--format", "csv"], **environment)
    rows = list(csv.DictReader(io.StringIO(run.out)))
    if bad := [row for row in rows if row["status"] != "ok"]:
        raise Failed(f"{bad[0]['workload']}, {bad[0]['policy']}: {bad[0]['message']}")
    return rows, run


def print_table(heads, rows, left=(0,)):
    table = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    for row in table:
        print("  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip(),
              flush=True)


def load():
    return f"{CORES} cores, load average {os.getloadavg()[0]:.1f}"


# --- arguments --------------------------------------------------------------------------------------------------------

def names(text):
    if not all(text.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}': expected names with commas between them")
    return text.split(",")


def count(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number from 1")
    return int(text)


def parser(text, starpu=False):
    p = argparse.ArgumentParser(description=text, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--tilewright", metavar="COMMAND", default=str(ROOT / "build" / "tilewright"),
                   help="the command to run (default: build/tilewright)")
    if starpu:
        p.add_argument("--starpu", metavar="FOLDER", type=pathlib.Path, default=pathlib.Path(STARPU),
                       help=f"the folder of StarPU's examples (default: {STARPU})")
    return p


def run(function, options):
    """Runs a script's function. Returns its exit status, or 1 if a command failed."""
    try:
        return function(options)
    except (Failed, OSError) as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 1
