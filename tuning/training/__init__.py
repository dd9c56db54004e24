"""Training of learners by self-play or from recorded games: in steps, evaluated in the background, into files of models."""
