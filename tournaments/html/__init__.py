"""Reports as one HTML file each: pages of tables and figures, which need no network, no JavaScript and no other file.

What a report says is up to its module (`tournaments.analysis.report`); here is how any of them is laid out and drawn.
"""
