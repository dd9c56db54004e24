"""Pages in the browser: a server on loopback, and what it shows."""
