"""Games: one module or package per game, in families; the file's name is the game's name."""

from typing import Final

if not __name__.startswith("tag."):
    raise ImportError("games is imported as tag.games: of each class there must be one")

#: The packages of games that belong together.
FAMILIES: Final = ("abstract", "boards", "cards", "dice", "drafts", "roles", "tricks")
