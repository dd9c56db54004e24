"""Presets of games from the portfolio of a study, as files that `tag.catalogue.presets` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tag.catalogue.presets import PresetParameters
from tag.catalogue.registry import make_agent
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.tournaments.ledger.storage import write_whole
from tag.tuning.reports.results import StudyResults

PRESETS: Final = "presets"
#: What a preset leaves alone.
_LEFT: Final = ("budget", "budget_type", "heuristic", "preset")


def write_presets(results: StudyResults) -> list[Path]:
    """Write ``presets/<game>.toml`` to the folder of a complete study, for each game in which the gain is shown.

    A gain is shown where its interval in the largest portfolio lies above 0. Of a game at several numbers of players, the
    first counts. Agents without presets, changed heuristics and users' games have none.

    Returns:
        The files.

    Raises:
        DataError: a file cannot be written.
    """
    portfolios = (results.recommendation or {}).get("portfolios") or []
    files: dict[str, Path] = {}
    for one in portfolios[-1]["games"] if portfolios else []:
        text, name = _preset(results, one), parse_spec(one["game"]).name
        if text and name not in files:
            files[name] = results.folder / PRESETS / f"{name}.toml"
            files[name].parent.mkdir(exist_ok=True)
            write_whole(files[name], text)
    return list(files.values())


def _preset(results: StudyResults, one: Mapping[str, Any]) -> str:
    """Return the preset of a game as TOML; empty where it has none."""
    spec, parameters = parse_spec(one["spec"]), make_agent(one["spec"]).parameters
    changes = parameters.changes()
    values = {name: value for name, value in changes.items() if name not in _LEFT}
    is_fit = isinstance(parameters, PresetParameters) and "heuristic" not in changes and not is_path(one["game"])
    if not is_fit or not values or not one["low"] > 0.0:
        return ""
    definition = results.definition
    measured = (
        f"{results.manifest.created[:10]}, {one['event']}, {definition.validation} games at most of each agent in "
        f"{len(definition.events)} games against {', '.join(definition.versus)}, seed {definition.seed}"
    )
    table = ", ".join(f"{name} = {_value(value)}" for name, value in values.items())
    gain = ", ".join(f"{one[name]:.3f}" for name in ("gain", "low", "high"))
    return f"[{spec.name}]\nparameters = {{{table}}}\nmeasured = {json.dumps(measured)}\ngain = [{gain}]\n"


def _value(value: object) -> str:
    return json.dumps(value) if isinstance(value, str | bool) else repr(value)
