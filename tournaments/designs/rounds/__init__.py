"""Designs whose tables depend on the results of earlier rounds."""
