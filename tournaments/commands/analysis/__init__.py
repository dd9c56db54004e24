"""Analysis of games: measures μ1 to μ7 of the TAG report, and more, as distributions over games of one agent."""
