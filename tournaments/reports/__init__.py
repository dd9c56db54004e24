"""The report of a tournament or experiment: one HTML file with the contents of its ledger, in tables and figures."""
