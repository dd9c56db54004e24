"""Files of TAG, the framework in Java: its players and games as specs, with a table of what each entry has become."""

from tag.catalogue.java.entries import EXACT, LOST, NEAR, UNKNOWN, Entry
from tag.catalogue.java.games import TagGame, game_named, read_game
from tag.catalogue.java.players import TagPlayer, read_player

__all__ = [
    "EXACT",
    "LOST",
    "NEAR",
    "UNKNOWN",
    "Entry",
    "TagGame",
    "TagPlayer",
    "game_named",
    "read_game",
    "read_player",
]
