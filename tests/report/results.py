"""Results for the tests of pages: successful runs, failed runs, and names with HTML and control characters."""

import csv
import html.parser
import os
import subprocess
import sys

TILEWRIGHT = os.path.abspath(sys.argv[1])

HOSTILE = [
    "</script><script>broken()</script>",
    "\"><img src=x onerror=broken()>",
    "' onmouseover='broken()",
    "<!-- &lt; &amp; </td></table></svg>",
    "]]><svg onload=broken()>",
    "\u202eback\u2028line {{x}} ${broken()} \\u003c",
]


def as_shown(name):
    """The name as a page shows it, without the character that would change the direction of writing of all later
    text."""
    return name.replace("\u202e", "?")


failures = 0


def check(what, holds, *shown):
    global failures
    if not holds:
        failures += 1
        print("fails:", what, *(str(one)[:2000] for one in shown))


def run(*words, status=0):
    done = subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True, errors="replace")
    check(f"{' '.join(words[:3])} ends with {status}", done.returncode == status, done.returncode, done.stderr)
    return done


def sweep(path, *words):
    run("sweep", "--platform", "mirage", "--policy", "eager,dmdas", "--repeat", "3", "--noise", "0.05", "--quiet",
        "--jobs", "2",
        "--output", path, *words)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, rows[0], lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def hostile(rows):
    """Replaces names in the rows of successful and failed runs by hostile ones."""
    for i, row in enumerate(rows):
        row["policy"] = HOSTILE[i % len(HOSTILE)]
        row["counters"] = HOSTILE[(i + 1) % len(HOSTILE)].replace(";", "") + "=1"
        row["kernel_model"] = HOSTILE[(i + 2) % len(HOSTILE)]
        if i % 5 == 4:
            row["status"] = "failed"
            row["message"] = HOSTILE[i % len(HOSTILE)] + " failed"
            row["makespan_s"] = row["gflops"] = ""
    return rows


class Page(html.parser.HTMLParser):
    """Parses a page: its elements, whether they are closed in order, and the contents of its tables."""

    VOID = {"meta", "input", "br", "link", "img"}

    def __init__(self, path):
        super().__init__()
        self.elements, self.open, self.texts, self.scripts, self.data = [], [], [], [], []
        self.tables, self.row = {}, None
        self.balanced = True
        self.text = open(path, encoding="utf-8").read()
        self.feed(self.text)
        self.close()
        self.balanced = self.balanced and not self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag == "table":
            self.tables[attributes.get("id")] = self.table = []
        elif tag == "tr":
            self.table.append([])
        elif tag in ("td", "th"):
            self.table[-1].append("")
        if tag not in self.VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.balanced = False

    def handle_data(self, data):
        tag, attributes = self.open[-1] if self.open else ("", {})
        if tag == "script":
            (self.data if attributes.get("type") else self.scripts).append(data)
            return
        self.texts.append(data)
        if any(name in ("td", "th") for name, _ in self.open):
            self.table[-1][-1] += data


def finish():
    print(f"{failures} failed")
    sys.exit(failures > 0)
