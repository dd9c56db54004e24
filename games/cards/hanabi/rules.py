"""The rules of Hanabi: the deal, what may be done, and the end."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import DRAW, LOSE, WIN, AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, interned
from tag.games.cards.hanabi.actions import DiscardCard, PlayCard, TellColour, TellRank, vocabulary
from tag.games.cards.hanabi.data import (
    EMPTY,
    MOST_COLOURS,
    MOST_PLAYERS,
    MOST_RANKS,
    NAMES,
    ONE,
    HanabiParameters,
)
from tag.games.cards.hanabi.state import HanabiState, without_row
from tag.games.cards.hanabi.values import HanabiFeatures, HanabiHeuristic, HanabiMetric

#: All colours, as bits.
_COLOURS: Final = (1 << MOST_COLOURS) - 1


def _tells(player: int, which: int, named: list[int]) -> list[AnyAction]:
    """Return the hints to ``player`` that name one of the bits ``which``."""
    found: list[AnyAction] = []
    for what in named:
        if which >> what & 1:
            rank = what - MOST_COLOURS + 1
            found.append(interned(TellRank(player, rank) if rank > 0 else TellColour(player, what)))
    return found


class Hanabi(ForwardModel[HanabiState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("hanabi")
    >>> state = model.setup(2, Rng(1))
    >>> print(state.text(0))
    Player 0 to play; 8 hints, 3 fuses, 40 cards in the deck
    fireworks red 0, yellow 0, green 0, white 0, blue 0; discards none
    player 0  ? RYGWB12345  ? RYGWB12345  ? RYGWB12345  ? RYGWB12345  ? RYGWB12345
    player 1  yellow 4 RYGWB12345  white 2 RYGWB12345  blue 4 RYGWB12345  red 3 RYGWB12345  red 4 RYGWB12345
    >>> [str(action) for action in model.available_actions(state)][4:7]
    ['play card 5', 'tell player 1: red', 'tell player 1: yellow']
    """

    game_type = GameType(
        "Hanabi",
        2,
        MOST_PLAYERS,
        HanabiParameters,
        categories=("cards", "cooperative", "deduction"),
        mechanics=("limited communication", "hand management", "hidden information"),
        check_parameters="colours=2,ranks=3,hand_2=3,hand_4=2,hints=4",
        heuristic=HanabiHeuristic,
        features=HanabiFeatures,
        metric=HanabiMetric,
    )

    def __init__(self, parameters: HanabiParameters | None = None) -> None:
        """Make the actions once, for each set of colours or ranks in a hand."""
        super().__init__(parameters)
        self.rules = cast("HanabiParameters", self.parameters)
        self.full: i64 = self.rules.deck()
        places = range(MOST_RANKS)
        plays: list[AnyAction] = [interned(PlayCard(place)) for place in places]
        discards: list[AnyAction] = [interned(DiscardCard(place)) for place in places]
        #: By the number of cards in hand.
        self.plays = [plays[:number] for number in range(MOST_RANKS + 1)]
        self.own = [plays[:number] + discards[:number] for number in range(MOST_RANKS + 1)]
        #: What hints can name of each card, as bits: colours, and above them ranks.
        named = self.rules.named()
        self.shows = [sum([1 << what for what in named if self.rules.mark(what) & one]) for one in ONE]
        #: By player, then the set of colours, or of ranks, in the hand.
        tells = range(MOST_PLAYERS)
        self.colours = [[_tells(player, which, named) for which in range(1 << MOST_COLOURS)] for player in tells]
        self.ranks = [
            [_tells(player, which << MOST_COLOURS, named) for which in range(1 << MOST_RANKS)] for player in tells
        ]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.rules, int(n_players))

    def _setup(self, n_players: i64, rng: Rng) -> HanabiState:
        size: i64 = self.rules.hand(int(n_players))
        places = int(n_players * size)
        state = HanabiState(n_players, self.rules, size, [EMPTY] * places, [0] * places)
        state.full = self.full
        state.deck = self.full
        state.hints = self.rules.hints
        state.fuses = self.rules.fuses
        for player in range(n_players):
            for _place in range(size):
                state.draw(player, rng)
        return state

    def announce_setup(self, state: HanabiState) -> None:
        """Announce the hands."""
        for player in range(state.n_players):
            self._announce_hand("dealt", state, player, -1 - (1 << player))

    def _announce_hand(self, name: str, state: HanabiState, player: i64, seen_by: i64) -> None:
        hand = state.hands[player * state.size : (player + 1) * state.size]
        names = tuple([NAMES[card] for card in hand if card != EMPTY])
        state.announce(Event(name, player, 0.0, names, (f"hand of {player}",), seen_by=seen_by))

    def _own_actions(self, state: HanabiState) -> list[AnyAction]:
        may_discard = state.hints < self.rules.hints or self.rules.free_discards
        return (self.own if may_discard else self.plays)[state.held(state.current_player)]

    def _available_actions(self, state: HanabiState) -> list[AnyAction]:
        actions = self._own_actions(state)[:]
        if state.hints:
            for player in range(state.n_players):
                if player != state.current_player:
                    present = self._present(state, player)
                    actions += self.colours[player][present & _COLOURS]
                    actions += self.ranks[player][present >> MOST_COLOURS]
        return actions

    def random_action(self, state: HanabiState, rng: Rng) -> AnyAction:
        """Choose without a list of all."""
        actions = self._own_actions(state)
        if state.hints == 0:
            return actions[rng.below(len(actions))]
        found: list[list[AnyAction]] = [actions]
        number: i64 = len(actions)
        for player in range(state.n_players):
            if player != state.current_player:
                present = self._present(state, player)
                colours, ranks = self.colours[player][present & _COLOURS], self.ranks[player][present >> MOST_COLOURS]
                number += len(colours) + len(ranks)
                found.append(colours)
                found.append(ranks)
        chosen = rng.below(number)
        for actions in found:
            if chosen < len(actions):
                return actions[chosen]
            chosen -= len(actions)
        raise AssertionError

    def _present(self, state: HanabiState, player: i64) -> i64:
        """Return the colours and, above them, the ranks that hints can name to ``player``, as bits."""
        if self.rules.empty_hints:
            return (1 << MOST_COLOURS + MOST_RANKS) - 1
        present: i64 = 0
        first = player * state.size
        for place in range(first, first + state.size):
            card: i64 = state.hands[place]
            if card != EMPTY:
                present |= self.shows[card]
        return present

    def _after_action(self, state: HanabiState, action: AnyAction, rng: Rng) -> None:
        state.fresh = without_row(state.fresh, state.turn_player)
        if state.fuses == 0:
            self._end(state, LOSE)
        elif state.fireworks == state.full_kinds():
            self._end(state, WIN)
        elif state.turn == state.last_turn:
            self._end(state, DRAW)
        else:
            self.end_player_turn(state)

    def _end(self, state: HanabiState, result: i64) -> None:
        """End the game for all, with hands open."""
        state.end_for_all(result)
        if state.recording:
            for player in range(state.n_players):
                self._announce_hand("revealed", state, player, -1)
