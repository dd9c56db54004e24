"""The actions of Sushi Go!: choosing a card, or two with chopsticks."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Rng, Vocabulary, interned
from tag.games.cards.sushi_go.data import N_KINDS, NO_CARD, choice_of, choice_text
from tag.games.cards.sushi_go.state import SushiGoState


@mypyc_attr(allow_interpreted_subclasses=True)
class _Choice(Action[SushiGoState]):
    """Choose in secret; what is chosen is played once all have chosen."""

    def __init__(self, choice: i64) -> None:
        self.choice = choice

    def execute(self, state: SushiGoState, rng: Rng) -> None:
        state.chosen[state.current_player] = int(self.choice)

    def text(self, state: SushiGoState, viewer: i64) -> str:
        """Name the cards only to the player who chooses them."""
        return str(self) if viewer < 0 or viewer == state.current_player else "choose in secret"

    def __str__(self) -> str:
        return f"choose {choice_text(self.choice)}"


class ChooseCard(_Choice):
    """Choose a card to play."""

    def __init__(self, card: i64) -> None:
        super().__init__(choice_of(card, NO_CARD))
        self.card = card


class ChooseTwo(_Choice):
    """Choose two cards to play, one after the other; the chopsticks go into the hand before it is passed."""

    def __init__(self, first: i64, second: i64) -> None:
        super().__init__(choice_of(first, second))
        self.first = first
        self.second = second

    def __str__(self) -> str:
        return f"{super().__str__()}, with chopsticks"


def _actions() -> list[AnyAction | None]:
    found: list[AnyAction | None] = [None] * 256
    for first in range(N_KINDS):
        found[choice_of(first, NO_CARD)] = interned(ChooseCard(first))
        for second in range(N_KINDS):
            found[choice_of(first, second)] = interned(ChooseTwo(first, second))
    return found


#: The action of each choice, None for numbers that are no choice.
ACTIONS: Final[list[AnyAction | None]] = _actions()


def vocabulary() -> Vocabulary:
    """Return all actions of a game."""
    kinds = range(N_KINDS)
    return Vocabulary(Actions(ChooseCard, card=kinds), Actions(ChooseTwo, first=kinds, second=kinds))
