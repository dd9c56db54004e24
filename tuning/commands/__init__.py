"""The commands ``tag tune`` and ``tag balance``, and what they can be told."""
