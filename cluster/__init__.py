"""Clusters: the workers that play batches of games, in this process or on Ray (the only importer of Ray)."""

from cluster.workers import Workers, make_workers

__all__ = ["Workers", "make_workers"]
