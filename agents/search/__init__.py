"""Search agents: they look ahead in a tree of positions, or one step."""
