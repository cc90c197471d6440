"""Experiments: a figure with one thing changed. They show why statements do not hold, and do not count."""

import copy

from lib import figure as figures
from lib.figure import Figure
from lib.plan import Plan
from lib.rows import Row
from lib.trace import Map
from lib.variant import Variant


class Experiment:
    """`names`: of figures, or of one; `statements`: beginnings of the texts of those to show; `what`: the change, in
    words. `runtime`: parameters of it; `options`: options of the plan instead of its own, or functions of these;
    `policies`: by policy, the one that runs instead, under the same name; `only`: the policies to change (all by
    default); `beside`: the figures that it compares with are changed, too."""

    def __init__(self, names, statements, what, runtime="", options=None, policies=None, only=None, beside=False):
        self.figures = names if isinstance(names, list) else [names]
        self.statements, self.what, self.beside = statements, what, beside
        self.runtime, self.options, self.policies, self.only = runtime, options or {}, policies or {}, only

    def changed(self, plan):
        """The plans instead of a plan, without the policies that do not change."""
        chosen = self.only or list(self.policies)
        own = {name: new(plan.options[name]) if callable(new) else new for name, new in self.options.items()}
        if not chosen:
            return [Plan(**plan.options | own | self.with_parameters(plan))]
        names = plan.options["policy"]
        names = [name for name in (names if isinstance(names, list) else [names]) if name in chosen]
        new = {"policy": [self.policies.get(name, name) for name in names]}
        return [Plan(**plan.options | own | self.with_parameters(plan) | new)] if names else []

    def with_parameters(self, plan):
        """The plan's runtime, with other parameters."""
        new = [part for part in self.runtime.split(":") if part]
        keys = tuple(part.split("=")[0] + "=" for part in new)
        old = [part for part in plan.options["runtime"].split(":") if not new or not part.startswith(keys)]
        return {"runtime": ":".join(old + new)}

    def apply(self, name, figure):
        """The figure with the change."""
        found = copy.copy(figure)
        found.__class__ = Changed
        found.name, found.experiment, found.original = f"{figure.name}-{name}", self, figure
        found.plans = [new for plan in figure.plans for new in self.changed(plan)]
        found.plots = [copy.copy(plot) for plot in figure.plots if isinstance(plot, Map)]
        for plot in found.plots:
            plot.run, = self.changed(plot.run)
        return found


class Changed(Figure):
    """A figure with changed plans. Rows have the names of the policies and platforms that were replaced. Those of other
    policies are the figure's own."""

    def collect(self, options, sources):
        header, rows = super().collect(options, sources)
        names = {new: old for old, new in self.experiment.policies.items()}
        platform = self.experiment.options.get("platform")
        if isinstance(platform, Variant):
            names |= {platform.text(figure.place(options)): platform.base for figure in sources}
        rows = [Row(row | {column: names.get(row[column], row[column]) for column in ("policy", "platform")})
                for row in rows]
        chosen = self.experiment.only or list(self.experiment.policies)
        if chosen:
            own = [figure.original for figure in sources if isinstance(figure, Changed)]
            rows += [row for row in super().collect(options, own)[1] if row["policy"] not in chosen]
        return header, rows


def judge(figure, options, command):
    """Runs what is missing, and returns the verdicts by the statement's text."""
    for source in figure.sources():
        if source.name not in command.swept:
            command.swept[source.name] = source.sweep(options, command)
    rows = figure.choose(options)
    return {statement.text: verdict for statement, verdict in figure.judge(rows)}


def compare(name, experiment, options, command):
    """Prints the statements without the change and with it."""
    for of in experiment.figures:
        figure, load = figures.load(of), figures.load
        before = judge(figure, options, command)
        changed = {of, *figure.of, *(figure.beside if experiment.beside else [])}
        figures.load = lambda other, load=load, changed=changed: (
            experiment.apply(name, load(other)) if other in changed else load(other))
        try:
            after = judge(figures.load(of), options, command)
        finally:
            figures.load = load
        print(f"{name}: {of}, {experiment.what}", flush=True)
        for text, verdict in after.items():
            if any(text.startswith(start) for start in experiment.statements):
                print(f"  {text}\n    without: {before[text].of}: {before[text].here}\n"
                      f"    with:    {verdict.of}: {verdict.here}", flush=True)
