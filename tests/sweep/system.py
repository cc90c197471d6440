#!/usr/bin/env python3
"""A sweep that lacks descriptors, processes or disk space stops with a message. It leaves no row of a failed point, and
the same command continues later. Points that fail by themselves are rows.

    tests/sweep/system.py TILEWRIGHT
"""

import os
import pathlib
import pwd
import resource
import subprocess
import sys
import tempfile

TILEWRIGHT = pathlib.Path(sys.argv[1]).resolve()
POINTS = 8
SWEEP = [str(TILEWRIGHT), "sweep", "--platform", "mirage,sirocco", "--workload", "cholesky:nt=2,cholesky:nt=3"]
SWEEP += ["--policy", "eager,lws", "--jobs", "2", "--columns", "workload,policy,makespan_s", "--quiet", "--output"]
STOPS = ": the sweep stops, and the same command continues\n"


def sweep(path, before=None):
    return subprocess.run(SWEEP + [path], capture_output=True, text=True, timeout=60, preexec_fn=before)


def rows(path):
    path = pathlib.Path(path)
    return sorted(path.read_text().splitlines()[1:]) if path.exists() else []


def check(name, whole, before, reason):
    """Sweeps with little of something, and then again with enough. Returns whether the first sweep stopped."""
    path = f"{name}.csv"
    done = sweep(path, before)
    there = rows(path)
    if any(",failed," in row for row in there) or not set(there) <= set(whole):
        sys.exit(f"{name}: rows that are not of the whole sweep: {there}")
    if (done.returncode == 0) != (there == whole):
        sys.exit(f"{name}: exit status {done.returncode} with {len(there)} rows: {done.stderr}")
    if done.returncode != 0 and reason not in done.stderr:
        sys.exit(f"{name}: expected '{reason}': {done.stderr}")
    if sweep(path).returncode != 0 or rows(path) != whole:
        sys.exit(f"{name}: not continued: {rows(path)}")
    return done.returncode != 0


def limit(what, n):
    return lambda: resource.setrlimit(what, (n, n))


def become_other(n):
    """Another user with at most n processes; the superuser has no such limit."""

    def before():
        nobody = pwd.getpwnam("nobody")
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)
        resource.setrlimit(resource.RLIMIT_NPROC, (n, n))

    return before


def is_reached():
    """Whether another user can run the command."""
    try:
        version = [str(TILEWRIGHT), "--version"]
        return subprocess.run(version, preexec_fn=become_other(1), capture_output=True, check=False).returncode == 0
    except PermissionError:
        return False


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    os.chmod(place, 0o777)
    if sweep("whole.csv").returncode != 0 or len(rows("whole.csv")) != POINTS:
        sys.exit("the whole sweep fails")
    whole = rows("whole.csv")

    stopped = 0
    for n in range(5, 14):
        stopped += check(f"files.{n}", whole, limit(resource.RLIMIT_NOFILE, n), "Too many open files")
    if stopped < 2:
        sys.exit(f"{stopped} sweeps lacked descriptors")

    stopped = 0
    for n in range(150, 1500, 150):
        stopped += check(f"bytes.{n}", whole, limit(resource.RLIMIT_FSIZE, n), "File too large")
    if stopped < 2:
        sys.exit(f"{stopped} sweeps lacked disk space")

    if os.getuid() == 0:
        if is_reached():
            if not check("processes", whole, become_other(1), "cannot start a process for a point"):
                sys.exit("a sweep with one process did not stop")
        else:
            print("another user cannot run the command: processes are not tested")
