"""Agents: one module per idea, in families; the file's name is the agent's name."""

from typing import Final

#: The packages of agents that belong together.
FAMILIES: Final = ("evolution", "search")
