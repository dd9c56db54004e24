"""Pages of tables and figures as one HTML file each, which need no network, no JavaScript and no other file."""
