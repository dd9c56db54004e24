"""Writes the digests that `test_golden.py` compares with: run it from the checkout, and say in the commit why they change.

PYTHONPATH=.:tests/helpers python tests/golden/write_golden.py [NAME ...]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from golden import GOLDEN, cases, digest


def main(names: list[str]) -> None:
    """Write the digests of these cases, or of all."""
    known = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    for name in names or cases():
        with tempfile.TemporaryDirectory() as folder:
            known[name] = digest(name, Path(folder) / "folder", 1)
        kept = {each: known[each] for each in cases() if each in known}
        GOLDEN.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
