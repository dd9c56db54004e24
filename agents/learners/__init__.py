"""Learners of the values of positions by self-play; one module each, by name."""
