#!/usr/bin/env python3
"""`tilewright validate` names the rule that a trace breaks. Each way changes one record of the run section of a good
trace, or a record and the one that must come with it. There is a way for each rule, and for each message of a rule that
one change can cause.

Usage: broken_traces.py COMMAND"""

import os
import re
import sys
import tempfile

from run_sections import FORMATS, make, read, validate, write

RUNS = {
    "evictions": "--engine native --platform mirage --workload cholesky:nt=6:nb=960 --policy dmdas --gpus 2 --cpus 2 "
                 "--gpu-mem 20MiB --runtime ideal",
    "outputs": "--engine native --platform mirage --workload stencil:dims=3:precision=b:nx=128:ny=128:nz=1024:blocks=8"
               ":iterations=3 --policy eager --gpus 2 --cpus 0 --gpu-mem 200MiB --extrapolate",
    "reductions": "--engine native --platform mirage --workload reduction:n=24:shots=100:bytes=80000 --policy eager "
                  "--gpus 3 --cpus 0 --gpu-mem 40MiB --extrapolate",
    "cancelled": "--engine native --platform mirage --workload cholesky:nt=12:nb=960 --policy heteroprio_types",
    "real": "--engine real --platform machine --workload cholesky:nt=6:nb=128 --policy eager --cpus 1 --check none "
            "--emulate gpus=2:bandwidth=20MB/s:latency=10us",
}
MOST_TRIES = 400
TASK_EVENTS = ("assign", "start", "end", "release", "cancel")
ELSEWHERE = "1000000"


class Record:
    """The lines of a section: fields of events in the order of the record, and the other lines."""

    def __init__(self, lines):
        kinds = (*TASK_EVENTS, "submit", "ready", "transfer_start", "transfer_end", "alloc", "free", "valid", "invalid")
        self.head = [line for line in lines if line.split(",")[0] not in kinds and not line.startswith("total,")]
        self.events = [line.split(",") for line in lines if line.split(",")[0] in kinds]

    def lines(self):
        return [*self.head, *(",".join(event) for event in self.events), f"total,{len(self.events)}"]

    def copy(self):
        other = Record([])
        other.head, other.events = list(self.head), [list(event) for event in self.events]
        return other

    def of(self, *kinds):
        """Indices of the events of these kinds."""
        return [i for i, event in enumerate(self.events) if event[0] in kinds]

    def other(self, i, kind):
        """The event of that kind for the same task as event i; or, for transfers, with the same number."""
        key = 6 if self.events[i][0].startswith("transfer") else 2
        return next((j for j in self.of(kind) if self.events[j][key] == self.events[i][key]), None)

    def arrival(self, end):
        """The event `valid` that follows the end of a transfer at its date."""
        _, date, data, _, node = self.events[end][:5]
        return next((j for j in self.of("valid") if self.events[j][1:] == [date, data, node]), None)

    def move(self, i, date):
        """Gives an event another date, behind the events of that date."""
        event = self.events.pop(i)
        event[1] = str(max(date, 0))
        place = next((j for j, e in enumerate(self.events) if int(e[1]) > date), len(self.events))
        self.events.insert(place, event)


def date(event):
    return int(event[1])


# --- ways: generators of broken records -----------------------------------------------------------------------------


def without(*kinds):
    def ways(record):
        for i in record.of(*kinds):
            broken = record.copy()
            del broken.events[i]
            yield broken
    return ways


def last_without(kind):
    def ways(record):
        for i in reversed(record.of(kind)):
            broken = record.copy()
            del broken.events[i]
            yield broken
    return ways


def twice(*kinds):
    def ways(record):
        for i in record.of(*kinds):
            broken = record.copy()
            broken.events.insert(i, list(broken.events[i]))
            yield broken
    return ways


def with_field(kind, field, change):
    """Another value in a field of an event: change(record, event)."""
    def ways(record):
        for i in record.of(kind):
            broken = record.copy()
            value = change(record, broken.events[i])
            if value is not None:
                broken.events[i][field] = str(value)
                yield broken
    return ways


def moved(kind, to):
    """Another date: to(record, i)."""
    def ways(record):
        for i in record.of(kind):
            when = to(record, i)
            if when is not None and when >= 0:
                broken = record.copy()
                broken.move(i, when)
                yield broken
    return ways


def end_of_transfer_moved(by):
    """The end of a transfer and the copy that becomes valid then, at another date: by(record, start, end)."""
    def ways(record):
        for i in record.of("transfer_end"):
            start, arrival = record.other(i, "transfer_start"), record.arrival(i)
            when = by(record, record.events[start], record.events[i])
            if arrival is not None and when is not None:
                broken = record.copy()
                pair = broken.events[i], broken.events[arrival]
                for event in pair:
                    broken.move(next(j for j, e in enumerate(broken.events) if e is event), when)
                yield broken
    return ways


def started_at_the_end(record):
    """One more transfer, which starts when the run is over."""
    for i in reversed(record.of("transfer_start")):
        broken = record.copy()
        event = list(broken.events[i])
        event[1], event[6] = broken.events[-1][1], ELSEWHERE
        broken.events.append(event)
        yield broken


def head_line(pattern, to):
    def ways(record):
        for i, line in enumerate(record.head):
            if re.match(pattern, line):
                broken = record.copy()
                broken.head[i] = to(line)
                yield broken
    return ways


def of_another_version(line_dropped):
    """The times of the trace count, as another version wrote it; one is missing."""
    def ways(record):
        for line in record.head:
            if re.match(line_dropped, line):
                broken = record.copy()
                broken.head = [re.sub("^made_by,[^,]*", "made_by,other", l) for l in record.head if l != line]
                yield broken
    return ways


# --- dates and places ------------------------------------------------------------------------------------------------


def after_submission(record, i):
    return date(record.events[record.other(i, "submit")])


def before_end_of_previous_kernel(record, i):
    worker = record.events[i][3]
    before = [date(e) for e in record.events[:i] if e[0] == "end" and e[3] == worker]
    return max(before) - 1 if before else None


def while_it_is_read(record, i):
    """Within a kernel that runs in the same memory."""
    node, when = record.events[i][3], date(record.events[i])
    starts = [date(e) for e in record.events if e[0] == "start" and e[4] == node and date(e) < when]
    return max(starts) + 1 if starts else None


def earlier_by(ns):
    return lambda record, i: date(record.events[i]) - ns


def alone(record, start, end):
    """The end of a transfer if it were alone: that of the fastest transfer between the memories."""
    times = [date(record.events[record.other(i, "transfer_end")]) - date(record.events[i])
             for i in record.of("transfer_start") if record.events[i][3:6] == start[3:6]]
    when = date(start) + min(times)
    return when if when < date(end) - 1000 else None


def capacity(record, node):
    memories = [line.split(",")[2] for line in record.head if line.startswith("memory,")]
    return None if memories[int(node)] == "none" else int(memories[int(node)])


def place_of_another(record, event):
    other = next((e for e in record.events if e[0] == "alloc" and e[3] == event[3] and e[2] != event[2]), None)
    return other[4] if other and other[4] != event[4] else None


WAYS = [
    ("evictions", "once", "is submitted a second time", twice("submit")),
    ("evictions", "once", "is released a second time", twice("release")),
    ("evictions", "once", "is assigned before its previous step", without("ready")),
    ("evictions", "once", "is ready before its previous step", without("submit")),
    ("evictions", "once", r"is started on \S+ but was assigned to \S+",
     with_field("start", 3, lambda r, e: 3 - int(e[3]))),
    ("evictions", "once", "is ended in memory 2, which is not that of", with_field("end", 4, lambda r, e: 2)),
    ("evictions", "once", "the event 'submit' names task 1000000, which",
     with_field("submit", 2, lambda r, e: ELSEWHERE)),
    ("evictions", "once", "the event .* names task 1000000, which",
     with_field("assign", 2, lambda r, e: ELSEWHERE)),
    ("evictions", "once", "the event 'assign' names worker 4, which",
     with_field("assign", 3, lambda r, e: 4)),
    ("evictions", "once", "is not done when the run ends", last_without("release")),
    ("evictions", "dependencies", "is ready while [1-9] of its predecessors are not done",
     moved("ready", after_submission)),
    ("evictions", "dependencies", "is released by .*, which has released none of its predecessors",
     with_field("ready", 3, lambda r, e: (int(e[3]) + 1) % 4 if e[3] != "-1" else 0)),
    ("evictions", "dependencies", "is released by its submission, which came before the end of its predecessors",
     with_field("ready", 3, lambda r, e: -1)),
    ("evictions", "once", "the event 'ready' names worker 99, which", with_field("ready", 3, lambda r, e: 99)),
    ("evictions", "exclusive", "which is running task", moved("start", before_end_of_previous_kernel)),
    ("evictions", "duration", "took .* s on .* instead of .* s", moved("end", earlier_by(1))),
    ("evictions", "duration", "for which its kernel has no time", of_another_version("time,")),
    ("cancelled", "once", r"is cancelled on \S+ but was assigned to \S+",
     with_field("cancel", 3, lambda r, e: (int(e[3]) + 1) % 3)),
    ("cancelled", "once", "is cancelled before its previous step", twice("cancel")),
    ("outputs", "inputs", "starts while its data .* has no room", without("alloc")),
    ("evictions", "inputs", "which it reads, is not valid", without("valid")),
    ("evictions", "inputs", "is no longer valid in .*, where a running task reads it",
     moved("invalid", while_it_is_read)),
    ("evictions", "coherence", "becomes valid in .*, where no task wrote it and no transfer brought it",
     moved("valid", earlier_by(1000))),
    ("evictions", "coherence", "is invalidated in .*, where it is not valid", twice("invalid")),
    ("evictions", "coherence", "is still valid in .* after a write elsewhere", without("invalid")),
    ("evictions", "coherence", "is valid in .*, where it has no room", without("invalid")),
    ("evictions", "coherence", "the event 'valid' names data 1000000, which",
     with_field("valid", 2, lambda r, e: ELSEWHERE)),
    ("evictions", "last copy", "is valid nowhere, and no task is writing it", without("valid")),
    ("evictions", "pinned", "is given back while [1-9] task.* or transfer.* use it", moved("free", while_it_is_read)),
    ("evictions", "capacity", "takes room in .* a second time", twice("alloc")),
    ("evictions", "capacity", "takes room for 7 in", with_field("alloc", 5, lambda r, e: 7)),
    ("evictions", "capacity", "takes bytes .* to .* of .*, which has",
     with_field("alloc", 4, lambda r, e: capacity(r, e[3]))),
    ("evictions", "capacity", "that overlaps that of data", with_field("alloc", 4, place_of_another)),
    ("evictions", "capacity", "gives back room in .*, where it has none", twice("free")),
    ("evictions", "capacity", "gives back .* bytes at .* but had taken",
     with_field("free", 4, lambda r, e: int(e[4]) + 1)),
    ("evictions", "capacity", "the event 'alloc' names memory 3, which",
     with_field("alloc", 3, lambda r, e: 3)),
    ("evictions", "transfer", "names the route from memory . to ., which the run does not have",
     with_field("transfer_start", 3, lambda r, e: e[4])),
    ("evictions", "transfer", "5 bytes of data .*, which has", with_field("transfer_start", 5, lambda r, e: 5)),
    ("evictions", "transfer", "leaves .*, where it is not valid",
     with_field("transfer_start", 3, lambda r, e: 3 - int(e[4]))),
    ("evictions", "transfer", "leaves .* while task .* is writing it",
     moved("transfer_start", lambda r, i: while_it_is_read(r, i))),
    ("evictions", "transfer", "goes to .*, where it has no room", without("alloc")),
    ("evictions", "transfer", "starts a second time", twice("transfer_start")),
    ("evictions", "transfer", "ends without a matching start", without("transfer_start")),
    ("evictions", "transfer", "never ends", started_at_the_end),
    ("evictions", "transfer", "the event 'transfer_end' names memory 3, which",
     with_field("transfer_end", 4, lambda r, e: 3)),
    ("evictions", "transfer", "s earlier than with the transfers that share its links",
     end_of_transfer_moved(lambda r, start, end: (date(start) + date(end)) // 2)),
    # Two transfers that together overfill a link, each alone slow enough.
    ("evictions", "transfer", "s earlier than with the transfers that share its links", end_of_transfer_moved(alone)),
    ("evictions", "transfer", "s later than with the transfers that share its links",
     end_of_transfer_moved(lambda r, start, end: date(end) + 1000)),
    ("evictions", "makespan", "the last task is released at", head_line("makespan,", lambda line: line + "1")),
    ("real", "transfer", "bytes more than its bandwidth of .* allows",
     moved("transfer_end", lambda r, i: date(r.events[r.other(i, "transfer_start")]) + 1000)),
    ("real", "once", "is started a second time", twice("start")),
    ("real", "makespan", "the last task is released at", head_line("makespan,", lambda line: line + "1")),
    ("reductions", "inputs", "starts while its data .* has no room", without("alloc")),
    ("reductions", "last copy", "is valid nowhere, and no task is writing it", without("valid")),
]


def first_that_breaks(command, path, record, rule, message, ways):
    """The first broken record that is refused with the rule and message; None: there is none."""
    expected = re.compile(re.escape(path) + f": {rule}: .*{message}.*, at [0-9.]+ s\n")
    for _, broken in zip(range(MOST_TRIES), ways(record)):
        write(path, broken.lines())
        status, printed = validate(command, path)
        if status == 1 and expected.search(printed):
            return broken
        if status not in (0, 1):
            print(f"{rule}: {message}: exit status {status}: {printed}")
    return None


def forms_of(name):
    """The formats in which the section of a run can stand. Another real run has other kernels to show."""
    return FORMATS if name != "real" else [form for form in FORMATS if form.endswith(("/", ".record"))]


def main():
    command, failed = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name, "") for name in RUNS}
        records = {name: Record(make(command, paths[name] + "t.record", words)) for name, words in RUNS.items()}
        for name, words in RUNS.items():
            for form in FORMATS[1:]:
                made = Record(make(command, paths[name] + form, words)).lines()
                if name != "real" and made != records[name].lines():
                    print(f"{name}: {form} has another section than t.record")
                    failed += 1
            for form in forms_of(name):
                write(paths[name] + form, records[name].lines())
                status, printed = validate(command, paths[name] + form)
                if status != 0 or ": valid: " not in printed or read(paths[name] + form) != records[name].lines():
                    print(f"{name}: {form} is not valid: {printed}")
                    failed += 1
        for name, rule, message, ways in WAYS:
            broken = first_that_breaks(command, paths[name] + "t.record", records[name], rule, message, ways)
            if not broken:
                print(f"{name}: {rule}: {message}: no record was refused so")
                failed += 1
                continue
            for form in forms_of(name)[1:]:
                write(paths[name] + form, broken.lines())
                status, printed = validate(command, paths[name] + form)
                if status != 1 or not re.search(f": {rule}: .*{message}", printed):
                    print(f"{name}: {rule}: {message}: {form}: exit status {status}: {printed}")
                    failed += 1
    print(f"broken traces: {len(WAYS)} ways, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
