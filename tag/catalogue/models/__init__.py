"""Learned models: what they hold, their files, those that come with games, and how they are trained."""

from __future__ import annotations

from tag.catalogue.models.files import from_bytes, read_model, to_bytes
from tag.catalogue.models.model import Model, check_fits, rules_of
from tag.catalogue.models.sharing import (
    SUFFIX,
    content_at,
    content_of,
    digest_of,
    drop,
    found_file,
    is_here,
    keep,
    model_source,
    models_in,
    part_source,
)

__all__ = [
    "SUFFIX",
    "Model",
    "check_fits",
    "content_at",
    "content_of",
    "digest_of",
    "drop",
    "found_file",
    "from_bytes",
    "is_here",
    "keep",
    "model_source",
    "models_in",
    "part_source",
    "read_model",
    "rules_of",
    "to_bytes",
]
