"""Games: one module or package per game, in families; the file's name is the game's name."""

from typing import Final

#: The packages of games that belong together.
FAMILIES: Final = ("abstract", "boards", "cards")
