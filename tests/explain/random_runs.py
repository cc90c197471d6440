#!/usr/bin/env python3
"""Explains random runs: whatever the platform, workload, policy and runtime model, all time has a cause. So it has with
two scheduling domains. With one domain that has all workers, a run has the explanation of a run without domains.

Runs of a runtime model without costs also show that waits are not taken for costs: the runtime system has more than a
part of the makespan, or of a kind's time, in few of them.

Usage: random_runs.py COMMAND [--cases N] [--seed N]"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from shares import faults

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import drawn_words  # noqa: E402  pylint: disable=wrong-import-position

FREE = [words for words in drawn_words.RUNTIMES if words.startswith("ideal")]
MOST_RUNTIME, MOST_BLAMED = 0.01, 0.005  # part of the time; part of the runs without costs


def runtime_share(explanation):
    lists = [explanation["causes"], *(kind["causes"] for kind in explanation["workers"])]
    return max((cause["share"] for causes in lists for cause in causes if cause["name"] == "runtime"), default=0)


def in_domains(r, words, policies):
    """The same run with two domains, the second of which has the tasks of one kernel."""
    at = words.index("--policy")
    words[words.index("--workload") + 1] = f"cholesky:nt={r.randint(2, 10)}:nb=960"
    one, two = (r.choice(["all", "gpu/cpu0", "cpu/gpu0", "gpu", "cpu"]) for _ in range(2))
    return [*words[:at], "--domain", f"one={one}:{words[at + 1]}", "--domain", f"two={two}:{r.choice(policies)}",
            "--assign", r.choice(["gemm=two", "syrk=two,trsm=two", "gemm=two,trsm=two,syrk=two"]), *words[at + 2:]]


def explain(command, words, trace):
    """The explanation of the run; None: the run was refused, or failed."""
    ended = subprocess.run([command, "run", "--engine", "native", "--trace", trace, *words], timeout=300,
                           capture_output=True, text=True, check=False)
    if ended.returncode:
        return None
    ended = subprocess.run([command, "explain", "--format", "json", "--chain", trace], timeout=300,
                           capture_output=True, text=True, check=False)
    if ended.returncode:
        raise ValueError(f"exit status {ended.returncode}: {ended.stderr}")
    return json.loads(ended.stdout)


def same_in_one_domain(command, words, trace, explanation):
    """Whether a domain with all workers and tasks changes nothing but the names."""
    at = words.index("--policy")
    other = explain(command, [*words[:at], "--domain", f"only=all:{words[at + 1]}", *words[at + 2:]], trace)
    if other is None:
        return False
    names = [kind.pop("domains") for kind in other["workers"]]
    return all(name == ["only"] for name in names) and all(
        other[key] == value for key, value in explanation.items() if key not in ("policy", "summary", "trace"))


def case(command, seed, number, lists):
    """What the run was, and what is wrong with its explanation: None if the run was refused. Every fourth run has two
    domains; every fourth one is made again with one domain."""
    r = random.Random(f"{seed} {number}")
    words = [word for word in drawn_words.draw(r, *lists) if word != "--validate"]
    free = number % 2 == 1
    if free:
        words[words.index("--runtime") + 1] = r.choice(FREE)
    if number % 4 == 2:
        words = in_domains(r, words, lists[1])
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, r.choice(["t.record", "t.json", "t.paje", "t/"]))
        try:
            explanation = explain(command, words, trace)
            if explanation is None:
                return words, None, False
            wrong = list(faults(explanation))
            if number % 4 == 0 and not same_in_one_domain(command, words, trace, explanation):
                wrong.append("one domain changes the explanation")
        except ValueError as error:
            return words, [str(error)], False
    return words, wrong, free and runtime_share(explanation) > MOST_RUNTIME


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    lists = [drawn_words.names(args.command, what) for what in ("platforms", "policies", "evictions")]
    done = wrong = blamed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for words, found, is_blamed in pool.map(lambda i: case(args.command, args.seed, i, lists), range(args.cases)):
            done += found is not None
            wrong += bool(found)
            blamed += is_blamed
            if found or is_blamed:
                print(" ".join(words), *(found or ["the runtime system is blamed"]), sep="\n  ", flush=True)
    print(f"{done} of {args.cases} runs explained, {wrong} wrongly; the runtime system is blamed in {blamed}")
    return 1 if wrong or blamed > MOST_BLAMED * done or done < args.cases / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
