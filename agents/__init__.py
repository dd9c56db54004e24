"""Agents: one module per idea, in families; the file's name is the agent's name."""

from typing import Final

if not __name__.startswith("tag."):
    raise ImportError("agents is imported as tag.agents: of each class there must be one")

#: The packages of agents that belong together.
FAMILIES: Final = ("evolution", "search")
