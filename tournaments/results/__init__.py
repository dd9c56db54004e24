"""Results of a tournament, from its ledger: standings, ratings, pauses, machines, copies and measures."""
