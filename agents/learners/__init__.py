"""Learners: they learn the values of positions by playing against themselves; one module each, by name."""
