"""The six bandits, as integers."""

from __future__ import annotations

from typing import Final

BELLE: Final = 0
CHEYENNE: Final = 1
DJANGO: Final = 2
DOC: Final = 3
GHOST: Final = 4
TUCO: Final = 5

#: A bandit without an ability.
OUTLAW: Final = 6

#: Not chosen yet.
UNCHOSEN: Final = -1

N_BANDITS: Final = 6

NAMES: Final[list[str]] = ["Belle", "Cheyenne", "Django", "Doc", "Ghost", "Tuco", "an outlaw"]

#: With two players, each of the first ones is paired with one of the second ones.
FIRST_OF_TEAMS: Final = (GHOST, DOC, BELLE)
SECOND_OF_TEAMS: Final = (TUCO, DJANGO, CHEYENNE)
