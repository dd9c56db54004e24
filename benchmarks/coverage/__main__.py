"""Simulate how often intervals hold the truth and how often tests err, and write docs/background/coverage.md.

python benchmarks/coverage                         all tables (an hour of CPU)
python benchmarks/coverage --only rates            those of one module; the others stay as they were
python benchmarks/coverage --only none             write the page again
python benchmarks/coverage --scale 0.05 --dry-run  few simulations, printed only
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from benchmarks.coverage.table import Table, markdown  # noqa: E402  after the path has been set

#: A module has TABLES, and its figures are in a JSON file of its name.
MODULES = ("rates", "scores", "searches")
PAGE = HERE.parents[1] / "docs/background/coverage.md"
INTRODUCTION = """# Coverage and error rates

Simulated shares in percent, written by `python benchmarks/coverage`. Intervals are at 95 %. A share of 95 % has a
standard error of 0.7 with 1,000 simulations, and of 1.5 with 200. [Tournaments](tournaments.md) and
[Tuning](tuning.md) explain the methods.

"""


def main() -> None:
    """Simulate, print, and write the figures and the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="a module, or none")
    parser.add_argument("--table", default="", help="only tables whose title contains this")
    parser.add_argument("--scale", type=float, default=1.0, help="times the simulations of each row")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    chosen = parser.parse_args()
    text = INTRODUCTION
    for name in (name for name in MODULES if (HERE / f"{name}.py").is_file()):
        tables: list[Table] = import_module(f"benchmarks.coverage.{name}").TABLES
        path = HERE / f"{name}.json"
        found: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for table in tables if chosen.only in (None, name) else ():
            if chosen.table in table.title:
                found[table.title] = simulate(table, chosen.scale)
                if not chosen.dry_run:
                    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        text += "\n".join(markdown(table, found[table.title]) for table in tables if table.title in found) + "\n"
    if not chosen.dry_run:
        PAGE.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def simulate(table: Table, scale: float) -> list[dict[str, Any]]:
    """Return the records of a table's rows."""
    records = []
    for settings, simulations in table.rows:
        records.append(table.measured(settings, max(2, round(scale * simulations))))
        print(table.title, records[-1], flush=True)
    return records


if __name__ == "__main__":
    main()
