"""The actions of 7 Wonders: to build a structure, a stage of the wonder, to discard a card, and to build a discarded one."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Rng, Vocabulary, interned
from tag.games.drafts.seven_wonders.data import (
    BUILD,
    N_KINDS,
    NAMES,
    SELL,
    STAGE,
    WITH_POWER,
    choice_of,
    choice_text,
)
from tag.games.drafts.seven_wonders.state import CHOOSE, SevenWondersState


@mypyc_attr(allow_interpreted_subclasses=True)
class _Choice(Action[SevenWondersState]):
    """Choose a card and its use; what is chosen happens once all have chosen."""

    def __init__(self, card: i64, use: i64) -> None:
        self.card = card
        self.number: i64 = choice_of(card, use, 0, 0)

    def execute(self, state: SevenWondersState, rng: Rng) -> None:
        player = state.current_player
        state.chosen[player] = int(state.choice(player, self.number))

    def shown(self) -> str:
        """Return the choice in words that name no card which others do not see."""
        return str(self)

    def text(self, state: SevenWondersState, viewer: i64) -> str:
        """Name the card and the payment to the player who chooses; to others only what they see of a last card."""
        player = state.current_player
        if viewer >= 0 and viewer != player:
            return "choose in secret" if state.phase == CHOOSE else self.shown()
        return choice_text(state.choice(player, self.number))

    def __str__(self) -> str:
        return choice_text(self.number)


class Build(_Choice):
    """Build a structure; resources that are missing are bought.

    Attributes:
        way: 0 for the cheapest payment, 1 to pay the right neighbour as little as possible, 2 the left one, 3 to use
            Olympia.
    """

    def __init__(self, card: i64, way: i64) -> None:
        """Take the kind of card, and the way to pay."""
        super().__init__(card, BUILD + way)
        self.way = way

    def __str__(self) -> str:
        return super().__str__() + _WAYS[self.way]


class BuildStage(_Choice):
    """Lay a card under the wonder, whose next stage is built; ways to pay are those of `Build`."""

    def __init__(self, card: i64, way: i64) -> None:
        """Take the kind of card, and the way to pay."""
        super().__init__(card, STAGE + way)
        self.way = way

    def shown(self) -> str:
        """Name no card."""
        return "lay the last card under the wonder"

    def __str__(self) -> str:
        return super().__str__() + _WAYS[self.way]


class SellCard(_Choice):
    """Discard a card, face down, for coins."""

    def __init__(self, card: i64) -> None:
        """Take the kind of card."""
        super().__init__(card, SELL)

    def shown(self) -> str:
        """Name no card."""
        return "discard the last card"


class Recover(Action[SevenWondersState]):
    """Build a card of the discards without cost."""

    def __init__(self, card: i64) -> None:
        """Take the kind of card."""
        self.card = card

    def execute(self, state: SevenWondersState, rng: Rng) -> None:
        """Change nothing: the rules build it."""

    def __str__(self) -> str:
        return f"build {NAMES[self.card]} from the discards"


class RecoverNothing(Action[SevenWondersState]):
    """Leave all cards in the discards."""

    def execute(self, state: SevenWondersState, rng: Rng) -> None:
        """Change nothing."""

    def __str__(self) -> str:
        return "build nothing from the discards"


#: What an action says of its way to pay.
_WAYS: Final[list[str]] = ["", ", buying on the left", ", buying on the right", ""]
_N_BUILDS: Final = WITH_POWER + 1
_N_STAGES: Final = SELL - STAGE


def _actions() -> list[AnyAction]:
    found: list[AnyAction] = []
    for kind in range(N_KINDS):
        builds: list[AnyAction] = [interned(Build(kind, way)) for way in range(_N_BUILDS)]
        stages: list[AnyAction] = [interned(BuildStage(kind, way)) for way in range(_N_STAGES)]
        found += [*builds, *stages, interned(SellCard(kind))]
    return found


#: The action of each choice, by its number.
ACTIONS: Final[list[AnyAction]] = _actions()
RECOVERIES: Final[list[AnyAction]] = [interned(Recover(kind)) for kind in range(N_KINDS)]
NO_RECOVERY: Final[AnyAction] = interned(RecoverNothing())


def vocabulary() -> Vocabulary:
    """Return all actions of a game."""
    kinds = range(N_KINDS)
    return Vocabulary(
        Actions(Build, card=kinds, way=range(_N_BUILDS)),
        Actions(BuildStage, card=kinds, way=range(_N_STAGES)),
        Actions(SellCard, card=kinds),
        Actions(Recover, card=kinds),
        Actions(RecoverNothing),
    )
