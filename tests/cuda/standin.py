"""Commands with the stand-in for CUDA."""

import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

LIBRARIES = ["libcudart.so.13", "libcuda.so.1", "libcublas.so.13", "libcusolver.so.12"]
ALIVE = ["allocations", "registered ranges", "streams", "events", "handles of cuBLAS", "handles of cuSOLVER", "modules"]
IMAGE = "tilewright-cuda.fatbin"
# from simulations; and from runs while other tests have the cores
NOTICE = re.compile(
    r"==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return.*\n.*\n.*sanitizers/issues/189\n"
    r"|tilewright: warning: .*: threads lost their cores for .*\n")
LEFT_OUT = {"replay"}  # needs a record
SPECS = {"heteroprio_types": "heteroprio_types:spoliation=no"}  # kernels cannot be cancelled


class Standin:
    """The stand-in as a folder with CUDA's libraries and an image for modules; and its counts for the last command."""

    def __init__(self, command, standin):
        self.command, self.folder = pathlib.Path(command).resolve(), tempfile.TemporaryDirectory()
        self.tally = pathlib.Path(self.folder.name) / "tally"
        for library in LIBRARIES:
            (pathlib.Path(self.folder.name) / library).symlink_to(pathlib.Path(standin).resolve())
        (pathlib.Path(self.folder.name) / IMAGE).write_text("stand-in\n")

    def environment(self, cuda=None, **settings):
        """Settings: gpus=3, fail_at=7 ..., as in standin.h."""
        return {**os.environ, "TILEWRIGHT_CUDA": cuda or self.folder.name, "STANDIN_TALLY": str(self.tally),
                **{f"STANDIN_{name.upper()}": str(value) for name, value in settings.items()}}

    def run(self, *words, timeout_s=120, **settings):
        """Runs a command. All its processes count together."""
        self.tally.unlink(missing_ok=True)
        ended = subprocess.run([self.command, *map(str, words)], capture_output=True, text=True, timeout=timeout_s,
                               check=False,
                               env=self.environment(**settings))
        ended.stderr = NOTICE.sub("", ended.stderr)
        return ended

    def counted(self):
        """The number of calls, and of living objects by kind."""
        if not self.tally.exists():
            return 0, {}
        values = struct.unpack(f"{1 + len(ALIVE)}l", self.tally.read_bytes())
        return values[0], {name: n for name, n in zip(ALIVE, values[1:]) if n}

    def policies(self):
        """The policies that the real engine accepts."""
        listed = self.run("list", "policies", "--names").stdout.split()
        return [SPECS.get(name, name) for name in listed if name not in LEFT_OUT]

    def least_memory(self, workload, cpus):
        """The least memory that fits each task, which a refusal names."""
        ended = self.run("run", "--engine", "real", "--platform", "mirage", "--extrapolate", "--cpus", cpus,
                         "--gpus", 1,
                         "--gpu-mem", 1, "--workload", workload, "--policy", "eager", "--check", "none")
        told = re.search(r"--gpu-mem (\S+)", ended.stderr)
        if not told:
            sys.exit(f"{workload}: no memory is enough: {ended.stderr}")
        return told.group(1)
