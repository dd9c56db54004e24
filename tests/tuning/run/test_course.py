"""The course of a search: told in every kind of progress, and on the disk while it runs."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest
from rich.console import Console

from tag.tournaments.reports.displays import LiveProgress
from tag.tournaments.reports.progress import JsonProgress, PlainProgress, Progress
from tag.tuning import define_study, read_study
from tag.tuning.reports.text import study_text
from tag.tuning.run import run_study
from tag.tuning.search import history
from tag.tuning.search.history import SearchState
from tag.tuning.search.incumbents import Incumbent
from tag.tuning.study import files
from tag.tuning.study.files import INCUMBENTS, TRIALS, read_frame

pytestmark = pytest.mark.flow

STATE = SearchState(Incumbent(400, "rhea:horizon=3", 0.6125, 0.02, 0.58, 90), {"trials": 12, "dropped": 3, "live": 16})


def study(**changes):
    settings = {"games": 80, "games_per_trial": 8, "search": ("horizon",), "versus": ("random",), "live": 4}
    return define_study(
        "rhea:budget=10", "tic_tac_toe", **{**settings, "validation": 0, "sampler": "random", **changes}
    )


class TestProgress:
    def test_a_state_is_a_line(self):
        assert STATE.text == "12 trials, 3 pruned, 16 in play; best by the model 0.613 ± 0.039: rhea:horizon=3"
        assert SearchState(None, {"trials": 0, "dropped": 0, "live": 4}).text == "0 trials, 0 pruned, 4 in play"
        assert STATE.to_json()["incumbent"]["value"] == 0.6125

    def test_plain_lines_end_with_it(self, capsys):
        progress = PlainProgress()
        progress.show_note("search", STATE)
        progress.start(10, 0)
        progress.advance(10, 0)
        first, last = capsys.readouterr().err.splitlines()
        assert first == f"0 of 10 games; {STATE.text}"
        assert last.endswith(STATE.text)

    def test_the_live_picture_has_it(self):
        console = Console(file=io.StringIO(), width=200)
        progress = LiveProgress(console)
        progress.show_note("search", STATE)
        console.print(progress._picture())
        assert STATE.text in console.file.getvalue()

    def test_the_time_left_is_below_the_bar_at_any_width(self):
        console = Console(file=io.StringIO(), width=60)
        progress = LiveProgress(console)
        progress.start(0, 0)
        progress.total, progress.done = 2_600, 235
        console.print(progress._picture())
        bar, text = console.file.getvalue().splitlines()
        assert set(bar.strip()) <= {"━", "╸", "╺"}
        assert text.strip() == progress.text == "235 of 2,600 games"

    def test_json_has_it_by_its_name(self, capsys):
        progress = JsonProgress()
        progress.start(10, 0)
        progress.show_note("search", STATE)
        progress.advance(10, 0)
        first, last = map(json.loads, capsys.readouterr().err.splitlines())
        assert "search" not in first
        assert first["stopping"] is None
        assert last["search"] == STATE.to_json()

    def test_a_study_tells_it_to_the_end(self, tmp_path):
        progress = Progress()
        results = run_study(study(), tmp_path / "s", tracking=False, progress=progress)
        last = progress.notes["search"]
        assert (last.counts["trials"], last.counts["live"]) == (len(results.trials), 0) == (10, 0)
        assert last.incumbent.spec in set(results.trials["spec"])


class Looker(Progress):
    """Looks at the folder of a study while it runs, as somebody else would."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder
        self.seen = []
        self.shown = ""

    def show_note(self, name, note):
        trials, incumbents = read_frame(self.folder / TRIALS), read_frame(self.folder / INCUMBENTS)
        self.seen.append((note.counts["trials"], len(trials), len(incumbents)))
        if len(trials) == 5:
            self.shown = study_text(read_study(self.folder))


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A study that was looked at while it was played; it wrote at every step."""
    folder = tmp_path_factory.mktemp("runs") / "s"
    looker = Looker(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_EVERY_SECONDS", 0.0)
        patch.setattr(files, "_SHARE", 1e9)
        run_study(study(race=False), folder, tracking=False, progress=looker)
    return looker


class TestOnTheDisk:
    def test_trials_and_recommendations_are_there_while_it_runs(self, watched):
        stored = [trials for _ended, trials, _incumbents in watched.seen]
        assert stored == sorted(stored)
        assert set(stored) >= {0, 1, 5, 9}
        assert all(trials <= ended for ended, trials, _incumbents in watched.seen)
        assert any(incumbents for _ended, _trials, incumbents in watched.seen)

    def test_it_is_shown_meanwhile(self, watched):
        assert "5 configurations" in watched.shown
        assert watched.shown.endswith("not complete")

    def test_it_is_written_every_ten_seconds(self, clock, followed):
        assert [followed(at) for at in (0.0, 9.0, 10.0, 15.0, 19.9, 20.0, 21.0)] == [0, 0, 1, 1, 1, 2, 2]

    def test_writing_takes_a_hundredth_of_the_time_at_most(self, clock, followed):
        clock.writing = 1.0  # of each of the three files
        assert [followed(at) for at in (10.0, 25.0, 312.0, 314.0, 600.0, 616.0)] == [1, 1, 1, 2, 2, 2]

    @pytest.fixture
    def clock(self):
        return SimpleNamespace(now=0.0, writing=0.0)

    @pytest.fixture
    def followed(self, clock, tmp_path, monkeypatch):
        """What sets the clock, follows a search, and returns how often that has been written."""
        written = []

        def write(path, frame):
            written.append(path.name)
            clock.now += clock.writing

        monkeypatch.setattr(files, "write_frame", write)
        watching = history.SearchHistory(tmp_path, Progress(), lambda: clock.now)
        watching.begin(SimpleNamespace(trials=[], begun={}, ended={}, dropped=0, live=4), [])

        def follow(at):
            clock.now = at
            watching.follow()
            return written.count(TRIALS)

        return follow
