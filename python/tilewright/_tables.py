"""Results as tables, with numpy and pandas."""

from __future__ import annotations

from typing import Any

import numpy
import pandas  # type: ignore[import]

CAUSES = ["task", "prefetch", "idle", "eviction"]  # enum tw_transfer_cause


def _seconds(dates: Any) -> Any:
    """Dates in nanoseconds, of which -1 is none, as seconds."""
    seconds = dates / 1e9
    seconds[dates < 0] = numpy.nan
    return seconds


def _named(numbers: Any, names: list[str]) -> Any:
    unique = list(dict.fromkeys(names))  # kernels of several sizes have one name
    if len(unique) < len(names):
        numbers = numpy.array([unique.index(name) for name in names])[numbers]
    return pandas.Categorical.from_codes(numbers, unique)


def tasks(array: Any, kernels: list[str], workers: list[str], ranks: list[int]) -> Any:
    columns = {
        "task": array["task"].copy(),
        "kernel": _named(array["kernel"], kernels),
        "worker": _named(array["worker"], workers),
        "cancelled": array["cancelled"] != 0,
    }
    columns |= {f"{name}_s": _seconds(array[f"{name}_ns"]) for name in ("ready", "assigned", "start", "end")}
    if max(ranks, default=0) > 0:
        columns["rank"] = numpy.array(ranks)[array["worker"]]
    return pandas.DataFrame(columns, copy=False)


def transfers(array: Any, nodes: list[str]) -> Any:
    columns = {
        "data": array["data"].copy(),
        "from": _named(array["from"], nodes),
        "to": _named(array["to"], nodes),
        "cause": _named(array["cause"], CAUSES),
        "bytes": array["bytes"].copy(),
        "start_s": _seconds(array["start_ns"]),
        "end_s": _seconds(array["end_ns"]),
    }
    return pandas.DataFrame(columns, copy=False)


def messages(array: Any, ranks: list[int]) -> Any:
    numbers = numpy.array(ranks)
    senders, receivers = numbers[array["from"]], numbers[array["to"]]
    between = senders != receivers
    columns = {
        "data": array["data"][between],
        "from": senders[between],
        "to": receivers[between],
        "bytes": array["bytes"][between],
        "start_s": _seconds(array["start_ns"])[between],
        "end_s": _seconds(array["end_ns"])[between],
    }
    return pandas.DataFrame(columns, copy=False)


def memory(array: Any, nodes: list[str]) -> Any:
    columns = {
        "date_s": _seconds(array["date_ns"]),
        "node": _named(array["node"], nodes),
        "bytes": array["bytes"].copy(),
    }
    return pandas.DataFrame(columns, copy=False)


def members(array: Any, workers: list[str]) -> Any:
    columns = {
        "task": array["task"].copy(),
        "worker": _named(array["worker"], workers),
        "joined_s": _seconds(array["joined_ns"]),
    }
    return pandas.DataFrame(columns, copy=False)
