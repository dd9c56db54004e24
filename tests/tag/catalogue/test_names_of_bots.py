"""Bots of games: found by the game's name and theirs, wherever agents are named."""

from __future__ import annotations

import json

import pytest
from commands import run_tag

from tag import make_agent, make_game
from tag.catalogue.describe import describe_agent
from tag.catalogue.registry import (
    agent_names,
    agents_of,
    bot_names,
    built_in,
    canonical,
    check_game,
    game_names,
    game_of_bot,
    sources_in,
)
from tag.catalogue.version import is_compiled
from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.orders import Conditions, GameOrder, play_order
from tag.tournaments import define, run_tournament
from tag.tournaments.designs.agents import short_labels
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.web.tables.engine import Engine

pytestmark = pytest.mark.flow

BOTS = [bot for game in game_names() for bot in bot_names(game)]


def test_bots_are_of_games_in_packages_and_in_modules():
    assert {"dominion:big_money", "nim:optimal", "cant_stop:rule_of_28"} <= set(BOTS)
    assert "bots" not in game_names()
    assert not set(BOTS) & set(agent_names())
    assert agents_of("nim") == [*agent_names(), *bot_names("nim")]
    assert bot_names("kuhn.py:KuhnPoker") == [] == bot_names("")


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_is_known_by_its_name(bot):
    """And says where its strategy is from, in its own docstring and not in that of the game."""
    assert game_of_bot(bot) == bot.partition(":")[0]
    assert built_in("agents", bot)
    assert canonical(bot, type(make_agent(bot).parameters)) == bot
    assert sources_in("agent", f"restricted:agent=({bot})") == {}
    described = describe_agent(bot)
    assert described.summary.endswith(".")
    assert described.sections()["Source"].endswith(".")


@pytest.mark.parametrize(
    ("spec", "kind", "sentence"),
    [
        ("dominion:big_mony", UnknownNameError, "no bot named 'dominion:big_mony'; did you mean 'dominion:big_money'?"),
        ("domino:big_money", UnknownNameError, "no game named 'domino'; did you mean 'dominion'?"),
        ("mcts:budget", SpecError, "'budget' in the spec 'mcts:budget' is not key=value"),
        ("dominion:big_money:x=3", UnknownNameError, "dominion:big_money: no parameter named 'x'"),
    ],
)
def test_mistakes_are_one_sentence(spec, kind, sentence):
    with pytest.raises(kind) as caught:
        make_agent(spec)
    assert str(caught.value) == sentence


def test_a_game_has_no_value_without_a_name_either():
    with pytest.raises(SpecError, match="'width' in the spec 'connect_four:width' is not key=value"):
        make_game("connect_four:width")


@pytest.mark.parametrize("spec", ["dominion:big_money", "restricted:agent=(dominion:big_money)"])
def test_a_bot_plays_its_game_with_any_options_and_no_other(spec):
    for game in ("dominion", "dominion:kingdom=random"):
        check_game(spec, make_game(game), 3)
    with pytest.raises(ParameterError, match="dominion:big_money plays dominion only, not Nim; "):
        check_game(spec, make_game("nim"), 2)


@pytest.mark.skipif(is_compiled(), reason="compiled rules cannot be inherited from")
def test_a_game_of_a_user_that_is_derived_has_the_bots_of_the_first(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from tag.games.cards.dominion import Dominion\nclass Mine(Dominion):\n    pass\n"
    )
    check_game("dominion:big_money", make_game(f"{tmp_path / 'mine.py'}:Mine"), 2)


@pytest.mark.parametrize("bot", ["dominion:big_money", "restricted:agent=(nim:optimal),without=x"])
def test_names_of_agents_labels_and_numbers(bot):
    game = "nim" if "nim" in bot else "dominion"
    definition = define(game, (f"mine={bot}", bot, bot), 1)
    assert definition.labels == ("mine", f"{bot}#2", f"{bot}#3")
    assert short_labels([bot, f"{bot}#2", "random"])[bot] == ("restricted" if game == "nim" else bot)


def test_an_agent_of_a_json_file(tmp_path):
    file = tmp_path / "bot.json"
    file.write_text(json.dumps({"name": "nim:optimal", "parameters": {}}))
    assert define("nim", (str(file), "random"), 1).agents == ("nim:optimal", "random")


def test_an_isolated_bot_plays_the_same():
    agents = ("dominion:big_money", "dominion:big_money_smithy")
    here = play_order(GameOrder("one", "dominion", agents, 3))
    apart = play_order(GameOrder("one", "dominion", agents, 3, Conditions(isolate=True)))
    assert not here.faults
    assert (here.state_hash, here.results) == (apart.state_hash, apart.results)


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_play_the_same(tmp_path):
    agents = ("dominion:big_money", "dominion:big_money_smithy", "random")
    definition = define("dominion:kingdom=random", agents, 3, players=2, seed=3)
    run_tournament(definition, tmp_path / "here", tracking=False)
    run_tournament(definition, tmp_path / "ray", workers=2, tracking=False)
    assert content_hash(tmp_path / "here") == content_hash(tmp_path / "ray")


def test_they_are_listed_with_their_sources():
    rows = [row for row in json.loads(run_tag("agents", "--game", "dominion", "--json").stdout) if ":" in row["name"]]
    assert [row["name"] for row in rows] == bot_names("dominion")
    assert all("Dominion Strategy" in row["source"] or "our own" in row["source"].lower() for row in rows)
    assert "dominion:big_money" in run_tag("games", "dominion").stdout
    wrong = run_tag("agents", "--game", "domnion")
    assert wrong.exit_code != 0


def test_they_are_offered_at_tables():
    games = {one["name"]: one["bots"] for one in Engine().catalogue()["games"]}
    assert games == {name: bot_names(name) for name in game_names()}
