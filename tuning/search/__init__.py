"""The search of a study: trials, the race that prunes them, the model of the incumbent, and the history."""
