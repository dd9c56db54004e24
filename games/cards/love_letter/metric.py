"""The metric of Love Letter."""

from __future__ import annotations

from typing import ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, GameState
from tag.games.cards.love_letter.actions import NO_TARGET, Play
from tag.games.cards.love_letter.data import GUARD, NAMES
from tag.games.cards.love_letter.state import LoveLetterState
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

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Try the card on a copy: the state itself may have been dealt anew once the card has been played."""
        if not isinstance(action, Play):
            return
        before = cast("LoveLetterState", state)
        after = before.copy()
        action.execute(after, self.rng)
        self.counts["left"] = int(after.alive).bit_count()
        if after.alive != before.alive:
            self.counts["outs"] += 1
            self.counts[f"outs by {NAMES[action.card]}"] += 1
        if action.card == GUARD and action.target != NO_TARGET:
            self.counts["guards"] += 1

    def on_round_over(self, state: GameState) -> None:
        self.counts["rounds"] += 1
        if self.counts["left"] > 1:
            self.counts["showdowns"] += 1

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "showdowns": share(counts["showdowns"], counts["rounds"]),
            "guard_hits": share(counts["outs by Guard"], counts["guards"]),
            "guard_outs": share(counts["outs by Guard"], counts["outs"]),
            "baron_outs": share(counts["outs by Baron"], counts["outs"]),
            "prince_outs": share(counts["outs by Prince"], counts["outs"]),
            "princess_outs": share(counts["outs by Princess"], counts["outs"]),
        }
