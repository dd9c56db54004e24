"""Analysis of games: what μ1 to μ7 of the TAG report measure, and more, as distributions over games of one agent."""
