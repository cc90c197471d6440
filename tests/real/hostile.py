"""Random commands for the real engine: each gives right results (exit status 0), or one line that gives the reason of a
refusal (2). A crash, a hang or a sanitizer's report is an error. Usage: hostile.py TILEWRIGHT [--runs N] [--seed N]"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

# Numbers are small, because combinations matter more. Entries are repeated to increase their probability.
WORKLOADS = [
    lambda r: f"cholesky:nt={r.randint(1, 7)}:nb={r.choice([1, 7, 16, 33, 64])}:precision={r.choice('sd')}",
    lambda r: f"lu:nt={r.randint(1, 5)}:nb={r.choice([1, 8, 31, 64])}",
    lambda r: f"qr:nt={r.randint(1, 5)}:nb={r.choice([8, 32])}:ib={r.choice([0, 4, 8, 8])}",
    lambda r: f"matmul2d:nt={r.randint(1, 4)}:nb=16:output={r.choice(['yes', 'yes', 'yes', 'no'])}"
              f":order={r.choice(['natural', 'random'])}",
    lambda r: f"matmul3d:nt={r.randint(1, 4)}:nb=16:independent={r.choice(['no', 'no', 'no', 'yes'])}",
    lambda r: f"reduction:n={r.randint(1, 20)}:shots=100:mode={r.choice(['redux', 'rw'])}"
              f":bytes={r.choice([8, 8, 4096, 0])}",
    lambda r: f"life:nx=8:ny=8:nz=64:blocks={r.choice([1, 4, 64, 3])}:iterations={r.randint(1, 4)}",
    lambda r: "stencil:nx=32:ny=32:nz=32",
    lambda r: r.choice(["stencil:nx=16:ny=16:nz=16", "reduction:n=5:shots=10:bytes=64", "forkjoin"]),
]
POLICIES = ["eager", "lws", "dmda", "dmdas", "dmdar", "heteroprio", "darts", "random", "prio", "roundrobin",
            "dmda:prefetch=no",
            "heteroprio_types:spoliation=no", "lws", "dmdas", "darts"]
EVICTIONS = ["lru", "fifo", "luf", "random"]
EMULATIONS = [
    lambda r: f"gpus={r.randint(1, 4)}:mem={r.choice(['16KiB', '64KiB', '128KiB', '1MiB', '64MiB'])}"
              f":bandwidth={r.choice(['50MB/s', '2GB/s', '100GB/s'])}",
    lambda r: f"gpus=2:mem=256KiB:bandwidth=1GB/s:peer={r.choice(['yes', 'no'])}"
              f":latency={r.choice(['0', '1us', '1ms'])}",
    lambda r: f"gpus=2:mem=256KiB:bandwidth=1GB/s:shared=500MB/s",
    lambda r: "gpus=16:mem=64KiB:bandwidth=1GB/s:arch=fast",
    lambda r: r.choice(["gpus=2:bandwidth=1GB/s:mem=99KiB", "gpus=3:bandwidth=1GB/s", "gpus=1"]),
]
ENGINES = ["real", "real", "real:poison=yes", "real:poison=yes", "real:mode=timed", "real:mode=timed:stretch=3",
           "real:mode=timed:stretch=0.5:poison=yes", "real:kernels=empty", "real:kernels=empty:mode=timed",
           "real:stretch=2"]
RARE = [["--cpus", "0"], ["--cpus", "1"], ["--cpus", "2"], ["--cpus", "99"], ["--gpus", "1"], ["--gpus", "0"],
        ["--gpu-mem", "32KiB"],
        ["--cpu-groups", "2"], ["--cpu-groups", "1+1"], ["--check", "none"], ["--check", "residual"],
        ["--check", "full"],
        ["--runtime", "ideal"], ["--runtime", "starpu"], ["--noise", "0"], ["--noise", "0.1"],
        ["--communication", "off"],
        ["--mem", "RAM=1MiB"], ["--mem", "GPU0=48KiB"], ["--belief-error", "0.5"], ["--seed", "7"], ["--extrapolate"],
        ["--repeat", "2"], ["--trace", "t.json"], ["--runtime", "real:gpu_pipeline=0"],
        ["--runtime", "real:order=random"]]


def draw(r):
    words = ["run", "--engine", r.choice(ENGINES), "--workload", r.choice(WORKLOADS)(r), "--policy", r.choice(POLICIES),
             "--validate", "--format", "csv"]
    if r.random() < 0.7:
        words += ["--emulate", r.choice(EMULATIONS)(r)]
    if r.random() < 0.3:
        words += ["--eviction", r.choice(EVICTIONS)]
    for extra in r.sample(RARE, r.choice([0, 0, 0, 0, 0, 1, 1, 2])):
        words += extra
    return words


def wrong_with(words, status, out, err):
    """The reason why a command ended wrongly; None: it ended well."""
    lines = [line for line in err.splitlines() if "warning:" not in line]
    if "Sanitizer" in err or "runtime error:" in err:
        return "a sanitizer reports"
    if status == 0:
        return None if ",ok," in out and not lines else "done, but with errors"
    if status == 2:
        return None if lines and all(line.startswith("tilewright: ") for line in lines) else "refused without a line"
    return f"exit status {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilewright")
    parser.add_argument("--runs", type=int, default=int(os.environ.get("RUNS", "40")), help="default: $RUNS, or 40")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120, help="of one command, in seconds")
    args = parser.parse_args()
    args.tilewright = os.path.abspath(args.tilewright)
    done = refused = failed = 0
    folder = tempfile.TemporaryDirectory() # of traces
    for i in range(args.runs):
        words = draw(random.Random(f"{args.seed} {i}"))
        try:
            p = subprocess.run([args.tilewright] + words, capture_output=True, text=True, timeout=args.timeout,
                               stdin=subprocess.DEVNULL, cwd=folder.name)
            wrong = wrong_with(words, p.returncode, p.stdout, p.stderr)
            err = p.stderr
            done += p.returncode == 0
            refused += p.returncode == 2
        except subprocess.TimeoutExpired as e:
            wrong, err = "it does not end", (e.stderr or b"").decode()
        if wrong:
            failed += 1
            print(f"hostile {args.seed} {i}: {wrong}\n    tilewright {' '.join(words)}\n{err[-1500:]}")
    print(f"hostile: {args.runs} commands, {done} done, {refused} refused, {failed} wrong")
    sys.exit(failed > 0)


main()
