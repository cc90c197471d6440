"""Simulates the scheduling of task graphs on heterogeneous nodes.

All times are seconds and all sizes bytes."""

from ._interface import VERSION as __version__
from ._library import Cancelled, Error, Failed, Invalid, OutOfMemory, SystemFault

__all__ = ["Cancelled", "Error", "Failed", "Invalid", "OutOfMemory", "SystemFault", "__version__"]
