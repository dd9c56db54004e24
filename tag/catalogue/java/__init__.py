"""Files of TAG, the framework in Java: its players as agents, with a table of what each entry has become."""

from tag.catalogue.java.entries import EXACT, LOST, NEAR, UNKNOWN, Entry
from tag.catalogue.java.players import TagPlayer, read_player

__all__ = ["EXACT", "LOST", "NEAR", "UNKNOWN", "Entry", "TagPlayer", "read_player"]
