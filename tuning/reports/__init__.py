"""The report of a study as one HTML file: what it recommends, and what that rests on."""
