"""The command line in the process of a test."""

from __future__ import annotations

from typing import Any

from click.testing import CliRunner, Result


def run_tag(*words: object, **options: Any) -> Result:
    """Run ``tag`` with these words, and with options of Click's runner such as ``input``."""
    from tag.cli import main

    return CliRunner().invoke(main, [str(word) for word in words], **options)
