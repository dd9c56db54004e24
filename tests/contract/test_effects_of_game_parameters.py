"""Each value of each parameter of each game changes play, or is listed with the reason why it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest
from parameter_effects import (
    Inert,
    Trace,
    assert_effects_are_as_listed,
    first_effect,
    other_values,
    played,
    spec_of,
    with_activating,
)

from tag.catalogue.registry import game_class, game_names
from tag.engine.parameters import Dimension, Value
from tag.errors import ParameterError, PlayersError

pytestmark = pytest.mark.heavy

#: Games of random agents that are compared, for each number of players up to five and the greatest.
_GAMES = 30

#: Settings of other parameters beside which random play shows the effect of a parameter, where the defaults do not.
BESIDE: dict[tuple[str, str], tuple[str, ...]] = {
    ("backgammon", "crawford"): ("cube=true,match=3",),
    ("battlelore", "max_rounds"): ("scenario=banners,goal=30,figures=4,melee_dice=1,ranged_dice=1,abilities=false",),
    ("blackjack", "penetration"): ("decks=8,rounds=200",),
    ("blackjack", "resplit_aces"): ("decks=8,rounds=400",),
    ("catan", "bank"): ("hand_limit=20,trading=none",),
    ("catan", "longest_road"): ("points=4",),
    ("colt_express", "bullets"): ("rounds=8,hand=10,draw=5,shots=5,moves=1,robberies=0,floor_changes=1",),
    ("colt_express", "neutral_bullets"): ("rounds=8,hand=10,marshals=5,moves=5,shots=0,robberies=0",),
    ("dominion", "copper"): ("start_copper=3",),
    ("dominion", "cards"): (
        "kingdom=listed,cards=cellar+market+merchant+militia+mine+moat+remodel+smithy+village+workshop",
    ),
    ("hanabi", "hint_back"): ("colours=3,ranks=2,fuses=10,hints=8",),
    ("hearts", "play_on"): ("goal=3",),
    ("pandemic", "cards_for_cure"): ("hand_limit=15,hand_2=8,hand_3=8,hand_4=8,actions=8",),
    ("pandemic", "cure_takes_all"): ("cards_for_cure=2,hand_limit=15,hand_2=8,actions=8",),
    ("pandemic", "empty_deck_loses"): ("endless_cubes=true,outbreaks=15,epidemics=0,cards_drawn=5",),
    ("pandemic", "scientist_saves"): ("role_0=scientist,hand_limit=15,hand_2=8,actions=8",),
    ("resistance", "oberon"): ("merlin=true",),
    ("spades", "goal"): ("ranks=3,nil=300,lowest=1000",),
    ("spades", "hands"): ("lowest=1000",),
    ("sushi_go", "dumpling_6"): ("hand_2=12,tempura=0,sashimi=0,maki_1=0,maki_2=0,salmon=0,dumplings=15",),
    ("twenty_forty_eight", "play_on"): ("target=32",),
    ("virus", "max_discards"): ("hand_size=5",),
}

#: Values to compare with the default, in place of those that the range suggests.
VALUES: dict[tuple[str, str], tuple[Value, ...]] = {
    ("dominion", "copper"): (15, 20),
    ("goofspiel", "rounds"): (1, 6, 12, 20),
    ("dominion", "max_rounds"): (5, 20, 0, 199, 201, 10_000),
    ("resistance", "spies"): (1, 2, 3),  # five players cannot have four, and ten have four anyway
    ("resistance", "two_fails"): (5, 11),  # games of five and of ten players are compared
    ("spades", "goal"): (50, 250, 1000),
    ("spades", "lowest"): (50, 250, 1000),
    ("stratego", "scouts"): (0, 1, 4, 7),  # eight is the printed number
    ("uno", "goal"): (50, 250, 400),
    ("dominion", "cards"): ("artisan+bandit+bureaucrat+chapel+festival+gardens+sentry+throne_room+witch+workshop",),
}

_TOO_LONG = "games of random players end before so many rounds"
_TOLD = "random players make no use of what a role is told; the game's own tests show who is told what"
_NOT_EMPTIED = "it counts when the pile is empty, which random players do not see to; a small pile shows it"

#: Values without an effect.
INERT: dict[tuple[str, str], Inert] = {
    ("backgammon", "jacoby"): Inert(
        "it changes the points of a game, not its course; the game's own tests show which", (True,)
    ),
    ("cant_stop", "max_rounds"): Inert(_TOO_LONG, (1000,)),
    ("catan", "max_rounds"): Inert(_TOO_LONG, (249, 251, 1000)),
    ("dominion", "gold"): Inert(_NOT_EMPTIED, (5, 29, 31, 63)),
    ("dominion", "max_rounds"): Inert(_TOO_LONG, (0, 199, 201, 10_000)),
    ("dominion", "silver"): Inert(_NOT_EMPTIED, (39, 41, 63)),
    ("dots_and_boxes", "third_sides_after"): Inert("no box can have three sides after one line", (1,)),
    ("exploding_kittens", "spare_defuses"): Inert(
        "three players leave seven of ten; two have a number of their own", (7,)
    ),
    ("goofspiel", "hidden"): Inert(
        "random players do not ask what was bid; the game's own tests show who is told", (True,)
    ),
    ("goofspiel", "rounds"): Inert("there are no more rounds than cards", (20,)),
    ("love_letter", "max_rounds"): Inert(_TOO_LONG, (1000,)),
    ("nim", "max_minus"): Inert("no heap has more than 100 objects", (100,)),
    ("poker", "blinds_up_every"): Inert(_TOO_LONG, (1000,)),
    ("poker", "target"): Inert("who has all chips of a table, 9,000,000 at most, has won anyway", (9_000_000,)),
    ("resistance", "mordred"): Inert(_TOLD, (True,)),
    ("resistance", "morgana"): Inert(_TOLD, (True,)),
    ("resistance", "percival"): Inert(_TOLD, (True,)),
    ("stratego", "chase"): Inert("random players hardly ever chase; the game's own tests show the rule", (False,)),
    ("twenty_forty_eight", "target"): Inert(
        "random players do not reach tiles of 512; smaller targets show it", (512, 1024, 4096, 8192, 16384, 32768)
    ),
    ("uno", "max_rounds"): Inert(_TOO_LONG, (1000,)),
}

PARAMETERS = [
    (name, dimension) for name in game_names() for dimension in game_class(name).game_type.parameters.dimensions()
]


@lru_cache(maxsize=100_000)
def _played(spec: str, players: int, seed: int) -> Trace:
    return played(spec, ["random"] * players, seed)


def _traces(name: str, spec: str) -> Iterator[Trace | None]:
    kind = game_class(name).game_type
    for seed in range(_GAMES):
        for players in sorted({*range(kind.min_players, min(kind.max_players, 5) + 1), kind.max_players}):
            try:
                yield _played(spec, players, seed)
            except (ParameterError, PlayersError):
                yield None


def values_of(name: str, dimension: Dimension) -> list[Value]:
    """Return the values of a parameter that are compared with its default."""
    return list(VALUES.get((name, dimension.name), ())) or other_values(dimension)


def effect_of(name: str, dimension: Dimension, value: Value) -> str:
    """Return where a value changes play (`first_effect`)."""
    known = game_class(name).game_type.parameters.dimensions()
    bases = [
        base
        for setting in BESIDE.get((name, dimension.name), ("",))
        for base in with_activating(spec_of(name, setting), dimension, known)
    ]
    return first_effect(bases, dimension, value, lambda spec: _traces(name, spec))


@pytest.mark.parametrize(("name", "dimension"), PARAMETERS, ids=lambda one: one if isinstance(one, str) else one.name)
def test_each_value_changes_play(name, dimension):
    inert = INERT.get((name, dimension.name))
    values = values_of(name, dimension)
    assert values or inert, "nothing to compare; say why in INERT"
    effects = {value: effect_of(name, dimension, value) for value in values}
    assert_effects_are_as_listed(f"{name}:{dimension.name}", effects, inert)
