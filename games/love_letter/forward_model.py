"""The rules of Love Letter: rounds, turns and what may be played."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.love_letter.actions import PLAYS, vocabulary
from games.love_letter.data import COUNTESS, KING, PRINCE
from games.love_letter.parameters import LoveLetterParameters
from games.love_letter.state import LoveLetterState
from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary


class LoveLetter(ForwardModel[LoveLetterState]):
    """The rules."""

    game_type = GameType(
        "Love Letter",
        2,
        4,
        LoveLetterParameters,
        categories=("cards", "deduction", "renaissance"),
        mechanics=("hand management", "player elimination", "hidden information", "rounds"),
        version=2,
    )

    def __init__(self, parameters: LoveLetterParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("LoveLetterParameters", self.parameters)
        self.max_rounds = self.rules.max_rounds
        self.deck = self.rules.deck()

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(int(n_players))

    def _setup(self, n_players: i64, rng: Rng) -> LoveLetterState:
        state = LoveLetterState(n_players, self.rules.tokens_to_win(int(n_players)), [], [], [])
        state.tokens = (0,) * n_players
        self._deal(state, rng)
        return state

    def _deal(self, state: LoveLetterState, rng: Rng) -> None:
        deck = self.deck[:]
        rng.shuffle(deck)
        state.deck = deck
        state.removed = deck.pop()
        if state.n_players == 2:
            state.face_up = tuple([deck.pop() for _card in range(self.rules.face_up)])
        state.hands = [deck.pop() for _player in range(state.n_players)]
        state.known = 0
        state.public = 0
        state.doubtful = 0
        state.barred = 0
        state.ties = ()
        state.discards = [()] * state.n_players
        state.alive = (1 << state.n_players) - 1
        state.protected = 0
        state.drawn = deck.pop()

    def _available_actions(self, state: LoveLetterState) -> list[AnyAction]:
        player = state.current_player
        first: i64 = state.hands[player]
        second = state.drawn
        if (first == COUNTESS and _obliges(second)) or (second == COUNTESS and _obliges(first)):
            return PLAYS[COUNTESS][0][:]
        unprotected = state.alive & ~state.protected
        me = 1 << player
        plays = PLAYS[first][unprotected | me if first == PRINCE else unprotected & ~me]
        if second == first:
            return plays[:]
        return plays + PLAYS[second][unprotected | me if second == PRINCE else unprotected & ~me]

    def _after_action(self, state: LoveLetterState, action: AnyAction, rng: Rng) -> None:
        alive = state.alive
        if alive & (alive - 1) == 0 or not state.deck:
            self._end_play(state, rng)
            return
        self.end_player_turn(state)
        state.protected &= ~(1 << state.current_player)
        state.drawn = state.deck.pop()

    def _next_player(self, state: LoveLetterState) -> i64:
        return _first_after(state.turn_player, state.alive, state.n_players)

    # --- the end of a round ------------------------------------------------------------------------------------------

    def _end_play(self, state: LoveLetterState, rng: Rng) -> None:
        """Score the round; then the game is over, or another round begins."""
        winners = _round_winners(state)
        state.tokens = tuple([state.tokens[player] + (winners >> player & 1) for player in range(state.n_players)])
        if state.recording:
            for player in range(state.n_players):
                if winners >> player & 1:
                    state.announce(Event("round won", player, float(state.hands[player])))
        self.end_round(state, _first_after(state.first_player, winners, state.n_players), rng)
        if state.is_terminal:
            return
        if max(state.tokens) >= state.goal:
            state.end_by_score()
        else:
            self._deal(state, rng)


def _obliges(card: i64) -> bool:
    """Say whether the Countess must be played by who also holds ``card``."""
    return card == KING or card == PRINCE


def _round_winners(state: LoveLetterState) -> int:
    """Show the hands of who is left and return, as a mask, who has the highest card, then the most in discards."""
    alive = int(state.alive)
    if alive & (alive - 1) == 0:
        return alive
    best = -1
    winners = 0
    for player in range(int(state.n_players)):
        if alive >> player & 1:
            for viewer in range(state.n_players):
                if viewer != player:
                    state.show(player, viewer)
            strength = state.hands[player] * 1000 + sum(state.discards[player])
            if strength > best:
                best = strength
                winners = 0
            if strength == best:
                winners |= 1 << player
    return winners


def _first_after(player: i64, seats: i64, n_players: i64) -> i64:
    """Return the first of ``seats``, a mask, in turn order after ``player``."""
    while True:
        player += 1
        if player == n_players:
            player = 0
        if seats >> player & 1:
            return player
