"""The catalogue: games, agents and users' files by name, with their descriptions."""
