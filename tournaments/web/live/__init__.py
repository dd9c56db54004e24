"""Live pages: what runs below some folders, section by section, and the pages of `tag serve`."""
