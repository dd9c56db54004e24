"""When a tournament ends, and when agents are paused."""
