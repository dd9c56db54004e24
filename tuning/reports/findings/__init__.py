"""The findings of a study's model: effects, changes and estimates."""
