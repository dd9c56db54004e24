"""Learning agents: they learn the values of positions by playing against themselves."""
