"""Budgets of agents that are given none: those of the game, in `games/budgets.toml`."""

from __future__ import annotations

import json
import tomllib

import pytest
from click.testing import CliRunner
from users_code import PLAIN_GAME

from tag.adapters.gymnasium import SeatEnv
from tag.catalogue.registry import agent_class, bot_names, canonical, game_class, game_names, make_agent
from tag.catalogue.version import is_compiled
from tag.cli.catalogue import agents
from tag.orders import Conditions, GameOrder, costs_of, new_game, play_order, with_game_budget
from tag.orders.budgets import budgets_file, provenance
from tag.table.game import Start
from tag.tournaments.definition import define
from tag.tournaments.run import run_tournament

GAME = "tic_tac_toe"
#: Agents that search as long as their budget lasts.
SEARCHING = ("flat_mc", "mcts", "rhea", "rmhc")


def limit(agent, game=GAME, **options):
    """Return the forward-model calls of a decision of an agent in a game that is played by order."""
    players = max(2, game_class(game).game_type.min_players)
    made = new_game(GameOrder("", game, (agent, *("random",) * (players - 1)), 1, **options))
    return made.agents[0].new_budget().limit


@pytest.mark.parametrize("game", game_names())
def test_each_game_has_budgets_of_about_ten_milliseconds(game):
    costs = costs_of(game)
    assert set(costs) == {*SEARCHING, "osla", "random", *bot_names(game)}
    for agent, cost in costs.items():
        assert (cost.budget > 0) == (agent in SEARCHING)
        assert not cost.budget or 6.0 < cost.ms < 16.0
        assert cost.ms > 0.0


def test_the_file_says_when_and_where_it_was_measured():
    tables = tomllib.loads(budgets_file().read_text(encoding="utf-8"))
    assert tables["measured"] == provenance()
    assert sorted(game_names()) == sorted(set(tables) - {"measured"})


@pytest.mark.parametrize("agent", SEARCHING)
def test_without_a_budget_an_agent_has_the_games(agent):
    assert limit(agent) == costs_of(GAME)[agent].budget != 1000
    assert limit(f"{agent}:heuristic=score") == costs_of(GAME)[agent].budget
    assert limit(agent, f"{GAME}") != limit(agent, "hex")


@pytest.mark.parametrize(
    ("agent", "budget"),
    [("mcts:budget=1000", 1000), ("mcts:budget=7,k=2.0", 7), ("mcts:budget_type=iterations", 1000), ("osla", 1000)],
)
def test_a_given_budget_wins(agent, budget):
    assert limit(agent) == budget
    assert canonical(agent, agent_class(agent.partition(":")[0]).parameters_class) == agent


def test_other_games_and_agents_by_themselves_have_a_thousand_calls():
    assert with_game_budget("mcts", f"{PLAIN_GAME}:Nim") == "mcts"
    assert with_game_budget("restricted:agent=(mcts)", GAME) == "restricted:agent=(mcts)"
    assert costs_of("measured") == {}
    assert make_agent("mcts").new_budget().limit == 1000


def test_parameters_of_the_game_leave_the_budget():
    assert with_game_budget("mcts:k=2", "connect_four:width=5") == (
        f"mcts:k=2,budget={costs_of('connect_four')['mcts'].budget}"
    )


@pytest.mark.heavy
def test_a_game_is_that_of_the_written_budget():
    budget = costs_of(GAME)["rmhc"].budget
    digests = [
        play_order(GameOrder("", GAME, (agent, "random"), 5)).actions_digest
        for agent in ("rmhc", f"rmhc:budget={budget}", "rmhc:budget=3")
    ]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.system
def test_an_isolated_agent_has_the_budget():
    assert limit("mcts", conditions=Conditions(isolate=True)) == costs_of(GAME)["mcts"].budget


def test_tables_and_environments_have_the_budget():
    budget = costs_of(GAME)["mcts"].budget
    start = Start(GAME, 2)
    assert start.new_game(start.model(), "mcts").agents[1].new_budget().limit == budget
    env = SeatEnv(GAME, opponents=["mcts"])
    env.reset(seed=1)
    assert {agent.new_budget().limit for agent in env._game.agents if type(agent).__name__ == "Mcts"} == {budget}


@pytest.mark.heavy
@pytest.mark.usefixtures("local_ray")
def test_ledgers_of_one_and_two_workers_are_equal(tmp_path):
    definition = define(GAME, ("mcts", "rhea", "mcts:budget=20"), 1, seed=3)
    alone = run_tournament(definition, tmp_path / "alone", tracking=False)
    together = run_tournament(definition, tmp_path / "together", workers=2, tracking=False)
    assert alone.complete
    assert together.content_hash == alone.content_hash


def test_a_command_tells_budgets_and_times():
    rows = json.loads(CliRunner().invoke(agents, ["--game", "nim", "--json"]).output)
    by_name = {row["name"]: row for row in rows}
    assert {name: row["ms"] for name, row in by_name.items()} == {
        name: cost.ms for name, cost in costs_of("nim").items()
    }
    assert f"{costs_of('nim')['rhea'].budget:,} forward-model calls" in by_name["rhea"]["what it does"]
    text = CliRunner().invoke(agents, ["mcts", "--game", "nim"]).output
    assert f"without a budget it has {costs_of('nim')['mcts'].budget:,} forward-model calls" in text
    assert provenance() in text
    one = json.loads(CliRunner().invoke(agents, ["mcts", "--game", "nim", "--json"]).output)
    assert (one["budget"], one["ms"]) == (costs_of("nim")["mcts"].budget, costs_of("nim")["mcts"].ms)


@pytest.mark.slow
@pytest.mark.skipif(not is_compiled(), reason="the budgets are for the compiled build")
@pytest.mark.parametrize("agent", SEARCHING)
@pytest.mark.parametrize("game", game_names())
def test_a_decision_takes_about_ten_milliseconds(game, agent):
    kind = game_class(game).game_type
    players = min(max(2, kind.min_players), kind.max_players)
    record = play_order(GameOrder("", game, (agent,) * players, 9))
    assert 10 / 3 < 1000 * sum(record.cpu_seconds) / sum(record.decisions) < 30
