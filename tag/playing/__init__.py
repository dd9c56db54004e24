"""Playing: agents and what they search with, the loop of a game, its faults, listeners, metrics and recordings."""
