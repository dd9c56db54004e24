"""The metric of Poker."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.games.cards.poker.actions import AllIn, Call, Fold, Raise
from tag.games.cards.poker.data import BIT, FLOP, PREFLOP
from tag.games.cards.poker.state import PokerState
from tag.playing.metrics import Metric, share


class PokerMetric(Metric):
    """Measures how tight and how aggressive players are, and how hands end.

    A player who acts several times before the flop counts once for ``voluntary`` and ``preflop_raises``.
    """

    measures: ClassVar[dict[str, str]] = {
        "hands": "hands played in a game",
        "pots": "chips won in each hand, without those that no one called, in big blinds",
        "showdowns": "share of a game's hands in which cards are shown",
        "flops": "share of a game's hands in which a player acts after the flop",
        "all_ins": "share of a game's hands in which a player raises all-in",
        "voluntary": "share of hands dealt to players in which they call or raise before the flop",
        "preflop_raises": "share of hands dealt to players in which they raise before the flop",
        "raises": "bets and raises in a hand, the mean of a game",
        "aggression": "share of bets, raises, calls and folds that are bets and raises",
        "out": "players out of chips at the end of a game",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self.pots: list[float] = []
        self._start_hand()

    def _start_hand(self) -> None:
        self.entered: i64 = 0
        self.raisers: i64 = 0
        self.went_all_in = False
        self.saw_flop = False

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        table = cast("PokerState", state)
        is_raise = isinstance(action, (Raise, AllIn))
        pays = is_raise or isinstance(action, Call)
        self.counts["raises"] += is_raise
        self.counts["decisions"] += pays or isinstance(action, Fold)
        self.went_all_in = self.went_all_in or isinstance(action, AllIn)
        if table.phase == PREFLOP:
            self.entered |= BIT[player] if pays else 0
            self.raisers |= BIT[player] if is_raise else 0
        elif table.phase == FLOP:
            self.saw_flop = True

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Add up a hand at its end, which its events announce: players, cards shown, and at last the pot."""
        counts = self.counts
        if event.name == "players":
            counts["dealt"] += int(event.value)
        elif event.name == "shown":
            counts["showdowns"] += 1 if event.value else 0
        else:
            counts["hands"] += 1
            counts["flops"] += self.saw_flop
            counts["all_ins"] += self.went_all_in
            counts["voluntary"] += int(self.entered).bit_count()
            counts["preflop_raises"] += int(self.raisers).bit_count()
            self.pots.append(event.value)
            self._start_hand()

    def on_end(self, state: GameState) -> None:
        self.counts["out"] = [state.score(player) for player in range(state.n_players)].count(0.0)

    def values(self) -> dict[str, list[float]]:
        counts, hands = self.counts, self.counts["hands"]
        found = {name: share(counts[name], hands) for name in ("showdowns", "flops", "all_ins", "raises")}
        return {
            "hands": [float(hands)],
            "pots": self.pots,
            **found,
            "voluntary": share(counts["voluntary"], counts["dealt"]),
            "preflop_raises": share(counts["preflop_raises"], counts["dealt"]),
            "aggression": share(counts["raises"], counts["decisions"]),
            "out": [float(counts["out"])],
        }
