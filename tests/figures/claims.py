#!/usr/bin/env python3
"""Claims of statements (scripts/figures/lib/claim.py): limits, directions, texts, and that the paper's number is within
its own tolerance.

    tests/figures/claims.py"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/figures"))
from lib import figure
from lib.claim import DIRECTION, FAILS, HOLDS, UNDECIDED, Near, Range, Statement, at_least, at_most, flat
from lib.rows import Undecided

failures = 0


def check(what, found, expected):
    global failures
    if found != expected:
        failures += 1
        print(f"fails: {what}: {found!r}: expected {expected!r}")


def verdicts():
    gain = Near("gain", 0.11, "why", by=0.05, start=0, form="{:+.0%}")
    for value, expected in ((0.06, HOLDS), (0.16, HOLDS), (0.161, DIRECTION), (0.82, DIRECTION), (0.059, DIRECTION),
                            (-0.01, FAILS), ([0.1, 0.3], DIRECTION), ([0.1, -0.3], FAILS), ({"a": 0.1}, HOLDS)):
        check(f"11 % within 5 points: {value}", gain.verdict(value), expected)
    small = Near("gain", 0.04, by=0.05, start=0)
    check("a loss is no small gain", [small.verdict(v) for v in (0.001, 0.09, 0.1, -0.005)],
          [HOLDS, HOLDS, DIRECTION, FAILS])
    bytes_ = Near("GB", {1: 2.0, 2: 40.0}, within=0.1)
    check("numbers by label", bytes_.verdict({1: 2.19, 2: 36.1}), HOLDS)
    check("... each within its own limit", bytes_.verdict({1: 2.21, 2: 40}), FAILS)
    check("a claim without a start has no direction", bytes_.verdict({1: 3}), FAILS)
    half = at_most("bytes", 0.5, start=1)
    check("at most", [half.verdict(v) for v in (0.5, 0.51, 1, 1.1)], [HOLDS, DIRECTION, FAILS, FAILS])
    thrice = at_least("bytes", 3, start=1)
    check("at least", [thrice.verdict(v) for v in (3, 2.9, 1)], [HOLDS, DIRECTION, FAILS])
    between = Range("share", 0.75, 1.05)
    check("a range", [between.verdict(v) for v in (0.75, 1.05, 0.74, 1.06)], [HOLDS, HOLDS, FAILS, FAILS])
    for nothing in [], {}, {"a": 0.1, "b": []}:
        try:
            gain.verdict(nothing)
            check(f"no value in {nothing}", "a verdict", "Undecided")
        except Undecided:
            pass


def texts():
    check("tolerance in points", Near("gain", 0.11, "why", by=0.05).tolerance(), "within 5 points: why")
    check("tolerance in part", Near("GB", 3, "why", within=0.1, form="{:.0f}").tolerance(), "within 10%: why")
    check("tolerance in units", Near("GB", 3, "why", by=2, form="{:.0f}").tolerance(), "within 2: why")
    check("a range", Range("part", 0.5, 1, "why").tolerance(), "50% to 100%: why")
    claim = at_least("speed", 1)
    check("a list is a range", claim.here([0.2, 0.1]), "speed: 10% to 20%")
    check("labels", claim.here({"a": 0.2, 4: 0.1}), "speed: a 20%, 10% (4)")
    check("labels of labels", claim.here({"a": {4: 0.1}, "b": {4: [0.1, 0.2]}}), "speed: a 10% (4); b 10% to 20% (4)")


def statements():
    def statement(values, *claims):
        return Statement("1", "text", claims, lambda rows: values).verdict(None)
    small, large = at_most("a", 1, start=2), at_least("b", 1)
    check("all claims hold", statement((1, 1), small, large).of, HOLDS)
    check("one in direction only", statement((1.5, 1), small, large).of, DIRECTION)
    check("one fails", statement((1.5, 0), small, large).of, FAILS)
    check("its claims have verdicts", [of for _, of, _ in statement((1.5, 0), small, large).claims], [DIRECTION, FAILS])
    check("no value", statement([], small).of, UNDECIDED)
    for values in (1,), (1, 1, 1):
        try:
            statement(values, small, large)
            check(f"{len(values)} values for two claims", "a verdict", "ValueError")
        except ValueError:
            pass
    differs = Statement("1", "text", [small], None, differs={"full": "why"}, size_differs={"small": "because"})
    check("expected, by size", [differs.expected(size) for size in ("tiny", "small", "full")],
          [(HOLDS, None), (DIRECTION, "because"), (FAILS, "why")])


def papers_numbers():
    """A paper's number is within the tolerance around it, and each tolerance has a reason."""
    for name in figure.names():
        for statement in figure.load(name).statements:
            check(f"{name}: '{statement.text}': claims", bool(statement.claims), True)
            for claim in statement.claims:
                check(f"{name}: '{claim.what}': a reason", bool(claim.why), True)
                for label, number in [] if claim.paper is None else flat(claim.paper):
                    check(f"{name}: '{claim.what}': the paper's {number}", claim.holds(label, number), True)


verdicts()
texts()
statements()
papers_numbers()
sys.exit(failures > 0)
