"""Openings in tuning and balancing: shared by all configurations, kept in the definition, and the same when resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run_tag
from studies.interruptions import ledgers

from tag.errors import ParameterError
from tag.orders import opening_choices
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import SEARCH, StudyDefinition
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.balancing.options import define_balance
from tag.tuning.balancing.problem import schedule_of as candidates_of
from tag.tuning.run import run_study

pytestmark = pytest.mark.flow

OPPONENTS = ("osla", "random")


def study(**options: object) -> StudyDefinition:
    said = {"games": 48, "games_per_trial": 8, "search": ("horizon",), "validation": 0, "versus": OPPONENTS, **options}
    return define_study("rmhc:budget=10", "connect_four", **said)


def test_configurations_and_opponents_meet_in_the_same_openings() -> None:
    definition = study(opening="random:4")
    schedule = schedule_of(definition, SEARCH, OPPONENTS)
    first, second = schedule.enter("rmhc:budget=10"), schedule.enter("rmhc:budget=10,horizon=3")
    openings = {
        agent: [opening_choices(schedule.order(pairing)) for pairing in schedule.games(agent, range(8))]
        for agent in (first, second)
    }
    assert openings[first] == openings[second]
    # blocks 2n and 2n + 1 are against one opponent each, in two seats, with the same chance seed
    assert [len(set(openings[first][begin : begin + 4])) for begin in (0, 4, 8, 12)] == [1] * 4
    assert len(set(openings[first])) == 4


def test_listed_openings_follow_the_chance_seeds() -> None:
    schedule = schedule_of(study(opening="moves:3,3;0,1;2,2"), SEARCH, OPPONENTS)
    agent = schedule.enter("rmhc:budget=10")
    played = [opening_choices(schedule.order(pairing)) for pairing in schedule.games(agent, range(0, 8, 2))]
    assert played[::2] == [(3, 3), (0, 1), (2, 2), (3, 3)]


def test_a_study_without_openings_is_what_it_was() -> None:
    assert "opening" not in study().to_json()
    assert StudyDefinition.from_json(study(opening="random:4").to_json()).opening == "random:4"
    assert "opening" not in schedule_of(study(), SEARCH, ()).fixed
    assert schedule_of(study(opening="random:4"), SEARCH, ()).fixed["opening"] == "random:4"
    assert study().difference(study(opening="random:4")).startswith("opening is ")


def test_a_study_with_openings_plays_other_games_and_is_the_same_each_time(tmp_path: Path) -> None:
    found = {}
    for name, opening in (("none", ""), ("first", "random:4"), ("again", "random:4"), ("longer", "random:6")):
        run_study(study(opening=opening), tmp_path / name, tracking=False)
        found[name] = ledgers(tmp_path / name)
    assert found["first"] == found["again"]
    assert len({str(one) for one in found.values()}) == 3
    assert json.loads((tmp_path / "first" / "study.json").read_text())["definition"]["opening"] == "random:4"
    assert run_tag("verify", tmp_path / "first").exit_code == 0


def test_candidates_play_random_openings_of_their_own_rules() -> None:
    said = {"targets": ("length=5..20",), "agents": ("random",), "games": 400, "players": 2}
    definition = define_balance("connect_four", opening="random:4", **said)
    schedule = candidates_of(definition, definition.plan, 3)
    numbers = [schedule.enter("connect_four"), schedule.enter("connect_four:width=5")]
    orders = [[schedule.order(one) for one in schedule.games(number, range(6))] for number in numbers]
    assert all(len(opening_choices(order)) == 4 for some in orders for order in some)
    assert max(choice for order in orders[1] for choice in opening_choices(order)) < 5
    assert len({opening_choices(order) for order in orders[0]}) > 3
    with pytest.raises(ParameterError, match="opening cannot be 'moves:3', as candidates have rules of their own"):
        define_balance("connect_four", opening="moves:3", **said)
