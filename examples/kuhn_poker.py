"""Kuhn poker: an ante, one card of n + 1 for each player, one round of betting; high card wins.

Rules: H. W. Kuhn, "A simplified two-person poker", 1950; for more players as N. Abou Risk and
D. Szafron, 2010. After a bet each other player, in order, passes (folds) or bets (calls), once.
"""

from __future__ import annotations

from typing import ClassVar, cast

from tag import Action, AnyAction, ForwardModel, GameState, GameType, Metric, Rng, interned


class KuhnState(GameState):
    """Cards 0 … n, one per player and the undealt one last; chips paid; who bet first, or -1."""

    def __init__(self, n_players: int) -> None:
        """Take the antes."""
        super().__init__(n_players)
        self.cards = list(range(n_players + 1))
        self.paid = [1] * n_players
        self.bettor = -1

    def copy(self) -> KuhnState:
        """Copy everything."""
        other = KuhnState(self.n_players)
        self.copy_to(other)
        other.cards = self.cards[:]
        other.paid = self.paid[:]
        other.bettor = self.bettor
        return other

    def knowledge(self, player: int) -> tuple[object, ...]:
        """Return what is open and the player's own card; at the end all cards are open."""
        cards = self.cards if self.is_terminal else self.cards[player : player + 1]
        return (player, self.tick, self.bettor, tuple(self.paid), tuple(cards))

    def redeterminise(self, player: int, rng: Rng) -> None:
        """Deal all cards but the player's own again."""
        if not self.is_terminal:
            own = self.cards.pop(player)
            rng.shuffle(self.cards)
            self.cards.insert(player, own)

    def score(self, player: int) -> float:
        """Return the chips won or, with a minus, paid."""
        return float(-self.paid[player])

    def text(self, viewer: int) -> str:
        """Show the cards that ``viewer`` may see."""
        is_open = viewer < 0 or self.is_terminal
        cards = [str(card) if is_open else "?" for card in self.cards[:-1]]
        if viewer >= 0:
            cards[viewer] = str(self.cards[viewer])
        return f"cards {' '.join(cards)}, chips {' '.join(str(-chips) for chips in self.paid)}"


class Pass(Action[KuhnState]):
    """Put no chip in; after a bet that is to fold."""

    def execute(self, state: KuhnState, rng: Rng) -> None:
        """Change nothing."""


class Bet(Action[KuhnState]):
    """Put a chip in; after a bet that is to call."""

    def execute(self, state: KuhnState, rng: Rng) -> None:
        """Pay, and become the first to bet if no one was before."""
        state.paid[state.current_player] += 1
        if state.bettor < 0:
            state.bettor = state.current_player


ACTIONS: list[AnyAction] = [interned(Pass()), interned(Bet())]


class KuhnPokerMetric(Metric):
    """Who bets first, and on what."""

    measures: ClassVar[dict[str, str]] = {
        "bets": "share of games with a bet",
        "bluffs": "share of first bets by a player who does not have the highest card",
    }

    def on_end(self, state: GameState) -> None:
        """Compare the card of the first bettor with the highest one."""
        final = cast("KuhnState", state)
        self.bluffs: list[float] = []
        if final.bettor >= 0:
            self.bluffs.append(float(final.cards[final.bettor] < max(final.cards[:-1])))

    def values(self) -> dict[str, list[float]]:
        """Return one value each, and none of bluffs without a bet."""
        return {"bets": [float(len(self.bluffs))], "bluffs": self.bluffs}


class KuhnPoker(ForwardModel[KuhnState]):
    """The rules."""

    game_type = GameType(
        "Kuhn poker",
        min_players=2,
        max_players=10,
        categories=("cards",),
        mechanics=("betting",),
        metric=KuhnPokerMetric,
    )

    def _setup(self, n_players: int, rng: Rng) -> KuhnState:
        state = KuhnState(n_players)
        rng.shuffle(state.cards)
        return state

    def _available_actions(self, state: KuhnState) -> list[AnyAction]:
        return ACTIONS[:]

    def _after_action(self, state: KuhnState, action: AnyAction, rng: Rng) -> None:
        self.end_player_turn(state)
        if state.tick == state.n_players + max(state.bettor, 0):
            most = max(state.paid)
            bettors = [player for player in range(state.n_players) if state.paid[player] == most]
            winner = max(bettors, key=lambda player: state.cards[player])
            state.paid[winner] -= sum(state.paid)
            state.end_by_score()
