"""The command line in the process of a test, and where other processes find the package that is tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result

import tag

#: The folder with the package: the checkout, or where it is installed.
PACKAGE_HOME: Final = Path(tag.__file__).parents[1]


def run_tag(*words: object, **options: Any) -> Result:
    """Run ``tag`` with these words, and with options of Click's runner such as ``input``."""
    from tag.cli import main

    return CliRunner().invoke(main, [str(word) for word in words], **options)
