#!/usr/bin/env python3
"""Tests the page in a real browser: tables sort and filter, schedules zoom, and there are no errors.

    tests/report/browser.py TILEWRIGHT

Exit status 77 (skipped): Chromium is not installed."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from results import as_shown, check, finish, hostile, read, run, sweep, write

HERE = os.path.dirname(os.path.abspath(__file__))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
COMMON = os.path.join(HERE, "driver_common.js")
spent = []


def chromium(*words):
    with tempfile.TemporaryDirectory() as profile:
        start = time.monotonic()
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                               "--no-first-run",
                               "--enable-logging=stderr", "--window-size=1400,1000", f"--user-data-dir={profile}",
                               *words],
                              capture_output=True, text=True, errors="replace", timeout=200)
        spent.append(time.monotonic() - start)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    check("the browser ends well", done.returncode == 0, done.stderr[-1000:])
    check("nothing on the console", not console, console)
    return done.stdout


def drive(page, driver):
    """The results of the driver, a script that is added to the end of the page. The page's content security policy
    stays in force, and allows the driver."""
    text = open(page, encoding="utf-8").read()
    scripts = [open(COMMON).read(), open(os.path.join(HERE, driver)).read()]
    digests = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    text = text.replace("script-src ", f"script-src {digests} ", 1)
    text = text.replace("<style>", f"<script>{scripts[0]}</script><style>", 1)
    text = text.replace("</body>", f"<script>{scripts[1]}</script></body>", 1)
    with open("driven.html", "w", encoding="utf-8") as out:
        out.write(text)
    dump = chromium("--dump-dom", "driven.html")
    verdict = re.search(r'<template id="verdict">(.*?)</template>', dump, re.S)
    check(f"{driver} comes to its end", verdict, dump[-500:])
    if not verdict:
        finish()
    found = json.loads(base64.b64decode(verdict.group(1)))
    check(f"{driver} finds nothing that fails", found.get("problems") == [], found.get("problems"))
    return found


def tables(rows):
    found = drive("good.html", "driver_tables.js")
    by_makespan = sorted((float(row["makespan_s"]) for row in rows))
    check("all rows, at first", found["start"]["count"] == f"{len(rows)} of {len(rows)} rows", found["start"])
    check("a click on a head sorts", [float(x) for x in found["up"]] == by_makespan, found["up"][:5])
    check("another turns it round", [float(x) for x in found["down"]] == by_makespan[::-1], found["down"][:5])
    check("a third gives the file's order back", found["third"] == found["start"]["numbers"])
    check("nt=10 comes behind nt=4",
          list(dict.fromkeys(found["workloads"])) == ["cholesky:nt=4", "cholesky:nt=6", "cholesky:nt=10"],
          found["workloads"][:3])
    check("heads tell how rows are sorted", found["aria"] == ["ascending", "descending", "none"], found["aria"])

    def numbers(keep):
        return [str(i + 1) for i, row in enumerate(rows) if keep(row)]

    for what, keep in (
            ("dm above policy", lambda r: "dm" in r["policy"]),
            ("=eager above policy", lambda r: r["policy"] == "eager"),
            ("!~dm above policy", lambda r: "dm" not in r["policy"]),
            ("100MiB above gpu_mem_bytes", lambda r: r["gpu_mem_bytes"] == "104857600"),
            ("0.05..0.2 above makespan_s", lambda r: 0.05 <= float(r["makespan_s"]) <= 0.2),
            ("nonsense after >", lambda r: True),
            ("a word", lambda r: "nt=10" in r["workload"]),
            ("policy=dmdas,lws", lambda r: r["policy"] == "dmdas"),
            ("two conditions", lambda r: r["policy"] != "eager" and float(r["makespan_s"]) < 0.1),
            ("a quoted workload", lambda r: r["workload"] == "cholesky:nt=6"),
            ("the link of a point", lambda r: all(r[k] == rows[0][k] for k in ("workload", "policy", "gpu_mem_bytes"))),
            ("the link of failures", lambda r: r["status"] != "ok"),
            ("cleared", lambda r: True)):
        shown = found["filters"].get(what)
        check(f"filter: {what}", shown == numbers(keep), shown, numbers(keep))
    check("what is no condition is marked", found["marked"] == [True, False], found["marked"])
    check("columns are hidden and shown", found["hidden"] == ["none", "table-cell"], found["hidden"])
    check("means are told", found["means"] == 12, found["means"])


def schedules():
    found = drive("good.html", "driver_gantt.js")
    check("two charts", found["charts"] == 2, found["charts"])
    ticks = found["ticks"]
    check("the axis tells its unit", found["unit"].startswith("time ("), found["unit"])
    check("zoom in: other ticks", ticks["zoomed"] != ticks["start"]
          and found["spans"]["zoomed"] * 2 == found["spans"]["start"], ticks, found["spans"])
    check("later: other ticks", ticks["later"] != ticks["zoomed"], ticks)
    check("whole: as at first", ticks["whole"] == ticks["start"], ticks)
    check("the wheel zooms", found["spans"]["wheel"] < found["spans"]["start"], found["spans"])
    check("without Ctrl or focus it does not", found["spans"]["unasked"] == found["spans"]["start"], found["spans"])
    check("keys zoom and pan", found["spans"]["key"] * 2 == found["spans"]["start"] and found["from"]["key"] > 0,
          found["spans"])
    check("dragging pans", found["from"]["dragged"] > found["from"]["key"], found["from"])
    check("marking zooms", found["spans"]["marked"] < found["spans"]["start"] / 2, found["spans"])
    check("the tooltip tells task, kernel, worker, times", re.fullmatch(found["wanted"], found["tip"]), found["tip"],
          found["wanted"])
    check("below, it tells the memory used",
          re.fullmatch(r"[\d.]+ .?s(\n(GPU\d|RAM): [\d.]+ ([KMG]iB|B))+", found["memory"]), found["memory"])
    check("below that, it tells the use of a link",
          re.fullmatch(r"[\d.]+ .?s\n" + found["links"][0] + r": [\d.]+ % of what it can pass", found["link"]),
          found["link"])
    check("links have means and are drawn", found["means"] == len(found["links"]) == 8 and found["drawn"] > 1000,
          found["means"], found["drawn"])
    check("a task is found", found["task"].startswith("task 5: "), found["task"])
    check("full stop goes on to the next task", found["next"].startswith("task ") and found["next"] != found["task"],
          found["next"])
    check("idle time has colours, while causes are shown", found["causes"]["shown"] > 1000
          and found["causes"]["hidden"] == 0 and found["causes"]["again"] == found["causes"]["shown"], found["causes"])
    check("the chain is drawn, while causes are shown", found["chain"]["shown"] > 500 and found["chain"]["hidden"] < 50,
          found["chain"])
    check("legends, too", found["legend"] == {"shown": True, "hidden": False, "again": True}, found["legend"])
    check("the tooltip tells the cause of idle time", re.fullmatch(found["idleWanted"], found["idle"])
          and found["idleHidden"] == "", found["idle"], found["idleWanted"])
    check("it tells which kernels are critical", found["critical"].endswith("\non the critical chain"),
          found["critical"])
    check("something is drawn in several colours", found["colours"] >= 4, found["colours"])
    check("busy shares are told", found["busy"] == found["rows"], found["busy"], found["rows"])


def without_scripts(rows):
    text = re.sub(r"<script>.*?</script>", "", open("good.html", encoding="utf-8").read(), flags=re.S)
    with open("plain.html", "w", encoding="utf-8") as out:
        out.write(text)
    dump = chromium("--dump-dom", "plain.html")
    check("without scripts, all rows and means are there", dump.count("<tr><td>") == len(rows) + 12,
          dump.count("<tr><td>"))
    check("and workers of schedules as tables", dump.count("<th scope=\"row\">GPU0</th>") == 2)
    check("and causes", dump.count("<th scope=\"row\">dependencies</th>") == 2
          and dump.count("<p class=\"why\">In ") == 2)
    check("and links", dump.count("<th scope=\"row\">host</th>") == 2)


def names_do_no_harm(rows):
    write("hostile.csv", hostile(rows))
    run("report", "hostile.csv", "-o", "hostile.html", "--gantt", "1", status=1)
    found = drive("hostile.html", "driver_hostile.js")
    check("names are text", found.get("policies") == [as_shown(row["policy"]) for row in hostile(rows)], found)
    check("no element has come of them", found.get("images") == 0 and found.get("scripts") == 8, found)


def many(rows):
    more = [dict(row, seed=str(1000 + i), identity=f"{i:06d}{row['identity'][6:]}") for i in range(278) for row in rows]
    write("many.csv", more[:10000])
    run("report", "many.csv", "-o", "many.html", "--gantt", "none")
    found = drive("many.html", "driver_many.js")
    check("10,000 rows", found["count"].startswith("10,000 of 10,000 rows"), found)
    some = sum(row["policy"] == "dmdas" for row in more[:10000])
    check("are sorted and filtered", found["least"] == min(float(row["makespan_s"]) for row in rows) and
          found["filtered"].startswith(f"{some:,} of 10,000"), found)
    print(
        f"10,000 rows in the browser: {spent[-1]:.1f} s; sorting {found['sort_ms']:.0f} ms, filtering "
        f"{found['filter_ms']:.0f} ms")
    check("in seconds", spent[-1] < 60, spent[-1])


def narrow():
    """On a telephone of 390 pixels the page does not scroll sideways: figures and tables do, in their boxes. Texts of
    figures stay as large as they can be read."""
    with open("frame.html", "w", encoding="utf-8") as out:
        out.write("""<body><iframe src="good.html" style="width: 390px; height: 2000px; border: 0"></iframe><script>
            const frame = document.querySelector("iframe");
            frame.onload = () => setTimeout(() => {
                const page = frame.contentDocument, text = page.querySelector(".figures svg text");
                const boxes = [...page.querySelectorAll(".figures figure, .wide, .plot, .controls, .schedule")];
                const spans = [...page.querySelectorAll(".plot span")];
                const cut = spans.filter((span) => span.scrollWidth > span.clientWidth);
                const kept = ["means", "rows"].map((name) => {
                    const table = page.getElementById(`table-${name}`), box = table.parentElement;
                    const at = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === "policy");
                    box.scrollLeft = 10000;
                    const cell = table.tBodies[0].rows[0].cells[at].getBoundingClientRect();
                    const edges = box.getBoundingClientRect();
                    return box.scrollLeft > 300 && cell.left >= edges.left && cell.right < edges.left + 200;
                });
                frame.style.height = "844px";
                page.getElementById("rows").scrollIntoView();
                const heading = page.querySelector("#rows h2").getBoundingClientRect().top;
                const above = page.querySelector("header").getBoundingClientRect().bottom;
                document.body.innerHTML = `<pre>${JSON.stringify({
                    width: page.scrollingElement.scrollWidth, boxes: boxes.length,
                    widest: Math.max(...boxes.map((box) => box.getBoundingClientRect().right)),
                    letters: text.getBoundingClientRect().height,
                    cut: cut.map((span) => span.textContent), kept, isCovered: heading < above})}</pre>`;
            }, 1000);</script>""")
    dump = chromium("--dump-dom", "--allow-file-access-from-files", "--virtual-time-budget=8000", "frame.html")
    verdict = re.search(r"<pre>(.*?)</pre>", dump)
    check("the narrow page is there", verdict, dump[-500:])
    found = json.loads(verdict.group(1)) if verdict else {"width": 0, "boxes": 0, "widest": 0, "letters": 0}
    check("it does not scroll sideways", 0 < found["width"] <= 390, found)
    check("its boxes are inside", found["boxes"] > 10 and found["widest"] <= 390, found)
    check("its figures can be read", found["letters"] >= 8, found)
    check("no label of a schedule is cut", found.get("cut") == [], found)
    check("rows keep their policy in sight when tables scroll", found.get("kept") == [True, True], found)
    check("the head of the page does not cover a heading", found.get("isCovered") is False, found)


def picture():
    chromium("--screenshot=page.png", "--hide-scrollbars", "good.html")
    check("the page can be looked at", open("page.png", "rb").read(4) == b"\x89PNG"
          and os.path.getsize("page.png") > 20000)


def main():
    if not CHROMIUM:
        print("skipped: Chromium is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep("good.csv", "--workload", "cholesky", "--nt", "10,4,6", "--gpu-mem", "100MiB,none")
        rows = read("good.csv")
        rows[-1]["status"], rows[-1]["message"] = "failed", "out of luck"
        write("good.csv", rows)
        run("report", "good.csv", "-o", "good.html")
        rows = read("good.csv")
        tables(rows)
        schedules()
        without_scripts(rows)
        picture()
        narrow()
        names_do_no_harm(read("good.csv"))
        many(rows)
        os.chdir("/")
    print(
        f"the browser was started {len(spent)} times, {sum(spent):.1f} s in all: "
        f"{', '.join(f'{s:.1f}' for s in spent)}")
    finish()


main()
