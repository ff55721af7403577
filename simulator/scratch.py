"""Memory that a running kernel writes to. In compiled code it lies on the stack (``simulator.native``)."""

import numpy as np


def scratch_bytes(size: int) -> np.ndarray:
    """Room for so many small numbers, of any content."""
    return np.zeros(size, np.uint8)


def scratch_words(size: int) -> np.ndarray:
    """Room for so many 64-bit numbers, of any content."""
    return np.zeros(size, np.uint64)
