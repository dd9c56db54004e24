"""The report of a balancing study."""
