"""Playing of tournaments: the driver, what it plays, and the events that it publishes."""
