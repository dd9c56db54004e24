"""Studies over several games: the same on any pool, fair to every game, and blind to those held out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from studies.interruptions import interrupt_after, ledgers
from studies.invented import Invented, first, shuffled, void_record_of

from tag.engine.parameters import parse_spec
from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng, derive_seed
from tag.orders import GameOrder, GameRecord
from tag.tournaments.ledger.games import read_ledger
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.reports.results import StudyResults
from tag.tuning.run import run_study

pytestmark = [pytest.mark.flow, pytest.mark.usefixtures("empty_pages")]

GAMES = ("tic_tac_toe", "love_letter:players=3", "nim")
HELD_OUT = ("connect_four", "love_letter:players=2")
#: The share of points of an agent against the default, by game and the horizon that the agent looks ahead.
Landscape = Mapping[str, Mapping[int, float]]


def definition_of(over: tuple[str, ...] = GAMES, **changes: Any) -> StudyDefinition:
    options: dict[str, Any] = {
        "games": 1_200,
        "versus": ("osla",),
        "held_out": HELD_OUT,
        "search": ("horizon", "discount"),
        "live": 6,
        "validation": 120,
    }
    return define_study("rmhc", over, **(options | changes))


def outcome(results: StudyResults) -> tuple[Any, ...]:
    """Return all that a study comes to, but for its id and for what was timed."""
    assert results.complete
    recommended = {
        name: value
        for name, value in (results.recommendation or {}).items()
        if name not in ("study", "decision_cpu_ms")
    }
    trials, incumbents = (frame.to_json() for frame in (results.trials, results.incumbents))
    return json.dumps(recommended), trials, incumbents, ledgers(results.folder)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    return run_study(definition_of(), tmp_path_factory.mktemp("undisturbed"), tracking=False, workers=Invented(1))


def test_it_finds_what_is_best_in_all_games(undisturbed: StudyResults) -> None:
    found = undisturbed.recommendation
    assert found is not None
    assert found["verdict"] == "better than the default"
    assert 16 <= found["parameters"]["horizon"] <= 24
    for part, events in {"validation": GAMES, "held_out": HELD_OUT}.items():
        comparison = found["games"][part]
        assert len(comparison["games"]) == len(events)
        assert comparison["low"] > 0.0
        assert comparison["gain"] == pytest.approx(sum(one["gain"] for one in comparison["games"]) / len(events))
        assert all(one["low"] < one["gain"] < one["high"] for one in comparison["games"])


@pytest.mark.parametrize(
    "pool", [Invented(4, first), Invented(4, shuffled(1)), Invented(3)], ids=["first", "shuffled", "last"]
)
def test_it_is_the_same_on_any_pool(pool: Invented, undisturbed: StudyResults, tmp_path: Path) -> None:
    assert outcome(run_study(definition_of(), tmp_path, tracking=False, workers=pool)) == outcome(undisturbed)
    assert set(pool.games.values()) == {1}


def test_it_is_the_same_interrupted_at_random(undisturbed: StudyResults, tmp_path: Path) -> None:
    rng, interruptions, games = Rng(11), 0, Counter[tuple[str, tuple[str, ...], int]]()
    while True:
        pool = Invented(1 + rng.below(4), shuffled(interruptions))
        pool.before_each = interrupt_after(rng.below(700))
        results = run_study(definition_of(), tmp_path, tracking=False, workers=pool)
        games += Counter(pool.games)
        if results.complete:
            break
        interruptions += 1
        assert interruptions < 50
    assert interruptions >= 3
    assert outcome(results) == outcome(undisturbed)
    assert max(games.values()) < 3  # the stages' games have the same ids


def test_a_longer_study_begins_as_the_shorter_one(undisturbed: StudyResults, tmp_path: Path) -> None:
    run_study(definition_of(), tmp_path, tracking=False, workers=Invented())
    pool = Invented()
    results = run_study(definition_of(games=1_800), tmp_path, tracking=False, workers=pool)
    shorter = undisturbed.trials
    assert len(results.trials) > len(shorter)
    assert results.trials[: len(shorter)].to_json() == shorter.to_json()
    known = set(read_ledger(undisturbed.folder / "search")[0]["game_id"])
    assert known < set(read_ledger(tmp_path / "search")[0]["game_id"])


def test_games_held_out_are_never_played_in_the_search(undisturbed: StudyResults) -> None:
    played = {part: read_ledger(undisturbed.folder / part) for part in ("search", "validation", "held_out")}
    at = {
        part: {
            (game, int(n))
            for game, n in zip(games["game"], seats.groupby("game_id").size()[games["game_id"]], strict=True)
        }
        for part, (games, seats) in played.items()
    }
    assert at["search"] == at["validation"] == {("tic_tac_toe", 2), ("love_letter", 3), ("nim", 2)}
    assert at["held_out"] == {("connect_four", 2), ("love_letter", 2)}


def test_all_trials_play_every_game_equally_often_on_the_same_seeds(undisturbed: StudyResults) -> None:
    games, _seats = read_ledger(undisturbed.folder / "search")
    assert games.groupby("block")[["game", "seed"]].nunique().max().max() == 1
    complete = undisturbed.trials[undisturbed.trials["state"] == "complete"]
    for _agent, own in games[games["matchup"].isin(complete["agent"])].groupby("matchup"):
        seeds = own.groupby("game", observed=True)["seed"].nunique()
        assert len(seeds) == len(GAMES)
        assert seeds.nunique() == 1


def test_trials_of_ten_seeds_share_them_by_default(undisturbed: StudyResults) -> None:
    """And each judged trial has whole rounds."""
    definition = undisturbed.definition
    assert definition.games_per_trial % definition.round_games == 0
    assert definition.games_per_trial // definition.round_games * len(GAMES) >= 10
    assert (undisturbed.trials["games"] % definition.round_games == 0).all()


def test_games_that_do_not_count_leave_the_rest(tmp_path: Path) -> None:
    """A trial in which one game is always void has no value."""

    def record(order: GameOrder) -> GameRecord:
        is_void = order.game == "nim" and any("horizon=2" in agent for agent in order.agents)
        return void_record_of(order) if is_void else Invented()._record(order)

    results = run_study(definition_of(), tmp_path, tracking=False, workers=Invented(2, record=record))
    broken = results.trials["spec"].str.contains("horizon=2")
    assert broken.any()
    assert (results.trials["state"][broken] == "void").all()
    assert not (results.trials["state"][~broken] == "void").any()


class TestOneGame:
    """Studies of one game are what they were."""

    def test_a_list_of_one_is_that_game(self) -> None:
        one = {"versus": ("osla",), "games": 400}
        assert define_study("rmhc", "nim", **one) == define_study("rmhc", ("nim",), **one)

    def test_its_definition_says_nothing_of_several(self) -> None:
        plain = define_study("rmhc", "nim", games=400).to_json()
        assert not {"events", "across"} & set(plain)


class TestDefinition:
    def test_it_is_read_back(self) -> None:
        definition = definition_of((*GAMES[:2], "nim:weight=2.5"))
        plain = json.loads(json.dumps(definition.to_json()))
        again = StudyDefinition.from_json(plain)
        assert again == replace(definition, sampler_reason="")
        assert [event.weight for event in again.events_in_search] == [1.0, 1.0, 2.5]
        said = again.said()
        assert define_study(said.pop("agents"), said.pop("game"), **_options(said)) == definition

    def test_bots_play_in_their_own_game(self) -> None:
        definition = definition_of(versus=("osla", "love_letter:priest_and_baron"), held_out=())
        schedule = schedule_of(definition, "search", definition.versus)
        agent = schedule.enter("rmhc:horizon=3")
        met: dict[str, set[str]] = {}
        for game in schedule.games(agent, range(3 * schedule.round_blocks)):
            met.setdefault(schedule.game_of(game), set()).update(schedule.labels[one] for one in game.agents)
        assert {game: agents - {"rmhc:horizon=3"} for game, agents in met.items()} == {
            "tic_tac_toe": {"osla"},
            "nim": {"osla"},
            "love_letter": {"osla", "love_letter:priest_and_baron"},
        }
        assert definition.round_games == 2 + 2 + 2 * 3

    def test_all_is_every_game_that_players_contest(self) -> None:
        definition = definition_of(("all",), games=5_000, validation=2_000, held_out=("nim",), versus=())
        games = {event.game for event in definition.events_in_search}
        assert len(games) >= 15
        assert not {"nim", "pandemic", "twenty_forty_eight"} & games

    def test_presets_of_single_games_are_off(self) -> None:
        assert define_study("mcts:budget=20", ("nim", "hex"), games=2_000).default == "mcts:budget=20,preset=none"
        assert define_study("mcts:budget=20", ("connect_four", "cant_stop"), games=2_000).default == "mcts:budget=20"


def _options(said: dict[str, Any]) -> dict[str, Any]:
    names = {
        "games",
        "validation",
        "seed",
        "search",
        "versus",
        "held_out",
        "live",
        "games_per_trial",
        "sampler",
        "across",
    }
    return {name: tuple(value) if isinstance(value, list) else value for name, value in said.items() if name in names}


def planted(landscape: Landscape) -> Any:
    """Return what draws a game between one agent with a horizon and the default, who has 10."""

    def record(order: GameOrder) -> GameRecord:
        horizons = [int(str(parse_spec(agent).values.get("horizon", 10))) for agent in order.agents]
        (own,) = [seat for seat, horizon in enumerate(horizons) if horizon != 10] or [0]
        share = landscape[order.game].get(horizons[own], 0.5)
        luck = derive_seed(order.seed, *order.agents, str(own)) % 10**6 / 10**6
        winner = own if luck < share else 1 - own
        results = tuple(WIN if seat == winner else LOSE for seat in range(2))
        places = tuple(1 if seat == winner else 2 for seat in range(2))
        return GameRecord(order.game_id, results, places, (0, 1), (0.0, 0.0), (1, 1), (0.001,) * 2, 9, 3, 1, "0" * 16)

    return record


def recommended(landscape: Landscape, folder: Path, over: tuple[str, ...], **options: Any) -> int:
    said = {"search": ("horizon=5,10,20",), "validation": 400, "held_out": (), "versus": (), "games": 3_000}
    definition = definition_of(over, **said, **options)
    results = run_study(definition, folder, tracking=False, workers=Invented(2, record=planted(landscape)))
    assert results.recommendation is not None
    return int(results.recommendation["parameters"]["horizon"])


#: A horizon of 5 is good in the first game and bad in the second; 20 the other way round.
OPPOSITE = {"tic_tac_toe": {5: 0.75, 20: 0.25}, "nim": {5: 0.3, 20: 0.8}}
#: A horizon of 5 is best on average, but worse than the default in the second game; 20 is a little better in both.
UNEVEN = {"tic_tac_toe": {5: 0.95, 20: 0.62}, "nim": {5: 0.4, 20: 0.62}}


@pytest.mark.parametrize(("weights", "best"), [((5, 1), 5), ((1, 5), 20)])
def test_weights_change_the_recommendation(weights: tuple[int, int], best: int, tmp_path: Path) -> None:
    games = tuple(f"{game}:weight={weight}" for game, weight in zip(OPPOSITE, weights, strict=True))
    assert recommended(OPPOSITE, tmp_path, games) == best


@pytest.mark.parametrize(("across", "best"), [("mean", 5), ("worst", 20)])
def test_the_worst_game_prefers_another_configuration_than_the_mean(across: str, best: int, tmp_path: Path) -> None:
    assert recommended(UNEVEN, tmp_path, tuple(UNEVEN), across=across) == best
