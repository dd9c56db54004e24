"""This machine, as far as it matters to how much an agent thinks in a second."""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import Final

_MODEL: Final = re.compile(r"^model name\s*: *(.+?)\s*$", re.MULTILINE)


def processor() -> str:
    """Return the name of the processor, as precise as it can be had."""
    try:
        found = _MODEL.search(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()
