"""Openings: actions with which a game begins, before any agent is asked; drawn at random, or listed by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Self

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import derive_seed
from tag.engine.state import AnyAction
from tag.errors import ParameterError
from tag.playing.agent import Agent
from tag.playing.game import Game, Seat
from tag.playing.recording import Recorder

#: So many openings are drawn, at most, for one that leaves a decision.
_TRIES: Final = 100
#: More decisions than any opening needs.
MOST_DECISIONS: Final = 1000
_LARGEST_SEED: Final = 2**63 - 1
_RANDOM: Final = "random:"
_MOVES: Final = "moves:"


@dataclass
class Opening:
    """The opening of one game.

    Attributes:
        decisions: how many decisions are drawn at random; 0 where the actions are listed.
        seed: of these draws; of listed actions the random seed of the deal and of all chance in the opening, -1 for the
            game's own.
        choices: of each listed action its number among those available, from 0; also where there is one only.
    """

    decisions: int = 0
    seed: int = -1
    choices: tuple[int, ...] = ()

    @property
    def own_seed(self) -> int:
        """The random seed of the deal, -1 for the game's own."""
        return -1 if self.decisions else self.seed


@dataclass
class Openings:
    """The openings of a tournament or study: every block has one, which all its games share.

    Examples:
        >>> openings = Openings.parse("moves:3,3;2,4,4")
        >>> openings.of_block(3, seed=7).choices, str(openings)
        ((2, 4, 4), 'moves:3,3;2,4,4')
        >>> Openings.parse("random:4").of_block(0, seed=7)
        Opening(decisions=4, seed=7, choices=())

    Attributes:
        decisions: how many decisions are drawn at random in each block.
        listed: the openings that blocks play in turn, if none are drawn.
    """

    decisions: int = 0
    listed: list[Opening] = field(default_factory=list)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``random:4``, or ``moves:`` with the numbers of actions, of which a seed may come first: ``moves:7@3,3;2,4``.

        Raises:
            ParameterError: it is none of these.
        """
        if not text:
            return cls()
        number = text.removeprefix(_RANDOM)
        if number != text:
            if number.isdecimal() and 1 <= int(number) <= MOST_DECISIONS:
                return cls(int(number))
            raise ParameterError(f"opening cannot be {text!r}; it is random:1 to random:{MOST_DECISIONS}")
        try:
            return cls(listed=[_listed(one) for one in text.removeprefix(_MOVES).split(";")])
        except ValueError:
            raise ParameterError(
                f"opening cannot be {text!r}; it is random:N, moves:NUMBERS or a file of openings"
            ) from None

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        if self.decisions:
            return f"{_RANDOM}{self.decisions}"
        return f"{_MOVES}{';'.join(map(_text, self.listed))}" if self.listed else ""

    @property
    def title(self) -> str:
        """A few words for people; empty without openings."""
        if self.decisions:
            return f"{self.decisions} random decision{'s' if self.decisions > 1 else ''}"
        number = len(self.listed)
        return f"{number:,} listed opening{'s' if number > 1 else ''}" if number else ""

    def of_block(self, block: int, seed: int) -> Opening | None:
        """Return the opening of a block with this chance seed; None if there is none."""
        if self.decisions:
            return Opening(self.decisions, seed)
        return self.listed[block % len(self.listed)] if self.listed else None


def is_opening_text(text: str) -> bool:
    """Say whether `Openings.parse` reads the text; else it is the name of a file."""
    return not text or text.startswith((_RANDOM, _MOVES))


def _listed(text: str) -> Opening:
    seed, at, numbers = text.rpartition("@")
    choices = tuple([_natural(one) for one in numbers.split(",")])
    return Opening(0, _natural(seed) if at else -1, choices)


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) <= _LARGEST_SEED):
        raise ValueError
    return int(text)


def _text(opening: Opening) -> str:
    seed = f"{opening.seed}@" if opening.seed >= 0 else ""
    return seed + ",".join(map(str, opening.choices))


def choices_of(
    opening: Opening, model: ForwardModel[Any], players: int, seed: int, chance_seeds: Sequence[tuple[str, int]] = ()
) -> tuple[int, ...]:
    """Return the actions of the opening of a game by their numbers, those without an alternative included.

    Random decisions are drawn again until the game goes on with a decision. Where that is not to be, fewer are drawn.

    Args:
        opening: of the game.
        model: its rules.
        players: its seats.
        seed: its random seed.
        chance_seeds: sources of chance with seeds of their own (`tag.playing.game.Game`).
    """
    if not opening.decisions:
        return opening.choices
    return _drawn(model, players, seed, tuple(chance_seeds), opening.decisions, opening.seed)


@lru_cache(maxsize=256)
def _drawn(
    model: ForwardModel[Any], players: int, seed: int, chance_seeds: tuple[tuple[str, int], ...], most: int, key: int
) -> tuple[int, ...]:
    """Return the drawn choices; the games of a block have the same."""
    decisions = most
    while decisions > 0:
        longest = 0
        for number in range(_TRIES):
            drawing = derive_seed(key, "opening", number) if number else derive_seed(key, "opening")
            game = UnattendedGame(model, players, seed, chance_seeds, drawing)
            if game.draws(decisions):
                return tuple(game.recorder.choices)
            longest = max(longest, game.decided)
        decisions = min(decisions, longest) - 1  # the last decision of the longest game is left
    return ()


def most_decisions(model: ForwardModel[Any], players: int, seed: int, wanted: int) -> int:
    """Return how many of the ``wanted`` random decisions games with some seeds leave to an opening; the least of ten."""
    return min([_length(model, players, derive_seed(seed, "check", number), wanted) for number in range(10)])


def _length(model: ForwardModel[Any], players: int, seed: int, wanted: int) -> int:
    game = UnattendedGame(model, players, seed)
    for choice in _drawn(model, players, seed, (), wanted, seed):
        game.take(choice)
    return game.decided


class UnattendedGame(Game):
    """A game in which no agent decides: each action is given, or is drawn from a seed and the number of actions before it.

    Examples:
        >>> from tag import make_game
        >>> game = UnattendedGame(make_game("tic_tac_toe"), 2, seed=1)
        >>> game.take(4)
        >>> game.draws(3), game.recorder.choices
        (True, [4, 3, 2])

    Attributes:
        recorder: has the actions so far.
        decided: how many of them had an alternative.
    """

    def __init__(
        self,
        model: ForwardModel[Any],
        players: int,
        seed: int,
        chance_seeds: tuple[tuple[str, int], ...] = (),
        drawing: int = 0,
    ) -> None:
        """Set the game up.

        Raises:
            PlayersError: it cannot seat so many.
        """
        self.recorder = Recorder()
        agents = [Agent() for _player in range(players)]
        models = [model] * players  # no agent looks ahead
        super().__init__(
            model, agents, seed, listeners=[self.recorder], chance_seeds=dict(chance_seeds), search_models=models
        )
        self.decided = 0
        self._drawing = drawing
        self._given = -1

    def draws(self, decisions: int) -> bool:
        """Draw until there have been so many decisions, and return whether there is one to come."""
        while self.decided < decisions and not self.state.is_terminal:
            self.step()
        return self.decided == decisions and self.reaches_decision()

    def reaches_decision(self) -> bool:
        """Take actions without an alternative, and return whether there is a decision after them."""
        while not self.state.is_terminal:
            if len(self.model.available_actions(self.state)) > 1:
                return True
            self.step()
        return False

    def take(self, choice: int) -> None:
        """Take the action with this number among those available."""
        self._given = choice
        self.step()
        self._given = -1

    def _ask(self, seat: Seat, player: i64, actions: list[AnyAction]) -> AnyAction | None:
        """Return the given action, or the drawn one."""
        self.decided += 1
        if self._given >= 0:
            return actions[self._given]
        return actions[derive_seed(self._drawing, "move", int(self.state.tick)) % len(actions)]
