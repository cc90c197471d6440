"""Each call that allocates memory, a thread, a process or a file fails once. The run then ends with a line that reports
it, or goes on without. Usage: fail_nth.py TILEWRIGHT PRELOADED [--every N]"""
import argparse
import os
import subprocess
import sys
import tempfile

RUN = ["run", "--engine", "real:patience=5s", "--workload", "cholesky:nt=3:nb=16", "--policy", "dmdas", "--format",
       "csv",
       "--emulate", "gpus=2:mem=64KiB:bandwidth=2GB/s", "--validate"]
# The functions whose calls fail.
CALLS = ["malloc", "mmap", "pthread_create", "fork", "socketpair", "tmpfile", "dlopen"]


def fail(tilewright, preloaded, call, n):
    """Whether there was an N-th call, and the error, or None."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        env = dict(os.environ, LD_PRELOAD=preloaded, FAIL=call, FAIL_AT=str(n), FAIL_LOG=log)
        try:
            p = subprocess.run([tilewright] + RUN, env=env, capture_output=True, text=True, timeout=60,
                               stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return True, "it does not end"
        lines = p.stderr.splitlines()
        if not os.path.exists(log):
            return False, p.stderr if p.returncode else None
        if p.returncode == 0:
            return True, None if ",ok," in p.stdout else "no result"
        if p.returncode < 0 or "was ended by signal" in p.stderr or "without a result" in p.stderr:
            return True, f"exit status {p.returncode}: {p.stderr}"
        good = lines and all(line.startswith("tilewright: ") for line in lines)
        return True, None if good else f"exit status {p.returncode}, lines: {lines}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilewright")
    parser.add_argument("preloaded")
    parser.add_argument("--every", type=int, default=int(os.environ.get("EVERY", "3")),
                        help="only every N-th allocation (default: $EVERY, or 3)")
    args = parser.parse_args()
    total = failed = 0
    for call in CALLS:
        n, there = 1, True
        while there:
            there, wrong = fail(args.tilewright, os.path.abspath(args.preloaded), call, n)
            total += there
            if wrong:
                failed += 1
                print(f"{call} {n}: {wrong}")
            n += args.every if call == "malloc" else 1
        if n <= 2:
            failed += 1
            print(f"{call}: never called")
    print(f"fail_nth: {total} calls failed, {failed} of them badly")
    sys.exit(failed > 0)


main()
