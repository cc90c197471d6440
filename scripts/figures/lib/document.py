"""Writes the results to docs/evidence/figures.md, as a section for each figure, between two marks."""

import shutil

from lib.command import ROOT

PAGE, PICTURES = ROOT / "docs/evidence/figures.md", ROOT / "docs/evidence/img"
BEGIN, END = "<!-- scripts/figures/all --docs writes what follows -->\n", "<!-- until here -->\n"


def picture_name(figure, plot, ending="svg"):
    return f"{figure.name}-{plot.panel}.{ending}"


def cell(text):
    return text.replace("|", "\\|")


def section(figure, verdicts, size):
    """The section of a figure. `verdicts`: pairs of a statement and (verdict, figures)."""
    lines = [f"## {figure.name}", "",
             figure.title[0].upper() + figure.title[1:] + f": `scripts/figures/{figure.name}`.", ""]
    lines += [f"![{figure.title}: {plot.panel}](img/{picture_name(figure, plot)})" for plot in figure.plots
              if plot.in_docs and plot.there]
    lines += ["", "| section | the paper | | here |", "|---|---|---|---|"]
    for statement, (verdict, figures) in verdicts:
        why = statement.why(size)
        lines.append(
            f"| {statement.section} | {cell(statement.text)} | {verdict} | "
            f"{cell(figures + (f'; {why}' if why else ''))} |")
    return "\n".join(lines) + "\n"


def copy_pictures(figure, place):
    PICTURES.mkdir(parents=True, exist_ok=True)
    for plot in figure.plots:
        if plot.in_docs and plot.there:
            shutil.copy(place / f"{plot.panel}.svg", PICTURES / picture_name(figure, plot))


def rewrite(sections):
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(sections) + "\n" + END + after, encoding="utf-8")
