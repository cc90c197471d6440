"""Writes the machine as a platform, a folder for --platform, from the output of `platform show machine` and the kernel
times of traced runs. It is a sketch for later simulations; a calibration is more precise."""

import collections
import csv
import json
import re
import statistics

XML = """<?xml version="1.0" encoding="UTF-8"?>
<!-- Made by scripts/gpu-campaign: links as they were found before a run, kernel times as runs had them. -->
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="{name}" routing="Full">
  <prop id="summary" value="{cores} cores, {gpus} GPU (campaign)"/>
{hosts}
{links}
</zone>
</platform>
"""
GPU = '  <host id="{0}" speed="1Gf"><prop id="arch" value="{1}"/><prop id="memory" value="{2}"/></host>'
LINK = (
    '  <link id="{0}-{1}" bandwidth="{2}GBps" latency="{3}us"/>\n  <route src="{0}" dst="{1}" '
    'symmetrical="NO"><link_ctn id="{0}-{1}"/></route>')


def parse(text):
    """Parses the output of `platform show`: archs as (name, number, is an accelerator), memories, routes."""
    archs = [(m[1], int(m[2]), m[3] == "accelerator")
             for m in re.finditer(r"^  (\S+) +(\d+) +\d+  (accelerator|CPU)", text, re.M)]
    memories = {m[1]: m[2].replace(" ", "") for m in re.finditer(r"^  (GPU\d+) +([\d.]+ [KMGT]?i?B)\b", text, re.M)}
    routes = re.findall(r"^  (RAM|GPU\d+) +(RAM|GPU\d+) +([\d.]+) +([\d.]+)", text, re.M)
    return archs, memories, routes


def write_xml(path, name, text):
    archs, memories, routes = parse(text)
    gpu, cores = next(a for a in archs if a[2]), sum(n for _, n, accelerator in archs if not accelerator)
    first = {"GPU0": memories["GPU0"]}
    hosts = [GPU.format(g, gpu[0], memory) for g, memory in first.items()]
    hosts += [f'  <host id="CPU{i}" speed="1Gf" core="{n}"><prop id="arch" value="{arch}"/></host>'
              for i, (arch, n, accelerator) in enumerate(archs) if not accelerator]
    hosts.append('  <host id="RAM" speed="1f"><prop id="role" value="memory"/></host>')
    links = [LINK.format(*route) for route in routes if {route[0], route[1]} == {"RAM", "GPU0"}]
    path.write_text(XML.format(name=name, cores=cores, gpus=1, hosts="\n".join(hosts), links="\n".join(links)),
                    encoding="utf-8")
    return gpu[0], next(a[0] for a in archs if not a[2])


def durations(trace, precision, gpu, cpu):
    """The durations in a trace, in microseconds, by (kernel, arch, size, precision)."""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"
             and e["pid"] == 1}
    found = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X" and e["cat"] == "task":
            arch = gpu if names[e["tid"]].startswith("GPU") else cpu
            found[e["name"], arch, e["args"]["size"], precision].append(e["dur"])
    return found


def write(folder, name):
    """Writes the platform. Returns false if the traces or platform.txt do not exist yet."""
    traces = sorted(folder.glob("trace-*.json"))
    if not traces or not (folder / "platform.txt").exists():
        return False
    target = folder / name
    target.mkdir(exist_ok=True)
    gpu, cpu = write_xml(target / "platform.xml", name, (folder / "platform.txt").read_text(encoding="utf-8"))
    with (target / "kernels.csv").open("w", encoding="utf-8", newline="") as f:
        rows = csv.writer(f, lineterminator="\n")
        rows.writerow(["kernel", "arch", "cores", "size", "precision", "mean_us", "stddev_us", "samples", "note"])
        for trace in traces:
            for key, us in sorted(durations(trace, trace.stem[-1], gpu, cpu).items()):
                rows.writerow([key[0], key[1], 1, *key[2:], f"{statistics.mean(us):.6g}",
                               f"{statistics.pstdev(us):.6g}", len(us),
                               f"in the run of {trace.name}"])
    return True
