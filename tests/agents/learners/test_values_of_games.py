"""The learned values that come with games: where they are used and refused, and that they fit the games as these are now."""

import json
import shutil
from dataclasses import make_dataclass, replace
from pathlib import Path

import pytest

from tag import ParameterError, Rng, integer, make_game, make_heuristic
from tag.agents.learned import shipped_values, values_in
from tag.catalogue.models import read_model
from tag.catalogue.models.shipped import check_evidence, evidence, shipped_counts, shipped_file
from tag.catalogue.registry import bot_names, check_game, game_class, game_names, make_learner
from tag.catalogue.version import is_compiled
from tag.check import check_game as checked
from tag.check.report import OK
from tag.errors import ContractError
from tag.orders import GameOrder, play_order

SHIPPED = [(game, count) for game in game_names() for count in shipped_counts(game_class(game))]
WITHOUT = [game for game in game_names() if game not in dict(SHIPPED)]

each = pytest.mark.parametrize(("game", "players"), SHIPPED)


def heirs_of(game):
    """Return games like ``game``, each changed in one way, and words of the refusal of its learned values."""
    cls = game_class(game)
    kind = cls.game_type
    first = next(one for one in kind.parameters.dimensions() if one.kind == "int" and one.default < one.high)
    default = integer(first.default + first.step, first.low, first.high, first.text)
    other_defaults = make_dataclass("OtherDefaults", [(first.name, int, default)], bases=(kind.parameters,))

    class OtherFeatures(kind.features):
        def values(self, state, player):
            return [1.0 - value for value in super().values(state, player)]

    class OtherHeuristic(kind.heuristic):
        def value(self, state, player):
            return -super().value(state, player)

    class OtherRules(cls):
        def _setup(self, n_players, rng):
            rng.below(7)  # deals other cards
            return super()._setup(n_players, rng)

    changed = {
        "version": (replace(kind, version=kind.version + 1), cls, f"version {kind.version + 1}"),
        "features": (replace(kind, features=OtherFeatures), cls, "other features"),
        "heuristic": (replace(kind, heuristic=OtherHeuristic), cls, "other features, values"),
        "defaults": (replace(kind, parameters=other_defaults), cls, "other default parameters"),
        "rules": (kind, OtherRules, "values or rules"),
    }
    return {
        what: (type(cls.__name__, (base,), {"game_type": found, "__module__": cls.__module__}), words)
        for what, (found, base, words) in changed.items()
    }


def test_values_come_with_some_games():
    assert ("colt_express", 2) in SHIPPED


@each
def test_they_fit_their_game_and_tell_where_they_come_from(game, players):
    file = Path(shipped_file(make_game(game), players))
    model, told = read_model(str(file)), json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert (model.game, model.players, model.played) == (game, players, model.episodes)
    assert [told[key] for key in ("learner", "game", "players", "seed", "games")] == [
        model.learner, model.game, model.players, model.seed, model.played,
    ]  # fmt: skip
    assert told["command"] == f"make learn GAME={game}"
    assert told["cpu_seconds"] > 0
    assert told["date"] > "2026"
    tried = {(row["agent"].partition(":")[0], row["against"]) for row in told["verdict"]}
    assert {("osla", bot) for bot in bot_names(game)} <= tried
    assert all(row["points"][1] <= row["points"][0] <= row["points"][2] for row in told["verdict"])


@each
def test_their_evidence_is_that_of_the_game_now(game, players):
    model = make_game(game)
    told = json.loads(Path(shipped_file(model, players)).with_suffix(".json").read_text(encoding="utf-8"))
    assert evidence(shipped_values(model, players), model, players) == told["evidence"]


@each
def test_searches_use_them_by_name(game, players):
    model = make_game(game)
    heuristic, own = make_heuristic("learned").of(model), model.heuristic()
    expected = shipped_values(model, players)
    state = model.setup(players, Rng(3))
    differ = 0
    for _move in range(20):
        values = [0.0] * players
        heuristic.value_all(state, values)
        assert values == [expected.value(state, player) for player in range(players)]
        assert all(-1.0 <= value <= 1.0 for value in values)
        differ += values != [own.value(state, player) for player in range(players)]
        model.next(state, model.random_action(state, Rng(0)), Rng(1))
        if state.is_terminal:
            break
    assert differ
    for agent in (
        "osla:heuristic=learned",
        "mcts:budget=20,heuristic=learned,tree_policy=puct,priors=learned",
        "rhea:budget=20,heuristic=learned",
    ):
        assert play_order(GameOrder("", game, (agent,) + ("random",) * (players - 1), 1)).faults == []


@each
def test_values_for_all_numbers_of_players_are_of_the_same_positions(game, players):
    model = make_game(game)
    assert {shipped_values(model, count).is_of_afterstates() for count in shipped_counts(type(model))} == {
        make_heuristic("learned").of(model).is_of_afterstates()
    }


@pytest.mark.parametrize("agent", ["osla:heuristic=learned", "mcts:tree_policy=puct,priors=learned"])
def test_a_game_without_them_is_refused_with_those_that_have_some(agent):
    assert WITHOUT
    for game in WITHOUT:
        with pytest.raises(
            ParameterError, match=r"no learned values come with .*, only with .*colt_express"
        ) as refused:
            check_game(agent, make_game(game), make_game(game).game_type.min_players)
        assert str(refused.value).count(". ") == 0
    with pytest.raises(ParameterError, match="no learned values come with"):
        make_heuristic("learned").of(make_game(WITHOUT[0]))


@each
def test_other_numbers_of_players_are_refused_with_the_nearest(game, players):
    model = make_game(game)
    counts = range(model.game_type.min_players, model.game_type.max_players + 1)
    for count in set(counts) - set(shipped_counts(type(model))):
        with pytest.raises(ParameterError, match=rf"not for {count} players; the nearest number is \d"):
            check_game("osla:heuristic=learned", model, count)
        with pytest.raises(ParameterError, match=f"not {count}"):
            make_heuristic("learned").of(model).value(model.setup(count, Rng(1)), 0)


@each
def test_other_parameters_are_refused_with_what_differs(game, players):
    kind = game_class(game).game_type
    for dimension in kind.parameters.dimensions():
        if dimension.kind != "int" or dimension.default == dimension.high:
            continue
        value = dimension.default + dimension.step
        with pytest.raises(ParameterError, match=f"for its default parameters, not for {dimension.name}={value}"):
            check_game("osla:heuristic=learned", make_game(f"{game}:{dimension.name}={value}"), players)


def test_a_heuristic_that_knows_no_game_values_nothing():
    with pytest.raises(ContractError, match="ask `of"):
        make_heuristic("learned").value(make_game("nim").setup(2, Rng(1)), 0)


@each
def test_values_that_were_learned_otherwise_are_found(game, players, tmp_path):
    model = make_game(game)
    file = Path(shipped_file(model, players))
    copied = tmp_path / game / "learned" / file.name
    shutil.copytree(file.parent, copied.parent)
    values = values_in(str(file))
    check_evidence(str(copied), values, model, players)
    told = copied.with_suffix(".json")
    told.write_text(told.read_text(encoding="utf-8").replace('"evidence": "', '"evidence": "0'), encoding="utf-8")
    with pytest.raises(ParameterError, match=f"learn its values again: make learn GAME={game}$"):
        check_evidence(str(copied), values, model, players)


@pytest.mark.skipif(
    is_compiled(), reason="games of this distribution have no interpreted heirs where they are compiled"
)
@pytest.mark.parametrize("what", ["version", "features", "heuristic", "rules", "defaults"])
@each
def test_a_changed_game_is_refused_with_the_command_that_learns_again(game, players, what):
    cls, words = heirs_of(game)[what]
    file = shipped_file(make_game(game), players)
    model = read_model(file)

    def check():
        if what not in ("features", "heuristic"):
            return check_game("osla:heuristic=learned", cls(), players)
        # Values are made from those of the game that has the name.
        learner = make_learner(model.learner, cls(), players, model.episodes, model.seed)
        learner.restore(model.knowledge)
        return check_evidence(file, learner.values(), cls(), players)

    with pytest.raises(ParameterError, match=rf"{words}.*learn its values again: make learn GAME={game}$"):
        check()
    check_game("osla:heuristic=learned", make_game(game), players)


@each
def test_tag_check_looks_at_them(game, players):
    report = checked(game, players=players, games=1, only=["learned_values_fit"])
    assert {finding.check: finding.status for finding in report.findings}["learned_values_fit"] == OK
