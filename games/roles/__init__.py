"""Games of hidden roles, in which players do not know who is on their side."""
