"""Leduc poker: two cards each of three ranks, one for each player, one on the board; two rounds of betting.

Rules: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005. The ante is one chip, a raise two chips
before the card of the board is dealt and four after it, and there are two raises in a round at most. A pair with the board
wins, else the higher rank. Suits make no difference, so cards are ranks, 0 to 2.
"""

from __future__ import annotations

from tag import Action, AnyAction, ForwardModel, GameState, GameType, Rng, interned


class LeducState(GameState):
    """The players' cards, the deck in order, the board's card or -1, chips paid, and the actions of both rounds."""

    def __init__(self) -> None:
        """Take the antes and make the deck."""
        super().__init__(2)
        self.cards = [-1, -1]
        self.deck = [0, 0, 1, 1, 2, 2]
        self.board = -1
        self.paid = [1, 1]
        self.bets = ("", "")

    def copy(self) -> LeducState:
        """Copy everything."""
        other = LeducState()
        self.copy_to(other)
        other.cards = self.cards[:]
        other.deck = self.deck[:]
        other.board = self.board
        other.paid = self.paid[:]
        other.bets = self.bets
        return other

    def deal(self, rng: Rng) -> int:
        """Take a card from the deck."""
        return self.deck.pop(rng.below(len(self.deck)))

    def knowledge(self, player: int) -> tuple[object, ...]:
        """Return what is open and the player's own card; at the end all cards are open."""
        cards = self.cards if self.is_terminal else self.cards[player : player + 1]
        return (player, self.is_terminal, self.board, self.bets, tuple(self.paid), tuple(cards))

    def redeterminise(self, player: int, rng: Rng) -> None:
        """Deal the other player's card again."""
        if not self.is_terminal:
            other = 1 - player
            self.deck = sorted([*self.deck, self.cards[other]])
            self.cards[other] = self.deal(rng)

    def score(self, player: int) -> float:
        """Return the chips won or, with a minus, paid."""
        return float(-self.paid[player])

    def text(self, viewer: int) -> str:
        """Show the cards that ``viewer`` may see."""
        is_open = viewer < 0 or self.is_terminal
        cards = [str(card) if is_open or player == viewer else "?" for player, card in enumerate(self.cards)]
        board = "-" if self.board < 0 else str(self.board)
        chips = " ".join(str(-paid) for paid in self.paid)
        return f"cards {' '.join(cards)}, board {board}, bets {'/'.join(self.bets)}, chips {chips}"


class Fold(Action[LeducState]):
    """Give up."""

    def execute(self, state: LeducState, rng: Rng) -> None:
        """Note it."""
        note(state, "f")


class Call(Action[LeducState]):
    """Pay as much as the other player; without a raise that is to check."""

    def execute(self, state: LeducState, rng: Rng) -> None:
        """Pay."""
        state.paid[state.current_player] = max(state.paid)
        note(state, "c")


class Raise(Action[LeducState]):
    """Pay as much as the other player, and two chips more; four in the second round."""

    def execute(self, state: LeducState, rng: Rng) -> None:
        """Pay."""
        state.paid[state.current_player] = max(state.paid) + (2 if state.board < 0 else 4)
        note(state, "r")


def note(state: LeducState, letter: str) -> None:
    """Add an action to those of its round."""
    first, second = state.bets
    state.bets = (first + letter, second) if state.board < 0 else (first, second + letter)


FOLD, CALL, RAISE = interned(Fold()), interned(Call()), interned(Raise())


class LeducPoker(ForwardModel[LeducState]):
    """The rules."""

    game_type = GameType("Leduc poker", 2, 2, categories=("cards",), mechanics=("betting",))

    def _setup(self, n_players: int, rng: Rng) -> LeducState:
        state = LeducState()
        state.cards = [state.deal(rng), state.deal(rng)]
        return state

    def _available_actions(self, state: LeducState) -> list[AnyAction]:
        actions: list[AnyAction] = [CALL] if state.paid[0] == state.paid[1] else [FOLD, CALL]
        return actions if state.bets[state.board >= 0].count("r") == 2 else [*actions, RAISE]

    def _after_action(self, state: LeducState, action: AnyAction, rng: Rng) -> None:
        bets = state.bets[state.board >= 0]
        if action is FOLD:
            self.settle(state, [1 - state.current_player])
        elif action is RAISE or bets == "c":
            self.end_player_turn(state)
        elif state.board < 0:
            state.board = state.deal(rng)
            self.give_turn(state, 0)
        else:
            worth = [3 if card == state.board else card for card in state.cards]
            self.settle(state, [player for player in (0, 1) if worth[player] == max(worth)])

    def settle(self, state: LeducState, winners: list[int]) -> None:
        """Give the pot to the winners, and end the game."""
        pot = sum(state.paid)
        for winner in winners:
            state.paid[winner] -= pot // len(winners)
        state.end_by_score()
