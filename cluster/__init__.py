"""Clusters: the workers that play batches of games, in this process or on Ray (the only importer of Ray)."""

from tag.cluster.workers import Workers, make_workers

if not __name__.startswith("tag."):
    raise ImportError("cluster is imported as tag.cluster: of each class there must be one")

__all__ = ["Workers", "make_workers"]
