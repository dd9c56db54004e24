"""TAG for Python: a framework for tabletop games, and for agents that play them."""
