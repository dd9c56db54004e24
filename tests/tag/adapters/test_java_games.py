"""Parameters of games in TAG's JSON."""

from __future__ import annotations

import json

import pytest

from tag.adapters.java import LOST, UNKNOWN, game_named, read_game
from tag.adapters.java.games import CLASSES, GAMES
from tag.catalogue.registry import make_game
from tag.engine.parameters import parse_spec
from tag.errors import DataError, UnknownNameError


def read(folder, **content):
    """Return the game of a file with this content."""
    file = folder / "game.json"
    file.write_text(json.dumps({"class": content.pop("class_"), **content}), encoding="utf-8")
    return read_game(file)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_can_be_played_with_tags_parameters(name):
    found = game_named(name)
    assert not found.entries
    assert type(make_game(str(found.spec))) is type(make_game(found.spec.name))


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("Connect4", {"width": 8, "height": 8}),
        ("CantStop", {"column_2": 2, "column_7": 12, "column_11": 4}),
        ("ColtExpress", {"roof_move": 4, "two_bandits": False}),
        ("Diamant", {"treasures": "tag", "sharing": "path", "relics": "numbered"}),
        ("ExplodingKittens", {"nope_own": True, "attacks_stack": True}),
        ("Poker", {"stack": 50, "hands": 10}),
        ("Uno", {"scoring": "lowest", "max_turns": 300}),
    ],
)
def test_tag_has_other_rules_by_default(name, ours):
    """They are not the defaults here, which follow the printed rules."""
    found = make_game(str(game_named(name).spec)).parameters.values()
    usual = make_game(game_named(name).spec.name).parameters.values()
    assert {key: found[key] for key in ours} == ours
    assert any(usual[key] != value for key, value in ours.items())


@pytest.mark.parametrize("name", sorted(name for name, rules in GAMES.items() if rules.names))
def test_every_entry_sets_its_own_parameter(tmp_path, name):
    """A number other than TAG's default changes the parameter that it is said to be, and no other."""
    cls = next(cls for cls, rules in CLASSES.items() if rules is GAMES[name])
    usual = game_named(name).spec.values
    for theirs, (ours, default) in GAMES[name].names.items():
        value = not default if isinstance(default, bool) else default + 1
        found = read(tmp_path, class_=f"games.{cls}", **{theirs: value}).spec.values
        assert {key for key in found if found[key] != usual[key]} == {ours}


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (
            {"class_": "games.pandemic.PandemicParameters", "player0Role": "Operations Expert"},
            {"role_0": "operations_expert"},
        ),
        ({"class_": "games.connect4.Connect4GameParameters", "gridSize": 6}, {"width": 6, "height": 6, "length": 4}),
        (
            {"class_": "games.uno.UnoGameParameters", "scoringMethod": "CHALLENGE", "nWildCards": 2},
            {"scoring": "elimination"},
        ),
        ({"class_": "games.uno.UnoGameParameters", "nWildCards": 2}, {"wilds": 2, "wild_draw_fours": 2}),
        ({"class_": "games.poker.PokerGameParameters", "endMinMoney": True}, {"target": 80, "hands": 1000}),
        ({"class_": "games.diamant.DiamantParameters", "relicVariant": False}, {"relics": "none"}),
        ({"class_": "games.dominion.DominionFGParameters"}, {"copper": 46, "kingdom": "first_game"}),
    ],
)
def test_entries_that_are_not_a_value_for_a_value(tmp_path, content, ours):
    found = make_game(str(read(tmp_path, **content).spec)).parameters.values()
    assert {key: found[key] for key in ours} == ours


def test_copper_depends_on_the_number_of_players(tmp_path):
    file = tmp_path / "dominion.json"
    file.write_text('{"class": "games.dominion.DominionFGParameters"}', encoding="utf-8")
    assert parse_spec(str(read_game(file, players=4).spec)).values["copper"] == "60"


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        ({"class_": "games.pandemic.PandemicParameters", "survivalRules": True}, "survivalRules", LOST),
        ({"class_": "games.loveletter.LoveLetterParameters", "nCardsPerPlayer": 2}, "nCardsPerPlayer", LOST),
        ({"class_": "games.uno.UnoGameParameters", "nSkipPoints": 30}, "nSkipPoints", LOST),
        ({"class_": "games.diamant.DiamantParameters", "nHazardsToDead": 1}, "nHazardsToDead", LOST),
        ({"class_": "games.virus.VirusGameParameters", "nOrgans": 5}, "nOrgans", UNKNOWN),
    ],
)
def test_what_differs_is_named(tmp_path, content, name, kind):
    found = read(tmp_path, **content)
    assert [entry.kind for entry in found.entries if entry.name == name] == [kind]
    make_game(str(found.spec))


def test_other_files_are_refused(tmp_path):
    with pytest.raises(UnknownNameError, match="CatanParameters"):
        read(tmp_path, class_="games.catan.CatanParameters")
    with pytest.raises(DataError, match="a number"):
        read(tmp_path, class_="games.uno.UnoGameParameters", nWinPoints="many")
    with pytest.raises(UnknownNameError, match="Catan"):
        game_named("Catan")
