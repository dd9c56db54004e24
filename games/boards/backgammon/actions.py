"""The actions of backgammon: plays of two men, and those of the doubling cube."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Event, Rng
from tag.games.boards.backgammon.data import ANSWER, BAR, PENTE, PLAY, RING, ROLLING, SCRIPTA
from tag.games.boards.backgammon.state import CUBE_NAMES, DICE, BackgammonState, name_of, point_text


class Play(Action[BackgammonState]):
    """Move two men, one by each die."""

    def __init__(self, first: i64, second: i64) -> None:
        """Name the points of the man that moves by the higher die, and of the other; 0 for one that cannot move."""
        self.first = first
        self.second = second

    def execute(self, state: BackgammonState, rng: Rng) -> None:
        high, low = state.high, state.low
        if state.recording:
            self._announce(state)
        if self.first:
            state.move(self.first, high)
        if self.second:
            state.move(self.second, low)
        moves = (self.first != 0) + (self.second != 0)
        state.left = state.left - 2 if moves == 2 and high == low else 0
        if state.left and state.variant == SCRIPTA and state.men(state.turn_player)[BAR[SCRIPTA]]:
            is_one = self.second == self.first - high
            state.moved, state.moved_too = 0 if is_one else self.first - high, self.second - low

    def _announce(self, state: BackgammonState) -> None:
        """Announce the points that look different afterwards; the text of the action says the rest."""
        found: list[str] = []
        for source, die in ((self.first, state.high), (self.second, state.low)):
            if source:
                for point in (source, source - die):
                    place = point % RING if state.variant == PENTE else max(point, 0)
                    found.append(name_of(place, state.turn_player, state))
        state.announce(Event("placed", state.turn_player, places=(*found, *DICE)))

    def text(self, state: BackgammonState, viewer: i64) -> str:
        """Return the play as it is written: ``24/18, 13/11*``, where a star is a hit."""
        if state.phase != PLAY or not (self.first or self.second):
            return str(self)
        found: list[str] = []
        hits: list[int] = []
        for source, die in sorted([(self.first, state.high), (self.second, state.low)], reverse=True):
            if source:
                target = source - die
                if state.variant == PENTE:
                    target %= RING
                place = state.across(target) if 0 < target < BAR[state.variant] else 0
                is_hit = place > 0 and state.men(1 - state.turn_player)[place] == 1 and place not in hits
                is_hit = is_hit and state.variant != PENTE
                if is_hit:
                    hits.append(place)
                found.append(f"{point_text(source, state)}/{point_text(target, state)}{'*' if is_hit else ''}")
        return ", ".join(found)

    def __str__(self) -> str:
        if self.first and self.second:
            return f"play {self.first} and {self.second}"
        if self.first or self.second:
            return f"play {self.first}" if self.first else f"play {self.second} by the lower die"
        return "no move"


class Roll(Action[BackgammonState]):
    """Roll without doubling."""

    def execute(self, state: BackgammonState, rng: Rng) -> None:
        """Begin the roll; how the dice lie is chance."""
        state.phase = ROLLING

    def __str__(self) -> str:
        return "roll"


class Double(Action[BackgammonState]):
    """Offer to double the stakes."""

    def execute(self, state: BackgammonState, rng: Rng) -> None:
        state.phase = ANSWER
        state.current_player = 1 - state.turn_player

    def __str__(self) -> str:
        return "double"


class Take(Action[BackgammonState]):
    """Accept twice the stakes, and own the cube."""

    def execute(self, state: BackgammonState, rng: Rng) -> None:
        state.cube *= 2
        state.owner = state.current_player
        state.current_player = state.turn_player
        state.phase = ROLLING
        if state.recording:
            words = "the cube is at {value}"
            state.announce(Event("doubled", state.owner, float(state.cube), places=CUBE_NAMES, words=words))

    def __str__(self) -> str:
        return "take"


class Drop(Action[BackgammonState]):
    """Lose the game at the stakes of before."""

    def execute(self, state: BackgammonState, rng: Rng) -> None:
        """Change nothing: the rules end the game."""

    def __str__(self) -> str:
        return "drop"
