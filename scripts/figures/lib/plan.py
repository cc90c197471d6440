"""Plans of sweeps: options of `tilewright sweep`, which may depend on the size of the figure."""

import re

from lib.variant import Written

SIZES = ["tiny", "small", "full"]
# the figures are from real nodes, whose links share bandwidth unlike StarPU's simulation
REAL = "starpu:link_shares=equal"
KINDS = {"platform": "platforms", "workload": "workloads", "policy": "policies", "eviction": "evictions"}
UNITS = {"": 1, "MB": 10**6, "GB": 10**9, "MiB": 2**20, "GiB": 2**30}
NOUNS = {"platform": "platform", "workload": "workload", "policy": "policy", "eviction": "eviction policy"}


def numbers(values):
    """Expands a list of numbers such as "4,10:60:10"."""
    found = []
    for part in ",".join(map(str, values)).split(","):
        first, *rest = map(int, part.split(":"))
        found += range(first, rest[0] + 1, *rest[1:]) if rest else [first]
    return found


def bytes_of(text):
    """The bytes of a size such as 500MiB."""
    number, unit = re.fullmatch(r"(\d+)(\D*)", text).groups()
    return int(number) * UNITS[unit]


class Plan:
    """A plan. Names are those of options, with underscores. A value is a text or a list of parts, or a dict of these by
    size. `place` is the figure's folder, which gets the files of its values."""

    def __init__(self, **options):
        self.options = {"runtime": REAL} | options

    def at(self, size, place):
        """The options of one size, as lists of texts."""
        def text(value):
            return value.text(place) if isinstance(value, Written) else str(value)
        return {name.replace("_", "-"): [text(value) for value in values]
                for name, values in self.values(size).items()}

    def values(self, size):
        """The options of one size, as lists of values."""
        chosen = {name: value[size] if isinstance(value, dict) else value for name, value in self.options.items()}
        return {name: value if isinstance(value, list) else [value]
                for name, value in chosen.items() if value is not None}

    def make(self, size, place, command):
        """Writes the files of its values."""
        for values in self.values(size).values():
            for value in values:
                if isinstance(value, Written):
                    value.make(place, command)

    def words(self, size, place):
        """The options of `tilewright run` for a plan with one point."""
        return [word for name, (value,) in self.at(size, place).items()
                for word in ([f"--{name}"] if value == "yes" else [f"--{name}", value])]

    def missing(self, size, place, command):
        """The values that this version of the command lacks: pairs of option and name."""
        return [(name, spec) for name, kind in KINDS.items() for spec in self.at(size, place).get(name, [])
                if not command.has(kind, spec)]

    def text(self, size, place, command):
        """The text of a plan for `tilewright sweep`, without missing values. None: an option has no value left."""
        missing = self.missing(size, place, command)
        lines = ["[sweep]"]
        for name, values in self.at(size, place).items():
            values = [value for value in values if (name, value) not in missing]
            if not values:
                return None
            lines.append(f"{name} = {','.join(values)}")
        return "\n".join([*lines, f"output = {place / 'results.csv'}", ""])

    def position(self, size, place, row):
        """The position of a row of results in the plan, as a key for sorting. None: the row belongs to an earlier
        plan."""
        options = self.at(size, place)
        names = ("platform", "workload", "cpu-groups", "policy", "eviction", "runtime", "noise", "belief-error",
                 "communication")
        lists = {name.replace("-", "_"): options[name] for name in names if name in options}
        if "nt" in options:
            lists["workload"] = [f"{w}:nt={nt}" for w in options["workload"] for nt in numbers(options["nt"])]
        if "cpu_groups" in lists:
            lists["cpu_groups"] = ["" if groups == "none" else groups for groups in lists["cpu_groups"]]
        if row["status"] == "ok":  # in other rows these columns may be empty
            nodes = int(row["nodes"] or 1)  # rows count the workers of all nodes, options those of each
            lists |= {name: [str(n * nodes) for n in numbers(options[name])] for name in ("cpus", "gpus")
                      if name in options}
            if "gpu-mem" in options:
                lists["gpu_mem_bytes"] = [str(bytes_of(limit)) for limit in options["gpu-mem"]]
        if any(row[column] not in values for column, values in lists.items()):
            return None
        return [lists[column].index(row[column]) for column in lists] + [int(row["seed"]), int(row["repeat"])]
