"""Parameters of the game that are drawn anew for each block: the same for all games of it, and each value as often."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import run_tag
from copied import TIC_TAC_TOE
from hypothesis import given, settings
from hypothesis import strategies as st
from stores.frames import standings

from tag.errors import TagError
from tag.tournaments.commands.tournament import report_html
from tag.tournaments.definition import TournamentDefinition, define
from tag.tournaments.designs.variants import Draw
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.reports.sections.again import as_command, as_toml
from tag.tournaments.results.tournament import read_results

pytestmark = pytest.mark.flow

PANDEMIC = ("cards_for_cure=2,3,4", "epidemics=0,4")
AGENTS = ("--agent", "osla", "--agent", "random", "--agent", "random")
DRAWN = (*AGENTS, "--draw", "size=3,4,5", "--blocks", "7", "--seed", "2")
LOCAL = ("--workers", "1", "--no-tracking")


def drawn(game: str, *draw: str, blocks: int = 3, seed: int = 1) -> TournamentDefinition:
    return define(game, ("random", "random"), blocks, draw=draw, seed=seed)


def variants(definition: TournamentDefinition) -> list[str]:
    """The game of every block; all games of a block play the same."""
    by_block: dict[int, set[str]] = {}
    for pairing in definition.schedule():
        by_block.setdefault(pairing.block, set()).add(definition.order(pairing).game)
    assert all(len(games) == 1 for games in by_block.values())
    return [games.pop() for games in by_block.values()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "drawn"
    result = run_tag("tournament", "tic_tac_toe", *DRAWN, "--out", folder, *LOCAL)
    assert result.exit_code == 0, result.output
    return folder


class TestDraw:
    @given(st.integers(2, 9), st.integers(0, 60), st.integers(-5, 5))
    @settings(derandomize=True, deadline=None)
    def test_after_any_number_of_blocks_values_are_as_frequent(self, n: int, blocks: int, seed: int) -> None:
        draw = Draw("x", tuple(map(str, range(n))))
        counts = Counter({number: 0 for number in range(n)})
        counts.update(draw.number(seed, block) for block in range(blocks))
        assert max(counts.values()) - min(counts.values()) <= 1

    def test_the_order_is_drawn_by_seed_and_parameter_and_run(self) -> None:
        values = tuple(map(str, range(9)))
        orders = {
            tuple(Draw(name, values).number(seed, 9 * run + position) for position in range(9))
            for name in ("x", "y")
            for seed in (1, 2)
            for run in (0, 1)
        }
        assert len(orders) == 8

    def test_two_parameters_are_drawn_independently(self) -> None:
        both = Counter(variants(drawn("pandemic", *PANDEMIC, blocks=600)))
        assert len(both) == 6
        assert min(both.values()) > 60  # 100 each is expected, with a deviation of less than 10

    def test_the_whole_range_and_lists_are_drawn_in_the_order_of_their_declaration(self) -> None:
        draw = drawn("pandemic", "ask_always", "actions=8,3", "cards_for_cure", "role_0=scientist,medic").draw
        values = ("cards_for_cure=2,3,4,5,6,7", "actions=3,8", "role_0=medic,scientist", "ask_always=false,true")
        assert draw == values

    def test_numbers_are_drawn_from_a_list(self) -> None:
        assert variants(drawn("tic_tac_toe", "size=4,3", blocks=40)).count("tic_tac_toe:size=4") == 20

    def test_more_blocks_and_agents_leave_the_draw_as_it_is(self) -> None:
        short, long = (drawn("pandemic", *PANDEMIC, blocks=blocks) for blocks in (5, 50))
        assert variants(long)[:5] == variants(short)
        other = define("pandemic", ("random", "osla", "random"), 5, draw=PANDEMIC, design="self_play")
        assert variants(other) == variants(short)
        assert variants(drawn("pandemic", *PANDEMIC, blocks=50, seed=2)) != variants(long)

    def test_json_there_and_back(self) -> None:
        definition = drawn("pandemic", *PANDEMIC)
        plain = json.loads(json.dumps(definition.to_json()))
        assert TournamentDefinition.from_json(plain) == definition
        del plain["draw"]  # as tournaments have it that were begun before there was one
        assert TournamentDefinition.from_json(plain) == drawn("pandemic")

    @pytest.mark.parametrize(
        ("game", "draw", "sentence"),
        [
            ("pandemic", ["cures=3,4"], "no parameter of pandemic named 'cures'; did you mean 'cubes'?"),
            (
                "pandemic",
                ["cards_for_cure=5,9"],
                "cards_for_cure cannot be 9; the range is 2..7, the nearest value 7",
            ),
            (
                "pandemic",
                ["cards_for_cure=3"],
                "cards_for_cure cannot be drawn from 3; name two different values at least, each once",
            ),
            (
                "pandemic",
                ["cards_for_cure=3,4,3"],
                "cards_for_cure cannot be drawn from 3, 4, 3; name two different values at least, each once",
            ),
            ("pandemic", ["actions=3,4", "actions"], "actions is drawn twice; say it once"),
            (
                "pandemic:actions=3",
                ["actions=3,4"],
                "actions is drawn and fixed in 'pandemic:actions=3'; say it once",
            ),
            (
                "pandemic",
                ["cards_for_cure=2,3", "scientist_saves=1,2"],
                "pandemic:cards_for_cure=2,scientist_saves=2 could be drawn and cannot be played: pandemic: "
                "scientist_saves cannot be 2 where 2 cards cure; the nearest value is 1",
            ),
            (
                "pandemic",
                ["cubes", "cards_drawn", "actions"],
                "1,640 variants could be drawn; the most is 1,000: name fewer values",
            ),
        ],
    )
    def test_what_cannot_be_drawn_is_refused(self, game: str, draw: list[str], sentence: str) -> None:
        with pytest.raises(TagError) as error:
            drawn(game, *draw)
        assert str(error.value) == sentence

    def test_what_does_not_fit_the_number_of_players_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(
            f"{TIC_TAC_TOE}\nfrom tag.errors import PlayersError\n\n\n"
            "class Mine(TicTacToe):\n"
            "    def _setup(self, n_players, rng):\n        if self.parameters.size > 4:\n"
            "            raise PlayersError(f'a board of {self.parameters.size} is not for {n_players}')\n"
            "        return super()._setup(n_players, rng)\n"
        )
        with pytest.raises(TagError) as error:
            drawn(f"{file}:Mine", "size=3,4,5")
        assert str(error.value) == (
            f"{file}:Mine:size=5 could be drawn and cannot be played: a board of 5 is not for 2"
        )

    def test_numbers_without_steps_need_a_list(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(
            f"{TIC_TAC_TOE}\nfrom dataclasses import dataclass\n"
            "from tag import GameType, Parameters, free_text, real, spec_of\n\n\n@dataclass\n"
            "class MyParameters(Parameters):\n    size: int = 3\n    weight: float = real(0.5, 0.0, 1.0, 'nothing')\n"
            "    other: str = spec_of('agent', 'random', 'nobody')\n"
            "    motto: str = free_text('', 'words')\n\n\nclass Mine(TicTacToe):\n"
            "    game_type = GameType('Mine', 2, 2, MyParameters)\n"
        )
        game = f"{file}:Mine"
        assert drawn(game, "weight=0.75,0.25").draw == ("weight=0.25,0.75",)
        with pytest.raises(TagError, match=r"the whole range of weight cannot be drawn, 0..1; name values of it"):
            drawn(game, "weight")
        with pytest.raises(TagError, match="the whole range of other cannot be drawn, spec of an agent; it can only"):
            drawn(game, "other=random,osla")
        with pytest.raises(TagError, match="the whole range of motto cannot be drawn, text; it can only be fixed"):
            drawn(game, "motto=a,b")


class TestTournament:
    def test_each_game_is_that_of_its_block(self, folder: Path) -> None:
        games, _seats = read_ledger(folder)
        turns = games.groupby("block")["ticks"].max()
        definition = define("tic_tac_toe", ("osla", "random", "random"), 7, draw=("size=3,4,5",), seed=2)
        of_block = variants(definition)
        assert games["game"].tolist() == [of_block[block] for block in games["block"]]
        sizes = [4 if "4" in game else 5 if "5" in game else 3 for game in of_block]
        assert all(5 <= ticks <= size * size for size, ticks in zip(sizes, turns, strict=True))
        assert turns.max() > 9

    def test_the_results_by_value_are_those_of_its_blocks_alone(self, folder: Path) -> None:
        games, seats = read_ledger(folder)
        definition = define("tic_tac_toe", ("osla", "random", "random"), 7, draw=("size=3,4,5",), seed=2)
        of_block = pd.Series(variants(definition))
        found = {variant.value: variant.standings for variant in read_results(folder).variants}
        assert list(found) == ["3", "4", "5"]
        for value, game in (("3", "tic_tac_toe"), ("4", "tic_tac_toe:size=4"), ("5", "tic_tac_toe:size=5")):
            is_played, is_seat = ((of_block[frame["block"]] == game).to_numpy() for frame in (games, seats))
            alone = standings(games[is_played], seats[is_seat], n_seatings=2)
            assert [row.points for row in found[value]] == [row.points for row in alone]
            assert sum(row.games for row in alone) == 12 * (of_block == game).sum()

    def test_table_and_json(self, folder: Path) -> None:
        text = run_tag("results", folder).stdout
        _standings, table = text.split("\n\n")
        about, heading, *rows = table.splitlines()
        blocks = [variant.standings[0].blocks for variant in read_results(folder).variants]
        assert about == f"points by size, drawn anew for each block ({', '.join(map(str, blocks))} blocks):"
        assert heading.split() == ["agent", "3", "4", "5"]
        read = json.loads(run_tag("results", folder, "--json").stdout)["variants"]
        assert [(one["parameter"], one["value"]) for one in read] == [("size", "3"), ("size", "4"), ("size", "5")]
        first = next(agent for agent in read[0]["agents"] if agent["agent"] == rows[0].split()[0])
        assert f"{first['points']:.3f} ± {(first['points_high'] - first['points_low']) / 2:.3f}" in rows[0]

    def test_every_game_is_replayed_in_its_variant(self, folder: Path) -> None:
        for block in range(7):
            result = run_tag("replay", folder, f"b{block}-m1-s0", "--quiet")
            assert result.exit_code == 0, result.output
            assert "is the same" in result.stdout

    def test_the_report_shows_them(self, folder: Path, reading_of: Any) -> None:
        page = reading_of(report_html(folder))
        page.check()
        assert "Variants" in page.words["h2"]
        label = next(label for label in page.labels if label.startswith("Points by size"))
        found = read_results(folder).variants[1]
        mine = next(standing for standing in found.standings if standing.agent == "osla")
        assert f"{mine.points:.3g} ({mine.points_interval.low:.3g} to {mine.points_interval.high:.3g}) at 4" in label

    def test_toml_says_the_same_and_the_recipe_of_a_report_too(self, folder: Path, tmp_path: Path) -> None:
        definition = define("tic_tac_toe", ("osla", "random", "random"), 7, draw=("size=3,4,5",), seed=2)
        assert "--draw size=3,4,5" in as_command(definition)
        file = tmp_path / "drawn.toml"
        file.write_text(as_toml(definition))
        result = run_tag("tournament", file, "--out", tmp_path / "t", *LOCAL, "--json")
        assert json.loads(result.stdout)["content_hash"] == read_results(folder).content_hash

    def test_more_blocks_go_on_with_the_draw(self, folder: Path, tmp_path: Path) -> None:
        short = run_tag("tournament", "tic_tac_toe", *DRAWN[:-3], "4", "--seed", "2", "--out", tmp_path / "t", *LOCAL)
        assert short.exit_code == 0, short.output
        result = run_tag("tournament", tmp_path / "t", "--extend", "--blocks", 7, *LOCAL, "--json")
        assert json.loads(result.stdout)["content_hash"] == read_results(folder).content_hash

    def test_another_draw_is_another_tournament(self, folder: Path) -> None:
        result = run_tag("tournament", "tic_tac_toe", *AGENTS, "--blocks", 7, "--seed", 2, "--out", folder, *LOCAL)
        assert result.exit_code == 2
        assert "draw is size=3,4,5 there, not none" in result.stderr

    def test_a_dry_run_says_it_and_a_mistake_writes_nothing(self, tmp_path: Path) -> None:
        result = run_tag("tournament", "tic_tac_toe", *DRAWN, "--out", tmp_path / "t", "--dry-run")
        assert "drawn anew for each block: size=3,4,5" in result.stdout
        refused = run_tag("tournament", "tic_tac_toe", *AGENTS, "--draw", "size=99,3", "--out", tmp_path / "t")
        assert refused.exit_code == 2
        assert refused.stderr == "tag: size cannot be 99; the range is 2..10, the nearest value 10\n"
        assert list(tmp_path.iterdir()) == []

    def test_an_event_of_an_experiment_has_a_draw_of_its_own(self, tmp_path: Path) -> None:
        file = tmp_path / "experiment.toml"
        file.write_text(
            'agents = ["osla", "random"]\nblocks = 2\n\n[[events]]\ngame = "tic_tac_toe"\ndraw = ["size=3,4"]\n\n'
            '[[events]]\ngame = "connect_four"\n'
        )
        result = run_tag("tournament", file, "--out", tmp_path / "s", *LOCAL, "--json")
        assert result.exit_code == 0, result.output
        events = json.loads(result.stdout)["events"]
        assert [len(event["variants"]) for event in events.values()] == [2, 0]
