"""The steps of a campaign, in the order of their importance. Each writes files to the folder; steps whose files exist
are skipped."""

import csv
import io
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

import bundle
import platform_of
import summary

HERE = pathlib.Path(__file__).resolve().parent
POLICIES = "eager,dmdas,lws,heteroprio,darts"
TIGHT = 0.45  # tight memory, as a fraction of a workload's data
# by --small: limits of a GPU's memory in bytes
LIMITS = {False: [1 << 30, 2 << 30, 8 << 30], True: [300 << 10, 1 << 20]}


def workloads(small):
    """Specifications by name, with 0.3 to 9 GB of data. qr has smaller tiles, because its panel runs on cores."""
    if small:
        return {"cholesky-d": "cholesky:nt=5:nb=96:precision=d", "lu-d": "lu:nt=4:nb=96:precision=d",
                "cholesky-s": "cholesky:nt=5:nb=96",
                "lu-s": "lu:nt=4:nb=96", "qr-d": "qr:nt=4:nb=64:ib=32:precision=d", "qr-s": "qr:nt=4:nb=64:ib=32",
                "stencil-d": "stencil:blocks=8:nx=32:ny=32:nz=64:iterations=4:precision=d",
                "stencil-s": "stencil:blocks=8:nx=32:ny=32:nz=64:iterations=4"}
    return {"cholesky-d": "cholesky:nt=24:nb=960:precision=d", "lu-d": "lu:nt=16:nb=960:precision=d",
            "cholesky-s": "cholesky:nt=32:nb=960",
            "lu-s": "lu:nt=22:nb=960", "qr-d": "qr:nt=16:nb=480:ib=96:precision=d", "qr-s": "qr:nt=20:nb=480:ib=96",
            "stencil-d": "stencil:blocks=32:nx=384:ny=384:nz=1024:iterations=10:precision=d",
            "stencil-s": "stencil:blocks=32:nx=512:ny=512:nz=1024:iterations=10",
            "great-d": "cholesky:nt=50:nb=960:precision=d"}


CHECKED = ["cholesky:nt=8:nb=192", "lu:nt=6:nb=192:precision=d", "qr:nt=6:nb=128:ib=32:precision=d",
           "qr:nt=6:nb=128:ib=48:tree=binary",
           "stencil:blocks=6:nx=64:ny=48:nz=96:iterations=6:halo=2",
           "stencil:blocks=6:nx=64:ny=48:nz=96:iterations=6:precision=d",
           "life:blocks=4:nx=100:ny=100:nz=100:iterations=5", "matmul3d:nt=4:nb=192:precision=d"]


class Campaign:
    def __init__(self, options):
        self.options, self.folder = options, options.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.command, own = bundle.find(options.tilewright)
        self.environment = {**os.environ, **own}
        self.end = time.monotonic() + options.time_limit
        self.left, self.wrong = [], []

    def left_s(self):
        return self.end - time.monotonic()

    def run(self, what, words, output=None, environment=None):
        """Returns the exit status; None: the time is over. Then the process is ended as by Ctrl-C, so a sweep keeps its
        rows."""
        if self.left_s() < 5:
            self.left.append(what)
            return None
        print(f"{what} ...", flush=True)
        log = (self.folder / "log.txt").open("a", encoding="utf-8")
        print(f"\n== {what}: {' '.join(map(str, words))}", file=log, flush=True)
        with log, (output.open("w", encoding="utf-8") if output else log) as out:
            child = subprocess.Popen(list(map(str, words)), stdout=out, stderr=log, env=environment or self.environment)
            try:
                status = child.wait(self.left_s())
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGINT)
                status = None
                try:
                    child.wait(20)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()
        if status is None:
            self.left.append(f"{what} (in part)")
        return status

    def once(self, what, file, words, environment=None):
        """Writes the output of a command to a file, which gets its name only if the command succeeds."""
        path, new = self.folder / file, self.folder / f"{file}.new"
        if path.exists():
            return
        status = self.run(what, words, new, environment)
        if status == 0:
            new.rename(path)
        elif status is not None:
            self.wrong.append(f"{what}: exit status {status}, see log.txt")

    def sweep(self, what, file, *words):
        """Runs a sweep, which resumes by itself. Wrong results are rows with status failed; the summary lists them."""
        status = self.run(what, [self.command, "sweep", "--output", self.folder / file, "--quiet", *words])
        if status not in (None, 0):
            self.wrong.append(f"{what}: exit status {status}, see log.txt and column message of {file}")

    # --- steps --------------------------------------------------------------------------------------------------------

    def facts(self):
        self.once("nvidia-smi", "nvidia-smi.txt",
                  ["sh", "-c",
                   "nvidia-smi || echo 'there is no nvidia-smi'; uname -a; grep -m1 'model name' /proc/cpuinfo"])
        self.once("version", "version.txt", [self.command, "--version"])
        self.once("the platform", "platform.txt", [self.command, "platform", "show", "machine"])

    def correctness(self):
        for name, workload in itertools.groupby(CHECKED, key=lambda w: w.split(":")[0]):
            self.sweep(f"tests of {name}", f"tests-{name}.csv", "--engine", "real:poison=yes", "--platform", "machine",
                       "--gpus", "1", "--workload",
                       ",".join(workload), "--policy", POLICIES, "--gpu-mem", "4MiB", "--check", "full", "--validate")

    def libraries(self):
        n_gemm, n_factor = (256, 512) if self.options.small else (12288, 23040)
        # Python must not use the libraries of the bundle.
        self.once("cuBLAS and cuSOLVER alone", "libraries.csv",
                  [sys.executable, HERE / "libraries.py", n_gemm, n_factor], dict(os.environ))

    def rates(self):
        """Runs with all data in memory: one matrix with tiles of 960 to 3840. CPU workers would get no task, and timing
        their kernels takes a minute, so there are none."""
        tiles = [(8, 64), (4, 128)] if self.options.small else [(24, 960), (12, 1920), (8, 2880), (6, 3840)]
        specifications = [f"{w}:nt={nt}:nb={nb}:precision=d" for w in ("cholesky", "lu") for nt, nb in tiles]
        self.sweep("rates", "rates.csv", "--engine", "real", "--platform", "machine", "--cpus", "0", "--gpus", "1",
                   "--workload", ",".join(specifications), "--policy", "dmdas", "--check", "residual")

    def memories(self, workload):
        """The memory limits: first none and tight, then those that are smaller than the data. A large workload has
        the greatest of these alone."""
        words = [self.command, "run", "--platform", "mirage", "--extrapolate", "--workload", workload, "--policy",
                 "eager", "--format", "csv"]
        rows = csv.DictReader(io.StringIO(subprocess.run(words, env=self.environment, capture_output=True, text=True,
                                                         check=True).stdout))
        data = int(next(rows)["working_set_bytes"])
        if data > max(LIMITS[False]):
            return [], [max(LIMITS[False])]
        return ["none", int(TIGHT * data)], [limit for limit in LIMITS[self.options.small] if limit < data]

    def points(self, is_first):
        """Real and simulated runs of each workload, with its first memory limits or with the others."""
        for name, workload in workloads(self.options.small).items():
            first, others = self.memories(workload)
            limits = first if is_first else others
            if not limits:
                continue
            words = ["--platform", "machine", "--gpus", "1", "--workload", workload, "--policy", POLICIES, "--gpu-mem",
                     ",".join(map(str, limits)), "--validate"]
            self.sweep(f"{name}: real", f"real-{name}.csv", "--engine", "real", "--check", "none", *words)
            self.sweep(f"{name}: simulated", f"simulated-{name}.csv", "--runtime", "real", *words)

    def calibrated(self):
        """A calibration, with times from real runs; then real and simulated runs, with the causes of differences."""
        small, target = self.options.small, self.folder / "calibrated"
        names = ["cholesky-d", "qr-d"] if small else ["cholesky-d", "lu-d", "qr-d", "stencil-d"]
        listed = ",".join(workloads(small)[name] for name in names)
        if not (self.folder / "calibrated.txt").exists():
            self.once("calibration", "calibrated.txt",
                      [self.command, "calibrate", "--output", target, "--workload", listed, "--gpus", "1",
                       "--time-limit", "3s" if small else "60s", "--in-run", "dmdas"])
        if not (self.folder / "calibrated.txt").exists():
            return
        status = self.run("validation", [self.command, "validate-model", "--platform", target, "--workload", listed,
                                         "--policy", "dmdas,darts", "--gpus", "1", "--off-cpu", "100", "--repeat",
                                         "1" if small else "3", "--output", self.folder / "validation.csv"])
        if status not in (None, 0):
            self.wrong.append(f"validation: exit status {status}, see log.txt and column message of validation.csv")

    def traces(self):
        for name, workload in workloads(self.options.small).items():
            if name.startswith("great"):
                continue
            path = self.folder / f"trace-{name}.json"
            if not path.exists():
                new = self.folder / f"new-{name}.json"
                status = self.run(f"{name}: trace", [self.command, "run", "--engine", "real", "--platform", "machine",
                                                     "--gpus", "1", "--workload",
                                                     workload, "--policy", "dmdas", "--check", "residual", "--trace",
                                                     new])
                if status == 0:
                    new.rename(path)
                elif status is not None:
                    self.wrong.append(f"{name}: trace: exit status {status}, see log.txt")

    def pageable(self):
        workload = workloads(self.options.small)["cholesky-s"]
        for engine, file in [("real", "pinned.csv"), ("real:pageable=yes", "pageable.csv")]:
            self.sweep(f"copies: {file[:-4]}", file, "--engine", engine, "--platform", "machine", "--cpus", "0",
                       "--gpus", "1", "--workload", workload,
                       "--policy", "dmdas", "--check", "none", "--repeat", "3")


def run(options):
    """Runs the campaign and returns the exit status."""
    c = Campaign(options)
    asked = subprocess.run([c.command, "run", "--engine", "real", "--platform", "machine", "--gpus", "1", "--workload",
                            "cholesky:nt=2:nb=32", "--policy",
                            "eager"], env=c.environment, capture_output=True, text=True, check=False)
    if asked.returncode:
        print(asked.stderr.strip() or f"exit status {asked.returncode}", file=sys.stderr)
        return 2 if asked.returncode == 2 else 1
    c.facts()
    c.correctness()
    c.libraries()
    c.traces()
    c.calibrated()
    c.points(is_first=True)
    c.pageable()
    c.rates()
    c.points(is_first=False)
    platform_of.write(c.folder, "platform")
    wrong = c.wrong + summary.write(c.folder, c.left, c.wrong)
    print(f"{c.folder / 'summary.md'}: {len(wrong)} wrong, {len(c.left)} steps not reached")
    return 1 if wrong else 0
