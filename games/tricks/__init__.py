"""Card games of tricks; their common rules are in `tag.engine.rules.tricks` and `tag.engine.rules.hidden_deals`."""
