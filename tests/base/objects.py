#!/usr/bin/env python3
"""What the objects of the library and its modules may contain, by lists with a reason for each entry: static data that
can be written, as several threads run at one time; and functions that end the process, print, or change its state, as
the process belongs to a program. An entry of a list that no object needs any more fails, too.

    objects.py LIBTILEWRIGHT-CORE.a MODULE.so..."""

import re
import subprocess
import sys

# object: {variable: reason}. Objects are files of the library (src/base/error.c is base_error.c) or modules.
THREADS_OWN = "each thread has its own"
LOCK = "a lock, or what it protects"
ONCE = "made once, by pthread_once"
CHILD = "written in children alone, before they have threads"
REAL = "of the real engine: one run at a time"
COMPILER = "the compiler's own"
STATIC = {
    "api_platform.c": {"listed": LOCK, "listing": LOCK, "once": ONCE},
    "base_error.c": {
        "log_fn": "set before threads start (tw_set_log)",
        "log_context": "set before threads start (tw_set_log)",
    },
    "base_door.c": {
        "wrong": THREADS_OWN,
        "tw__n_wrong_calls": "an atomic counter",
        "innermost": THREADS_OWN,
        "wanted_elements": THREADS_OWN,
        "wanted_bytes": THREADS_OWN,
        "c_locale": ONCE,
        "once": ONCE,
    },
    "base_module.c": {"loading": LOCK},
    "cluster_processes.c": {"left": REAL},
    "engine_baton.c": {
        "mark": THREADS_OWN,
        "led": "never written: its address is a mark",
        "called": "never written: its address is a mark",
    },
    "engine_real_real.c": {"taken": "an atomic number: one real run at a time"},
    "machine_machine.c": {"lock": LOCK, "found": LOCK, "has_looked": LOCK},
    "machine_machine_times.c": {"measuring": LOCK, "store": LOCK},
    "perf_regression.c": {"gsl": "GSL's handler of errors belongs to all threads", "once": ONCE},
    "platform_bind.c": {"once": ONCE, "binding": ONCE, "refusal": ONCE},
    "process_fork.c": {
        "forks": LOCK,
        "hidden": LOCK,
        "child": CHILD,
        "forker": CHILD,
        "has_handlers": CHILD,
        "children_log": "set by the command, which has one thread then",
        "timer": CHILD,
        "has_timer": CHILD,
    },
    "process_shared_object.c": {"all": "an atomic list that only grows"},
    "policies_support_halving.c": {
        "metis": "METIS' random numbers and signal handlers belong to all threads",
        "once": LOCK,
    },
    "tilewright-hwloc.so": {"completed": COMPILER, "once": ONCE, "topology": ONCE, "refusal": ONCE},
    "tilewright-measures.so": {"lock": "igraph's handlers belong to all threads", "completed": COMPILER},
    "tilewright-mpi.so": {"completed": COMPILER},
    "tilewright-simgrid.so": {"completed": COMPILER},
    "tilewright-kernels.so": {"completed": COMPILER, "__cpu_model": COMPILER, "__cpu_features2": COMPILER},
    "tilewright-cuda.so": {
        "completed": COMPILER,
        "own": THREADS_OWN,
        "api": REAL,
        "is_loaded": REAL,
        "has_kernels": REAL,
        "n_open": REAL,
    },
}

ENDS = "exit _exit _Exit quick_exit abort raise kill __assert_fail on_exit atexit pthread_exit"
PRINTS = "printf __printf_chk vprintf __vprintf_chk puts putchar stdout stderr perror psignal syslog"
SIGNALS = "signal sigaction sigprocmask pthread_sigmask alarm setitimer timer_create"
CHANGES = "setlocale setenv unsetenv putenv clearenv chdir fchdir umask dup2 dup3 prctl setrlimit fesetround"
SHARED = "rand srand random srandom strtok localtime gmtime ctime asctime readdir getopt_long getopt optind"
STARTS = "fork vfork system popen execv execvp execve"
WATCHED = {word for words in (ENDS, PRINTS, SIGNALS, CHANGES, SHARED, STARTS) for word in words.split()}

# object: {reason: functions}
INVARIANT = "asserts of our own, which no caller can break"
IN_CHILD = "in a child process"
CALLS = {
    "base_cell_table.c": {INVARIANT: "__assert_fail"},
    "base_door.c": {"memory runs out where no run or command is under way (base/door.h)": "abort"},
    "engine_baton.c": {INVARIANT: "__assert_fail"},
    "engine_real_emulated.c": {"of a thread of the run": "prctl"},
    "engine_real_family.c": {"while OpenBLAS is loaded": "setenv unsetenv"},
    "engine_real_messages.c": {"of a thread of the run": "prctl"},
    "engine_real_worker.c": {"of a thread of the run": "prctl"},
    "graph_reduction.c": {INVARIANT: "__assert_fail"},
    "links_shares.c": {INVARIANT: "__assert_fail"},
    "machine_detect.c": {IN_CHILD: "dup2 setenv"},
    "machine_machine.c": {IN_CHILD: "alarm"},
    "policies_support_availability.c": {INVARIANT: "__assert_fail"},
    "policies_support_list_place.c": {INVARIANT: "__assert_fail"},
    "process_fork.c": {
        IN_CHILD: "_exit on_exit alarm dup2 prctl pthread_sigmask signal sigaction timer_create stdout",
        "the only place that forks": "fork",
    },
    "process_inbox.c": {IN_CHILD: "_exit", "a child": "kill"},
    "process_shared_object.c": {
        "around code of shared objects, which runs in a process of its own": "setlocale chdir dup2 stdout",
    },
    "request_generate.c": {IN_CHILD: "sigprocmask signal"},
    "request_inputs.c": {INVARIANT: "__assert_fail"},
    "runtime_memory_copy.c": {INVARIANT: "__assert_fail"},
    "runtime_memory_own.c": {INVARIANT: "__assert_fail"},
    "runtime_room_room.c": {INVARIANT: "__assert_fail"},
    "calibrate_calibrate_point.c": {IN_CHILD: "_exit", "a child": "kill"},
    "experiment_child.c": {"a child": "kill"},
    "sweep_sweep_pool.c": {"a child": "kill"},
    "tilewright-hwloc.so": {
        "while hwloc starts, once, and only for the platform machine": "setenv unsetenv",
    },
    "tilewright-simgrid.so": {INVARIANT: "__assert_fail"},
}

SYMBOL = re.compile(r"^[0-9a-f]+ .{7} (\S+)\t[0-9a-f]+\s+(?:\.\w+ )?(\S+)$")
WRITABLE = re.compile(r"^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(?!\.rel\.ro)")


def contents(path: str) -> "tuple[dict[str, set[str]], dict[str, set[str]]]":
    """Variables that can be written, and functions that are called, of each object in a file."""
    text = subprocess.run(["objdump", "-tw", path], check=True, capture_output=True, text=True).stdout
    dynamic = subprocess.run(["objdump", "-Tw", path], capture_output=True, text=True).stdout
    variables: "dict[str, set[str]]" = {}
    called: "dict[str, set[str]]" = {}
    name = ""
    for line in (text + dynamic).splitlines():
        if ": " in line and "file format" in line:
            name = re.sub(r"^(\.\._|meson-generated_)", "", line.split(": ")[0].split("/")[-1].replace(".c.o", ".c"))
        match = SYMBOL.match(line)
        if not match:
            continue
        section, symbol = match[1], match[2].split("@")[0]
        if section == "*UND*" and symbol in WATCHED:
            called.setdefault(name, set()).add(symbol)
        if WRITABLE.match(section) and symbol != section and symbol not in ("__dso_handle", "__TMC_END__"):
            parts = symbol.split(".")  # gcc calls a static variable of a function NAME.7, clang FUNCTION.NAME
            variables.setdefault(name, set()).add(parts[0] if parts[-1].isdigit() else parts[-1])
    return variables, called


def differences(what: str, found: "dict[str, set[str]]", allowed: "dict[str, set[str]]") -> int:
    faults = 0
    for name in sorted(set(found) | set(allowed)):
        for symbol in sorted(found.get(name, set()) ^ allowed.get(name, set())):
            why = "is not in the list" if symbol in found.get(name, set()) else "stands in the list, and is gone"
            print(f"{name}: {what} '{symbol}': {why}")
            faults += 1
    return faults


def main() -> int:
    variables: "dict[str, set[str]]" = {}
    called: "dict[str, set[str]]" = {}
    for path in sys.argv[1:]:
        in_file = contents(path)
        variables.update(in_file[0])
        called.update(in_file[1])
    given = {path.split("/")[-1] for path in sys.argv[1:]}
    static = {name: set(list) for name, list in STATIC.items() if name.endswith(".c") or name in given}
    calls = {name: {w for words in CALLS[name].values() for w in words.split()} for name in CALLS}
    calls = {name: words for name, words in calls.items() if name.endswith(".c") or name in given}
    faults = differences("variable", variables, static) + differences("function", called, calls)
    print(f"{sum(map(len, variables.values()))} variables, {sum(map(len, called.values()))} functions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
