#!/usr/bin/env python3
"""Compares the traces A and B, and says whether the differences by cause are the difference of the makespans, of the
makespan and of each kind of worker.

    diff_adds_up.py A B"""

import json
import subprocess
import sys

ended = subprocess.run(["tilewright", "diff", *sys.argv[1:3], "--format", "json"], stdout=subprocess.PIPE, check=True)
diff = json.loads(ended.stdout)
parts = {"makespan": diff["causes"], **{kind["kind"]: kind["causes"] for kind in diff["workers"]}}
for name, causes in parts.items():
    differences = [cause["difference_s"] for cause in causes]
    if None in differences:
        print(f"{name}: in one run only")
        continue
    off = abs(sum(differences) - diff["difference_s"]) / abs(diff["difference_s"])
    print(f"{name}: {'adds up' if off < 1e-9 else off}")
