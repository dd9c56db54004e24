"""The report of a study as one HTML file: its recommendation and the evidence for it."""
