"""The analysis of game types: its definition and folder, and what is measured of them."""
