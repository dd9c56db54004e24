"""Parts of a tournament: shares of its blocks, each played in a folder of its own, where machines cannot talk."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, Self

from tag.errors import ParameterError

#: Why some tournaments have no parts.
NEEDS_RESULTS: Final = "what is played depends on results of other parts"
_TEXT: Final = re.compile(r"(\d{1,18})/(\d{1,18})", re.ASCII)


class Part(NamedTuple):
    """One of several shares of the blocks of a tournament, written ``3/8``.

    Blocks are dealt like cards: block b is in part b mod n + 1. So the parts differ by one block at most, whatever the
    number of blocks, and each block is whole.

    >>> part = Part.read("3/8")
    >>> part.text, [block for block in range(20) if part.has(block)], part.count(20)
    ('3 of 8', [2, 10, 18], 3)

    Attributes:
        number: from 1.
        of: how many parts there are.
    """

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``3/8``.

        Raises:
            ParameterError: it is no part.
        """
        match = _TEXT.fullmatch(text)
        numbers = [int(digits) for digits in match.groups()] if match else []
        if not numbers or not 1 <= numbers[0] <= numbers[1]:
            near = f"{min(max(numbers[0], 1), numbers[1])}/{numbers[1]}" if numbers and numbers[1] else "3/8"
            raise ParameterError(
                f"part cannot be {text!r}; it is a number and how many parts there are, such as {near}"
            )
        return cls(*numbers)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def text(self) -> str:
        """The part in words."""
        return f"{self.number} of {self.of}"

    def has(self, block: int) -> bool:
        """Say whether a block belongs to the part."""
        return block % self.of == self.number - 1

    def count(self, blocks: int) -> int:
        """Return how many of the first ``blocks`` belong to the part."""
        return max(0, (blocks - self.number) // self.of + 1)

    def end(self, count: int) -> int:
        """Return the block after which the part has ``count`` blocks, as the end of a range; 0 for none."""
        return (count - 1) * self.of + self.number if count else 0


def missing_parts(found: Collection[int], of: int, blocks: int) -> str:
    """Return which parts of so many ``blocks`` are missing, in words; empty where none is. Parts without blocks are not.

    >>> missing_parts([1, 3, 4, 6, 7, 8], 8, 20), missing_parts([1, 2], 3, 20), missing_parts([1, 2], 3, 2)
    ('parts 2 and 5 of 8 are missing', 'part 3 of 3 is missing', '')
    """
    numbers = [number for number in range(1, min(of, blocks) + 1) if number not in found]
    if not numbers:
        return ""
    return (
        f"part{'s' if len(numbers) > 1 else ''} {listed(numbers)} of {of} {'are' if len(numbers) > 1 else 'is'} missing"
    )


def listed(numbers: Iterable[int]) -> str:
    """Return numbers in words, those that follow one another as a range.

    >>> listed([1, 2, 3, 5, 7, 8])
    '1 to 3, 5, 7 and 8'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [word for run in runs for word in (map(str, run) if len(run) < 3 else [f"{run[0]} to {run[-1]}"])]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
