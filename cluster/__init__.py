"""Clusters: batches of games on Ray workers, of this machine or of many (the only importer of Ray)."""

from cluster.pool import RayPool

__all__ = ["RayPool"]
