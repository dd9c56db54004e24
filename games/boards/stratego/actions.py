"""The actions of Stratego: to choose a part of a plan, to set up a piece, and to move."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Actions, Rng, Vocabulary
from tag.games.boards.stratego import telling
from tag.games.boards.stratego.data import PLANS, SIDE, SQUARE_NAMES, Field, pieces_of
from tag.games.boards.stratego.state import StrategoState


class _Secret(Action[StrategoState]):
    """Choose in secret; the other player learns nothing of it."""

    def text(self, state: StrategoState, viewer: i64) -> str:
        """Name the choice only to the player who makes it."""
        return str(self) if viewer < 0 or viewer == state.current_player else "set up in secret"


class ChoosePlan(_Secret):
    """Choose a part of the plan by which the army is set up."""

    def __init__(self, step: i64, choice: i64) -> None:
        """Take the numbers of the step and of the choice (`PLANS`)."""
        self.step = step
        self.choice = choice

    def execute(self, state: StrategoState, rng: Rng) -> None:
        state.choose(state.current_player, int(self.choice))
        if state.recording:
            state.announce(telling.planned(state.current_player, str(self)))

    def __str__(self) -> str:
        return PLANS[self.step][self.choice]


class PlacePiece(_Secret):
    """Set up the next piece of the army: the flag, the bombs, then from the marshal on."""

    def __init__(self, square: i64) -> None:
        """Take the number of the square."""
        self.square = square

    def execute(self, state: StrategoState, rng: Rng) -> None:
        player = state.current_player
        number = sum([1 for square in state.field().home(player) if state.board[square]])
        state.board[self.square] = int(pieces_of(state.army)[number] | player * SIDE)
        if state.recording:
            state.announce(telling.placed(player, SQUARE_NAMES[self.square]))

    def __str__(self) -> str:
        return f"set up on {SQUARE_NAMES[self.square]}"


class MovePiece(Action[StrategoState]):
    """Move a piece to a free square, or attack the enemy there."""

    def __init__(self, source: i64, target: i64) -> None:
        """Take the numbers of the squares."""
        self.source = source
        self.target = target

    def execute(self, state: StrategoState, rng: Rng) -> None:
        state.move(self.source, self.target)

    def __str__(self) -> str:
        return f"{SQUARE_NAMES[self.source]} to {SQUARE_NAMES[self.target]}"


def vocabulary(field: Field, setup: str) -> Vocabulary:
    """Return all actions of a game; each square from which pieces move has a group."""
    groups: list[Actions] = []
    if setup == "plans":
        groups = [Actions(ChoosePlan, step=range(len(PLANS)), choice=range(len(PLANS[0])))]
    elif setup == "pieces":
        groups = [Actions(PlacePiece, square=sorted({*field.home(0), *field.home(1)}))]
    for source in field.squares:
        targets = [target for ray in field.rays[source] for target in ray]
        if targets:
            groups.append(Actions(MovePiece, source=(source,), target=sorted(targets)))
    return Vocabulary(*groups)
