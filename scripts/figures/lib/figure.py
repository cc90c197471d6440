"""A figure of a paper: plans of sweeps, pictures of their rows, and the statements of the paper, which are checked with
the rows."""

import argparse
import csv
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import textwrap

from lib import document
from lib.claim import Statement
from lib.command import Command, fail
from lib.plan import NOUNS, SIZES, Plan  # noqa: figures take Plan from here
from lib.plot import Changed, Derived, Plot  # noqa: and these
from lib.rows import Row, Rows

FOLDER = pathlib.Path(__file__).resolve().parents[1]


class Figure:
    """A figure. `of`: the names of other figures whose rows it draws; `beside`: those whose rows its statements compare
    with."""

    def __init__(self, name, title, plans=(), plots=(), of=(), beside=(), table=None):
        self.name, self.title, self.plans, self.plots = name, title, list(plans), list(plots)
        self.of, self.beside, self.table, self.statements = list(of), list(beside), table, []

    def says(self, section, text, *claims, **why):
        """Decorates the function that measures the values of a statement's claims."""
        def keep(function):
            self.statements.append(Statement(section, text, claims, function, **why))
            return function
        return keep

    def drawn(self):
        """The figures whose rows it draws: itself, and those in `of`."""
        return ([self] if self.plans else []) + [load(name) for name in self.of]

    def sources(self):
        """The figures whose plans must run."""
        found = {figure.name: figure for figure in self.drawn()}
        for name in self.beside:
            found |= {figure.name: figure for figure in load(name).drawn()}
        return found.values()

    def place(self, options):
        return pathlib.Path(options.output) / options.size / self.name

    def sweep(self, options, command):
        """Runs the missing points of its own plans, and prepares its pictures. Returns the number of sweeps with failed
        points."""
        place, failed = self.place(options), 0
        place.mkdir(parents=True, exist_ok=True)
        for i, plan in enumerate(self.plans):
            for option, spec in plan.missing(options.size, place, command):
                print(f"{self.name}: {NOUNS[option]} '{spec}' is not in this version: left out")
            path = place / ("plan.ini" if len(self.plans) == 1 else f"plan-{i + 1}.ini")
            plan.make(options.size, place, command)
            text = plan.text(options.size, place, command)
            if text is None:
                continue
            path.write_text(text, encoding="utf-8")
            print(f"{self.name}: tilewright sweep {path}", flush=True)
            words = ["--jobs", options.jobs] if options.jobs else []
            words += [] if sys.stderr.isatty() else ["--quiet"]
            if options.dry_run:
                command.preview(path, *words)
                continue
            done = command.run("sweep", path, *words)
            if done.returncode not in (0, 1):
                sys.exit(done.returncode if done.returncode > 0 else 1)
            failed += done.returncode
        if not options.dry_run:
            failed += sum(plot.prepare(options, place, command) != 0 for plot in self.plots)
        return failed

    def collect(self, options, figures):
        """The header and the rows of these figures' plans, in the order of the plans, from the files of their
        sweeps."""
        chosen, header = {}, None  # chosen: by identity, the position and the row; the last row of an identity counts
        for n, figure in enumerate(figures):
            path = figure.place(options) / "results.csv"
            if not path.is_file():
                continue
            with open(path, newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                header = reader.fieldnames
                for row in reader:
                    for i, plan in enumerate(figure.plans):
                        position = plan.position(options.size, figure.place(options), row)
                        if position:
                            chosen[row["identity"]] = [n, i, *position], Row(row)
                            break
        return header, [row for _, row in sorted(chosen.values(), key=lambda pair: pair[0])]

    def choose(self, options):
        """Writes the rows to draw to rows.csv. Returns the rows of successful runs, with those of `beside`."""
        header, rows = self.collect(options, self.drawn())
        place = self.place(options)
        place.mkdir(parents=True, exist_ok=True)
        with open(place / "rows.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, header or ["identity"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        _, others = self.collect(options, [figure for name in self.beside for figure in load(name).drawn()])
        found = Rows.that_went_well(rows, others, place)
        if self.beside:
            found.beside.place = load(self.beside[0]).place(options)
        return found

    def draw(self, options, command, rows):
        """Draws the pictures. Returns the number of failures."""
        place, failed = self.place(options), 0
        for plot in self.plots:
            if not plot.there or not plot.write(rows, place):
                continue
            words = [plot.kind, plot.source(place), "-o", place / f"{plot.panel}.{options.format}",
                     *plot.arguments(rows)]
            print(f"{self.name}: tilewright plot {' '.join(map(str, words))}", flush=True)
            failed += command.run("plot", *words).returncode != 0
        return failed

    def judge(self, rows):
        """Pairs of a statement and its Verdict."""
        return [(statement, statement.verdict(rows)) for statement in self.statements]

    def tell(self, options, rows, verdicts):
        """Prints and saves the statements. Returns the number of unexpected verdicts."""
        lines, unexpected = [], 0
        for statement, verdict in verdicts:
            expected, why = statement.expected(options.size)
            notes = [f"paper: {statement.paper_text()}" if statement.paper_text() else None,
                     f"tolerance: {statement.tolerance()}", f"here: {verdict.here}", why]
            if options.size != "tiny" and verdict.of != expected:
                unexpected += 1
                notes.append(f"expected: {expected}")
            head = f"{verdict.of:15}{statement.section:10}"
            lines += textwrap.wrap(statement.text, 118, initial_indent=head, subsequent_indent=" " * 25)
            lines += [line for note in notes if note for line in textwrap.wrap(
                note, 118, initial_indent=" " * 25, subsequent_indent=" " * 27)]
        text = "\n".join([*(self.table(rows) if self.table else []), *lines])
        print(f"{self.name} ({options.size}): {self.title}\n{text}", flush=True)
        (self.place(options) / "statements.txt").write_text(text + "\n", encoding="utf-8")
        self.save(options, verdicts)
        return unexpected

    def save(self, options, verdicts):
        """Writes statements.csv: a line for each claim."""
        with open(self.place(options) / "statements.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["figure", "section", "statement", "statement_verdict", "paper", "tolerance", "here",
                             "verdict", "reason"])
            for statement, verdict in verdicts:
                start = [self.name, statement.section, statement.text, verdict.of]
                _, why = statement.expected(options.size)
                for claim, of, here in verdict.claims or [(claim, verdict.of, verdict.here)
                                                          for claim in statement.claims]:
                    writer.writerow([*start, claim.paper_text(), claim.tolerance(), here, of, why or ""])

    def make(self, options, command, judged=None):
        """Makes the figure: sweep, pictures, statements. Returns the exit status. Appends itself and its verdicts
        to `judged`, for docs/evidence/figures.md."""
        for source in self.sources():
            if source.name not in command.swept:
                command.swept[source.name] = source.sweep(options, command)
        failed = sum(command.swept[source.name] for source in self.sources())
        if options.dry_run:
            return 0
        rows = self.choose(options)
        if not rows:
            fail(f"{self.name}: no run succeeded", 1)
        undrawn = 0 if options.no_pictures else self.draw(options, command, rows)
        verdicts = self.judge(rows)
        unexpected = self.tell(options, rows, verdicts)
        if judged is not None and not undrawn:
            judged.append((self, verdicts))
            document.copy_pictures(self, self.place(options))
        if options.check and unexpected:
            print(f"figures: {self.name}: {unexpected} statements have other results than expected", file=sys.stderr)
        return 1 if failed or undrawn or options.check and unexpected else 0

    def main(self):
        options = arguments(argparse.ArgumentParser(prog=self.name, description=self.title)).parse_args()
        command = Command(options.tilewright)
        status = self.make(options, command)
        command.tell_preview()
        sys.exit(status)


def arguments(parser):
    parser.add_argument("--size", choices=SIZES, default="small",
                        help="small (default); full: as in the paper; tiny: for tests, where statements have no "
                             "meaning")
    parser.add_argument("--output", default="figures",
                        help="a folder: SIZE/FIGURE/ in it gets plans, results, pictures and statements; existing "
                             "points are not run again "
                             "(default %(default)s)")
    parser.add_argument("--format", choices=["png", "svg", "pdf"], default="png",
                        help="format of the pictures (default %(default)s)")
    parser.add_argument("--jobs", help="parallel runs (default: the number of processors)")
    parser.add_argument("--dry-run", action="store_true",
                        help="print the number of runs and the estimated time, and run nothing")
    parser.add_argument("--no-pictures", action="store_true", help="only the statements")
    parser.add_argument("--check", action="store_true",
                        help="exit status 1 if a statement has another result than expected")
    parser.add_argument("--tilewright",
                        help="the command to run (default build-release/tilewright, or build/tilewright)")
    return parser


def load(name):
    """Loads the figure of a script in this folder."""
    loader = importlib.machinery.SourceFileLoader(re.sub(r"\W", "_", name), str(FOLDER / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module.FIGURE


def names():
    """The names of all figures: papers in alphabetical order, figures by number."""
    scripts = [path.name for path in FOLDER.iterdir() if path.is_file() and "-" in path.name]
    return sorted(scripts,
                  key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])
