"""Games of people at a terminal: the session, hints, and agents that think while people do."""
