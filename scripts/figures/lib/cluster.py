"""Clusters of equal nodes, and distributions over them."""

import pathlib
import subprocess

from lib.rows import Rows
from lib.variant import Variant, Written

INFINIBAND = "4GBps"  # QDR: 40 Gb/s on the wire, a fifth of which is its 8b/10b code
LATENCY = "1us"  # assumed: usual for it; no paper gives it


class Cluster(Written):
    """A number of nodes, each with one link to the others. `node`: a platform of the tree, or a Variant, which does not
    change the cluster's name."""

    def __init__(self, node, count, bandwidth=INFINIBAND):
        self.node, self.count, self.bandwidth = node, count, bandwidth
        self.name = f"{node.base if isinstance(node, Variant) else node}-{count}-{bandwidth}"

    def text(self, place):
        return self.path(pathlib.Path(place) / self.name)

    def make(self, place, command):
        node = self.node
        if isinstance(node, Variant):
            node.make(place, command)
            node = node.text(place)
        command.run("platform", "cluster", "--node", node, "--count", self.count, "--bandwidth", self.bandwidth,
                    "--latency", LATENCY, "--force", "--output", self.text(place),
                    stdout=subprocess.DEVNULL).check_returncode()

    def rows(self, rows):
        """The rows of runs on it."""
        return Rows(row for row in rows if pathlib.Path(row["platform"]).name == self.name)


class Layers(Written):
    """The first rows of tiles are on node 0, the next ones on node 1, and so on."""

    def __init__(self, n_rows, n_nodes):
        self.n_rows, self.n_nodes = n_rows, n_nodes

    def file(self, place):
        return pathlib.Path(place) / f"layers-{self.n_rows}-{self.n_nodes}.csv"

    def text(self, place):
        return f"file:{self.path(self.file(place))}"

    def make(self, place, _command):
        lines = [f"{row},0,{row * self.n_nodes // self.n_rows}" for row in range(self.n_rows)]
        self.file(place).write_text("\n".join(["row,column,node", *lines, ""]), encoding="utf-8")
