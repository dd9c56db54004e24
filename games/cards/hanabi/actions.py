"""The actions of Hanabi: to play or discard a card, and to tell another player about cards."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, Event, Rng, Vocabulary
from tag.games.cards.hanabi.data import COLOURS, EMPTY, MOST_COLOURS, MOST_RANKS, NAMES, ONE, HanabiParameters
from tag.games.cards.hanabi.state import ROW, HanabiState, without_row


@mypyc_attr(allow_interpreted_subclasses=True)
class OwnCard(Action[HanabiState]):
    """Lay down a card of the own hand, and draw another."""

    def __init__(self, place: i64) -> None:
        """Name the place in hand, from the oldest card, 0, on."""
        self.place = place


class PlayCard(OwnCard):
    """Play a card: it goes to the firework of its colour, or is discarded at the price of a fuse."""

    def execute(self, state: HanabiState, rng: Rng) -> None:
        player = state.current_player
        card = state.take(player, self.place)
        one: i64 = ONE[card]
        fits = state.playable() & one != 0
        places = (f"hand of {player}", "fireworks" if fits else "discards", "hints" if fits else "fuses")
        if fits:
            state.fireworks |= one
            if card % MOST_RANKS == state.rules.ranks - 1 and state.rules.hint_back and state.hints < state.rules.hints:
                state.hints += 1
        else:
            state.discards += one
            state.fuses -= 1
        if state.recording:
            words = "{player} plays {items}" + ("" if fits else ", which does not fit")
            name = "played well" if fits else "played in vain"
            state.announce(Event(name, player, float(card), (NAMES[card],), places, words=words))
        state.draw(player, rng)

    def __str__(self) -> str:
        return f"play card {self.place + 1}"


class DiscardCard(OwnCard):
    """Discard a card, for a hint."""

    def execute(self, state: HanabiState, rng: Rng) -> None:
        player = state.current_player
        card = state.take(player, self.place)
        state.discards += ONE[card]
        state.hints = min(state.hints + 1, state.rules.hints)
        if state.recording:
            places = (f"hand of {player}", "discards", "hints")
            state.announce(Event("discarded", player, float(card), (NAMES[card],), places))
        state.draw(player, rng)

    def __str__(self) -> str:
        return f"discard card {self.place + 1}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Tell(Action[HanabiState]):
    """Tell another player all cards of a colour or rank in the hand.

    Attributes:
        player: who is told.
        what: the colour from 0, or `MOST_COLOURS` + rank - 1.
    """

    def __init__(self, player: i64, what: i64) -> None:
        self.player = player
        self.what = what

    def execute(self, state: HanabiState, rng: Rng) -> None:
        state.hints -= 1
        player = self.player
        mark = state.rules.mark(self.what)
        row: i64 = 0
        for place in range(state.size):
            index = player * state.size + place
            card: i64 = state.hands[index]
            if card != EMPTY:
                may_be: i64 = state.marks[index]
                if mark & ONE[card]:
                    row |= 1 << place
                    state.marks[index] = int(may_be & mark)
                else:
                    state.marks[index] = int(may_be & ~mark)
        state.touched |= row << ROW * player
        state.fresh = without_row(state.fresh, player) | row << ROW * player
        if state.recording:
            cards = ", ".join([str(place + 1) for place in range(state.size) if row >> place & 1])
            words = f"of {{player}} these cards are {thing(self.what)}: {cards or 'none'}"
            state.announce(Event("told", player, float(row), places=("hints",), words=words))

    def __str__(self) -> str:
        return f"tell player {self.player}: {thing(self.what)}"


def thing(what: i64) -> str:
    """Return the colour or rank that a hint names."""
    return COLOURS[what] if what < MOST_COLOURS else str(what - MOST_COLOURS + 1)


class TellColour(Tell):
    """Tell another player the cards of a colour."""

    def __init__(self, player: i64, colour: i64) -> None:
        super().__init__(player, colour)
        self.colour = colour


class TellRank(Tell):
    """Tell another player the cards of a rank."""

    def __init__(self, player: i64, rank: i64) -> None:
        super().__init__(player, MOST_COLOURS + rank - 1)
        self.rank = rank


def vocabulary(rules: HanabiParameters, n_players: int) -> Vocabulary:
    """Return all actions of a game."""
    places, players = range(rules.hand(n_players)), range(n_players)
    named = rules.named()
    colours = [what for what in named if what < MOST_COLOURS]
    tells = [Actions(TellColour, player=players, colour=colours)] if colours else []
    return Vocabulary(
        Actions(PlayCard, place=places),
        Actions(DiscardCard, place=places),
        *tells,
        Actions(TellRank, player=players, rank=range(1, rules.ranks + 1)),
    )
