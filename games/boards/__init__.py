"""Board games with figures, events and roles."""
