"""Agents: one module per idea; the file's name is the agent's name."""
