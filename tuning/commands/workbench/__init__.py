"""The workbench of `tag serve`: runs are started, paused, extended and resumed in the browser."""
