"""The search of a study: trials, objectives, incumbents, and the games that are played for them."""
