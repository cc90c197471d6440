"""Fixtures of the tests test_hostile_*: users who do what nobody should."""

import pytest

import tilewright as tw


@pytest.fixture(scope="module")
def scene():
    return tw.Scene(tw.Platform("mirage", cpus=4, gpus=2, gpu_mem="80MiB"), "cholesky:nt=10")


@pytest.fixture(autouse=True)
def quiet(capfd):
    """Nothing is printed: ctypes, threads and finalizers print the exceptions that they drop."""
    yield
    assert capfd.readouterr().err == ""
