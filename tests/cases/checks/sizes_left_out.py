#!/usr/bin/env python3
"""Makespans on sirocco with one size of kernels left out, for each of its sizes, in per cent of those with all
measured times. Prints the sources of the kernel times and the difference, for cholesky and lu."""

import os
import pathlib

from runs import run


def main():
    shipped = pathlib.Path(os.environ["TILEWRIGHT_PLATFORMS"], "sirocco")
    own = pathlib.Path("own")
    own.mkdir()
    (own / "platform.xml").write_bytes((shipped / "platform.xml").read_bytes())
    lines = (shipped / "kernels.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    for size in ("320", "640", "960", "1440"):
        others = [line for line in lines if line.split(",")[3:4] != [size]]
        (own / "kernels.csv").write_text("".join(others), encoding="utf-8")
        for factorisation in ("cholesky", "lu"):
            means, models = [], []
            for node in ("sirocco", "./own"):
                rows = run(f"--platform {node} --workload {factorisation}:nt=12:nb={size} --policy dmdas --extrapolate",
                           "--noise 0.01 --repeat 8 --validate")
                means.append(sum(row.makespan_s for row in rows) / len(rows))
                models.append(rows[-1]["kernel_model"])
            print(*models, f"{(means[1] / means[0] - 1) * 100:.0f}")


main()
