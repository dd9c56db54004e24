"""The search of a study: trials, objectives, incumbents, and their games."""
