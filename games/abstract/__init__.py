"""Abstract games: boards and heaps, all open."""
