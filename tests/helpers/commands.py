"""The command line in the process of a test, and where other processes find the package that is tested."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
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


def run_line(line: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a line that a page shows, in a shell, but ``tag`` without worker processes in this process.

    Its imports take longer than what most commands do.
    """
    words = shlex.split(line)
    workers = words[words.index("--workers") + 1] if "--workers" in words else "1"
    if words[0] != "tag" or workers != "1" or not {"|", ">", "&&", ";"}.isdisjoint(words):
        return subprocess.run(line, shell=True, env=environment, capture_output=True, text=True, check=False)  # noqa: S602
    done = run_tag(*words[1:])
    return subprocess.CompletedProcess(line, done.exit_code, done.stdout, done.stderr)
