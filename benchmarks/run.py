"""Measure the rates of this build and add them to the history: one JSON file per run, so that changes can be compared.

python benchmarks/run.py            the sources of this checkout, interpreted
python -P benchmarks/run.py         the installed package (run it outside of the checkout), as a rule compiled
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
sys.path.append(str(HERE))
if not sys.flags.safe_path:
    sys.path.insert(0, str(HERE.parent))

from rates import all_rates, measure  # noqa: E402  after the path has been set

from tag.catalogue.version import is_compiled, tag_version  # noqa: E402


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only rates whose name contains this")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-history", action="store_true", help="print only")
    options = parser.parse_args()
    scale = 1.0 if is_compiled() else 0.05
    rates = {}
    for rate in all_rates():
        if options.only in rate.name:
            runs = measure(rate, scale, options.repeats)
            rates[rate.name] = {"median": round(median(runs)), "min": round(min(runs)), "max": round(max(runs))}
            print(f"{median(runs):>12,.0f} /s  {rate.name}", flush=True)
    if not options.no_history:
        keep(rates)


def keep(rates: dict[str, dict[str, int]]) -> None:
    """Write the figures to ``benchmarks/history``."""
    build = "compiled" if is_compiled() else "interpreted"
    now = datetime.now(UTC)
    content = {
        "time": now.isoformat(timespec="seconds"),
        "build": build,
        "version": tag_version(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "per_cpu_second": rates,
    }
    folder = HERE / "history"
    folder.mkdir(exist_ok=True)
    (folder / f"{now:%Y%m%d-%H%M%S}-{build}.json").write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
