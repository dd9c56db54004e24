"""The rules of Dots and Boxes."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import (
    Actions,
    AnyAction,
    Cells,
    Event,
    ForwardModel,
    GameType,
    ParameterError,
    Rng,
    Vocabulary,
    bit_count,
    bit_place,
    interned,
)
from tag.games.abstract.dots_and_boxes.actions import DrawLine
from tag.games.abstract.dots_and_boxes.data import (
    COLUMNS,
    DotsAndBoxesParameters,
    by_free_sides,
    distinct,
    grid_symmetries,
    lines_around,
    lines_at,
    lines_of,
    sides_of,
)
from tag.games.abstract.dots_and_boxes.state import DotsAndBoxesState
from tag.games.abstract.dots_and_boxes.values import DotsAndBoxesFeatures, DotsAndBoxesHeuristic, DotsAndBoxesMetric

#: Boards are read in words of so many bits, which a machine integer holds.
_WORD: Final = 60
_WORD_MASK: Final = (1 << 60) - 1


class DotsAndBoxes(ForwardModel[DotsAndBoxesState]):
    """The rules, without a rollout of their own: random play gives boxes away, so MCTS is stronger without rollouts.

    >>> from tag import Rng, make_game
    >>> model = make_game("dots_and_boxes:width=2,height=2")
    >>> state = model.setup(2, Rng(1))
    >>> moves = model.rollout(state, 9, Rng(1))
    >>> print(state)
         a   b   c
      1  +---+   +
         | 0 |
      2  +---+---+
         |       |
      3  +---+---+
    player 0: 1, player 1: 0
    """

    game_type = GameType(
        "Dots and Boxes",
        2,
        6,
        DotsAndBoxesParameters,
        categories=("abstract", "simple"),
        mechanics=("enclosure", "extra turns"),
        hidden_information=False,
        chance=False,
        check_parameters="width=3,height=2",
        heuristic=DotsAndBoxesHeuristic,
        features=DotsAndBoxesFeatures,
        metric=DotsAndBoxesMetric,
    )

    def __init__(self, parameters: DotsAndBoxesParameters | None = None) -> None:
        """Make the actions of a grid of the size."""
        chosen = DotsAndBoxesParameters() if parameters is None else parameters
        super().__init__(chosen)
        width, height = chosen.width, chosen.height
        self.width: i64 = width
        self.height: i64 = height
        self.n_lines: i64 = len(lines_of(width, height))
        self.third_sides_after: i64 = chosen.third_sides_after
        self.lines: list[AnyAction] = [interned(DrawLine(line, width, height)) for line in range(self.n_lines)]
        #: All boxes as a board, and the lines by their bits; a bit of no line stands for the line before it.
        row = (1 << width) - 1
        self.boxes: int = sum([row << at * (width + 1) for at in range(height)])
        n_across = width * (height + 1)
        self.across: list[AnyAction] = [
            self.lines[at // (width + 1) * width + min(at % (width + 1), width - 1)]
            for at in range((width + 1) * (height + 1))
        ]
        self.down: list[AnyAction] = self.lines[n_across:]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the lines across, row by row, then the lines down."""
        return Vocabulary(Actions(DrawLine, line=range(self.n_lines), width=(self.width,), height=(self.height,)))

    def cells(self, n_players: i64) -> Cells:
        """Return the lines and the boxes; the grid may be reflected, and turned if it is square.

        Lines are next to those of the same boxes, and to these. The sets of n-tuples: ``boxes`` has each box with its four
        sides, ``pairs`` two boxes with a common side and their seven sides; of each class under the symmetries one.
        """
        width, height = int(self.width), int(self.height)
        n_lines = int(self.n_lines)
        symmetries = grid_symmetries(width, height)
        sides = [sides_of(box, width, height) for box in range(width * height)]
        neighbours = [others[:] for others in lines_around(width, height)]
        for box, lines in enumerate(sides):
            neighbours.append(list(lines))
            for line in lines:
                neighbours[line].append(n_lines + box)
        boxes: list[tuple[int, ...]] = [(*lines, n_lines + box) for box, lines in enumerate(sides)]
        pairs = [
            tuple({*boxes[box], *boxes[other]})
            for box in range(len(boxes))
            for other in range(box + 1, len(boxes))
            if {*sides[box]} & {*sides[other]}
        ]
        return Cells(
            n_lines + len(boxes),
            int(n_players) + 1,
            symmetries,
            [symmetry[:n_lines] for symmetry in symmetries],
            neighbours,
            {"boxes": distinct(boxes, symmetries), "pairs": distinct(pairs, symmetries)},
        )

    def _setup(self, n_players: i64, rng: Rng) -> DotsAndBoxesState:
        state = DotsAndBoxesState(n_players, self.width, self.height, (0,) * int(n_players))
        stride = int(self.width) + 1
        state.free_across, state.free_down = lines_at(self.boxes, stride)
        state.open_boxes = self.boxes
        state.left = self.n_lines
        return state

    def _set_cells(self, state: DotsAndBoxesState, cells: bytes) -> None:
        """Draw the lines whose cells hold 0 and give complete boxes to their owners; no other box can have one."""
        width, height, n_lines = int(self.width), int(self.height), int(self.n_lines)
        for line in range(n_lines):
            if cells[line] == 0:
                self.lines[line].execute(state, Rng(0))
        for box in range(width * height):
            owner: i64 = cells[n_lines + box]
            is_complete = not any([cells[side] for side in sides_of(box, width, height)])
            if is_complete != (owner > 0):
                raise ParameterError(f"box {box} cannot have {'no' if is_complete else 'an'} owner with these lines")
            if is_complete:
                state.take(1 << box // width * (width + 1) + box % width, owner - 1)

    def _allowed(self, state: DotsAndBoxesState) -> tuple[int, int]:
        """Return the free lines that are allowed in the opening, or all if there are none."""
        stride = int(self.width) + 1
        across, down = state.free_across, state.free_down
        one, two, _three = by_free_sides(across, down, stride)
        fourth_across, fourth_down = lines_at(one & state.open_boxes, stride)
        third_across, third_down = lines_at(two & state.open_boxes, stride)
        allowed_across = across & (fourth_across | ~third_across)
        allowed_down = down & (fourth_down | ~third_down)
        return (allowed_across, allowed_down) if allowed_across or allowed_down else (across, down)

    def _is_opening(self, state: DotsAndBoxesState) -> bool:
        return self.n_lines - state.left < self.third_sides_after

    def _available_actions(self, state: DotsAndBoxesState) -> list[AnyAction]:
        across, down = state.free_across, state.free_down
        if self._is_opening(state):
            across, down = self._allowed(state)
        found: list[AnyAction] = []
        _collect(across, self.across, found)
        _collect(down, self.down, found)
        return found

    def random_action(self, state: DotsAndBoxesState, rng: Rng) -> AnyAction:
        """Draw one of the free lines by its place among them."""
        if self._is_opening(state):
            return super().random_action(state, rng)
        skipped = rng.below(state.left)
        lines = self.across
        rest = state.free_across
        start: i64 = 0
        while True:
            word: i64 = rest & _WORD_MASK
            count = bit_count(word)
            if skipped < count:
                return lines[start + bit_place(word, skipped, 1)]
            skipped -= count
            rest >>= _WORD
            start += _WORD
            if rest == 0:
                lines = self.down
                rest = state.free_down
                start = 0

    def _after_action(self, state: DotsAndBoxesState, action: AnyAction, rng: Rng) -> None:
        completed = cast("DrawLine", action).completed(state)
        if completed == 0:
            self.end_player_turn(state)
            return
        if state.recording:
            _announce_boxes(state, completed)
        state.take(completed, state.current_player)
        if state.left == 0:
            state.end_by_score()


def _announce_boxes(state: DotsAndBoxesState, completed: int) -> None:
    """Announce the boxes that the player to move has completed."""
    stride = int(state.width) + 1
    bits = [bit for bit in range(completed.bit_length()) if completed >> bit & 1]
    boxes = tuple([f"{COLUMNS[bit % stride]}{bit // stride + 1}" for bit in bits])
    places = tuple([f"boxes/{box}" for box in boxes])
    words = f"{{player}} completes {'a box' if len(boxes) == 1 else '2 boxes'}" + (
        " and draws again" if state.left else ""
    )
    state.announce(Event("completed", state.current_player, float(len(boxes)), boxes, places, words=words))


def _collect(board: int, lines: list[AnyAction], found: list[AnyAction]) -> None:
    """Add the lines whose bits are on the board."""
    start: i64 = 0
    while board:
        word: i64 = board & _WORD_MASK
        at = start
        while word != 0:
            if word & 1 == 1:
                found.append(lines[at])
            word >>= 1
            at += 1
        board >>= _WORD
        start += _WORD
