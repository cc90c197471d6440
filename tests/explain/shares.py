"""What holds for every explanation, however the run went."""

import itertools


def _causes(causes, what):
    if any(cause["share"] < 0 or cause["seconds"] < 0 for cause in causes):
        yield f"{what}: a negative share"
    if causes and abs(sum(cause["share"] for cause in causes) - 1) > 1e-3:
        yield f"{what}: shares of {sum(cause['share'] for cause in causes)} in all"
    if any(a["seconds"] < b["seconds"] for a, b in itertools.pairwise(causes)):
        yield f"{what}: causes out of order"
    if len({cause["name"] for cause in causes}) < len(causes):
        yield f"{what}: a cause stands twice"


def _chain(links, makespan_s):
    date = 0
    for link in links:
        if link["start_s"] != date or link["end_s"] <= date:
            yield f"chain: a part from {link['start_s']} to {link['end_s']} behind {date}"
        date = link["end_s"]
    if abs(date - makespan_s) > 1e-9 * makespan_s:
        yield f"chain: it ends at {date}, the run at {makespan_s}"


def _saturated(links, makespan_s):
    tiny = 1e-9 * max(makespan_s, 1)
    if any(a["seconds"] < b["seconds"] for a, b in itertools.pairwise(links)):
        yield "saturated links out of order"
    if len({link["link"] for link in links}) < len(links):
        yield "a saturated link stands twice"
    for link in links:
        times = [(i["start_s"], i["end_s"], i["saturated_s"]) for i in link["intervals"]]
        bounds = [date for start, end, _ in times for date in (start, end)]
        listed = sum(saturated for _, _, saturated in times)
        if not 0 < link["seconds"] <= makespan_s + tiny or abs(link["share"] - link["seconds"] / makespan_s) > 1e-6:
            yield f"{link['link']}: saturated for {link['seconds']} s of {makespan_s} s, {link['share']}"
        if not -tiny <= link["chain_seconds"] <= link["seconds"] + tiny:
            yield f"{link['link']}: {link['chain_seconds']} s of the chain in {link['seconds']} s"
        if not bounds or bounds != sorted(bounds) or bounds[0] < 0 or bounds[-1] > makespan_s + tiny:
            yield f"{link['link']}: intervals at {bounds}"
        if any(not 0 < saturated <= end - start + tiny for start, end, saturated in times):
            yield f"{link['link']}: intervals {times}"
        if link["other_intervals"] == 0 and abs(listed - link["seconds"]) > tiny or listed > link["seconds"] + tiny:
            yield f"{link['link']}: intervals of {listed} s, but {link['seconds']} s in all"


def _chain_ran(explanation):
    """Only kernels of the chain have the causes below."""
    makespan_s, ran_s = explanation["makespan_s"], sum(explanation["chain_ran"].values())
    least_s = sum(cause["seconds"] for cause in explanation["causes"]
                  if cause["name"] in ("busy workers", "slow workers", "cancelled kernels"))
    if not least_s - 1e-9 * makespan_s <= ran_s <= makespan_s * (1 + 1e-9):
        yield f"chain: kernels of {ran_s} s, of {least_s} s at least"


def faults(explanation):
    """Yields what is wrong with an explanation in JSON."""
    makespan_s = explanation["makespan_s"]
    yield from _causes(explanation["causes"], "makespan")
    yield from _chain(explanation["chain"], makespan_s)
    yield from _saturated(explanation["saturated_links"], makespan_s)
    yield from _chain_ran(explanation)
    for kind in explanation["workers"]:
        yield from _causes(kind["causes"], kind["kind"])
        if makespan_s > 0 and not kind["causes"]:
            yield f"{kind['kind']}: no cause"
    for name, gap in explanation["gaps"].items():
        if gap:
            yield from _causes(gap["causes"], name)
            if gap["gap_s"] > 1e-6 * makespan_s and not gap["causes"]:
                yield f"{name}: a gap of {gap['gap_s']} s without a cause"
    if makespan_s > 0 and not explanation["causes"]:
        yield "makespan: no cause"
    if not explanation["summary"].endswith("."):
        yield f"a summary that does not end: {explanation['summary']}"
