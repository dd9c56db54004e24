"""`make tournament` fits the machine, goes on, and shows of pip only what matters; `make test` leaves no test out."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = ROOT / "Makefile"
pytestmark = [pytest.mark.skipif(shutil.which("make") is None, reason="needs make"), pytest.mark.flow]

#: Stands for `tag`: says how long a block takes, and writes down what it was called with.
TAG = """#!/bin/sh
case "$*" in
    version) echo "tag 1 (BUILD, CPython 3)" ;;
    *--dry-run*) echo '{"games": 4, "seconds_per_game": SECONDS}' ;;
    *) echo "played: $*" ;;
esac
"""
#: Stands for Python: installs nothing, and warns.
PYTHON = f"""#!/bin/sh
case "$*" in
    *"pip install"*) echo "WARNING: ignored"; exit CODE ;;
    *) exec {sys.executable} "$@" ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copy(MAKEFILE, tmp_path)
    for package in ("tag", "games", "agents", "tournaments", "tuning", "cluster"):
        (tmp_path / package).mkdir()
    for file in ("setup.py", "pyproject.toml"):
        (tmp_path / file).touch()
    return tmp_path


def make(
    checkout: Path, *options: str, seconds: float = 1.0, build: str = "compiled", code: int = 0
) -> tuple[int, str]:
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    (programs / "tag").write_text(TAG.replace("SECONDS", str(seconds / 2)).replace("BUILD", build))
    (programs / "python").write_text(PYTHON.replace("CODE", str(code)))
    for program in programs.iterdir():
        program.chmod(0o755)
    done = subprocess.run(["make", "tournament", *options], cwd=checkout, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("seconds", "blocks"), [(0.05, 300), (0.5, 200), (14.0, 7), (1000.0, 5)])
def test_the_tournament_is_as_long_as_the_machine_is_fast(checkout: Path, seconds: float, blocks: int) -> None:
    code, output = make(checkout, seconds=seconds)
    assert code == 0
    assert "played: tournament love_letter --players 4" in output
    assert f"--out runs/first --blocks {blocks}\n" in output


def test_what_was_begun_and_what_is_said_come_first(checkout: Path) -> None:
    assert "--out runs/first --blocks 12\n" in make(checkout, "BLOCKS=12")[1]
    (checkout / "runs" / "first").mkdir(parents=True)
    (checkout / "runs" / "first" / "tournament.json").touch()
    assert "played: tournament runs/first --workers 2\n" in make(checkout)[1]


def test_pip_is_heard_only_where_it_fails(checkout: Path) -> None:
    code, output = make(checkout, build="interpreted")
    assert code == 0
    assert "WARNING" not in output
    assert "no C compiler was found, so it is slower" in output
    (checkout / ".venv" / ".installed").unlink()
    code, output = make(checkout, code=1)
    assert code != 0
    assert "WARNING: ignored" in output
    assert "played" not in output


@pytest.mark.parametrize(
    ("codes", "passes", "alone"),
    [((0,), True, False), ((1, 0), True, True), ((1, 1), False, True), ((2,), False, False)],
)
@pytest.mark.parametrize("suite", ["sources", "installed"])
def test_what_fails_beside_other_tests_is_run_once_more_alone(
    checkout: Path, suite: str, codes: tuple[int, ...], passes: bool, alone: bool
) -> None:
    make(checkout)
    (checkout / "codes").write_text(" ".join(map(str, codes)))
    (checkout / ".venv" / "bin" / "python").write_text(
        f"""#!/bin/sh
cd {checkout}
case "$*" in *"-m pytest"*) ;; *) exit ;; esac
echo "$@" >> calls
set -- $(cat codes)
code=$1
shift
echo "$*" > codes
exit $code
"""
    )
    done = subprocess.run(["make", suite, "PARALLEL=-n 4"], cwd=checkout, capture_output=True, text=True, check=False)
    calls = (checkout / "calls").read_text().splitlines()
    assert (done.returncode == 0) == passes, done.stderr
    assert [("-n 4" in call, "--last-failed" in call) for call in calls] == [(True, False), (False, True)][: 1 + alone]
    assert ("what failed is run once more, alone" in done.stdout.splitlines()) == alone


def test_suites_that_the_installed_package_is_spared_play_nothing_much() -> None:
    makefile = MAKEFILE.read_text(encoding="utf-8").replace("\\\n", "")
    suites = {
        name: re.findall(rf"^{name} := (.+)$", makefile, re.MULTILINE)[0].split()
        for name in ("ON_BOTH", "PLAY_NOTHING")
    }
    for folder in [folder for named in suites.values() for folder in named]:
        assert folder.endswith(".py") or list((ROOT / folder).rglob("test_*.py")), folder
    suites["PLAY_NOTHING"].remove("tests/docs/test_design_pictures.py")  # it reads the sources
    spared = [path for folder in suites["PLAY_NOTHING"] for path in (ROOT / folder).rglob("test_*.py")]
    assert not [path for path in spared if re.search(r"\bmark\.heavy\b", path.read_text(encoding="utf-8"))]
