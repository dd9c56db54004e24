"""Doors to other frameworks; each module needs its extra."""
