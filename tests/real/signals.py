"""The real engine and signals: Ctrl-C, SIGTERM or SIGKILL at any moment of a run. The run reports the signal if it can,
ends at once by that signal, and leaves neither processes nor files. Usage: signals.py TILEWRIGHT [--cuda] [--times N]
[--seed N]"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

# Timing kernels, the run, its check and its trace take about a second together.
RUN = ["run", "--engine", "real", "--workload", "cholesky:nt=10:nb=128", "--policy", "dmdas", "--validate",
       "--trace", "trace.json", "--format", "csv"]
EMULATED = ["--emulate", "gpus=2:mem=8MiB:bandwidth=2GB/s"]
CUDA = ["--cpus", "1", "--gpus", "2", "--gpu-mem", "8MiB"]
told = []  # for each run: whether it reported the signal; before the run begins, a command ends without a message
# A complete result may remain.
MAY_STAY = {"trace.json"}
LOST_CORES = re.compile(r"tilewright: warning: .*: threads lost their cores for .*\n")  # other tests have them


def processes_of(group):
    """The processes of a session, without zombies."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as f:
                fields = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == group and fields[0] not in "ZX":
            found.append(int(name))
    return found


def none_left(group, within_s=5):
    until = time.monotonic() + within_s
    while processes_of(group):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def start(command, folder, env):
    return subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, start_new_session=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def interrupt(command, number, to_group, delay_s):
    """The error, or None; and whether the signal came before the end."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
        env = dict(os.environ, TMPDIR=temporary)
        process = start(command, folder, env)
        time.sleep(delay_s)
        try:
            (os.killpg if to_group else os.kill)(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            _, errors = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "it does not end", True
        in_time = process.returncode == -number
        if not in_time and process.returncode != 0:
            return f"exit status {process.returncode}: {errors}", in_time
        # The leak sanitizer's helper may find that the process has already ended.
        errors = LOST_CORES.sub("", re.sub(r"==\d+==Unable to get registers.*\n", "", errors))
        said = {signal.SIGINT: "tilewright: interrupted\n", signal.SIGTERM: "tilewright: ended by a signal\n"}
        if errors and (errors != said.get(number) or not in_time):
            return f"it prints: {errors}", in_time
        told.append(bool(errors) or number not in said or not in_time)
        if not none_left(process.pid):
            return f"processes are left: {processes_of(process.pid)}", in_time
        left = set(os.listdir(folder)) - MAY_STAY | set(os.listdir(temporary))
        return (f"files are left: {sorted(left)}" if left else None), in_time


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilewright")
    parser.add_argument("--cuda", action="store_true", help="with CUDA's GPUs, not with emulated accelerators")
    parser.add_argument("--times", type=int, default=50, help="default: 50; $TIMES, if that is set")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.times = int(os.environ.get("TIMES", args.times))
    command = [os.path.abspath(args.tilewright)] + RUN + (CUDA if args.cuda else EMULATED)
    draws = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        process = start(command, folder, os.environ)
        errors = LOST_CORES.sub("", process.communicate()[1])
        if errors or process.returncode:
            sys.exit(f"signals: the run fails without a signal: {errors}")
        whole_s = time.monotonic() - begin
    failed = in_time = 0
    for i in range(args.times):
        number = (signal.SIGINT, signal.SIGTERM, signal.SIGINT, signal.SIGKILL)[i % 4]
        delay_s = draws.uniform(0, whole_s)
        wrong, early = interrupt(command, number, number == signal.SIGINT, delay_s)
        in_time += early
        if wrong:
            failed += 1
            print(f"{signal.Signals(number).name} after {delay_s:.3f} of {whole_s:.3f} s: {wrong}")
    print(f"signals: {args.times} runs, {in_time} of them ended by a signal, {failed} failed")
    if sum(told) < 2 * len(told) // 3:
        sys.exit(f"signals: only {sum(told)} of {len(told)} runs say that they were interrupted")
    sys.exit(failed > 0 or in_time < args.times // 3)


main()
