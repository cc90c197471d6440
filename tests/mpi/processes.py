#!/usr/bin/env python3
"""Runs of the real engine in several processes, which mpirun starts. Part `runs`: results and schedules are checked.
`options`: a wrong option has one message. `hydra`: process 0 fails alone
below MPICH's launcher. `faults`: messages that faults.c spoils fail the run. `ends`: if one process
is killed, all end. Usage: processes.py TILEWRIGHT PART [FAULTS]"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

from environment import ENV

TILEWRIGHT, PART = sys.argv[1:3]
CHOLESKY = "cholesky:nt=8:nb=32:precision=d"
MATRICES = [CHOLESKY, "lu:nt=6:nb=32:precision=d", "qr:nt=5:nb=32:ib=16:precision=d"]
TIGHT = "--emulate gpus=1:bandwidth=1GB/s:mem=%d" % (5 * 8 * 32 * 32)
WITHIN_S = float(os.environ.get("WITHIN_S", 15))  # on a quiet machine, 5 s suffice
failures = 0


def expect(right, what, text):
    global failures
    if not right:
        failures += 1
        print("%s:\n%s\n" % (what, text))


def words(n, options, workload=CHOLESKY, policy="lws"):
    return ["mpirun", "--oversubscribe", "-np", str(n), TILEWRIGHT, "run", "--engine", "real", "--cpus", "1",
            "--workload", workload, "--policy", policy] + options.split()


def run(n, options, workload=CHOLESKY, policy="lws", **variables):
    """Runs the command; returns its exit status, its output, lines of errors of ours, and its seconds."""
    start = time.monotonic()
    done = subprocess.run(words(n, options, workload, policy), env=dict(ENV, **variables), text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ours = [line for line in done.stderr.splitlines() if line.startswith("tilewright: ") and "warning: " not in line]
    return done.returncode, done.stdout, ours, time.monotonic() - start, done.stderr


def check_runs():
    evictions = 0
    for n, workload, policy, options in [
            (n, workload, policy, options)
            for n in (2, 4) for workload in MATRICES
            for policy, options in (("lws", ""), ("random", TIGHT), ("dmdas", "--distribution rows"))]:
        what = "%d processes, %s, %s %s" % (n, workload, policy, options)
        status, out, ours, _, text = run(n, options + " --check full --validate --format json", workload, policy)
        expect(status == 0 and not ours, what, text)
        if status != 0:
            continue
        rows = json.loads(out)
        expect(len(rows) == 1, what, out)
        row = rows[0]
        expect(row["status"] == "ok" and row["residual"] < 1e-14 and row["validated"], what, out)
        expect(row["nodes"] == n and row["cpus"] == n and row["messages"] > 0, what, out)
        expect((row["gpu_tasks"] > 0) == (options == TIGHT), what + ": gpu_tasks", out)
        evictions += row["evictions"]
    expect(evictions > 0, "all runs", "no eviction")


def refuse(n, options, message, **more):
    status, out, ours, seconds, text = run(n, options, **more)
    what = "%d processes, %s" % (n, options)
    expect(status != 0 and not out, what, text)
    expect(len(ours) == 1 and re.search(message, ours[0]), what + ": expected once: " + message, text)
    expect(seconds < WITHIN_S, what + ": took %.1f s" % seconds, text)


def check_options():
    for n in (2, 4):
        refuse(n, "--nosuch", "unknown option '--nosuch'")
        refuse(n, "", "unknown policy 'nosuch'", policy="nosuch")
        refuse(n, "--learn /tmp", "--learn: not with engine 'real' in %d processes" % n)
        refuse(n, "--trace /tmp/no.json", "--trace: not with engine 'real' in")
        refuse(n, "", "a workload with reductions: not with engine 'real' in", workload="reduction:n=20")
        refuse(n, "--repeat 2", "in %d processes: 2 runs: expected one run" % n)
        refuse(n, "--distribution 3dbc", "distribution '3dbc'")
        refuse(n, "--emulate gpus=1:bandwidth=1GB/s:mem=4KiB", "process [0-9]: task [0-9]+ .* needs")
    refuse(4, "", "process [0-9] of 4 has no tasks", workload="cholesky:nt=1:nb=32")
    status, out, ours, _, text = run(2, "--format csv --output /nosuch/file")
    expect(status != 0 and len(ours) == 1, "--output in no folder", text)


def check_faults(library):
    """Message 3 has data that a task has written."""
    for n in (2, 4):
        for fault, message in {
                "none": None,
                "drop:3": "message 3 with data [0-9]+ from process [0-9] to process [0-9] was sent, and has not",
                "double:3": "message 3 with data .* has arrived more than once",
                "first:3": "message 3 with data .* was received, but from another send",
                "late:3": "message 3 with data .* has initial content: expected the content of task [0-9]+",
                "other:3": "message 3 with data .* has the content of message [0-9]",
                "spoil:3": "message 3 with data .* was changed on its way: its checksum is wrong",
                "result": "wrong results",
        }.items():
            status, out, ours, seconds, text = run(n, "--check full --format json", FAULT=fault, LD_PRELOAD=library)
            what = "%d processes, fault %s" % (n, fault)
            if not message:
                expect(status == 0 and json.loads(out)[0]["status"] == "ok", what, text)
                continue
            expect(status != 0, what + ": the run succeeds", text)
            expect('"status": "ok"' not in out, what + ": a row says ok", out)
            expect(len(ours) == 1 and re.search(message, ours[0]), what + ": expected once: " + message, text)
            expect(seconds < WITHIN_S + 1, what + ": took %.1f s" % seconds, text)


def processes_of(pid):
    """The commands below mpirun, and the processes of their runs."""
    below = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], text=True, stdout=subprocess.PIPE, check=True).stdout
    parents = dict(map(int, line.split()) for line in below.splitlines())
    commands = sorted(p for p in parents if parents[p] == pid)
    return commands, sorted(p for p in parents if parents[p] in commands)


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def check_ends():
    """Kills a command, or the process of its run, at several moments."""
    long = "cholesky:nt=60:nb=160"
    for victim in range(4):
        for after in (1.0, 2.5):
            mpirun = subprocess.Popen(words(2, "--check none", long), env=ENV, text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
            time.sleep(after)
            commands, runs = processes_of(mpirun.pid)
            every = commands + runs
            what = "process %d of %d is killed after %.1f s" % (victim, len(every), after)
            expect(len(commands) == 2, what + ": 2 commands", every)
            os.kill(every[min(victim, len(every) - 1)], signal.SIGKILL)
            start = time.monotonic()
            try:
                out, _ = mpirun.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                mpirun.kill()
                out, _ = mpirun.communicate()
            expect(mpirun.returncode != 0, what, out)
            while any(map(is_alive, every)) and time.monotonic() - start < WITHIN_S:
                time.sleep(0.02)
            seconds = time.monotonic() - start
            expect(seconds < WITHIN_S, what + ": took %.1f s" % seconds, out)
            left = [p for p in every if is_alive(p)]
            expect(not left, what + ": some are left", left)


def check_hydra():
    """The launcher is told: by itself, Hydra leaves the other processes waiting."""
    command = [TILEWRIGHT, "run", "--engine", "real", "--cpus", "1", "--workload", CHOLESKY, "--policy", "lws",
               "--format", "csv", "--output", "/nosuch/file"]
    for n, said in ("2", b"cmd=abort exitcode=2\n"), ("1", b""):
        ours, launchers = socket.socketpair()
        done = subprocess.run(command, env=dict(ENV, PMI_RANK="0", PMI_SIZE=n, PMI_FD=str(ours.fileno())), text=True,
                              pass_fds=[ours.fileno()], stderr=subprocess.PIPE, timeout=60)
        ours.close()
        expect(done.returncode == 2 and launchers.recv(100) == said, n + " processes: expected " + repr(said),
               done.stderr)
        launchers.close()
    hydra = shutil.which("mpiexec.hydra")
    if not hydra:
        print("there is no mpiexec.hydra")
        return
    start = time.monotonic()
    done = subprocess.run([hydra, "-launcher", "fork", "-np", "2", "sh", "-c",
                           'test $PMI_RANK = 1 && exec sleep 60; exec "$@"', "sh", *command], env=ENV, text=True,
                          stderr=subprocess.PIPE, timeout=120)
    seconds = time.monotonic() - start
    expect(done.returncode == 2 and done.stderr.count("tilewright: ") == 1, "Hydra", done.stderr)
    expect(seconds < WITHIN_S, "Hydra: took %.1f s" % seconds, done.stderr)


if PART == "faults":
    check_faults(sys.argv[3])
else:
    {"runs": check_runs, "options": check_options, "ends": check_ends, "hydra": check_hydra}[PART]()
sys.exit(1 if failures else 0)
