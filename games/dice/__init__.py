"""Games of dice: how far to go on, and what to claim."""
