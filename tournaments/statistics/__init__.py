"""Statistics of tournaments: standings, ratings, sequential tests, and tests of the set-up itself."""
