"""Trainings on recorded games: the same as from Python, in any steps, and only with the same games."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import run_tag
from small_trainings import outcome, trained
from stores.recorded import learn_from_ledger

from tag import make_game
from tag.catalogue.models import read_model
from tag.catalogue.registry import make_learner
from tag.errors import DataError, ParameterError, TagError
from tag.tournaments.definition import Rules, define
from tag.tournaments.run import run_tournament
from tag.tuning import open_training, train
from tag.tuning.training.definition import TrainingDefinition, define_training

pytestmark = pytest.mark.flow

LEARNER = "regression:positions=3"
GAMES = 12
BREAKER = """
from tag import Agent

class Breaker(Agent):
    def act(self, observation, actions):
        if self.player:
            raise RuntimeError
        return actions[0]
"""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament; tests must not change it."""
    folder = tmp_path_factory.mktemp("ledger") / "played"
    run_tournament(define("nim", ("random", "osla"), GAMES // 2, seed=3, record_actions=True), folder, tracking=False)
    return folder


def recorded(where: Path, **changes: Any) -> TrainingDefinition:
    said: dict[str, Any] = {"seeds": 2, "evaluations": 3, "evaluation_games": 2, "evaluate": ("random",)}
    said |= {"ledger": str(where)} | changes
    return define_training(said.pop("learner", LEARNER), said.pop("game", ""), said.pop("episodes", 0), **said)


def test_any_steps_learn_what_learn_from_ledger_learns(ledger: Path, tmp_path: Path) -> None:
    definition = recorded(ledger)
    assert (definition.game, definition.players, definition.episodes) == ("nim", 2, GAMES)
    for name, seconds in (("at once", 60.0), ("game by game", 1e-9)):
        assert trained(definition, tmp_path / name, seconds=seconds).complete
    assert outcome(tmp_path / "at once") == outcome(tmp_path / "game by game")
    for seed in (1, 2):
        learner = make_learner(LEARNER, make_game("nim"), 2, GAMES, seed)
        assert learn_from_ledger(learner, ledger) == GAMES
        model = read_model(str(tmp_path / "at once" / f"{seed}.safetensors"))
        assert model.knowledge == learner.knowledge(False)
        assert (model.played, model.moves) == (learner.episodes, learner.moves)


def test_a_training_goes_on_with_the_same_games_wherever_they_are(ledger: Path, tmp_path: Path) -> None:
    trained(recorded(ledger), tmp_path / "training")
    moved = shutil.copytree(ledger, tmp_path / "moved")
    longer = trained(recorded(moved, seeds=3), tmp_path / "training")
    assert longer.complete
    definition = define("nim", ("random", "osla"), 1 + GAMES // 2, seed=3, record_actions=True)
    run_tournament(definition, moved, tracking=False)
    with pytest.raises(DataError, match="holds another training: the games in .* are not those"):
        trained(recorded(moved, seeds=3, episodes=GAMES), tmp_path / "training")
    with pytest.raises(DataError, match="holds another training: ledger is "):
        trained(recorded(ledger, ledger="", game="nim", seeds=3, episodes=GAMES), tmp_path / "training")


def test_games_that_change_while_they_are_learned_are_told(ledger: Path, tmp_path: Path) -> None:
    played = shutil.copytree(ledger, tmp_path / "played")
    definition = recorded(played)
    run_tournament(define("nim", ("random", "osla"), GAMES, seed=3, record_actions=True), played, tracking=False)
    with pytest.raises(DataError, match="have changed since the training began"):
        trained(definition, tmp_path / "training")


@pytest.mark.parametrize("policy", ["forfeit", "void"])
def test_games_that_a_fault_has_ended_are_left_out(
    policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "breaker.py").write_text(BREAKER)
    monkeypatch.chdir(tmp_path)
    agents = ("./breaker.py:Breaker", "random")
    rules = Rules(on_exception=policy)
    definition = define("nim", agents, 4, rules=rules, record_actions=True)
    run_tournament(definition, tmp_path / "played", tracking=False)
    assert recorded(tmp_path / "played").episodes == 4
    learner = make_learner(LEARNER, make_game("nim"), 2, 4, 1)
    assert learn_from_ledger(learner, tmp_path / "played") == 4


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"learner": "td"}, "learns only from games that it plays itself"),
        ({"learner": "expert_iteration"}, "learns only from games that it plays itself"),
        ({"game": "nim:misere=true"}, "are of 'nim'"),
        ({"game": "tic_tac_toe"}, "are of 'nim'"),
        ({"players": 3}, "have 2"),
        ({"episodes": GAMES + 1}, f"the most is {GAMES}"),
        ({"ledger": "nowhere"}, "'nowhere' holds no tournament"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(changes: dict[str, Any], reason: str, ledger: Path) -> None:
    with pytest.raises(TagError, match=reason) as caught:
        recorded(ledger, **changes)
    assert "\n" not in str(caught.value)


def test_variants_are_refused(tmp_path: Path) -> None:
    run_tournament(define("nim", ("random", "osla"), 1, draw=("heaps",)), tmp_path, tracking=False)
    with pytest.raises(DataError, match="variants"):
        recorded(tmp_path)


def test_the_command_the_file_the_folder_and_the_call_are_one(ledger: Path, tmp_path: Path) -> None:
    """A TOML file has the words of the options, which override it; a folder goes on; the call finds what they left."""
    (tmp_path / "my.toml").write_text(f'learner = "{LEARNER}"\nledger = "{ledger}"\nseeds = 2\nevaluations = 0\n')
    out = tmp_path / "training"
    quiet = ["--workers", "1", "--quiet", "--no-tracking"]
    first = run_tag("train", tmp_path / "my.toml", "--seeds", "1", "--out", out, *quiet)
    assert first.exit_code == 0, first.output
    models = outcome(out)
    again = run_tag("train", out, "--seeds", "2", *quiet)
    assert again.exit_code == 0, again.output
    assert outcome(out)["1.safetensors"] == models["1.safetensors"]
    run = train(LEARNER, ledger=str(ledger), evaluations=0, seeds=2, out=out, workers=1, tracking=False, progress=False)
    assert run.complete
    assert run.text() + "\n" == again.stdout
    assert repr(open_training(out)) == repr(run)
    refused = run_tag("train", out, "--episodes", "3", *quiet)
    assert (refused.exit_code, "its episodes cannot be changed" in refused.output) == (2, True)


def test_wrong_words_are_named() -> None:
    with pytest.raises(TagError, match=r"no argument of train\(\) named 'episode'; did you mean 'episodes'\?"):
        train("td", "nim", episode=3)
    with pytest.raises(TagError, match=r"no argument of train\(\) named 'on_illegal'"):
        train("td", "nim", episodes=3, on_illegal="void")
    with pytest.raises(ParameterError, match="needs a number of games"):
        train("td", "nim")
