"""Games: one module (or package) per game; the file's name is the game's name."""
