"""What tests of pages share: a browser, a reader of text, visitors, and a server of tables."""
