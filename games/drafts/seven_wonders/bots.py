"""Bots of 7 Wonders: one that plays by fixed priorities, and one that weighs points."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.drafts.seven_wonders.actions import Build, BuildStage, Recover
from tag.games.drafts.seven_wonders.data import (
    BITS,
    BLUE,
    BROWN,
    BUILT_POINTS,
    BUILT_SHIELDS,
    CARAVANSERY,
    COIN_COST,
    COLOUR_OF,
    FIRST_GUILD,
    FORUM,
    GIFT,
    GREEN,
    GREY,
    LEFT_SHIFT,
    MADE,
    NUMBER_MASK,
    PAY_MASK,
    PURPLE,
    RED,
    RIGHT_SHIFT,
    SCIENCE,
    SCIENTISTS,
    STAGE_COINS,
    STAGE_POWER,
    SYMBOLS,
    TAVERN,
    best_science,
    stage_of,
)
from tag.games.drafts.seven_wonders.state import RECOVER, SevenWondersState

_LAST_AGE: Final = 2
_RESOURCES: Final = 7
_NIBBLE: Final = 15
#: The place of each symbol, by its name.
_SYMBOL: Final[dict[str, int]] = {name: place for place, name in enumerate(SYMBOLS)}
#: Points at which a coin is valued, by age.
_COIN: Final[list[float]] = [0.5, 0.45, 0.34]
_SOLD: Final = 0.5
#: The way to build by Olympia, and the worth of still having it.
_OLYMPIA: Final = 3
_USED_UP: Final = 1.5
#: What a power of a stage is worth.
_POWER: Final = 4.0


@mypyc_attr(allow_interpreted_subclasses=True)
class FixedOrder(RuleBot[SevenWondersState]):
    """Takes the first that is possible of a fixed order, and discards a card if nothing is.

    The order: a card that makes several resources, a card that makes a resource that the city lacks, military structures if
    a neighbour has as many shields or more, the civilian structure with the most points, a scientific structure, a stage of
    the wonder, any other structure. Payments are the cheapest.

    Source: our own, after the rule-based player of D. Robilliard, C. Fonlupt and F. Teytaud, "Monte-Carlo tree search for
    the game of 7 Wonders" (2014), recalled: cards of several resources, lacking resources, armies, the most points.
    """

    def worth(self, state: SevenWondersState, action: AnyAction) -> float:
        """Return the rank of what is done, and for civilian structures the points."""
        if isinstance(action, Build):
            return self._rank(state, action.card) - 0.1 * float(action.way)
        if isinstance(action, Recover):
            return self._rank(state, action.card)
        if isinstance(action, BuildStage):
            return 20.0 - 0.1 * float(action.way)
        return 0.0

    def _rank(self, state: SevenWondersState, kind: i64) -> float:
        """Return the rank of a structure."""
        seat = self.player
        colour = COLOUR_OF[kind]
        gift = GIFT[kind]
        if colour == BROWN or colour == GREY:
            if "/" in gift or len(gift) > 1:
                return 70.0
            made: i64 = state.made[seat]
            return 60.0 if lacks(made, MADE[kind]) else 5.0
        if colour == RED:
            own = state.shields(seat)
            rival = max(state.shields(state.left_of(seat)), state.shields(state.right_of(seat)))
            return 50.0 if own <= rival else 6.0
        if colour == BLUE:
            return 40.0 + float(int(gift))
        return 30.0 if colour == GREEN else 10.0


@mypyc_attr(allow_interpreted_subclasses=True)
class PointCounter(RuleBot[SevenWondersState]):
    """Takes the use of a card with the most points: those that it brings now, and fixed ones for what it is good for later.

    It pays the cheapest way, counts a coin as half a point in Age I and a third in Age III, values a resource that the city
    lacks by the turns to come, shields by the neighbours that they overtake, and science by what it adds.

    Source: our own.
    """

    def prepare(self, state: SevenWondersState) -> None:
        """Count the shields, the turns to come, and what each choice pays to neighbours."""
        seat = self.player
        self.paid: dict[int, int] = {}
        if state.phase != RECOVER:
            for choice in state.options(seat):
                self.paid[choice & NUMBER_MASK] = (choice >> LEFT_SHIFT & PAY_MASK) + (choice >> RIGHT_SHIFT & PAY_MASK)
        self.own: i64 = state.shields(seat)
        self.left: i64 = state.shields(state.left_of(seat))
        self.right: i64 = state.shields(state.right_of(seat))
        self.turns: i64 = (_LAST_AGE - state.age) * 6 + state.cards - 1
        self.coin = _COIN[state.age]

    def worth(self, state: SevenWondersState, action: AnyAction) -> float:
        """Return the points."""
        if isinstance(action, Build):
            bank: i64 = COIN_COST[action.card] if action.way < _OLYMPIA else 0
            cost = bank + self.paid[int(action.number)]
            penalty = _USED_UP if action.way == _OLYMPIA else 0.0
            return self._structure(state, action.card) - self.coin * float(cost) - penalty
        if isinstance(action, Recover):
            return self._structure(state, action.card)
        if isinstance(action, BuildStage):
            return self._stage(state) - self.coin * float(self.paid[int(action.number)])
        return self.coin * float(state.rules.sale) - _SOLD

    def _structure(self, state: SevenWondersState, kind: i64) -> float:
        """Return the worth of a structure."""
        seat = self.player
        colour = COLOUR_OF[kind]
        if colour == BLUE:
            return float(int(GIFT[kind]))
        if colour == BROWN or colour == GREY:
            return self._resource(state, kind)
        if colour == RED:
            return self._army(state, int(GIFT[kind]))
        if colour == GREEN:
            symbol: i64 = _SYMBOL[GIFT[kind]]
            return self._science(state, symbol) + 0.16 * float(self.turns)
        if colour == PURPLE:
            if kind == SCIENTISTS:
                free = state.free_symbols(seat)
                return float(state.science_points(seat, free + 1) - state.science_points(seat, free))
            return float(state.guild_points(seat, kind)) + (1.0 if kind == FIRST_GUILD else 0.5)
        if kind == CARAVANSERY or kind == FORUM:
            return 0.3 * float(self.turns)
        if state.age == 0 and kind != TAVERN:
            return 2.0
        return self.coin * float(state.coins_for(seat, kind)) + float(state.yellow_gain(seat, kind))

    def _science(self, state: SevenWondersState, symbol: i64) -> float:
        """Return the points that another symbol of science adds."""
        numbers = [state.symbols(self.player, place) for place in range(len(SYMBOLS))]
        free, per_set = state.free_symbols(self.player), state.rules.science_set
        before = best_science(numbers[0], numbers[1], numbers[2], free, per_set)
        numbers[symbol] += 1
        return float(best_science(numbers[0], numbers[1], numbers[2], free, per_set) - before)

    def _resource(self, state: SevenWondersState, kind: i64) -> float:
        """Return the worth of a resource, greater if the city does not make it."""
        made: i64 = state.made[self.player]
        gift = GIFT[kind]
        turns = float(self.turns)
        if "/" in gift:
            return 0.3 * turns
        base = 0.28 * turns if lacks(made, MADE[kind]) else 0.06 * turns
        return base + (0.12 * turns if len(gift) > 1 else 0.0)

    def _army(self, state: SevenWondersState, shields: i64) -> float:
        """Return the worth of shields: conflicts of this age that they turn, and a little for later ones."""
        won = float(state.rules.victories()[state.age])
        lost = float(state.rules.defeat)
        worth = 0.25 * float(shields) * float(_LAST_AGE - state.age)
        for rival in (self.left, self.right):
            if self.own <= rival < self.own + shields:
                worth += won + (lost if self.own < rival else 0.0)
            elif rival == self.own + shields:
                worth += lost + 0.3 * won
            elif rival < self.own <= rival + 2:
                worth += 0.2 * won
        return worth

    def _stage(self, state: SevenWondersState) -> float:
        """Return the worth of the next stage."""
        seat = self.player
        wonder: i64 = state.wonders[seat]
        stage = stage_of(wonder, state.stages[seat])
        worth = float(BUILT_POINTS[stage + 1] - BUILT_POINTS[stage]) + self.coin * float(STAGE_COINS[stage])
        shields: i64 = BUILT_SHIELDS[stage + 1] - BUILT_SHIELDS[stage]
        if shields:
            worth += self._army(state, shields)
        power: i64 = STAGE_POWER[stage]
        if power & SCIENCE:
            free = state.free_symbols(seat)
            return worth + float(state.science_points(seat, free + 1) - state.science_points(seat, free)) + 1.0
        return worth + (_POWER if power else 0.0)


def lacks(made: i64, resource: i64) -> bool:
    """Say whether a city makes none of a resource."""
    for place in range(_RESOURCES):  # noqa: SIM110  compiled code makes a generator for `any`
        if resource >> BITS * place & _NIBBLE and made >> BITS * place & _NIBBLE == 0:
            return True
    return False
