"""``tag tune`` over several games: the same words everywhere, sentences for what cannot be, and commands for its folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from commands import run_tag
from studies.invented import Invented

from tag import tuning
from tag.tuning.agent.definition import read_study_manifest
from tag.tuning.reports.results import read_study
from tag.tuning.reports.tracking import TuningContents

pytestmark = pytest.mark.flow

GAMES = ("--game", "tic_tac_toe", "--game", "love_letter:players=3,weight=2", "--game", "nim")
STUDY = ("rmhc", *GAMES, "--versus", "osla", "--search", "horizon", "--held-out", "connect_four:width=5,height=5")
BUDGET = ("--games", "300", "--games-per-trial", "30", "--validation", "80")
#: A study that is played, with a default that it cannot recommend.
LITTLE = ("--games", "200", "--games-per-trial", "28", "--validation", "80", "--search", "horizon=1,3,5")
OTHER = ("--versus", "osla", "--held-out", "connect_four:width=5,height=5")
TOML = """
agents = ["rmhc"]
versus = ["osla"]
search = ["horizon"]
held_out = ["connect_four:width=5,height=5"]
games = 300
games_per_trial = 30
validation = 80

[[events]]
game = "tic_tac_toe"

[[events]]
game = "love_letter"
players = 3
weight = 2

[[events]]
game = "nim"
"""


def tag(*words: object) -> Result:
    return run_tag(*words, "--workers", "1", "--quiet", "--no-tracking")


def test_options_files_and_python_have_the_same_words(pool: Invented, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(TOML, encoding="utf-8")
    said = [
        tag("tune", *words, "--out", tmp_path / name) for name, words in {"a": (*STUDY, *BUDGET), "b": (file,)}.items()
    ]
    assert [one.exit_code for one in said] == [0, 0]
    assert said[0].stdout.replace("/a/", "/b/") == said[1].stdout
    study = tuning.tune(
        "rmhc",
        ["tic_tac_toe", "love_letter:players=3,weight=2", "nim"],
        versus=["osla"],
        search=["horizon"],
        held_out=["connect_four:width=5,height=5"],
        games=300,
        games_per_trial=30,
        validation=80,
        workers=pool,
        tracking=False,
        progress=False,
        out=tmp_path / "c",
    )
    definitions = [read_study_manifest(tmp_path / name).definition for name in "abc"]
    assert definitions[0] == definitions[1] == definitions[2]
    assert study.trials.to_json() == read_study(tmp_path / "a").trials.to_json()


def test_a_folder_of_its_own_is_found_again(pool: Invented, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tag("tune", *STUDY, *BUDGET).exit_code == 0
    (folder,) = Path("studies").iterdir()
    pool.games.clear()
    assert tag("tune", *STUDY, *BUDGET).exit_code == 0
    assert tag("tune", folder).exit_code == 0
    assert not pool.games
    assert tag("tune", folder, "--games", 600).exit_code == 0
    assert read_study_manifest(folder).definition.budgets == (300, 600)
    result = tag("tune", folder, "--game", "nim")
    assert result.exit_code == 2
    assert result.stderr == f"tag: {str(folder)!r} holds a study already; its game cannot be changed\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("played") / "study"
    result = tag("tune", "rmhc:budget=10", *GAMES, *OTHER, *LITTLE, "--out", out)
    assert result.exit_code == 0, result.stderr
    return out


def test_its_ledgers_are_verified_and_played_again(played: Path) -> None:
    result = run_tag("verify", played, "--json", "--replay", 20)
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["sound"]
    stages = {Path(one["folder"]).name: one for one in found["ledgers"]}
    assert {"search", "validation", "held_out"} <= set(stages)
    assert all(one["replayed"] == 20 for one in stages.values())


def test_an_edited_ledger_is_found(played: Path, tmp_path: Path) -> None:
    """A ledger with the games of another order of events is of another study."""
    other = tmp_path / "study"
    games = ("--game", "nim", "--game", "tic_tac_toe", "--game", "love_letter:players=3")
    assert tag("tune", "rmhc:budget=10", *games, *OTHER, *LITTLE, "--out", other).exit_code == 0
    ledgers = [folder / "search" / "ledger" for folder in (played, other)]
    for shard in ledgers[1].glob("games-*.parquet"):
        shard.unlink()
    for shard in ledgers[0].glob("games-*.parquet"):
        shutil.copy(shard, ledgers[1])
    result = run_tag("verify", other)
    assert result.exit_code == 1
    assert "its events" in result.stdout


@pytest.mark.parametrize(
    "words",
    [("status",), ("tune", "show"), ("tune", "show", "--json"), ("report",), ("export", "latex")],
    ids=["status", "show", "json", "report", "latex"],
)
def test_commands_show_the_gain_in_every_game(words: tuple[str, ...], played: Path) -> None:
    command = [*words[:1], played, *words[1:]] if words[0] in ("status", "report", "export") else [*words, played]
    result = run_tag(*command)
    assert result.exit_code == 0, result.stderr
    text = (played / "report.html").read_text(encoding="utf-8") if words[0] == "report" else result.stdout
    if words[0] == "report":
        assert "Gain by game held out from the search" in text
    for name in ("tic_tac_toe-2p", "love_letter-3p", "nim-2p", "connect_four_width=5_height=5-2p"):
        assert name.replace("_", "\\_") in text or name in text


def test_runs_have_the_gain_in_every_game(played: Path) -> None:
    contents = TuningContents(played)
    contents.manifest = contents.read_manifest()
    results = contents.results(played)
    recommendation = read_study(played).recommendation
    assert recommendation is not None
    for part, comparison in recommendation["games"].items():
        assert results.metrics[f"{part}/gain"] == comparison["gain"]
        for one in comparison["games"]:
            assert results.metrics[f"{part}/{one['event']}/low"] == one["low"]
    assert contents.identity().experiment == "several-tuning"


def test_one_step_changes_are_refused(played: Path) -> None:
    result = run_tag("tune", "deviations", played, "--workers", "1", "--quiet")
    assert result.exit_code == 2
    assert "is a study over several games, and one-step changes are for one" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--objective", "win_rate"), "objective cannot be 'win_rate' in several games: games are compared by points"),
        (
            ("--panel", "minimum"),
            "panel cannot be 'minimum' in several games: opponents count by their mean; leave it out",
        ),
        (
            ("--versus", "incumbent"),
            "versus cannot be 'incumbent' in several games: there is no self-play; leave it out",
        ),
        (
            ("--search", "budget=10..20"),
            "search cannot be 'budget' in several games: each game has a budget of its own",
        ),
        (("--held-out", "random"), "held_out cannot be the agent 'random' in a study over several games; name games"),
        (("--held-out", "nim"), "held_out cannot be nim-2p, a game of the search; name another"),
        (("--game", "nim"), "game cannot name nim-2p twice"),
        (("--game", "pandemic"), "game cannot be pandemic-2p beside others: nobody plays against anybody there"),
        (("--game", "uno:players=x"), "players cannot be 'x'; it is a number"),
        (("--game", "uno:weight=0"), "weight of uno cannot be 0; it has to be more than 0"),
        (("--across", "worst"), "weight is for across='mean'; with 'worst' the worst game counts alone"),
        (("--games-per-trial", "7"), "games_per_trial cannot be 7 in several games; the least is 14"),
        (("--games", "13"), "games cannot be 13; one configuration plays 14 in these games"),
        (
            ("--validation", "50"),
            "validation cannot be 50 with games held out, which are played only then; the least is 70",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: tuple[str, str], sentence: str, tmp_path: Path) -> None:
    rest = {"--games": "300", "--validation": "80", words[0]: words[1]}.items()
    repeated = words if words[0] in ("--game", "--versus", "--search", "--held-out") else ()
    others = [word for name, value in rest if (name, value) != repeated for word in (name, value)]
    result = tag("tune", *STUDY, *others, *repeated, "--out", tmp_path / "study")
    assert result.stderr.startswith(f"tag: {sentence}")
    assert result.exit_code == 2
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--across", "worst"), "across cannot be 'worst' in one game; leave it out, or name more with --game"),
        (("--portfolio", "2"), "portfolio cannot be 2 in one game; leave it out, or name more with --game"),
        (("--held-out", "uno"), "held_out cannot be the game 'uno' in a study of one game; name more with --game"),
    ],
)
def test_a_study_of_one_game_is_refused_what_is_for_several(
    words: tuple[str, str], sentence: str, tmp_path: Path
) -> None:
    result = tag("tune", "rmhc", "--game", "nim", "--games", "100", *words, "--out", tmp_path / "study")
    assert (result.stderr, result.exit_code) == (f"tag: {sentence}\n", 2)


def test_bots_need_their_game(tmp_path: Path) -> None:
    versus = ("--versus", "love_letter:priest_and_baron")
    result = tag("tune", "rmhc", *GAMES, *versus, "--games", "300", "--out", tmp_path / "study")
    assert result.stderr == "tag: versus has no opponent that plays tic_tac_toe-2p; name one with --versus\n"


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ('game = "nim"\n[[events]]\ngame = "uno"\n', "has a game and events; leave one of them out"),
        ("[[events]]\nplayers = 2\n", "has no game; it has a game, and may have players and a weight"),
        ('[[events]]\ngame = "nim"\nblocks = 2\n', "has 'blocks'; it has a game, and may have players and a weight"),
        ('events = ["nim"]\n', "are tables, [[events]], with a game each"),
    ],
)
def test_events_of_files_are_checked(events: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(f'agents = ["rmhc"]\ngames = 100\n{events}', encoding="utf-8")
    result = tag("tune", file, "--out", tmp_path / "study")
    assert result.exit_code == 2
    assert sentence in result.stderr
