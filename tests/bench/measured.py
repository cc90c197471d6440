"""Runs whose cost is measured: a platform of many equal cores and GPUs, runs on it, and their instructions.

Callgrind counts the instructions of a run from the runtime's start to its end (the function tw__run). Counts depend on
the compiler and on glibc, but little on the machine: the environment is fixed, and functions that glibc chooses by the
processor (memcpy, exp) are those of the plainest one."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

CORES, GPUS = 512, 64
# Kernel, microseconds on a core and on a GPU. They are made up.
KERNELS = [("potrf", 9830, 4915), ("trsm", 25278, 2527), ("syrk", 24576, 884), ("gemm", 44236, 1474)]
PLAIN_FUNCTIONS = "-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-FMA,-FMA4,-ERMS,-FSRM,-BMI1,-BMI2,-LZCNT,-MOVBE,-RTM," \
                  "-SSE4_1,-SSE4_2,-SSSE3,-AVX512F,-AVX512VL,-AVX512BW,-POPCNT"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TILEWRIGHT_CUDA": "/nonexistent",
               "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={PLAIN_FUNCTIONS}"}


class Failed(Exception):
    """A run that failed; the text is its standard error."""


def write_platform(folder):
    """Each GPU has its own PCI link behind a link of the host's. Its memory holds every graph."""
    gpus = range(GPUS)
    folder.mkdir()
    (folder / "platform.xml").write_text("\n".join(
        ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
         '<platform version="4.1"><zone id="bench" routing="Full">',
         f'<host id="CPU" speed="1Gf" core="{CORES}"><prop id="arch" value="core"/></host>',
         '<host id="RAM" speed="1f"><prop id="role" value="memory"/></host>',
         '<link id="host" bandwidth="240GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>'] +
        [f'<host id="GPU{i}" speed="1Gf"><prop id="arch" value="gpu"/><prop id="memory" value="100TiB"/></host>\n'
         f'<link id="pci{i}" bandwidth="16GBps" latency="7us" sharing_policy="SPLITDUPLEX"/>' for i in gpus] +
        [f'<route src="RAM" dst="GPU{i}"><link_ctn id="host" direction="DOWN"/>'
         f'<link_ctn id="pci{i}" direction="DOWN"/></route>' for i in gpus] + ["</zone></platform>", ""]))
    rows = [f"{kernel},{arch},1,960,s,{time},0,0,made up"
            for kernel, core, gpu in KERNELS for arch, time in (("core", core), ("gpu", gpu))]
    (folder / "kernels.csv").write_text("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n" +
                                        "\n".join(rows) + "\n")


class Bench:
    """Runs in a folder that has the platform, or another one. Words are those after `tilewright run`, without platform
    and format."""

    def __init__(self, command, folder):
        self.command, self.folder = os.path.abspath(command), pathlib.Path(folder)
        write_platform(self.folder / "bench")

    def _run(self, words, before=(), platform="./bench"):
        ended = subprocess.run([*before, self.command, "run", "--platform", platform, "--engine", "native", "--format",
                                "json", *words], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                               check=False)
        if ended.returncode:
            raise Failed(ended.stderr)
        return json.loads(ended.stdout)[0]

    def row(self, words, platform="./bench"):
        """The row of results."""
        return self._run(words, platform=platform)

    def cluster(self, node, count):
        """Writes a cluster of nodes like this platform. Returns its path."""
        path = f"./{node}-{count}"
        subprocess.run([self.command, "platform", "cluster", "--node", node, "--count", str(count), "--bandwidth",
                        "4GBps", "--latency", "1us", "--output", path, "--force"], cwd=self.folder, env=ENVIRONMENT,
                       stdout=subprocess.DEVNULL, check=True)
        return path

    def instructions(self, words):
        """The instructions of the run. It takes place in a child process; a file of the parent has 0."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self._run(words, [shutil.which("valgrind"), "--tool=callgrind", "--trace-children=yes",
                          "--toggle-collect=tw__run", f"--callgrind-out-file={place}/%p"])
        totals = [int(total) for file in place.iterdir()
                  for total in re.findall(r"^totals: (\d+)", file.read_text(), re.MULTILINE)]
        shutil.rmtree(place)
        if not totals or not max(totals):
            raise Failed("no instructions counted: expected a function tw__run in the build (was it inlined?)")
        return max(totals)
