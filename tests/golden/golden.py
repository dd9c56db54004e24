"""Digests of the files that commands write: of tournaments' games and results, studies' trials, and trainings' models.

All goes through the command line and the files, so that nothing here depends on how the inside is arranged.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
from commands import run_tag

KINDS: Final = ("tournaments", "studies", "trainings")
GOLDEN: Final = Path(__file__).with_name("golden.json")
_READ: Final = tomllib.loads(Path(__file__).with_name("golden.toml").read_text(encoding="utf-8"))
_FAULTY: Final = Path(__file__).parents[1] / "helpers" / "users_code" / "faulty_agents.py"
#: Digits of numbers that count: sums differ in the last ones between processors.
_DIGITS: Final = 9
#: Ends of the names of what is measured in time, or differs between runs.
_MEASURED: Final = ("seconds", "_ms", "peak_mb", "per_second", "worker", "equal_time", "version", "sources")
#: Files and folders of what follows from measured times.
_TIMED: Final = {"timings", "times.parquet", "calibration", "equal_time"}


def cases(*kinds: str) -> dict[str, dict[str, Any]]:
    """Return the cases of these kinds (tournaments, studies, trainings), or of all, by name."""
    return {name: case for kind in kinds or KINDS for name, case in _READ[kind].items()}


def digest(name: str, folder: Path, workers: int) -> str:
    """Run the commands of a case into a folder with so many workers, and return the digest of what they left."""
    case = cases()[name]
    how = ["--no-tracking", "--quiet", *(["--no-ray"] if workers == 1 else ["--workers", str(workers)])]
    for number, command in enumerate(case["commands"]):
        words = command.format(**_READ["words"], folder=folder, faulty=_FAULTY).split()
        _run(*words, *how, *([] if number else ["--out", str(folder)]))
    left: dict[str, Any] = {path.relative_to(folder).as_posix(): _model(path) for path in folder.glob("*.safetensors")}
    tables = [path for path in sorted(folder.rglob("*.parquet")) if not _TIMED & {*path.parts, path.name.split("-")[0]}]
    for path in tables:
        kind = f"{path.parent.relative_to(folder).as_posix()}/{path.name.partition('-')[0]}"
        left.setdefault(kind, []).extend(pq.read_table(path).to_pylist())
    for kind, rows in left.items():
        if "ledger/" in kind:
            rows.sort(key=lambda row: row["game_id"])
    if case.get("results"):
        left["results"] = json.loads(_run("results", str(folder), "--json"))
    return hashlib.sha256(json.dumps(_counting(left), sort_keys=True).encode()).hexdigest()


def _run(*words: str) -> str:
    """Run a command of ``tag``, and return what it prints."""
    done = run_tag(*words)
    assert done.exit_code == 0, f"tag {' '.join(words)}: {done.output}"
    return str(done.stdout)


def _model(path: Path) -> str:
    """Return the weights of a model, without the names and times beside them."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    shapes = {name: value for name, value in json.loads(data[8 : 8 + length]).items() if name != "__metadata__"}
    return json.dumps(shapes, sort_keys=True) + hashlib.sha256(data[8 + length :]).hexdigest()


def _counting(value: Any) -> Any:
    """Return what counts of a value: without times, and numbers to `_DIGITS` digits."""
    if isinstance(value, dict):
        return {key: _counting(each) for key, each in value.items() if not key.endswith(_MEASURED)}
    if isinstance(value, list):
        return [_counting(each) for each in value]
    return f"{value:.{_DIGITS}g}" if isinstance(value, float) else value
