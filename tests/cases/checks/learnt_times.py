#!/usr/bin/env python3
"""Kernel times that five runs in timed mode learn from nothing: the error of each run's predictions, and whether
the last makespan is within 5 % of that of a run that knows all times."""

from runs import run

OPTIONS = ("--platform mirage --engine real:mode=timed:stretch=2 --check none --workload cholesky:nt=12:nb=960 "
           "--policy dmdas")


def main():
    learnt = run(OPTIONS, "--learn times --repeat 5")
    known, = run(OPTIONS)
    for number, row in enumerate(learnt, 1):
        error = row.counter("prediction_error")
        print(number, "low" if error < 0.1 else error)
    ratio = learnt[-1].makespan_s / known.makespan_s
    print("near" if 0.95 < ratio < 1.05 else ratio, learnt[-1]["kernel_model"])


main()
