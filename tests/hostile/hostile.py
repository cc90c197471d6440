#!/usr/bin/env python3
"""Plug-ins that do what they must not: each costs its own row at most. No row is lost, doubled or changed, standard
output has rows alone, and no command hangs.

    tests/hostile/hostile.py TILEWRIGHT DEEDS.so CONSTRUCTOR.so
"""

import csv
import io
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

TILEWRIGHT = pathlib.Path(sys.argv[1]).resolve()
OBJECTS = [pathlib.Path(name).resolve() for name in sys.argv[2:4]]

# Deeds of the policy, and the message of the failed row that follows; None: the run succeeds.
SPOILT = (
    "a plug-in wrote to the socket of the run's process: expected it to write only to descriptors that it has opened"
)
CLOSED = "the run's process could not send its result: a plug-in has closed its socket"
ENDED = "the run's process ended without a result (exit status {})"
DEEDS = {
    "write": SPOILT,
    "close": CLOSED,
    "reuse": CLOSED,
    "print": None,
    "fork": None,
    "fork_exit": None,
    "fork_stay": None,
    "fork_twice": None,
    "exit": ENDED.format(0),
    "_exit": ENDED.format(4),
    "abort": "the run's process was ended by signal 6 (Aborted)",
    "chdir": None,
    "round": "a plug-in changed the rounding mode of floating-point numbers: expected it unchanged",
    "signals": None,
}
COLUMNS = ["workload", "policy", "makespan_s", "status", "message"]
SIMULATED = ["--platform", "mirage", "--workload", "cholesky:nt=4"]
REAL = ["--engine", "real", "--check", "none", "--workload", "cholesky:nt=4:nb=32", "--cpus", "1"]


def fail(text):
    sys.exit(f"{' '.join(called)}: {text}")


def call(*words, **environment):
    """Calls the command. The limit of time also holds for copies of it that keep its standard error."""
    global called
    called = [str(TILEWRIGHT), *words]
    try:
        return subprocess.run(called, capture_output=True, text=True, timeout=40, env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        fail("hangs")


def read(text, columns):
    rows = list(csv.reader(io.StringIO(text)))
    if rows[0][: len(columns)] != columns or any(len(row) != len(rows[0]) for row in rows):
        fail(f"expected rows of {columns}: {text}")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def check(rows, done, message, others):
    """One row of the policy, and one of each of the others, which are as they are without the policy."""
    own = [row for row in rows if "deeds" in row["policy"]]
    if len(rows) != 3 or len(own) != 1:
        fail(f"expected 3 rows, one of the policy: {rows}")
    if (own[0]["status"], own[0]["message"]) != (("failed", message) if message else ("ok", "")):
        fail(f"expected the message {message!r}: {own[0]}")
    for row in rows:
        if row is not own[0] and others.setdefault(row["policy"], row["makespan_s"]) != row["makespan_s"]:
            fail(f"expected the makespan {others[row['policy']]}: {row}")
    if done.returncode != (1 if message else 0):
        fail(f"exit status {done.returncode}: {done.stderr}")


def test_policies():
    others = {}
    for deed, message in DEEDS.items():
        policies = ["--policy", f"eager,./deeds.so:does={deed},lws"]
        for engine, least, most in ("native", "1", "3"), ("simgrid", "3", "1"):
            for jobs in (least,) if os.environ.get("EVERY") else (least, most):
                options = [*SIMULATED, *policies, "--engine", engine, "--jobs", jobs, "--columns", ",".join(COLUMNS)]
                done = call("run", *options)
                check(read(done.stdout, COLUMNS), done, message, others)
                path = pathlib.Path(f"{deed}.{engine}.{jobs}.csv")
                done = call("sweep", *options, "--output", str(path), "--quiet")
                if done.stdout:
                    fail(f"standard output: {done.stdout}")
                check(read(path.read_text(), COLUMNS), done, message, others)
        done = call("run", *REAL, *policies, "--columns", "policy,status,message")
        rows = read(done.stdout, ["policy", "status", "message"])
        if deed == "round":  # each thread has a rounding mode of its own
            message = None
        check([{**row, "makespan_s": ""} for row in rows], done, message, {})
        if deed == "print" and "printed\nand more" not in done.stderr:
            fail(f"the policy's output is lost: {done.stderr}")
        if deed == "exit" and "last words" not in done.stderr:
            fail(f"the policy's output is lost: {done.stderr}")


def test_results_files():
    """A plug-in cannot write into the results of `run --output`, nor into the explanation of a run."""
    policies = ["--policy", "eager,./deeds.so:does=write,lws"]
    done = call("run", *SIMULATED, *policies, "--explain", "--output", "r.json", "--jobs", "3")
    if done.returncode != 1 or "garbage" in pathlib.Path("r.json").read_text():
        fail("the results have garbage")
    # The folder is put back, so the trace is where it was wanted.
    done = call("run", *SIMULATED, "--policy", "./deeds.so:does=chdir", "--trace", "chdir.json")
    if done.returncode != 0 or not pathlib.Path("chdir.json").exists():
        fail(f"no trace: {done.stderr}")


def test_workloads():
    """Workloads are generated in this process, too, after a trial."""
    chain = ["run", "--platform", "mirage", "--policy", "eager", "--columns", "makespan_s,status", "--workload"]
    rows = None
    for deed, status in {"nothing": 0, "print": 0, "chdir": 0, "round": 0, "exit": 1, "abort": 1}.items():
        done = call(*chain, f"./deeds.so:does={deed}", "--trace", f"w.{deed}.json")
        rows = rows or done.stdout
        if (done.returncode, done.stdout) != (status, rows if status == 0 else ""):
            fail(f"exit status {done.returncode}, {done.stdout}{done.stderr}")
        if status == 0 and not pathlib.Path(f"w.{deed}.json").exists():
            fail("no trace")
    if "printed" not in call(*chain, "./deeds.so:does=print").stderr:
        fail("the workload's output is lost")


def test_constructors():
    chain = ["run", "--platform", "mirage", "--workload", "./deeds.so", "--policy", "./constructor.so"]
    chain += ["--columns", "makespan_s,status"]
    for does, reason in {
        "exit": "a process that loaded it ended without a result (exit status 0)",
        "_exit": "a process that loaded it ended without a result (exit status 3)",
        "abort": "a process that loaded it was ended by signal 6 (Aborted)",
    }.items():
        done = call(*chain, CONSTRUCTOR=does)
        message = f"tilewright: policy './constructor.so': {reason}: expected a shared object that can be loaded\n"
        if (done.returncode, done.stdout, done.stderr) != (2, "", message):
            fail(f"exit status {done.returncode}, {done.stdout}{done.stderr}")
    expected = call(*chain).stdout
    for does in "print", "chdir", "round":
        done = call(*chain, CONSTRUCTOR=does)
        if (done.returncode, done.stdout) != (0, expected):
            fail(f"exit status {done.returncode}, {done.stdout}{done.stderr}")
        if does == "print" and ("constructed" not in done.stderr or "destroyed" not in done.stderr):
            fail(f"the constructor's output is lost: {done.stderr}")


def test_named_pipe():
    """The loader would wait for a writer."""
    os.mkfifo("pipe.so")
    done = call("run", *SIMULATED, "--policy", "./pipe.so")
    if done.returncode != 2 or "policy './pipe.so': it is not a regular file: " not in done.stderr:
        fail(f"exit status {done.returncode}, {done.stderr}")


def test_ignored_children():
    """A parent that ignores SIGCHLD hides no crash."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    words = [str(TILEWRIGHT), "run", *SIMULATED, "--policy", "./deeds.so:does=abort", "--columns", "message"]
    with open("ignored.csv", "w") as output:
        child = subprocess.Popen(words, stdout=output, stderr=subprocess.DEVNULL)
        child.wait()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message = pathlib.Path("ignored.csv").read_text().splitlines()[-1]
    if message != DEEDS["abort"]:
        sys.exit(f"{' '.join(words)}: expected {DEEDS['abort']!r}: {message}")


def test_truncated():
    whole = pathlib.Path("deeds.so").read_bytes()
    cuts = 0
    for size in range(0, len(whole), 1000):
        pathlib.Path("cut.so").write_bytes(whole[:size])
        done = call("run", *SIMULATED, "--policy", "./cut.so", "--columns", "status")
        if done.returncode not in (0, 2) or (done.returncode == 2 and "policy './cut.so': " not in done.stderr):
            fail(f"{size} of {len(whole)} bytes: exit status {done.returncode}, {done.stderr}")
        cuts += f"it is truncated: it has {size} of at least " in done.stderr
    if cuts < 5:
        fail(f"{cuts} files are said to be truncated")


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    for path in OBJECTS:
        shutil.copy(path, place)
    test_policies()
    test_results_files()
    test_workloads()
    test_constructors()
    test_named_pipe()
    test_ignored_children()
    test_truncated()
