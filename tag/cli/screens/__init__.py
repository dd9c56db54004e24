"""Screens of a terminal that follow keys, such as the one that steps through a game."""
