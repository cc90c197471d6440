#!/usr/bin/env python3
"""An exported graph keeps which tasks are critical. Prints whether heteroprio_auto takes as long with the file as
with the workload, without the marks, and whether marks of value false are as none; then whether dmdas, which does
not read them, takes the same in all cases."""

import pathlib
import subprocess

from runs import run


def main():
    subprocess.run(["tilewright", "export", "--workload", "cholesky:nt=20", "-o", "c.json"], check=True)
    text = pathlib.Path("c.json").read_text(encoding="utf-8")
    pathlib.Path("d.json").write_text(text.replace("\n", "").replace(',{"critical":true}', ""), encoding="utf-8")
    pathlib.Path("e.json").write_text(text.replace('"critical":true', '"critical":false'), encoding="utf-8")
    rows = run(
        "--platform mirage --workload cholesky:nt=20,file:c.json,file:d.json,file:e.json",
        "--policy heteroprio_auto,dmdas",
    )
    workload, file, unmarked, false = (row["makespan_s"] for row in rows[::2])
    dmdas = {row["makespan_s"] for row in rows[1::2][:3]}
    same = (workload == file, workload == unmarked, unmarked == false, len(dmdas) == 1)
    print(*("same" if is_so else "other" for is_so in same))


main()
