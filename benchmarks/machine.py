"""Which machine and versions a benchmark ran on."""

import os
import platform
from pathlib import Path

from benchmarks.yardsticks import gcc_version
from simulator.result import versions


def machine() -> dict[str, str]:
    """The hardware, the system and every version that speed depends on."""
    return {
        "processor": processor(),
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **versions(),
        "gcc": gcc_version() or "none",
    }


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """The processor's name; on Linux with family and model, as clouds hide the name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    numbers = ", ".join(f"{word} {fields[key]}" for word, key in WORDS.items() if key in fields)
    return f"{fields.get('model name', 'unknown')}{f' ({numbers})' if numbers else ''}"


WORDS = {"family": "cpu family", "model": "model"}
