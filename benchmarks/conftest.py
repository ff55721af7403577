"""Benchmarks measure CPU time, and keep compiled strategies where the tests do."""

from tests.conftest import compiled  # noqa: F401  # a fixture


def pytest_benchmark_update_machine_info(config, machine_info):
    """Add what speed depends on to the saved figures."""
    from benchmarks.machine import machine

    machine_info["thegame"] = machine()
