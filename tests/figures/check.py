#!/usr/bin/env python3
"""Statements of these figures come out as is written in their scripts; in a new folder, so that all runs are made.

    tests/figures/check.py TILEWRIGHT FIGURE[,...]"""

import os
import pathlib
import subprocess
import sys
import tempfile

command = os.path.abspath(sys.argv[1])
script = pathlib.Path(__file__).resolve().parents[2] / "scripts/figures/all"
with tempfile.TemporaryDirectory() as place:
    sys.exit(subprocess.run([sys.executable, "-B", script, "--tilewright", command, "--only", sys.argv[2], "--jobs",
                             "2", "--check",
                             "--no-pictures", "--output", place], check=False).returncode)
