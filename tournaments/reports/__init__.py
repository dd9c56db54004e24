"""The report of a tournament or series: one HTML file with all that its ledger says, in tables and figures."""
