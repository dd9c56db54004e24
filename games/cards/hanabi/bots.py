"""Bots of Hanabi: one that trusts what it knows, and one that reads hints by a convention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, Rng, RuleBot, real
from tag.games.cards.hanabi.actions import DiscardCard, PlayCard, Tell
from tag.games.cards.hanabi.data import MOST_RANKS, OF_RANK, ONE, size_of
from tag.games.cards.hanabi.state import ALL_PLACES, ROW, HanabiState

_NEVER: Final = -100.0
_NO_CHANCE: Final = Rng(0)


@mypyc_attr(allow_interpreted_subclasses=True)
class Simple(RuleBot[HanabiState]):
    """Plays cards that are certain to fit, tells others of cards that fit, and discards dead ones or else the oldest card.

    Of hints that name a card that fits and is not known to, it gives first those after which the holder is certain, then
    those to the next player, about the newest card.

    Source: after SimpleBot in A. O'Dwyer's collection of Hanabi bots (2012), by its description: no conventions.
    """

    def prepare(self, state: HanabiState) -> None:
        """Count the cards that the player does not see."""
        self.unseen: i64 = state.unseen(self.player)

    def worth(self, state: HanabiState, action: AnyAction) -> float:
        """Weigh an action: a sure play before a helpful hint, before a discard."""
        if isinstance(action, Tell):
            return self._hint(state, action)
        if isinstance(action, PlayCard):
            share = self.chance(state, action.place, state.playable())
            return 100.0 if share == 1.0 else _NEVER + share
        if isinstance(action, DiscardCard):
            return self.discard(state, action.place)
        return 0.0

    def chance(self, state: HanabiState, place: i64, kinds: i64) -> float:
        """Return the probability that an own card is of ``kinds``, by its marks and what the player sees."""
        mark: i64 = state.marks[self.player * state.size + place]
        fits = self.unseen & mark
        return float(size_of(fits & 3 * kinds)) / float(max(size_of(fits), 1))

    def discard(self, state: HanabiState, place: i64) -> float:
        """Return the worth of discarding an own card: dead ones, then old ones that no hint has marked."""
        useful = self.chance(state, place, state.useful())
        if useful == 0.0:
            return 50.0
        is_marked = state.touched >> ROW * self.player + place & 1
        risk = self.chance(state, place, state.critical())
        return 20.0 - 20.0 * risk if is_marked else 40.0 - float(place)

    def _hint(self, state: HanabiState, tell: Tell) -> float:
        """Prefer hints about playable cards that their holders are not sure of."""
        mark = state.rules.mark(tell.what)
        first = tell.player * state.size
        for place in range(state.held(tell.player) - 1, -1, -1):
            one: i64 = ONE[state.hands[first + place]]
            may_be = state.possible(first + place, state.public())
            tells = may_be & ~state.playable() != 0 and may_be & ~mark != 0
            if one & mark & state.playable() and tells:
                turns = (tell.player - self.player) % state.n_players
                is_enough = may_be & mark & ~state.playable() == 0
                return 60.0 + 0.1 * float(place) - float(turns) + (10.0 if is_enough else 0.0)
        return 0.0


@dataclass
class ConventionParameters(Parameters):
    """When to play a card that is not certain to fit."""

    chance: float = real(0.75, 0.5, 1.0, "probability with which a marked card is played that no fresh hint is about")


@mypyc_attr(allow_interpreted_subclasses=True)
class Convention(Simple):
    """Gives and reads hints by a convention: a fresh hint is about the newest card of those marked that may fit now.

    Its holder plays it in the next turn. A hint about a rank that marks the oldest card that was not marked before, and
    may be critical, saves that card instead, and says nothing of others. So every player can tell what each hint will do,
    and what the players before the one who is told will have played by then. The bot gives hints that make others play a
    card that fits, the newest one marked, and no hint that makes them play another.

    Source: our own; play and save hints, newest card and chop are conventions of players, as in SmartBot of A. O'Dwyer's
    collection (2012) and the guides of the H-group.
    """

    parameters_class = ConventionParameters

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        super().__init__(parameters)
        self.least = cast("ConventionParameters", self.parameters).chance
        self.mine: i64 = -1
        self.plans: list[int] = []
        self.is_urgent = False

    def prepare(self, state: HanabiState) -> None:
        """Find the card of the last hint, and the cards that the others will play."""
        super().prepare(state)
        n = state.n_players
        self.mine = focus(state, self.player)
        self.plans = [int(plan_of(state, (self.player + offset) % n)) for offset in range(n)]
        other = (self.player + 1) % n
        chop = chop_of(state, other, state.touched)
        card: i64 = state.hands[other * state.size + chop] if chop >= 0 else -1
        self.is_urgent = self.plans[1] < 0 and card >= 0 and state.critical() & ONE[card] != 0

    def worth(self, state: HanabiState, action: AnyAction) -> float:
        """Weigh an action: what a hint says, what is certain, what is likely, hints, and discards."""
        if isinstance(action, PlayCard):
            share = self.chance(state, action.place, state.playable())
            if action.place == self.mine and share > 0.0 and (state.fuses > 1 or share > 0.5):
                return 100.0
            rank = self.rank(state, action.place)
            if share == 1.0:
                return 90.0 - float(rank)
            is_marked = state.touched >> ROW * self.player + action.place & 1 != 0
            if is_marked and share >= self.least and state.fuses > 1:
                return 80.0 + share
            return _NEVER + share
        if isinstance(action, Tell):
            return self._told(state, action)
        if isinstance(action, DiscardCard):
            return self.discard(state, action.place)
        return 0.0

    def rank(self, state: HanabiState, place: i64) -> i64:
        """Return the lowest rank that an own card may have, from 0."""
        fits = state.possible(self.player * state.size + place, self.unseen)
        for rank in range(MOST_RANKS):
            if fits & OF_RANK[rank]:
                return rank
        return 0

    def _told(self, state: HanabiState, tell: Tell) -> float:
        """Return the worth of a hint by what its receiver will do."""
        after = state.copy()
        tell.execute(after, _NO_CHANCE)
        turns = (tell.player - self.player) % state.n_players
        for offset in range(1, turns):  # what will have been played by then
            plan = self.plans[offset]
            if plan >= 0:
                one: i64 = ONE[plan]
                after.fireworks |= after.playable() & one
        urgent = 35.0 if self.is_urgent and turns == 1 else 0.0
        first = tell.player * state.size
        target = plan_of(after, tell.player)
        if target >= 0:
            goal: i64 = ONE[target]
            if not after.playable() & goal:
                return _NEVER
            if self.plans[turns] == target or target in self.plans:
                return 5.0
            return 60.0 + urgent + self._tidiness(state, after, first) - 0.5 * float(turns)
        chop = chop_of(state, tell.player, state.touched)
        if urgent > 0.0 and after.touched >> ROW * tell.player + chop & 1:
            return 59.0 + urgent
        return 4.0 + self._tidiness(state, after, first)

    def _tidiness(self, state: HanabiState, after: HanabiState, first: i64) -> float:
        """Return how much better it is to mark the cards of a hand that a hint marks: useful ones, once each."""
        useful = state.useful()
        found = 0.0
        row = (after.touched & ~state.touched) >> ROW * (first // state.size)
        for place in range(state.size):
            if row >> place & 1:
                one: i64 = ONE[state.hands[first + place]]
                found += 0.5 if useful & one else -1.0
                useful &= ~one
        return found


def chop_of(state: HanabiState, seat: i64, touched: i64) -> i64:
    """Return the place of the oldest card that is not in ``touched``, -1 for none."""
    for place in range(state.held(seat)):
        if not touched >> ROW * seat + place & 1:
            return place
    return -1


def focus(state: HanabiState, seat: i64) -> i64:
    """Return the place of the card that the fresh hint to a player is about, -1 for none."""
    fresh = state.fresh >> ROW * seat & ALL_PLACES
    if not fresh:
        return -1
    first = seat * state.size
    public, playable = state.public(), state.playable()
    chop = chop_of(state, seat, state.touched & ~state.fresh)
    if fresh >> chop & 1:
        fits = state.possible(first + chop, public)
        is_rank = any([fits & ~of_rank == 0 for of_rank in OF_RANK])
        if is_rank and fits & state.critical() & ~playable:
            return -1
    for place in range(state.size - 1, -1, -1):
        if fresh >> place & 1 and state.possible(first + place, public) & playable:
            return place
    return -1


def plan_of(state: HanabiState, seat: i64) -> i64:
    """Return the card that a player will play next, by a hint or as it is certain to fit; -1 for none."""
    first = seat * state.size
    place = focus(state, seat)
    if place >= 0:
        return state.hands[first + place]
    public, playable = state.public(), state.playable()
    for place in range(state.held(seat)):
        if not state.possible(first + place, public) & ~playable:
            return state.hands[first + place]
    return -1
