"""Bots of the board games that are one module each; the file's name is the game's."""
