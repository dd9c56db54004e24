"""Designs of tournaments, their schedules and stopping rules, and the names of agents."""
