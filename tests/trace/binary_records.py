#!/usr/bin/env python3
"""Binary records (docs/reference/traces.md) hold what records as text hold: each becomes the other to the byte, and all
commands print the same of both. A damaged one is refused with one line, which names the file and the byte.

Usage: binary_records.py COMMAND"""

import gzip
import os
import random
import re
import subprocess
import sys
import tempfile

MAGIC = b"\x89TWB\r\n\x1a\n"
KINDS = ("submit", "ready", "assign", "start", "end", "release", "transfer_start", "transfer_end", "alloc", "free",
         "valid", "invalid", "cancel", "join")
FIELDS = dict(zip(KINDS, ("t", "tr", "twn", "twn", "twn", "twn", "dfnboc", "dfnboc", "dnobc", "dnobc", "dn", "dn",
                          "twn", "twn")))
CAUSES = ("demand", "prefetch", "idle", "eviction")
MIRAGE = "--platform mirage --policy dmdas"
RUNS = {
    "evictions": f"{MIRAGE} --workload cholesky:nt=8:nb=960 --gpu-mem 40MiB",
    "cancelled": f"{MIRAGE} --workload cholesky:nt=12:nb=960 --policy heteroprio_types --engine simgrid",
    "reductions": f"{MIRAGE} --workload reduction:n=40:shots=100:bytes=80000 --policy eager --extrapolate",
    "names": f"{MIRAGE} --workload cholesky:nt=4:nb=960 --runtime starpu:link_shares=equal",
    "parallel": f"{MIRAGE} --workload cholesky:nt=6:nb=960 --policy parallel_heft --max-parallelism 9 --extrapolate",
    "real": "--engine real --policy dmdas --emulate gpus=2:bandwidth=100MB/s:mem=1MiB --cpus 1 --check none "
            "--workload cholesky:nt=6:nb=64",
}
SIMULATED = ("evictions", "cancelled", "reductions", "names", "parallel")
N_DAMAGED = max(10, 150 // int(os.environ.get("EVERY", "1")))


def to_text(data):
    """The record as text, of a binary one."""
    assert data.startswith(MAGIC)
    head, rest = data[len(MAGIC):].split(b"\nbinary,1\n", 1)
    lines, at, date, known_bytes = [], 0, 0, 0

    def number():
        nonlocal at
        n = shift = 0
        while True:
            n |= (rest[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if rest[at - 1] < 128:
                return n

    while rest[at] != 15:
        first, at = rest[at], at + 1
        kind = KINDS[first & 15]
        date += 0 if first & 64 else number()
        line = [kind, date]
        for field in FIELDS[kind]:
            if field == "c":
                line.append(CAUSES[first >> 4 & 3])
            elif field == "b":
                known_bytes = known_bytes if first & 128 else number()
                line.append(known_bytes)
            else:
                line.append(number() - (field != "o"))
        lines.append(",".join(map(str, line)))
    return head + b"\n" + "".join(line + "\n" for line in lines).encode() + rest[at + 1:]


def to_binary(text):
    """The binary record, of one as text."""
    head, events, date, known_bytes = [], bytearray(), 0, 0

    def put(n):
        while n > 127:
            events.append(n & 127 | 128)
            n >>= 7
        events.append(n)

    lines = text.decode().splitlines()
    for line in lines[:-1]:
        kind, *fields = line.split(",")
        if kind not in KINDS:
            head.append(line)
            continue
        place, first = len(events), KINDS.index(kind)
        events.append(0)
        if int(fields[0]) == date:
            first |= 64
        else:
            put(int(fields[0]) - date)
        date = int(fields[0])
        for letter, field in zip(FIELDS[kind], fields[1:]):
            if letter == "c":
                first |= CAUSES.index(field) << 4
            elif letter == "b" and int(field) == known_bytes:
                first |= 128
            else:
                put(int(field) + (letter not in "bo"))
            known_bytes = int(field) if letter == "b" else known_bytes
        events[place] = first
    return MAGIC + "\n".join(head).encode() + b"\nbinary,1\n" + bytes(events) + b"\x0f" + lines[-1].encode() + b"\n"


def put_file(path, data):
    with open(path, "wb") as file:
        file.write(data)


def get_file(path):
    with open(path, "rb") as file:
        return file.read()


def call(command, *words, folder=None):
    return subprocess.run([command, *words], capture_output=True, timeout=300, check=False, cwd=folder)


def same_outputs(command, folder, text, binary):
    """The commands that tell something else of the binary record. Both have one name, which some commands print."""
    calls = {"validate": ["validate", "t.record"], "explain": ["explain", "t.record"],
             "JSON": ["explain", "--format", "json", "--chain", "t.record"], "diff": ["diff", text, "t.record"],
             "gantt": ["plot", "gantt", "t.record", "-o", "out.gp", "--explain"],
             "order": ["plot", "order", "t.record", "-o", "out.gp"]}
    different, places = [], [os.path.join(folder, name) for name in ("as-text", "as-bytes")]
    for place, path in zip(places, (text, binary)):
        os.makedirs(place, exist_ok=True)
        put_file(os.path.join(place, "t.record"), get_file(path))
    for name, words in calls.items():
        told = []
        for place in places:
            figure = os.path.join(place, "out.gp")
            ended = call(command, *words, folder=place)
            told.append((ended.returncode, ended.stdout, ended.stderr,
                         get_file(figure) if os.path.exists(figure) else None))
        if told[0] != told[1] or told[0][0] != 0 and name != "order":
            different.append(name)
    return different


def damage(r, data):
    """Damaged bytes; most damages are among the events."""
    data = bytearray(data)
    first = 0 if r.random() < 0.1 else data.index(b"\nbinary,1\n")
    for _ in range(r.choice([1, 1, 2, 20])):
        at, how = r.randrange(first, len(data)), r.randrange(5)
        if how == 0:
            data[at] = r.randrange(256)
        elif how == 1:
            data[at] ^= 1 << r.randrange(8)
        elif how == 2:
            del data[at:at + r.randint(1, 9)]
        elif how == 3:
            data[at:at] = bytes(r.choice((255, 128, 15, 0)) for _ in range(r.randint(1, 12)))
        else:
            del data[at:]
        if len(data) <= first:
            break
    return bytes(data)


def fault_of(command, path, *words):
    """What is wrong with how the command takes a damaged file, and whether it refuses it."""
    ended = call(command, *words, path)
    lines = [line for line in ended.stderr.decode(errors="replace").splitlines() if "warning: " not in line]
    if ended.returncode == 0 and not lines:
        return None, False
    if ended.returncode not in (1, 2) or len(lines) != 1 or not lines[0].startswith(f"tilewright: {path}:"):
        return f"exit status {ended.returncode}: {lines}", True
    return None, True


def damaged(command, folder, name, data):
    r, failed, refused = random.Random(name), 0, 0
    path = os.path.join(folder, "damaged.twb")
    for case in range(N_DAMAGED):
        put_file(path, damage(r, data))
        for words in (["validate"], ["explain"]):
            fault, is_refused = fault_of(command, path, *words)
            refused += is_refused
            failed += fault is not None
            if fault:
                print(f"{name}: case {case}: {words}: {fault}")
    return failed + (refused < N_DAMAGED)


def hostile(command, folder, data):
    """Bytes that the head of a good record is not followed by, and what the message must have."""
    head = data[:data.index(b"\nbinary,1\n") + len(b"\nbinary,1\n")]
    at, total = len(head), b"\x0ftotal,1\n"
    nines, fulls = b"\xff" * 9, b"\xff" * 8 + b"\x7f"
    cases = [
        (head, f"byte {at}: the events are cut off"),
        (head + b"\x46\x01", f"byte {at}: the events are cut off"),
        (head + b"\x40\x80", f"byte {at}: the events are cut off"),
        (head + b"\x4f" + total, f"byte {at}: expected a kind of event"),
        (head + b"\x50\x01" + total, f"byte {at}: expected a kind of event with a cause or bytes"),
        (head + b"\xc0\x01" + total, f"byte {at}: expected a kind of event with a cause or bytes"),
        (head + b"\x00" + nines + b"\x01\x01" + total, f"byte {at}: expected nanoseconds since the event before"),
        (head + b"\x00" + fulls + b"\x01" + total, f"byte {at}: expected nanoseconds since the event before"),
        (head + b"\x40" + fulls + total, f"byte {at}: expected the number of a task"),
        (head + b"\x40\x81\x80\x80\x80\x08" + total, f"byte {at}: expected the number of a task"),
        (head + b"\x42\x01\x81\x80\x02\x01" + total, f"byte {at}: expected the number of a worker"),
        (head + b"\x40\x00" + total, "names task -1, which the run does not have"),
        (head + b"\x40\x01" + b"\x0ftotal,2\n",
         f"byte {at + 3}: the section has 1 events, but says that it has 2"),
        # events in several parts
        (head + b"\x0fbinary,1\n\x40\x01\x0ftotal,2\n", "the section has 1 events, but says that it has 2"),
        (head + b"\x40\x01\x0fsubmit,0,0\ntotal,3\n", "the section has 2 events, but says that it has 3"),
        (head + b"\x40\x01\x0fbinary,1\n\x40\x01\x0ftotal,3\n", "the section has 2 events, but says that it has 3"),
        (head.replace(b"\nbinary,1", b"\nsubmit,0,0\nbinary,1") + b"\x40\x01\x0ftotal,3\n",
         "the section has 2 events, but says that it has 3"),
        (head + b"\x40\x01\x0f", f"byte {at + 3}: the run section has no last line"),
        (head.replace(b"binary,1", b"binary,2"), "'binary': expected an event or another line"),
        (MAGIC, "byte 8: the run section has no last line"),
        (MAGIC + b"tilewright,2\n", "byte 8: version 2 of the run section: expected 1"),
        (head.replace(b"\nmakespan,", b"\nmakespan,-"), "expected nanoseconds"),
    ]
    failed = 0
    for number, (bytes_, message) in enumerate(cases):
        path = os.path.join(folder, "hostile.twb")
        put_file(path, bytes_)
        ended = call(command, "validate", path)
        text = ended.stderr.decode(errors="replace")
        text = re.sub(r"(?m)^tilewright: warning: .*\n", "", text)
        if ended.returncode not in (1, 2) or not text.startswith(f"tilewright: {path}: ") or message not in text or \
                text.count("\n") != 1:
            print(f"hostile {number}: exit status {ended.returncode}: {text!r}: expected {message!r}")
            failed += 1
    return failed


def main():
    command, failed = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in RUNS.items():
            text, binary = (os.path.join(folder, f"{name}.{ending}") for ending in ("record", "twb"))
            made = [[*words.split(), "--trace", path] for path in (text, binary)]
            if subprocess.run([command, "run", *made[0]], stdout=subprocess.DEVNULL, check=False).returncode:
                print(f"{name}: the run failed")
                failed += 1
                continue
            put_file(binary, to_binary(get_file(text)))
            if to_text(get_file(binary)) != get_file(text):
                print(f"{name}: the record as text is not what it was")
                failed += 1
            if name in SIMULATED:  # which give the same record again
                ours = get_file(binary)
                subprocess.run([command, "run", *made[1]], stdout=subprocess.DEVNULL, check=True)
                if get_file(binary) != ours:
                    print(f"{name}: the command writes other bytes than the documentation says")
                    failed += 1
            different = same_outputs(command, folder, text, binary)
            for ending in (".twb", ".twb.gz", ".record.gz", ".csv", ".json", ""):
                path = os.path.join(folder, f"{name}-other{ending}")
                data = get_file(binary)
                put_file(path, gzip.compress(data) if path.endswith(".gz") else data)
                different += [ending or "no ending"] if call(command, "validate", path).returncode else []
            if different:
                print(f"{name}: not as the record as text: {', '.join(different)}")
                failed += 1
            failed += damaged(command, folder, name, get_file(binary))
        failed += hostile(command, folder, get_file(os.path.join(folder, "names.twb")))
    print(f"binary records: {len(RUNS)} runs, {N_DAMAGED * len(RUNS)} damaged ones, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
