"""The results of balancing studies, from their folders."""
