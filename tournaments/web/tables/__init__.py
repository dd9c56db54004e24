"""Tables: games in the browser, their engines, and the pages of `tag table`."""
