"""The studies of `make tune-heuristics` are of games' heuristics, and the page of tuned weights has the defaults."""

import re
import tomllib
from pathlib import Path

import pytest

from tag.catalogue.registry import game_class, game_names
from tag.engine.parameters import parse_spec

ROOT = Path(__file__).parents[2]
STUDIES = sorted((ROOT / "examples" / "heuristics").glob("*.toml"))
PAGE = (ROOT / "docs" / "reference" / "tuned_weights.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_studies_tune_the_heuristic_of_their_game(path: Path) -> None:
    study = tomllib.loads(path.read_text(encoding="utf-8"))
    assert path.stem in game_names()
    assert parse_spec(study["game"]).name == path.stem
    assert study["agents"] == [f"osla:heuristic={path.stem}"]
    assert not set(study["versus"]) & set(study["held_out"])
    assert study["games"]
    assert study["validation"]


def test_the_page_of_tuned_weights_has_the_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\w=., ]+) \| \d+ \| better, .+ \| better, .+ \|$", PAGE, re.MULTILINE)
    assert rows
    for game, weights in rows:
        defaults = game_class(game).game_type.heuristic.parameters_class()
        for weight in weights.split(", "):
            name, value = weight.split("=")
            assert getattr(defaults, name) == float(value)
        assert (ROOT / "examples" / "heuristics" / f"{game}.toml") in STUDIES
