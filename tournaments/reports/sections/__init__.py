"""Sections of results as data: what tables, figures and texts there are, for terminals, pages, files and MLflow alike."""
