"""Sections of the report of a study."""
