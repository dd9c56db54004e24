"""Games in which players draft cards from hands that are passed round."""
