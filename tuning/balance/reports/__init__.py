"""The report of a balancing study as one HTML file: what is chosen, and what that rests on."""
