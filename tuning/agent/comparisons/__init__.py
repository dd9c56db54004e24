"""Comparisons of agents on seeds that the search has not seen: recommendation and default, and changes taken back."""
