"""Commands of the pages can be run one after another in one folder: none finds another's tournament in its way."""

import re
import shlex
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?:sh|bash|console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Options with which the same folder is gone on with, with and without a value.
HOW = {"--workers": 1, "--tracking-uri": 1, "--live": 1, "--no-ray": 0, "--no-tracking": 0, "--quiet": 0}


def command_of(line: str) -> tuple[str, frozenset[str]] | None:
    """The folder that a command begins, and what it plays; None of one that names none, or a variable."""
    words = shlex.split(line, comments=True)
    words = words[words.index("tag") :] if "tag" in words else []
    if "--out" not in words or words[1] in {"report", "export", "figure", "play"} or "--dry-run" in words:
        return None
    what: list[str] = []
    while words:
        word = words.pop(0)
        if word in HOW:
            del words[: HOW[word]]
        else:
            what.append(word)
    place = what.index("--out")
    folder, name = what[place + 1], what[:place] + what[place + 2 :]
    pairs = [" ".join(name[at : at + 2]) if word.startswith("--") else word for at, word in enumerate(name)]
    return folder, frozenset(pairs)


def begun() -> dict[str, dict[frozenset[str], list[str]]]:
    """By folder, what the commands of the pages play there, each with its pages."""
    found: dict[str, dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                command = command_of(line.removeprefix("$ ")) if "tag " in line and "--out" in line else None
                if command is not None:
                    found[command[0]][command[1]].append(page.relative_to(ROOT).as_posix())
    return found


FOLDERS = begun()


def test_there_are_folders() -> None:
    assert len(FOLDERS) >= 30


def test_what_begins_without_a_command_has_a_folder_of_its_own() -> None:
    """The tournament of `make tournament`, and those that are set up in files and in Python."""
    first = re.findall(r"^FIRST *:= (\S+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    others = [name for page in PAGES for name in re.findall(r'\bout ?= ?"(.+?)"', page.read_text(encoding="utf-8"))]
    assert len(first) == 1
    assert len(others) > 3
    assert len(set(others)) == len(others)
    assert not {*first, *others} & {*FOLDERS}


@pytest.mark.parametrize("folder", sorted(FOLDERS))
def test_no_folder_is_begun_by_two_commands(folder: str) -> None:
    assert len(FOLDERS[folder]) == 1, {tuple(sorted(what)): pages for what, pages in FOLDERS[folder].items()}
