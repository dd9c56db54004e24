"""Presets: parameters of agents that are tuned for a game."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from users_code import PLAIN_GAME

from tag.catalogue.presets import presets_of, read_presets, written_out
from tag.catalogue.registry import (
    agent_class,
    canonical,
    check_game,
    game_class,
    game_file,
    game_names,
    make_agent,
    make_game,
)
from tag.cli.catalogue import agents
from tag.engine.parameters import Spec, parse_spec
from tag.errors import DataError, ParameterError, TagError, UnknownNameError
from tag.orders import Conditions, GameOrder, play_order
from tag.tournaments.definition import define
from tag.tournaments.run import run_tournament
from tag.tuning.agent.defining import define_study
from tag.tuning.space import agent_space

BUDGET = 40
SEEDS = 5
#: Games with presets, and the agents that have them there.
TUNED = [(game, agent) for game in game_names() for agent in presets_of(game)]
#: The agents that take presets.
AGENTS = ("mcts", "osla", "rhea", "rmhc")

GOOD = '[mcts]\nparameters = {k = 0.5}\nmeasured = "by hand"\ngain = [0.1, 0.05, 0.15]\n'


def hashes(agent, game, conditions=None):
    """Return the last positions of short games of an agent."""
    kind = make_game(game).game_type
    players = min(max(2, kind.min_players), kind.max_players)
    seats = (agent, *("random",) * (players - 1))
    under = Conditions() if conditions is None else conditions
    return [play_order(GameOrder("preset", game, seats, seed, conditions=under)).state_hash for seed in range(SEEDS)]


def short(game):
    """Return a game with the parameters that shorten it for checks."""
    return ":".join(filter(None, (game, game_class(game).game_type.check_parameters)))


def test_some_game_has_a_preset():
    assert TUNED


@pytest.mark.parametrize(("game", "agent"), TUNED)
def test_a_shipped_preset_is_valid_and_was_measured_to_gain(game, agent):
    preset = presets_of(game)[agent]
    check_game(preset.spec, make_game(game), game_class(game).game_type.min_players)
    assert preset.values
    mean, low, high = preset.gain
    assert 0.0 < low < mean < high
    assert "games" in preset.measured


@pytest.mark.flow
@pytest.mark.parametrize(("game", "agent"), TUNED)
def test_by_default_an_agent_plays_as_with_the_parameters_of_the_preset(game, agent):
    written = written_out(parse_spec(f"{agent}:budget={BUDGET}"), make_game(game))
    assert written.values == {**presets_of(game)[agent].values, "budget": BUDGET, "preset": "none"}
    by_default = hashes(f"{agent}:budget={BUDGET}", short(game))
    assert by_default == hashes(f"{agent}:preset=game,budget={BUDGET}", short(game))
    assert by_default == hashes(str(written), short(game))
    assert by_default != hashes(f"{agent}:preset=none,budget={BUDGET}", short(game))


@pytest.mark.flow
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", [game for game in game_names() if not presets_of(game)])
def test_a_game_without_presets_is_played_as_without(game, agent):
    without = hashes(f"{agent}:preset=none,budget=8", short(game))
    assert hashes(f"{agent}:preset=game,budget=8", short(game)) == without
    assert hashes(f"{agent}:budget=8", short(game)) == without


@pytest.mark.parametrize(("game", "agent"), TUNED)
def test_a_given_parameter_stays(game, agent):
    model = make_game(game)
    preset = presets_of(game)[agent]
    for name in preset.values:
        cls = make_agent(agent).parameters_class
        dimension = next(one for one in cls.dimensions() if one.name == name)
        others = [
            value
            for value in (getattr(dimension, "options", None) or (dimension.default, getattr(dimension, "high", None)))
            if value not in (None, dimension.default, preset.values[name])
        ]
        for value in others[:1]:
            given = cls.from_values({"preset": "game", name: value})
            assert given.in_game(model).values()[name] == value


@pytest.mark.parametrize(("game", "agent"), TUNED)
def test_auto_takes_the_preset_only_where_nothing_else_is_configured(game, agent):
    """A parameter that is given as it is in the agent counts: else a study that tries k = 1 would measure another k."""
    model = make_game(game)
    cls = make_agent(agent).parameters_class
    tuned = dict(presets_of(game)[agent].values)
    name = next(iter(tuned))
    default = next(one.default for one in cls.dimensions() if one.name == name)
    taken = {budget: cls.from_values({"preset": "auto", "budget": budget}).in_game(model) for budget in (7, 1000)}
    assert all(tuned.items() <= one.values().items() and one.budget == budget for budget, one in taken.items())
    for given in ({name: default}, {"heuristic": "score"}, {"preset": "none"}, {name: tuned[name], "preset": "none"}):
        assert cls.from_values(given).in_game(model).changes().items() <= {"preset": "none", **given}.items()
    text = canonical(Spec(agent, {name: default}), cls)
    assert canonical(parse_spec(text), cls) == text
    assert parse_spec(text).values == {"preset": "none"}
    # All parameters written out, as in JSON, say themselves whether there is a preset.
    assert cls.from_values(cls().values()).preset == "auto"


@pytest.mark.flow
@pytest.mark.parametrize(("game", "agent"), TUNED)
def test_a_study_begins_with_the_preset(game, agent):
    cls = agent_class(agent).parameters_class
    written = canonical(written_out(Spec(agent), make_game(game)), cls)
    assert str(written_out(parse_spec(written), make_game(game))) == written
    study = define_study(agent, game, games=400, versus=("random",), enqueue=(presets_of(game)[agent].spec,))
    assert study.agents == study.enqueue == (written,)
    assert study.space.spec(study.space.default) == written
    assert study.search == agent_space([f"{agent}:preset=none"]).search


@pytest.mark.flow
@pytest.mark.parametrize(("game", "agent"), TUNED)
@pytest.mark.parametrize("around", ["restricted:agent=({}),without=(no such action)", "rhea:budget=400,opponent=({})"])
def test_an_agent_within_another_gets_the_preset(game, agent, around):
    inner = parse_spec(presets_of(game)[agent].spec).with_value("budget", BUDGET)
    by_default = hashes(around.format(f"{agent}:budget={BUDGET}"), short(game))
    assert by_default == hashes(around.format(inner), short(game))
    assert by_default != hashes(around.format(f"{agent}:preset=none,budget={BUDGET}"), short(game))


@pytest.mark.system
@pytest.mark.parametrize(("game", "agent"), TUNED[:1])
def test_an_isolated_agent_gets_the_preset(game, agent):
    spec = f"{agent}:budget={BUDGET}"
    assert hashes(spec, short(game), Conditions(isolate=True)) == hashes(spec, short(game))


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_agents_with_presets_leave_the_same_ledger_on_two_workers(tmp_path):
    seats = (f"mcts:budget={BUDGET}", f"osla:budget={BUDGET}", f"mcts:budget={BUDGET},preset=none")
    definition = define(short("diamant"), seats, 4, seed=3)
    alone = run_tournament(definition, tmp_path / "alone", tracking=False)
    together = run_tournament(definition, tmp_path / "together", workers=2, tracking=False)
    assert alone.complete
    assert together.complete
    assert together.content_hash == alone.content_hash


def test_a_command_tells_what_an_agent_plays_by():
    found = CliRunner().invoke(agents, ["osla", "--game", "blackjack"])
    assert "without parameters it plays this game as osla:samples=100" in found.output
    assert "without parameters" not in CliRunner().invoke(agents, ["osla", "--game", "tic_tac_toe"]).output
    in_json = json.loads(CliRunner().invoke(agents, ["osla", "--game", "blackjack", "--json"]).output)
    assert in_json["preset"] == {"samples": 100}


def test_a_gain_is_told_with_its_unit(tmp_path):
    """Where players win together points may tell nothing, so that the game's own score does."""
    file = tmp_path / "presets.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert read_presets(file)["mcts"].unit == "points"
    assert presets_of("pandemic")["mcts"].unit == "diseases cured"
    for game, agent, unit in (("pandemic", "mcts", "diseases cured"), ("blackjack", "osla", "points")):
        gain, low, high = presets_of(game)[agent].gain
        asked = [agent, "--game", game]
        assert f"gain: {gain:.2f} {unit} ({low:.2f} to {high:.2f})" in CliRunner().invoke(agents, asked).output
        assert json.loads(CliRunner().invoke(agents, [*asked, "--json"]).output)["unit"] == unit


def test_a_users_game_has_no_preset():
    """Nor has one in a file of its own the presets of a game of that name."""
    assert game_file(game_class(f"{PLAIN_GAME}:Nim"), "presets.toml") is None


@pytest.mark.parametrize(
    ("old", "new", "error", "said"),
    [
        ("[mcts]", "[mtcs]", UnknownNameError, "no agent named 'mtcs'; did you mean 'mcts'?"),
        ("[mcts]", "[random]", ParameterError, "random takes no presets"),
        ("k = 0.5", "kk = 0.5", UnknownNameError, "mcts: no parameter named 'kk'; did you mean 'k'?"),
        ("k = 0.5", "k = -1", ParameterError, "mcts: k cannot be -1"),
        ("k = 0.5", "rollout_policy = 'random'", ParameterError, "rollout_policy = random is the default of the agent"),
        ("k = 0.5", "budget = 500", ParameterError, "budget = 500 is not tuned for a game"),
        ("measured", "mesured", UnknownNameError, "no key of [mcts]"),
        ("parameters = {k = 0.5}", "parameters = 3", DataError, "no table 'parameters'"),
        ("gain = [0.1, 0.05, 0.15]", "gain = [0.1]", DataError, "gain = [mean, low, high]"),
        ("gain = [0.1, 0.05, 0.15]", "gain = [0.1, 0.05, 0.15]\nunit = 3", DataError, "unit = 3; it is a text"),
        ("[mcts]", "[mcts", DataError, "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(tmp_path, old, new, error, said):
    file = tmp_path / "presets.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert read_presets(file)["mcts"].spec == "mcts:k=0.5"
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(TagError) as refused:
        read_presets(wrong)
    assert type(refused.value) is error
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
