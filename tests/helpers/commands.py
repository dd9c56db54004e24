"""The command line in the process of a test, and where other processes find the package that is tested."""

from __future__ import annotations

import runpy
import shlex
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

import tag

#: The folder with the package: the checkout, or where it is installed.
PACKAGE_HOME: Final = Path(tag.__file__).parents[1]


def run_tag(*words: object, **options: Any) -> Result:
    """Run ``tag`` with these words, and with options of Click's runner such as ``input``."""
    from tag.cli import main

    return CliRunner().invoke(main, [str(word) for word in words], **options)


def run_line(line: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a line that a page shows, in a shell, but ``tag`` in this process: its imports take longer than most commands.

    Commands play on workers where they say so or say nothing, so tests of pages use the fixture ``local_ray``.
    """
    words = shlex.split(line)
    if words[0] != "tag" or not {"|", ">", "&&", ";"}.isdisjoint(words):
        return subprocess.run(line, shell=True, env=environment, capture_output=True, text=True, check=False)  # noqa: S602
    done = run_tag(*words[1:])
    return subprocess.CompletedProcess(line, done.exit_code, done.stdout, done.stderr)


def run_script(file: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a script as the main program with these words, in this process."""
    command, code = [str(file), *map(str, words)], 0
    with (
        pytest.MonkeyPatch.context() as patched,
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as errors,
    ):
        patched.setattr(sys, "argv", command)
        try:
            runpy.run_path(command[0], run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(command, code, out.getvalue(), errors.getvalue())
