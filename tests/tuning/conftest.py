"""What tests of shown studies share: studies of which the truth is known, in folders, most without a game played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest
from studies.invented import Invented, first
from studies.komi_studies import komi, untracked

from tag.tuning.agent.comparisons.comparison import Comparison, Side
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import RECOMMENDATION, StudyDefinition, StudyManifest
from tag.tuning.agent.objectives import MAXIMIZE, direction_of
from tag.tuning.balancing import BalanceResults
from tag.tuning.reports.results import StudyResults, read_study, recommendation
from tag.tuning.search.history import incumbents_frame
from tag.tuning.search.incumbents import _LOOKS as LOOKS
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.search.trials import COMPLETE, DROPPED, VOID, FinishedTrial, KnownTrial, joined, trials_frame
from tag.tuning.space.configurations import Configuration
from tag.tuning.study.files import INCUMBENTS, TRIALS, write_frame, write_json
from tag.tuning.validation import Validation

SEARCH = ("horizon", "population_size", "crossover", "selection", "tournament_size", "discount")
TRIED = 60
GAMES = 40
#: How studies of each kind differ from the first.
KINDS: dict[str, dict[str, Any]] = {
    "complete": {},
    "interrupted": {},
    "begun": {},
    "keep": {},
    "not validated": {"validation": 0, "held_out": ()},
    "minimised": {"objective": "ordinal"},
    "two objectives": {"objective": "win_rate,decision_ms"},
    "ntbea": {"sampler": "ntbea"},
    "one parameter": {"search": ("horizon",)},
    "agents": {"search": ("rhea.horizon", "mcts.k")},
    "self-play": {"versus": ("incumbent",), "generations": 2, "held_out": ()},
    "team": {"game": "pandemic", "versus": (), "held_out": ()},
}


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Invented:
    """Invented games, for commands to play."""
    found = Invented(choice=first)
    monkeypatch.setattr("tag.tournaments.commands.settings.make_workers", lambda *_arguments, **_options: found)
    return found


def truth(configuration: Configuration) -> float:
    """Return the true win rate: the horizon matters most, crossover little, tournaments with their size."""
    horizon, population = configuration.get("horizon", 10), configuration.get("population_size", 10)
    value = 0.5 + 0.25 * (1.0 - abs(horizon - 5) / 25.0) - 0.1 * (horizon > 15) * (population > 12)
    value += 0.05 * (configuration.get("crossover") == "n_point")
    return value - 0.01 * configuration.get("tournament_size", 5)


def defined(kind: str) -> StudyDefinition:
    settings: dict[str, Any] = {
        "game": "tic_tac_toe",
        "games": TRIED * GAMES,
        "games_per_trial": GAMES,
        "search": SEARCH,
        "versus": ("random",),
        "held_out": ("osla",),
        "validation": 200,
    }
    agents = ("rhea:budget=20", "mcts:budget=20") if kind == "agents" else "rhea:budget=20"
    return define_study(agents, **{**settings, **KINDS[kind]})


def write(folder: Path, kind: str) -> StudyResults:
    definition = defined(kind)
    folder.mkdir()
    manifest = StudyManifest("1", "2026-01-02T03:04:05+00:00", definition, {"tag": "1"}, {}, definition.sampler_reason)
    manifest.write(folder)
    if kind == "begun":
        return read_study(folder)
    searches = [searched(definition, seed) for seed in range(max(definition.generations, 1))]
    write_frame(folder / TRIALS, joined([trials_frame(trials) for trials, _judge in searches]))
    write_frame(folder / INCUMBENTS, joined([incumbents_frame(model.incumbents) for _trials, model in searches]))
    if kind != "interrupted":
        incumbent = searches[-1][1].incumbents[-1]
        if kind == "keep":
            incumbent = replace(incumbent, spec=definition.default)
        validated = definition.validation > 0 and kind != "keep"
        comparisons = [compared(definition, incumbent.spec, seed) for seed in range(2)] if validated else [None, None]
        held_out = comparisons[1] if definition.held_out else None
        write_json(folder / RECOMMENDATION, recommendation(manifest, incumbent, comparisons[0], held_out))
    return read_study(folder)


def searched(definition: StudyDefinition, seed: int) -> tuple[list[FinishedTrial], IncumbentModel]:
    """Return the trials of a search, drawn at random, and what was believed in its course."""
    rng = np.random.default_rng(seed)
    space, sign = definition.space, 1.0 if direction_of(definition.objectives[0]) == MAXIMIZE else -1.0
    study = optuna.create_study(direction=direction_of(definition.objectives[0]))
    model = IncumbentModel(space, study, definition.budgets)
    trials = []
    drawn = [space.default, *(space.configurations.draw(rng) for _ in range(TRIED - 1))]
    for number, configuration in enumerate(drawn):
        dropped = number % 7 == 6
        games = GAMES // 2 if dropped else GAMES
        rate = rng.binomial(games, truth(configuration)) / games
        value = rate if sign > 0 else 2.0 - rate
        values = (value, 1.0 + rng.random())[: len(definition.objectives)]
        error = (rate * (1.0 - rate) / games) ** 0.5
        state = DROPPED if dropped else COMPLETE
        spec = space.spec(configuration)
        one = FinishedTrial(number, number, spec, configuration, games, values, error, state, GAMES - games)
        if number == 3:
            one = replace(one, games=0, values=(), error=None, state=VOID)
        trials.append(one)
        if one.value is not None:
            study.add_trial(KnownTrial(spec, games, value).of_optuna(space))
        model.learn(one, [])
    model.look()
    return trials, model


def compared(definition: StudyDefinition, spec: str, seed: int) -> Comparison:
    """Return a validation of blocks of two games, in which the recommendation wins more."""
    rng = np.random.default_rng(100 + seed)
    wins = rng.binomial(2, [[0.85], [0.55]], (2, 100)) / 2.0
    test = Validation(100, 2, most=1.0)
    for better, worse in wins.T:
        test.add(float(better - worse))
    used = wins[:, : test.blocks]
    sides = [
        Side(one, 2 * test.blocks, float(won.mean()), float(won.mean()) - 0.07, float(won.mean()) + 0.06)
        for one, won in zip((spec, definition.default), used, strict=True)
    ]
    return Comparison(sides[0], sides[1], test.result(), 1)


@pytest.fixture(autouse=True)
def _figures(undrawn: None) -> None:
    """Leave out drawings. Tests of pages have their own fixture."""


@pytest.fixture(scope="module", autouse=True)
def _few_looks() -> Iterator[None]:
    """Ask what a search recommends ten times in its course: the fits of all times take most of a small study."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tag.tuning.search.incumbents._LOOKS", 10)
        yield


@pytest.fixture(scope="module")
def all_looks(_few_looks: None) -> Iterator[None]:
    """Ask as often as for users."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tag.tuning.search.incumbents._LOOKS", LOOKS)
        yield


@pytest.fixture(scope="module")
def empty_pages() -> Iterator[None]:
    """Write reports without sections, for tests of what studies come to: a report takes as long as a small search."""
    with pytest.MonkeyPatch.context() as patched:
        for module in ("tag.tuning.reports.report", "tag.tuning.balancing.report.report"):
            patched.setattr(f"{module}.report_html", lambda results: "<!DOCTYPE html>")
        yield


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], StudyResults]:
    """What returns a study of a kind, made up once."""
    folder = tmp_path_factory.mktemp("studies")
    found: dict[str, StudyResults] = {}

    def study(kind: str) -> StudyResults:
        if kind not in found:
            found[kind] = write(folder / kind.replace(" ", "_"), kind)
        return found[kind]

    return study


# --- balancing: complete studies of a made-up game, played once; tests copy what they change --------------------------


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> BalanceResults:
    """Two parameters, two targets, an agent held out."""
    definition = komi(games=800, search=("komi", "turns"), held_out=("osla",))
    return untracked(definition, tmp_path_factory.mktemp("small") / "study")


@pytest.fixture(scope="session")
def met(tmp_path_factory: pytest.TempPathFactory) -> BalanceResults:
    """Agents that meet: by a table of scores that are wanted, and on a ladder."""
    folder = tmp_path_factory.mktemp("met")
    wanted = folder / "wanted.csv"
    wanted.write_text(",random,osla\nrandom,,0.5\nosla,,\n", encoding="utf-8")
    definition = komi(
        targets=(f"match_ups({wanted})<=0.2", "skill_area=0±0.5", "first_seat=0±0.25"),
        agents=("random", "osla"),
        search=("komi=3..5",),
        games=200,
        games_per_trial=60,
        validation=300,
        seed=2,
    )
    return untracked(definition, folder / "study")
