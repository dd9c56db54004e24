"""Evolutionary agents: they evolve sequences of actions."""
