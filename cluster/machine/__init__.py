"""Ray's processes on this machine: its part of a cluster, or a Ray for this machine alone."""
