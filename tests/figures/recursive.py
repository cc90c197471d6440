"""The tables of docs/evidence/recursive.md are what scripts/recursive prints, to the last digit."""

import subprocess
import sys

script, document, command = sys.argv[1:]
run = subprocess.run([sys.executable, "-B", script, command], capture_output=True, text=True, check=True)
printed = [line for line in run.stdout.splitlines() if line]
with open(document, encoding="utf-8") as f:
    told = [line for line in f.read().splitlines() if line.startswith("|")]
missing = [line for line in printed if line not in told]
assert len(printed) == 16 and not missing, "\n".join(missing)
