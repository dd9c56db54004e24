"""When a tournament may end: sequential tests, narrow intervals, and the search for the best agent."""
