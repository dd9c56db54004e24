"""Ratings of agents on one scale, their errors, and comparisons of pairs."""
