"""The trainings of `make learn` are those of the values that come with games, and a page has their verdicts."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path

import pytest

from tag.catalogue.models import read_model
from tag.catalogue.models.shipped import shipped_counts, shipped_file
from tag.catalogue.registry import game_class, game_names, make_game
from tag.tuning.training.definition import define_training

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "learning" / "ship_values.py"
PAGE = (ROOT / "docs" / "reference" / "learned_values.md").read_text(encoding="utf-8")
TRAININGS = {path.stem: path for path in (SCRIPT.parent / "values").glob("*.toml")}


def script():
    spec = importlib.util.spec_from_file_location("ship_values", SCRIPT)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_there_is_a_training_for_each_game_with_values():
    assert set(TRAININGS) == {game for game in game_names() if shipped_counts(game_class(game))}


@pytest.mark.parametrize("game", TRAININGS)
def test_the_values_are_those_of_the_training(game):
    said = define_training(**tomllib.loads(TRAININGS[game].read_text(encoding="utf-8")))
    model = read_model(shipped_file(make_game(game), said.players))
    assert (model.learner, model.game, model.players) == (said.learner, said.game, said.players)
    assert (model.seed, model.episodes) == (said.seed, said.episodes)


@pytest.mark.parametrize("game", TRAININGS)
def test_the_page_has_the_verdicts_and_they_say_better(game):
    (file,) = [shipped_file(make_game(game), count) for count in shipped_counts(game_class(game))]
    told = json.loads(Path(file).with_suffix(".json").read_text(encoding="utf-8"))
    for row in told["verdict"]:
        mean, low, high = row["points"]
        assert f"{mean:.3f} ({low:.3f} to {high:.3f})" in PAGE
        if row["against"] == row["agent"].replace("=learned", "=game"):
            assert low > 0.5
    assert (
        f"| {told['games']} | {told['seed']} | {told['cpu_seconds']} | {Path(file).stat().st_size / 1000:.1f} kB |"
        in PAGE
    )
    assert re.search(rf"make learn GAME={game}\b", PAGE)


@pytest.mark.flow
def test_the_same_training_gives_the_same_file_and_evidence(tmp_path):
    learner = "expert_iteration:agent=osla,games=3,heuristic=game"
    said = f'learner = "{learner}"\ngame = "nim"\nplayers = 2\nepisodes = 7\nevaluations = 0\n'
    definition = tmp_path / "nim.toml"
    definition.write_text(said, encoding="utf-8")
    files, made = zip(*[script().learned(definition, tmp_path / name) for name in ("one", "two")], strict=True)
    assert files[0].read_bytes() == files[1].read_bytes()
    for told in made:
        told.pop("cpu_seconds")
    assert made[0] == made[1]
    assert made[0]["command"] == "make learn GAME=nim"
    definition.write_text(said.replace("episodes = 7", "episodes = 6"), encoding="utf-8")
    assert script().learned(definition, tmp_path / "other")[1]["evidence"] != made[0]["evidence"]
