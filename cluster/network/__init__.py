"""Addresses of clusters, and whether they answer."""
