"""Evidence of checks: states taken apart, moves, positions that a player cannot tell apart, and hashes of games."""
