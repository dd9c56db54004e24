"""Tuning of agents: definition, objectives, the search, and the comparison with the default on unseen seeds."""
