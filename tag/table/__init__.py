"""A game at a table, for people who play, watch, step and ask: positions, views, advice of agents, saved games."""
