"""Training of learners by self-play: in steps on workers, evaluated in the background, to files that agents play with."""
