"""Writes the results to docs/evidence/figures.md, as a section for each figure, between two marks."""

import re

from lib.claim import DIRECTION, FAILS, HOLDS, UNDECIDED
from lib.command import ROOT

PAGE, PICTURES = ROOT / "docs/evidence/figures.md", ROOT / "docs/evidence/img"
BEGIN, END = "<!-- scripts/figures/all --docs writes what follows -->\n", "<!-- until here -->\n"


def picture_name(figure, plot, ending="svg"):
    return f"{figure.name}-{plot.panel}.{ending}"


def cell(text):
    return text.replace("|", "\\|")


def section(figure, verdicts, size):
    """The section of a figure. `verdicts`: pairs of a statement and its Verdict."""
    lines = [f"## {figure.name}", "",
             figure.title[0].upper() + figure.title[1:] + f": `scripts/figures/{figure.name}`.", ""]
    lines += [f"![{figure.title}: {plot.panel}](img/{picture_name(figure, plot)})" for plot in figure.plots
              if plot.in_docs and plot.there]
    lines += elsewhere(figure)
    lines += ["", "| section | the paper | its number | tolerance | here | verdict |", "|---|---|---|---|---|---|"]
    lines += [f"| {statement.section} | {cell(statement.text)} | {statement.paper_text()} | "
              f"{cell(statement.tolerance())} | {cell(with_reason(statement, verdict, size))} | {verdict.of} |"
              for statement, verdict in verdicts]
    return "\n".join(lines) + "\n"


def elsewhere(figure):
    """The pictures that the page does not show."""
    names = [plot.panel for plot in figure.plots if not plot.in_docs]
    return ["", "Not shown here: " + ", ".join(f"`{name}`" for name in names) + "."] if names else []


def with_reason(statement, verdict, size):
    _, why = statement.expected(size)
    return verdict.here + (f" ({why})" if why else "")


def summary(judged, size):
    """The number of each verdict, and the statements that do not hold."""
    every = [verdict.of for _, verdicts in judged for _, verdict in verdicts]
    lines = ["## Statements that do not hold", "",
             f"Of {len(every)} statements, {every.count(HOLDS)} hold, {every.count(DIRECTION)} hold in direction only, "
             f"{every.count(FAILS)} do not hold, and {every.count(UNDECIDED)} are not decided.", "",
             "The last column has experiments (`scripts/figures/experiment NAME`): each runs the figure with one thing "
             "changed, and prints the statement without the change and with it. They do not count.", "",
             "| figure | the paper | its number | here | verdict | reason | experiments |",
             "|---|---|---|---|---|---|---|"]
    for figure, verdicts in judged:
        for statement, verdict in verdicts:
            if verdict.of != HOLDS:
                lines.append(f"| [{figure.name}](#{figure.name.replace('.', '')}) | {cell(statement.text)} | "
                             f"{statement.paper_text()} | {cell(verdict.here)} | {verdict.of} | "
                             f"{cell(statement.expected(size)[1] or '')} | "
                             f"{', '.join(f'`{name}`' for name in statement.experiments)} |")
    return "\n".join(lines) + "\n"


def copy_pictures(figure, place):
    PICTURES.mkdir(parents=True, exist_ok=True)
    for plot in figure.plots:
        if plot.in_docs and plot.there:
            text = (place / f"{plot.panel}.svg").read_text(encoding="utf-8")
            # gnuplot writes many groups without content: a fifth of the file
            text = re.sub(r"<g [^>]*>\s*</g>\s*", "", text)
            (PICTURES / picture_name(figure, plot)).write_text(text, encoding="utf-8")


def rewrite(judged, size):
    """Writes the page. `judged`: pairs of a figure and its verdicts."""
    sections = [summary(judged, size), *(section(figure, verdicts, size) for figure, verdicts in judged)]
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(sections) + "\n" + END + after, encoding="utf-8")
