"""The metric of Love Letter."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from games.love_letter.actions import NO_TARGET, Play
from games.love_letter.data import BARON, GUARD, N_KINDS, PRINCE, PRINCESS
from games.love_letter.state import LoveLetterState
from tag import Agent, AnyAction, ForwardModel, GameState, Rng
from tag.playing.metrics import Metric, share


class LoveLetterMetric(Metric):
    """Counts the ends of rounds, and the cards that put players out of them."""

    measures: ClassVar[dict[str, str]] = {
        "showdowns": "share of a game's rounds in which the deck ran out and the hands decided",
        "guard_hits": "share of the Guards played on somebody that named the card",
        "guard_outs": "share of the players put out of a round who were by a Guard",
        "baron_outs": "share of the players put out of a round who were by a Baron, their own or another's",
        "prince_outs": "share of the players put out of a round who had to discard the Princess for a Prince",
        "princess_outs": "share of the players put out of a round who played the Princess",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._rounds: i64 = 0
        self._showdowns: i64 = 0
        self._guards: i64 = 0
        self._outs = [0] * (N_KINDS + 1)
        self._alive: i64 = 0

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Try the card on a copy: the state itself may have been dealt anew once the card has been played."""
        if not isinstance(action, Play):
            return
        before = cast("LoveLetterState", state)
        after = before.copy()
        action.execute(after, self.rng)
        self._alive = after.alive
        if after.alive != before.alive:
            self._outs[action.card] += 1
        if action.card == GUARD and action.target != NO_TARGET:
            self._guards += 1

    def on_round_over(self, state: GameState) -> None:
        """See whether more than one player was left."""
        self._rounds += 1
        if self._alive & (self._alive - 1):
            self._showdowns += 1

    def values(self) -> dict[str, list[float]]:
        """Return the shares in the whole game."""
        outs = self._outs
        total = sum(outs)
        return {
            "showdowns": share(self._showdowns, self._rounds),
            "guard_hits": share(outs[GUARD], self._guards),
            "guard_outs": share(outs[GUARD], total),
            "baron_outs": share(outs[BARON], total),
            "prince_outs": share(outs[PRINCE], total),
            "princess_outs": share(outs[PRINCESS], total),
        }
