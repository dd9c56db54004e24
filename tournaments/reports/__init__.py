"""The report of a tournament or series: one HTML file with the contents of its ledger, in tables and figures."""
