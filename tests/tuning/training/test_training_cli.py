"""``tag train`` and ``tag learners``: what they print, their exit codes, the report and the run."""

from __future__ import annotations

import json
import shlex
from io import StringIO
from pathlib import Path

import pytest
from commands import run_tag
from rich.console import Console
from small_trainings import LEARNER, small
from stores.seen_runs import Runs

from tag.tournaments.driver.events import StatusNote
from tag.tournaments.reports.displays import DrawnNote
from tag.tournaments.reports.progress import Progress
from tag.tuning.training.run import run_training

pytestmark = pytest.mark.flow

TRAINING = (
    "train",
    LEARNER,
    "--game",
    "tic_tac_toe",
    "--episodes",
    "60",
    "--evaluations",
    "2",
    "--evaluation-games",
    "4",
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "training"
    result = run_tag(*TRAINING, "--workers", 1, "--quiet", "--no-tracking", "--out", folder)
    assert result.exit_code == 0, result.output
    return folder


def test_it_says_what_to_play_with_and_show_says_the_same(out: Path) -> None:
    shown = run_tag("train", "show", out)
    assert shown.exit_code == 0
    again = run_tag(*TRAINING, "--workers", 1, "--quiet", "--no-tracking", "--out", out)
    assert again.stdout == shown.stdout
    (command,) = [line.partition(": ")[2] for line in shown.stdout.splitlines() if line.startswith("play with it")]
    played = run_tag(*shlex.split(command)[1:], "--quiet")
    assert played.exit_code == 0, played.output


def test_json_has_learners_and_curves(out: Path) -> None:
    found = json.loads(run_tag("train", "show", out, "--json").stdout)
    assert found["complete"]
    assert [one["episodes"] for one in found["learners"]] == [60]
    assert {row["episode"] for row in found["curves"]} == {30, 60}
    assert {row["evaluator"] for row in found["last"]} == {"random", "max_n:budget=1000"}


def test_the_report_opens(out: Path, tmp_path: Path) -> None:
    written = run_tag("train", "report", out, "--out", tmp_path / "report.html")
    assert written.exit_code == 0, written.output
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page == (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 2
    assert "tag train" in page


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("train", "td_ntupel", "--game", "tic_tac_toe", "--episodes", 10), "did you mean 'td_ntuple'"),
        (("train", LEARNER, "--episodes", 10), "name it with --game"),
        (("train", LEARNER, "--game", "tic_tac_toe"), "say how many with --episodes"),
        ((*TRAINING, "--checkpoint-seconds", 0), "checkpoint_seconds cannot be 0"),
        ((*TRAINING, "--evaluate", "nobody"), "no agent named 'nobody'"),
        (("train", "show", "nowhere"), "holds no training"),
        (("learners", "td_ntupel"), "did you mean 'td_ntuple'"),
    ],
)
def test_mistakes_are_told_in_a_sentence(words: tuple[object, ...], sentence: str) -> None:
    result = run_tag(*words)
    assert result.exit_code == 2
    assert sentence in result.output
    assert len(result.output.splitlines()) == 1


def test_learners_are_listed_and_explained() -> None:
    assert "td_ntuple" in run_tag("learners").stdout
    assert "alpha_final" in run_tag("learners", "td_ntuple").stdout
    assert "alpha" in [
        one["parameter"] for one in json.loads(run_tag("learners", "td_ntuple", "--json").stdout)["parameters"]
    ]


@pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning")
def test_a_run_has_the_curves(tmp_path: Path, empty_store: Path, runs_in: Runs) -> None:
    store = tmp_path / "mlflow.db"
    store.write_bytes(empty_store.read_bytes())
    uri = f"sqlite:///{store}"
    words = (*TRAINING, "--seeds", 2, "--workers", 1, "--quiet", "--tracking-uri", uri, "--out", tmp_path / "training")
    assert run_tag(*words).exit_code == 0
    found = runs_in(uri, "tic_tac_toe-training")
    assert sorted(run.name for run in found) == ["learner 1", "learner 2", "training"]
    assert all({"random", "max_n_budget_1000"} <= set(run.metrics) for run in found)


class Seen(Progress):
    """Keeps what it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: list[str] = []

    def show_note(self, name: str, note: StatusNote) -> None:
        assert isinstance(note, DrawnNote)
        for width in (80, 120):
            console = Console(file=StringIO(), width=width)
            with console.capture() as captured:
                console.print(note.picture())
            self.pictures.append(captured.get())
            assert max(map(len, captured.get().splitlines())) <= width
        assert "\n" not in note.text
        json.dumps(note.to_json())


def test_a_terminal_shows_the_last_value_of_each_learner(tmp_path: Path) -> None:
    definition = small(seeds=12, episodes=20, evaluations=1, evaluation_games=2, evaluate=("random", "agreement"))
    seen = Seen()
    results = run_training(definition, tmp_path / "training", tracking=False, progress=seen)
    means = results.curves.groupby(["seed", "episode", "evaluator"])["points"].mean()
    for picture in seen.pictures[-2:]:
        rows = [line.split() for line in picture.splitlines()]
        for seed in range(1, 11):
            shown = [f"{means[seed, 20, text]:.3f}" for text in definition.evaluate]
            assert [str(seed), "20", shown[0], "at", "20", shown[1], "at", "20"] in rows
        assert "and 2 more" in picture
