"""Machines and workers compared, and agents that remember deals."""
