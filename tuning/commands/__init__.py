"""The commands ``tag tune`` and ``tag balance``, and their options."""
