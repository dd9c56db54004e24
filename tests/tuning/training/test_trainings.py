"""Trainings: the same models for any steps, workers and evaluations; refusals; damaged files; stopping rules."""

from __future__ import annotations

import os
import re
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from families import family
from hypothesis import given, settings
from hypothesis import strategies as st
from small_trainings import LEARNER, outcome, small, trained

from tag import make_agent, make_game
from tag.cluster.batches import Columns, Reply, Task, do_task, play_batch
from tag.cluster.workers import RayWorkers, ReliableWorkers
from tag.engine.rng import Rng
from tag.errors import DataError, ParameterError, TagError, UnknownNameError
from tag.tournaments.ledger.storage import locked
from tag.tuning.training.definition import define_training
from tag.tuning.training.evaluators import make_evaluator
from tag.tuning.training.files import Checkpoints, read_curves
from tag.tuning.training.positions import solved_positions
from tag.tuning.training.results import read_training, training_text
from tag.tuning.training.stopping import decisions

pytestmark = pytest.mark.flow

SCORER = "td_ntuple:n_tuples=2,length=2,reward=score,n_values=4"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete training; tests must not change it."""
    out = tmp_path_factory.mktemp("done") / "training"
    assert trained(small(), out).complete
    return out


# --- the same models ------------------------------------------------------------------------------------------------------


def test_neither_steps_nor_evaluations_change_a_model(tmp_path: Path, done: Path) -> None:
    trained(small(evaluations=0), tmp_path / "one step", seconds=1000.0)
    trained(small(evaluate=("osla", "value_error"), evaluations=7), tmp_path / "evaluated", seconds=0.01)
    models = [{path.name: path.read_bytes() for path in out.glob("*.safetensors")} for out in tmp_path.iterdir()]
    assert all(found == {name: one for name, one in outcome(done).items() if name != "curves"} for found in models)
    assert read_training(tmp_path / "evaluated").complete
    assert len(read_curves(tmp_path / "one step")) == 0


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_two_workers_and_a_killed_one_train_the_same(tmp_path: Path, done: Path) -> None:
    class Deadly(RayWorkers):
        """Kills a worker after some answers, as soon as there is one."""

        answers = 0
        has_killed = False

        def _connect(self, sources: Mapping[str, str]) -> Any:
            """Put models into Ray's store, as for other machines."""
            actors = super()._connect(sources)
            actors._ships_models = True  # type: ignore[attr-defined]
            return actors

        def completed(self, timeout: float) -> Any:
            found = super().completed(timeout)
            self.answers += 1
            if self.answers >= 5 and not self.has_killed:
                for victim in [one for one in family(os.getpid()) if one.name.startswith("ray::Worker")][:1]:
                    os.kill(victim.pid, signal.SIGKILL)
                    self.has_killed = True
            return found

    with RayWorkers(2) as workers:
        assert trained(small(), tmp_path / "two", workers).complete
    with Deadly(2) as deadly:
        assert trained(small(), tmp_path / "deadly", deadly).complete
        assert deadly.has_killed
        assert deadly._ray_actors is not None
        assert deadly._ray_actors._welcome[2:] == ({}, {}), "checkpoints stay in Ray's store"
    for out in tmp_path.iterdir():
        assert outcome(out) == outcome(done)


class Remembering:
    """Workers that know the models that they were provided with, until they are told to forget them."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.provided: list[str] = []
        self._coming: deque[Reply] = deque()

    @property
    def has_room(self) -> bool:
        return len(self._coming) < 4

    def provide(self, sources: Mapping[str, str]) -> None:
        self.known |= sources.keys()
        self.provided += sources

    def forget(self, names: Sequence[str]) -> None:
        assert self.known.issuperset(names)
        self.known -= set(names)

    def give(self, number: int, columns: Columns) -> None:
        self._check(str(columns))
        self._coming.append(Reply(number, "10.0.0.2/1", play_batch(columns)))

    def give_task(self, number: int, task: Task) -> None:
        self._check(str(task))
        self._coming.append(Reply(number, "10.0.0.2/1", do_task(task)))

    def wait(self, seconds: float) -> list[Reply]:
        return [self._coming.popleft()] if self._coming else []

    def _check(self, text: str) -> None:
        assert self.known.issuperset(re.findall(r"/[^'=()]*\.safetensors", text))


def test_workers_know_checkpoints_only_until_they_are_evaluated(tmp_path: Path, done: Path) -> None:
    actors = Remembering()
    definition = small(evaluate=("random", "agreement:positions=3"))
    with ReliableWorkers(lambda _sources: actors, 2) as workers:
        assert trained(definition, tmp_path / "training", workers).complete
    assert len(set(actors.provided)) == 6
    assert actors.known == set()
    assert (tmp_path / "training" / "1.safetensors").read_bytes() == (done / "1.safetensors").read_bytes()


def test_more_learners_leave_the_first_ones_as_they_are(tmp_path: Path, done: Path) -> None:
    out = tmp_path / "training"
    trained(small(seeds=1), out)
    assert trained(small(), out).complete
    assert outcome(out) == outcome(done)


def test_every_learner_is_evaluated_in_every_seat_at_every_checkpoint(done: Path) -> None:
    curves = read_curves(done)
    places = curves[["seed", "episode", "evaluator", "seat"]].to_records(index=False).tolist()
    assert places == [
        (seed, episode, "random", seat) for seed in (1, 2) for episode in (50, 100, 150) for seat in (1, 2)
    ]
    assert (curves["games"] == 4).all()
    assert curves["points"].between(curves["low"], curves["high"]).all()
    assert not list((done / "checkpoints").iterdir()), "a finished training needs no checkpoints"


def test_agents_play_by_a_model(done: Path) -> None:
    assert make_agent(f"learned:file={done / '1.safetensors'}").parameters.values()["episodes"] == 0


# --- refusals and damage --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"learner": "td_ntupel"}, "did you mean 'td_ntuple'"),
        ({"learner": "td_ntuple:alhpa=1"}, "did you mean 'alpha'"),
        ({"game": "love_letter"}, "declares no cells"),
        ({"players": 3}, "players"),
        ({"episodes": 0}, "episodes cannot be 0"),
        ({"evaluate": ("rnadom",)}, "or evaluate by score, agreement, value_error"),
        ({"evaluate": ("random", "random")}, "twice"),
        ({"evaluate": ("score",)}, "name one, such as random"),
        ({"game": "twenty_forty_eight", "learner": SCORER, "evaluate": ("random",)}, "take score"),
        ({"evaluate": ("agreement:budget=0",)}, "budget"),
        ({"evaluations": 0, "patience": 2}, "need evaluations"),
    ],
)
def test_a_wrong_training_is_refused_in_a_sentence(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(TagError, match=reason) as caught:
        small(**changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"episodes": 400}, "episodes is 150 there, and the rates of learning follow from it"),
        ({"seeds": 1}, "can only grow"),
        ({"learner": "td_ntuple:tuples=lines"}, "learner is"),
        ({"evaluation_games": 8}, "evaluation_games is 4 there, not 8"),
    ],
)
def test_a_folder_with_another_training_is_refused(changes: dict[str, Any], reason: str, done: Path) -> None:
    with pytest.raises(DataError, match=f"holds another training: .*{reason}"):
        trained(small(**changes), done)


def test_a_folder_in_use_or_with_something_else_is_refused(tmp_path: Path, done: Path) -> None:
    with locked(done / ".lock"), pytest.raises(DataError, match="another process is at work"):
        trained(small(), done)
    (tmp_path / "letter.txt").touch()
    with pytest.raises(DataError, match="holds no training"):
        trained(small(), tmp_path)


@pytest.mark.parametrize(
    "how", ["newest cut", "all cut", "newest altered", "model altered", "table lost", "early lost"]
)
def test_damage_is_told_and_mended(how: str, tmp_path: Path, done: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "training"
    stop_after(out, checkpoints=2)
    files = [one.path for one in Checkpoints(out).of(1)]
    assert len(files) >= 2
    if how == "newest altered":
        content = bytearray(files[0].read_bytes())
        content[-1] ^= 1
        files[0].write_bytes(content)
    elif how == "early lost":  # that of an evaluation that is missing
        (out / "curves.parquet").unlink(missing_ok=True)
    elif how.endswith("cut"):
        for file in files[: 1 if how == "newest cut" else None]:
            file.write_bytes(file.read_bytes()[:-5])
    else:
        trained(small(), out)
        (out / "curves.parquet").unlink() if how == "table lost" else (out / "1.safetensors").write_bytes(b"no model")
    assert trained(small(), out).complete
    assert outcome(out) == outcome(done)
    told = capsys.readouterr().err
    assert ("1.safetensors" if how == "model altered" else "" if how.endswith("lost") else files[0].name) in told


def stop_after(out: Path, checkpoints: int) -> None:
    """Begin a small training and end it after so many checkpoints of the first learner, as an exception would."""
    written = Checkpoints.write

    def counted(self: Checkpoints, seed: int, *arguments: Any) -> Any:
        nonlocal checkpoints
        found = written(self, seed, *arguments)
        checkpoints -= seed == 1
        if not checkpoints:
            raise RuntimeError
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoints, "write", counted)
        with pytest.raises(RuntimeError):
            trained(small(), out, seconds=0.01)


# --- evaluators -----------------------------------------------------------------------------------------------------------


def test_solved_positions_have_the_values_of_perfect_play() -> None:
    """A small solver of its own finds the same values."""

    def value(model: Any, state: Any, player: int) -> float:
        if state.is_terminal:
            return float(state.result_value(player))
        found = []
        for action in model.available_actions(state):
            after = state.copy()
            model.next(after, action, Rng(0))
            found.append(value(model, after, player))
        return max(found) if state.current_player == player else min(found)

    model = make_game("tic_tac_toe")
    known = [one for one in solved_positions("tic_tac_toe", 2, 40, 3000) if len(one.values) <= 6]
    assert len(known) >= 10
    for solved in known:
        player = solved.state.current_player
        for action, found in zip(model.available_actions(solved.state), solved.values, strict=True):
            after = solved.state.copy()
            model.next(after, action, Rng(0))
            assert value(model, after, player) == found


def test_perfect_values_agree_and_have_no_error() -> None:
    evaluator = make_evaluator("agreement")
    (perfect,) = evaluator.of_positions([(1.0, 0.0)] * 20)
    assert (perfect.points, perfect.high, perfect.games) == (1.0, 1.0, 20)
    assert perfect.low < 1.0, "twenty positions do not make it certain"
    (nothing,) = evaluator.of_positions([])
    assert nothing.games == 0
    assert nothing.points != nothing.points


def test_an_evaluator_without_cases_says_so(tmp_path: Path) -> None:
    hopeless = "agreement:positions=2,budget=1"
    learner = "td_ntuple:n_tuples=2,length=2"
    definition = small(game="connect_four", learner=learner, episodes=4, seeds=1, evaluations=1, evaluate=(hopeless,))
    results = trained(definition, tmp_path / "training")
    assert results.complete
    assert not results.curves["games"].sum()
    assert f"no cases: {hopeless}" in training_text(results)


def test_one_player_is_evaluated_by_score(tmp_path: Path) -> None:
    game = "twenty_forty_eight:target=64,play_on=false"
    definition = define_training(SCORER, game, 4, seeds=1, evaluations=1, evaluation_games=3)
    assert definition.evaluate == ("score",)
    results = trained(definition, tmp_path / "training")
    assert (results.curves["seat"] == 1).all()
    assert (results.curves["points"] > 1.0).all()


def test_a_team_is_evaluated_by_the_score_of_its_copies(tmp_path: Path) -> None:
    game = "hanabi:colours=2,ranks=2,third_fuse=points"
    definition = define_training("td", game, 4, seeds=1, evaluations=1, evaluation_games=3)
    assert definition.evaluate == ("score",)
    results = trained(definition, tmp_path / "training")
    assert results.curves[["seat", "games"]].to_numpy().tolist() == [[0, 3]], "all seats together"
    assert results.curves["points"].between(0.0, 4.0).all()
    with pytest.raises(ParameterError, match="evaluate cannot be score in Love Letter, where players are opponents"):
        define_training("td", "love_letter", 4, evaluate=("score",))


# --- stopping rules -------------------------------------------------------------------------------------------------------


RULES = st.fixed_dictionaries({
    "target": st.sampled_from([None, 0.6, 0.9]),
    "patience": st.sampled_from([0, 1, 2]),
    "target_by": st.sampled_from(["each", "median"]),
}).filter(lambda rule: rule["target"] is not None or (rule["patience"] and rule["target_by"] == "each"))  # fmt: skip
VALUES = st.lists(st.lists(st.sampled_from([0.1, 0.5, 0.7, 0.95]), min_size=6, max_size=6), min_size=3, max_size=3)


@given(RULES, VALUES, st.lists(st.tuples(st.integers(1, 3), st.integers(1, 6)), unique=True))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_decisions_do_not_depend_on_when_values_become_known(
    rule: dict[str, Any], values: list[list[float]], known: list[tuple[int, int]]
) -> None:
    definition = small(seeds=3, episodes=60, evaluations=6, **rule)
    everything = {seed: {10 * (k + 1): value for k, value in enumerate(values[seed - 1])} for seed in (1, 2, 3)}
    some: dict[int, dict[int, float]] = {}
    for seed, number in known:
        some.setdefault(seed, {})[10 * number] = everything[seed][10 * number]
    in_the_end = decisions(definition, everything)
    assert decisions(definition, some).items() <= in_the_end.items()
    for seed in (1, 2, 3):
        taken = [in_the_end[seed, episode] for episode in (10, 20, 30, 40, 50) if (seed, episode) in in_the_end]
        assert all(not reason for reason in taken[:-1]), "there is no decision after a stop"
        assert len(taken) == 5 or taken[-1]


def test_a_target_and_patience_stop_where_they_say() -> None:
    values = {1: {10: 0.5, 20: 0.9, 30: 0.1}, 2: {10: 0.5, 20: 0.4, 30: 0.5}}
    each = decisions(small(episodes=60, evaluations=6, target=0.9), values)
    assert [place for place, reason in each.items() if reason] == [(1, 20)]
    patient = decisions(small(episodes=60, evaluations=6, patience=2), values)
    assert [place for place, reason in patient.items() if reason] == [(2, 30)]
    median = decisions(small(episodes=60, evaluations=6, target=0.65, target_by="median"), values)
    assert [place for place, reason in median.items() if reason] == [(1, 20), (2, 20)]


def test_a_stopped_training_is_complete_and_the_same_from_a_kill(tmp_path: Path) -> None:
    definition = small(target=0.2, target_by="median")
    results = trained(definition, tmp_path / "first")
    assert results.complete
    assert {course.episodes for course in results.courses.values()} == {50}
    assert all("the median has reached 0.2" in course.reason for course in results.courses.values())
    assert outcome(tmp_path / "first") == outcome(trained(definition, tmp_path / "again", seconds=60.0).folder)


def test_learners_cannot_be_added_where_their_median_decides() -> None:
    few, many = (small(seeds=seeds, target=0.5, target_by="median") for seeds in (2, 3))
    assert "cannot grow" in few.difference(many)


def test_specs_are_canonical() -> None:
    one = define_training(f"{LEARNER},epsilon=0.1", "tic_tac_toe", 10)
    assert one == define_training(LEARNER, "tic_tac_toe", 10)
    assert one.checkpoints == list(range(1, 11))
    assert all(first < second for first, second in pairwise(small(episodes=7, evaluations=100).checkpoints))
    with pytest.raises(ParameterError, match="target and patience"):
        define_training(LEARNER, "tic_tac_toe", 10, evaluations=0, target=0.5)
    with pytest.raises(UnknownNameError):
        define_training("nobody", "tic_tac_toe", 10)
