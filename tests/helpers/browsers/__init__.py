"""What tests of pages share: a browser, a reader of text, and visitors."""
