#!/usr/bin/env python3
"""Tests the page as a file: it has all rows, names are escaped, and schedules are those of the rows.

    tests/report/page.py TILEWRIGHT"""

import html
import itertools
import json
import os
import re
import shutil
import tempfile
import time

from results import Page, as_shown, check, finish, hostile, read, run, sweep, write

has_gnuplot = shutil.which("gnuplot") is not None


def harmless(name, page, n_schedules):
    check(f"{name}: elements are closed in order", page.balanced)
    tags = [tag for tag, _ in page.elements]
    check(f"{name}: the page's own six scripts, and no other", len(page.scripts) == 6, len(page.scripts))
    check(f"{name}: {n_schedules} schedules", len(page.data) == n_schedules, len(page.data))
    check(f"{name}: nothing from elsewhere",
          not {"img", "link", "iframe", "object", "embed", "base", "form"} & set(tags))
    for tag, attributes in page.elements:
        for key, value in attributes.items():
            check(f"{name}: no attribute is a script", not key.startswith("on"), tag, attributes)
            if key in ("src", "href", "xlink:href"):
                check(f"{name}: links stay in the page", value.startswith("#"), tag, attributes)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    check(f"{name}: each id once", len(ids) == len(set(ids)), sorted(ids))


def whole():
    sweep("good.csv", "--workload", "cholesky", "--nt", "4,6,8", "--gpu-mem", "100MiB,none")
    run("report", "good.csv", "-o", "good.html")
    rows, page = read("good.csv"), Page("good.html")
    harmless("good", page, 2)
    table = page.tables["table-rows"]
    column = {key: i for i, key in enumerate(table[0])}
    check("all rows are in the page", len(table) == len(rows) + 1, len(table))
    for i, (shown, row) in enumerate(zip(table[1:], rows)):
        check(f"row {i + 1} is that of the file", shown[0] == str(i + 1) and shown[column["policy"]] == row["policy"]
              and
              shown[column["identity"]] == row["identity"] and
              abs(float(shown[column["makespan_s"]]) - float(row["makespan_s"])) < 1e-5 * float(row["makespan_s"]),
              shown)
    check("columns that are the same in all rows are told once",
          "kernel_model" not in column and "measured" in page.texts)
    means(page, rows)
    if has_gnuplot:
        points(page, rows)
        figures = [attributes["aria-label"] for tag, attributes in page.elements if tag == "svg"]
        check("figures over the working set and over memory",
              len(figures) == 5 and any("memory of a GPU" in f for f in figures), figures)
        check("figures keep their text", "working set: the workload's data (MB)" in "".join(page.texts))
    run("report", "good.csv", "-o", "again.html")
    check("the page is the same again", page.text == open("again.html").read())


def points(page, rows):
    """Each point of a figure tells its policy, x, y with the confidence interval, and the number of repetitions."""
    names = ("workload", "policy", "gpu_mem_bytes")
    of_first = [row for row in rows if all(row[name] == rows[0][name] for name in names)]
    speed = sum(float(row["gflops"]) for row in of_first) / 3
    tips = [html.unescape(text) for text in re.findall(r'<g class="point"><title>(.*?)</title>', page.text, re.S)]
    wanted = (rf"{rows[0]['policy']}, 100 MiB a GPU\nworking set: [\d.]+ MB\nperformance: ([\d.]+) ± [\d.e+]+ GFlop/s "
              r"\(95 % confidence\)\n3 repetitions")
    found = [float(match.group(1)) for match in map(lambda tip: re.fullmatch(wanted, tip), tips) if match]
    check("three sizes of a policy have texts", len(found) == 3, tips[:3])
    check("one has the mean of the rows", any(abs(value / speed - 1) < 1e-4 for value in found), found, speed)
    colours(rows)
    # Two policies, three sizes and two memories: a figure has 12 points, over memory of one size 4.
    check("all points have texts", len(tips) == 3 * 12 + 2 * 4, len(tips))


def colours(rows):
    """A policy has one colour on a page, also in figures of the largest workload alone, whose order of rows differs."""
    largest = [row for row in rows if row["workload"] == "cholesky:nt=8"]
    write("order.csv", [row for row in rows if row not in largest] + largest[::-1])
    run("report", "order.csv", "-o", "order.html", "--gantt", "none")
    looks = set(re.findall(r"<text>(eager|dmdas)\b.*?(rgb\(.*?\))", open("order.html").read(), re.S))
    check("a policy has one colour on a page", len(looks) == 2 and len({colour for _, colour in looks}) == 2, looks)


def means(page, rows):
    table = page.tables["table-means"]
    column = {key: i for i, key in enumerate(table[0])}
    names = ("workload", "policy", "gpu_mem_bytes")
    of_first = [float(row["makespan_s"]) for row in rows if all(row[name] == rows[0][name] for name in names)]
    mean = sum(of_first) / 3
    deviation = (sum((x - mean) ** 2 for x in of_first) / 2) ** 0.5
    half = 4.302652729911275 * deviation / 3 ** 0.5  # Student's distribution, two degrees of freedom
    shown, interval = table[1][column["makespan_s"]].split(" ± ")
    check("12 points of 3 runs", len(table) == 13 and all(line[column["runs"]] == "3" for line in table[1:]))
    check("their mean and its confidence interval", abs(float(shown) - mean) < half / 10
          and abs(float(interval) / half - 1) < 0.06,
          table[1], mean, half)


def causes(data, page, number):
    """The layer of causes equals the explanation of the run in t.json."""
    e = json.loads(run("explain", "t.json", "--format", "json", "--chain").stdout)
    check("the page has the sentences", e["summary"] in page.texts, e["summary"])
    kinds = {kind["kind"]: {cause["name"]: cause["seconds"] for cause in kind["causes"]} for kind in e["workers"]}
    waited = {kind: {} for kind in kinds}
    for worker, idle, boxes in zip(data["workers"], data["idle"], data["boxes"]):
        kind = waited["m2070" if worker.startswith("GPU") else "cpu"]
        spans, at = [], 0
        for gap, length, code in zip(*[iter(idle)] * 3):
            spans.append((at + gap, at + gap + length))
            at += gap + length
            check("nothing is merged", code < 16, code)
            kind[data["causes"][code]] = kind.get(data["causes"][code], 0) + length / 1e9
        at = 0
        for gap, length in zip(boxes[::4], boxes[1::4]):
            spans.append((at + gap, at + gap + length))
            at += gap + length
        spans.sort()
        check("workers wait or compute", all(a[1] <= b[0] for a, b in itertools.pairwise(spans)), worker)
    shared = {name.split()[-1] for name in data["workers"] if " idle " in name}  # these kinds' rows lack idle times
    for kind, seconds in kinds.items():
        wanted = {name: s for name, s in seconds.items() if name not in ("kernels", "nothing left")}
        if kind in shared:
            check(f"idle time of {kind}, of a part of its workers",
                  all(s <= wanted[name] + 1e-9 for name, s in waited[kind].items()), waited[kind], wanted)
            continue
        check(f"idle time of {kind}", waited[kind].keys() == wanted.keys()
              and all(abs(waited[kind][name] - s) < 1e-9 * len(data["workers"]) for name, s in wanted.items()),
              waited[kind], wanted)
    parts, chain, at = list(zip(*[iter(data["chain"])] * 2)), {}, 0
    for length, code in parts:
        chain[at] = (at + length, data["workers"][code // 2], code % 2)
        at += length
    check("the chain is the makespan", at == data["end"], at, data["end"])
    kernels = [link for link in e["chain"] if "worker" in link and link["cause"] in ("busy workers", "dependencies")]
    within = [any(start <= round(1e9 * link["start_s"]) and round(1e9 * link["end_s"]) <= end
                  and (worker, computes) == (link["worker"], 1) for start, (end, worker, computes) in chain.items())
              for link in kernels]
    check("its kernels are there", within and all(within), within.count(False), len(within))
    table = page.tables[f"causes-{number}"]
    check("the table has all causes of the makespan", [line[0] for line in table[1:]][:len(e["causes"])] ==
          [cause["name"] for cause in e["causes"]], table)
    for i, kind in enumerate(e["workers"]):
        shares = {cause["name"]: cause["share"] for cause in kind["causes"]}
        shown = {line[0]: float(line[3 + i]) / 100 for line in table[1:] if line[3 + i]}
        check(f"the table has {kind['kind']}", table[0][3 + i] == f"{kind['workers']} {kind['kind']} (%)"
              and shown.keys() == shares.keys() and all(abs(shown[name] - s) < 6e-5 for name, s in shares.items()),
              table, shares)


def schedules():
    """The drawn schedule equals the trace of the same run."""
    page = Page("good.html")
    rows = read("good.csv")
    of_largest = [(float(row["makespan_s"]), i) for i, row in enumerate(rows)
                  if row["workload"] == rows[-1]["workload"]]
    # ties: the first
    extremes = (min(of_largest), max(of_largest, key=lambda of: (of[0], -of[1])))
    for number, (data, (makespan_s, i)) in enumerate(zip(page.data, extremes), 1):
        data, row = json.loads(data), rows[i]
        check("best and worst", data["name"].startswith(f"row {i + 1} ("), data["name"])
        bound = ["--gpu-mem", row["gpu_mem_bytes"]] if int(row["gpu_mem_bytes"]) < 2 ** 30 else []
        run("run", "--platform", "mirage", "--workload", row["workload"], "--policy", row["policy"], "--noise", "0.05",
            *bound,
            "--seed", row["seed"], "--trace", "t.json", "--format", "csv")
        trace = json.load(open("t.json"))
        wanted = sorted((e["tid"] - 1, round(e["ts"] * 1e3), e["args"]["task"], e["name"]) for e in trace["traceEvents"]
                        if e.get("cat") == "task")
        drawn = []
        for worker, flat in enumerate(data["boxes"]):
            at = 0
            for gap, length, kernel, task in zip(*[iter(flat)] * 4):
                drawn.append((worker, at + gap, task, data["kernels"][kernel]))
                at += gap + length
        names = [e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name" and e["pid"] == 1]
        idle = len(names) - len({worker for worker, *_ in wanted})
        folded = [int(name.split()[0]) for name in data["workers"] if " idle " in name]
        check("idle workers of a kind share a row", len(data["workers"]) == len(names) - sum(folded) + len(folded)
              and sum(folded) <= idle <= sum(folded) + 2, data["workers"], idle)
        check("the schedule of the row", sorted(drawn) == wanted, sorted(drawn)[:3], wanted[:3])
        counters = {}
        for e in trace["traceEvents"]:
            if e["ph"] == "C" and e["pid"] == 4:
                counters.setdefault(e["name"], []).append((round(e["ts"] * 1e3), e["args"]["bytes_per_s"]))
        used = {name for name, samples in counters.items() if max(value for _, value in samples) > 0}
        check("links are shown, at most eight", set(data["links"]) <= used
              and len(data["links"]) == min(8, len(used)) == len(used) - data["otherLinks"] == len(data["use"]),
              data["links"], used)
        for link, flat in zip(data["links"], data["use"]):
            date = thousandths = most = 0
            for gap, more in zip(*[iter(flat)] * 2):
                date, thousandths = date + gap, thousandths + more
                most = max(most, thousandths)
                check("the use of a link is a share", 0 <= thousandths <= 1000 and gap >= 0, link, thousandths)
            check("a link has been used, and is unused in the end", most > 0 and thousandths == 0
                  and date <= data["end"], link, most, thousandths)
        check("some link is full at times", any(1000 in itertools.accumulate(flat[1::2]) for flat in data["use"]))
        causes(data, page, number)
        check("its end is the makespan", abs(data["end"] / 1e9 - makespan_s) < 1e-9, data["end"], makespan_s)


def chosen():
    rows = read("good.csv")
    run("report", "good.csv", "-o", "chosen.html", "--gantt", "3", "--gantt", rows[6]["identity"][:8], "--gantt", "3")
    names = [json.loads(data)["name"] for data in Page("chosen.html").data]
    check("rows by number and identity, each once", [name.split(" (")[0] for name in names] == ["row 3", "row 7"],
          names)
    # Models of another version, another makespan, a missing file: the page names each reason.
    rows[0]["version"] = "0.0.1+0"
    rows[1]["makespan_s"] = "0.5"
    rows[2]["workload"] = "file:gone.json"
    rows[3]["status"], rows[3]["message"] = "failed", "out of luck"
    write("changed.csv", rows)
    done = run("report", "changed.csv", "-o", "changed.html", *(w for n in "12345" for w in ("--gantt", n)), status=1)
    page = Page("changed.html")
    text = "".join(page.texts)
    for row, why in ((1, "its version is 0.0.1+0"), (2, "s now, not 0.5 s"), (3, "gone.json"),
                     (4, "it failed: out of luck")):
        lines = [line for line in done.stderr.splitlines() if f"the schedule of row {row} (" in line]
        check(f"row {row} is told", len(lines) == 1 and why in lines[0] and f"The schedule of row {row} (" in text,
              done.stderr)
    check("the others are shown", len(page.data) == 1)
    check("failed runs are told with their messages", page.tables[None][-1][:2] == ["1", "out of luck"]
          or "out of luck" in text)


def names_do_no_harm():
    rows = hostile(read("good.csv"))
    write("hostile.csv", rows)
    run("report", "hostile.csv", "-o", "hostile.html", "--gantt", "none")
    page = Page("hostile.html")
    harmless("hostile", page, 0)
    table = page.tables["table-rows"]
    policies = [line[table[0].index("policy")] for line in table[1:]]
    check("names are text", policies == [as_shown(row["policy"]) for row in rows], policies[:6])
    if has_gnuplot:
        check("in figures, too", any(tag == "svg" for tag, _ in page.elements)
              and "".join(page.texts).count("<img src=x") > len(rows) / 6)
    os.mkdir("<b>folder")
    shutil.copy("good.csv", "<b>folder/<i>&results.csv")
    run("report", "<b>folder/<i>&results.csv", "-o", "named.html", "--gantt", "none")
    harmless("a file's name", Page("named.html"), 0)
    data = open("good.csv", "rb").read().replace(b"eager", b"e\xff\xc3(\x01r")
    open("bytes.csv", "wb").write(data)
    run("report", "bytes.csv", "-o", "bytes.html", "--gantt", "none")
    harmless("bytes that are no text", Page("bytes.html"), 0)
    check("they are replaced", "e??( r" in Page("bytes.html").tables["table-rows"][1])


def many():
    """A page with 10,000 rows takes seconds."""
    rows = [dict(row, seed=str(1000 + i), identity=f"{i:06d}{row['identity'][6:]}") for i in range(278)
            for row in read("good.csv")]
    write("many.csv", rows[:10000])
    start = time.monotonic()
    run("report", "many.csv", "-o", "many.html", "--gantt", "none")
    seconds = time.monotonic() - start
    size = os.path.getsize("many.html")
    print(f"10,000 rows: {seconds:.1f} s, {size / 1e6:.1f} MB")
    check("10,000 rows make a page in seconds", seconds < 30, seconds)
    check("of some MB", size < 2e7, size)
    check("with all rows", open("many.html").read().count("<tr><td>") == 10000 + 12)


def great():
    """A schedule of 105,995 tasks is reduced to some MB with the same busy time, and the page says so."""
    run("run", "--platform", "mirage", "--workload", "cholesky:nt=85", "--policy", "dmdas", "--output", "great.csv")
    run("report", "great.csv", "-o", "great.html", "--gantt", "best")
    row, page = read("great.csv")[0], Page("great.html")
    data, size = json.loads(page.data[0]), os.path.getsize("great.html")
    boxes = sum(len(flat) // 4 for flat in data["boxes"])
    busy = sum(length * (1 if task >= 0 else -task / 1000) for flat in data["boxes"]
               for _, length, _, task in zip(*[iter(flat)] * 4))
    idle = 1 - busy / data["end"] / len(data["workers"])
    spans = sum(len(flat) // 3 for flat in data["idle"])
    waiting = sum(length * (1 - code // 16 / 1000) for flat in data["idle"]
                  for _, length, code in zip(*[iter(flat)] * 3))
    steps = len(data["chain"]) // 2
    print(f"105,995 tasks: {boxes} boxes, {spans} idle times, {steps} parts of the chain, {size / 1e6:.1f} MB")
    check("the schedule is reduced", data["merged"] == 105995 and boxes <= 100000 and size < 5e6, boxes, size)
    check("so are idle time and the chain", spans <= 50000 and 1000 < steps <= 20000
          and sum(data["chain"][::2]) == data["end"], spans, steps)
    check("idle time is explained", abs(waiting / data["end"] / len(data["workers"]) - idle) < 0.005, waiting, idle)
    check("and as idle as before", abs(idle - float(row["idle_ratio"])) < 0.002, idle, row["idle_ratio"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # Left out with sanitizers (see scripts/check): the last two would take ten times as long and cover no other
        # code.
        for test in (whole, schedules, chosen, names_do_no_harm, *(() if "EVERY" in os.environ else (many, great))):
            test()
        os.chdir("/")
    finish()


main()
