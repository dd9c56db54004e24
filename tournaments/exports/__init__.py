"""Exports: a tournament's tables and games in the forms that other programs read."""
