"""A tournament that looks for the best agent: the same games whoever plays them, and fewer than all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_tag
from play.made_up_pool import AGENTS, MadeUp, OneByOne

from tag.cluster.batches import PlayedBatch
from tag.errors import ParameterError, PlayersError, TagError, UnknownNameError
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.stopping.best_agent import BestAgentResult
from tag.tournaments.ledger.folder import extended
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.ledger.replay import replay_of
from tag.tournaments.reports.progress import JsonProgress, PlainProgress
from tag.tournaments.reports.status import read_status
from tag.tournaments.statistics.stopping.outcomes import Outcome

pytestmark = pytest.mark.flow


def search(blocks: int = 400, design: str = "best_agent", **options: object) -> TournamentDefinition:
    return define("love_letter", AGENTS, blocks, players=4, design=design, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "t"
    assert run_tournament(search(), folder, tracking=False, workers=OneByOne()).complete
    return folder


def stopping(folder: Path) -> BestAgentResult:
    found = read_results(folder).stopping
    assert isinstance(found, BestAgentResult)
    return found


def test_it_ends_when_the_best_is_known_and_the_contenders_play_most(folder: Path) -> None:
    found, results = stopping(folder), read_results(folder)
    assert found.is_decided
    assert found.contenders[0].agent == AGENTS[-1]
    assert found.contenders[0].p_best >= 0.95
    assert results.games == results.total == 4 * found.blocks < 4 * 400
    games = {contender.agent: contender.games for contender in found.contenders}
    assert sum(games.values()) == 4 * results.games
    assert games[AGENTS[-1]] > 1.2 * games[AGENTS[0]]  # the first 16 blocks seat all alike
    assert [blocks for blocks, _chances in found.course] == list(range(8, found.blocks + 1, 8))
    assert found.course[-1][1] == [contender.p_best for contender in found.contenders]


def test_every_block_is_one_table_in_all_rotations(folder: Path) -> None:
    _games, seats = read_ledger(folder)
    for _block, own in seats.groupby("block"):
        assert own["agent_index"].nunique() == 4
        assert own.groupby(["agent_index", "seat"]).size().tolist() == [1] * 16


class TestSameLedger:
    def test_in_whatever_order_games_come(self, folder: Path, tmp_path: Path) -> None:
        run_tournament(search(), tmp_path, tracking=False, workers=MadeUp())
        assert content_hash(tmp_path) == content_hash(folder)
        assert stopping(tmp_path) == stopping(folder)

    def test_after_an_interruption(self, folder: Path, tmp_path: Path) -> None:
        class Dying(MadeUp):
            def completed(self, timeout: float) -> list[PlayedBatch]:
                if len(self.orders) > 5:
                    raise KeyboardInterrupt
                return super().completed(timeout)

        for _time in range(2):
            with pytest.raises(KeyboardInterrupt):
                run_tournament(search(), tmp_path, tracking=False, workers=Dying())
        assert 0 < len(read_ledger(tmp_path)[0]) < len(read_ledger(folder)[0])
        assert run_tournament(search(), tmp_path, tracking=False, workers=MadeUp()).complete
        assert content_hash(tmp_path) == content_hash(folder)

    def test_with_more_blocks_added_later(self, folder: Path, tmp_path: Path) -> None:
        short = run_tournament(search(blocks=13), tmp_path, tracking=False, workers=MadeUp())
        assert (short.complete, short.games, short.at_most) == (True, 4 * 13, False)
        assert not stopping(tmp_path).is_decided
        run_tournament(extended(search(13), 400, ()), tmp_path, tracking=False, workers=MadeUp())
        assert content_hash(tmp_path) == content_hash(folder)

    def test_nothing_is_played_once_it_is_known(self, folder: Path) -> None:
        class Unstarted(MadeUp):
            def start(self, sources: Mapping[str, str]) -> None:
                raise AssertionError

        before = content_hash(folder)
        assert run_tournament(search(), folder, tracking=False, workers=Unstarted()).complete
        assert content_hash(folder) == before

    @pytest.mark.system
    @pytest.mark.usefixtures("local_ray")
    def test_with_two_workers_and_a_real_game(self, tmp_path: Path) -> None:
        definition = define("tic_tac_toe", ("random", "osla", "random"), 24, design="best_agent:batch=4")
        one = run_tournament(definition, tmp_path / "one", tracking=False)
        two = run_tournament(definition, tmp_path / "two", tracking=False, workers=2)
        assert one.content_hash == two.content_hash
        assert one.stopping == two.stopping
        game_id = read_ledger(tmp_path / "two")[0]["game_id"].iloc[-1]
        assert replay_of(tmp_path / "two", game_id).play() == []


def test_the_next_batch_begins_while_the_last_is_played(tmp_path: Path) -> None:
    class Holding(MadeUp):
        """Does not return the games of the second batch of blocks before nothing else is left to play."""

        slots = 20
        most = 0

        def completed(self, timeout: float) -> list[PlayedBatch]:
            def is_held(number: int) -> bool:
                return any(8 <= int(order.game_id[1:].split("-")[0]) < 16 for order in self.waiting[number])

            begun = [int(order.game_id[1:].split("-")[0]) for orders in self.orders.values() for order in orders]
            if any(map(is_held, self.waiting)):
                Holding.most = max(Holding.most, *begun)
            number = min(self.waiting, key=lambda number: (is_held(number), number))
            return [self.played(number)]

    run_tournament(search(blocks=40), tmp_path, tracking=False, workers=Holding())
    assert Holding.most == 23


class TestWhatItSays:
    def test_before_it_is_played(self) -> None:
        agents = [part for agent in ("random", "osla", "random") for part in ("--agent", agent)]
        result = run_tag("tournament", "tic_tac_toe", *agents, "--design", "best_agent", "--blocks", 100, "--dry-run")
        assert result.exit_code == 0, result.output
        assert "at most 100 blocks of 1 match-ups in 2 seatings: 200 games" in result.stdout

    def test_while_it_is_played(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        run_tournament(search(), tmp_path, tracking=False, workers=MadeUp(), progress=JsonProgress())
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        first, last = (next(line for line in some if "stopping" in line) for some in (lines, lines[::-1]))
        assert (first["at_most"], first["total"], first["stopping"]["is_decided"]) == (True, 1600, False)
        assert (last["at_most"], last["stopping"]) == (False, stopping(tmp_path).to_json())

    def test_in_a_line_of_a_log(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        run_tournament(search(), tmp_path, tracking=False, workers=MadeUp(), progress=PlainProgress())
        assert "0 of at most 1,600 games; best agent: go on after 0 blocks, " in capsys.readouterr().err

    def test_from_another_terminal(self, tmp_path: Path, folder: Path) -> None:
        run_tournament(search(blocks=16), tmp_path, tracking=False, workers=MadeUp())
        manifest = json.loads((tmp_path / "tournament.json").read_text())
        manifest["definition"]["blocks"] = 400
        (tmp_path / "tournament.json").write_text(json.dumps(manifest))
        status = read_status(tmp_path)
        assert status.text.startswith("64 of at most 1,600 games, nobody at work")
        assert status.to_json()["stopping"]["contenders"][0]["agent"] == stopping(tmp_path).contenders[0].agent
        assert stopping(folder).text in run_tag("results", folder).stdout


def test_a_block_that_others_have_played_does_not_count() -> None:
    schedule = search(design="best_agent:batch=1").schedule()
    table = next(iter(schedule)).agents
    game = Outcome(table, (1.0, 0.0, 0.0, 0.0), (1, 2, 3, 4), void=False)
    stranger = next(agent for agent in range(len(AGENTS)) if agent not in table)
    schedule.learn([game, replace(game, agents=(stranger, *table[1:]))] * 2)
    strengths = schedule.design.search.strengths  # type: ignore[attr-defined]
    assert strengths.mean.tolist() == [0.0] * len(AGENTS)
    schedule = search(design="best_agent:batch=1").schedule()
    schedule.learn([game] * 4)
    assert schedule.design.search.strengths.mean.argmax() == table[0]  # type: ignore[attr-defined]


def test_games_are_named_before_it_is_known_who_plays_in_them() -> None:
    schedule = search().schedule()
    schedule.check("b399-m0-s3")
    for wrong in ("b400-m0-s0", "b0-m1-s0", "b0-m0-s4"):
        with pytest.raises(UnknownNameError, match="there are: b0-m0-s0 to b399-m0-s3"):
            schedule.check(wrong)
    assert (schedule.known, len(list(schedule)), len(schedule)) == (16, 64, 1600)


def test_the_spec_of_the_design_is_canonical() -> None:
    assert search(design="best_agent:batch=8,confidence=0.99").design == "best_agent:confidence=0.99"


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"players": 2, "agents": ("random",)}, PlayersError,
         "the best of 1 agents cannot be found at 2 seats; it takes 2 seats or more, and as many agents"),
        ({"sprt": "0,10"}, ParameterError, "sprt and design best_agent cannot both end a tournament; leave one out"),
        ({"precision": 0.02}, ParameterError,
         "precision and design best_agent cannot both end a tournament; leave one out"),
        ({"design": "best_agents"}, UnknownNameError, "no design named 'best_agents'; did you mean 'best_agent'?"),
        ({"design": "best_agent:confidence=2"}, ParameterError,
         "best_agent: confidence cannot be 2.0; the range is 0.5..0.9999, the nearest value 0.9999"),
        ({"design": "swiss:batch=2"}, UnknownNameError, "swiss: no parameter named 'batch'; there are: bye"),
    ],
)  # fmt: skip
def test_what_cannot_be_searched_is_refused(options: dict[str, object], error: type[TagError], sentence: str) -> None:
    said: dict[str, object] = {"agents": ("random", "osla", "random"), "blocks": 5, "design": "best_agent", **options}
    with pytest.raises(error) as raised:
        define("love_letter", **said)  # type: ignore[arg-type]
    assert str(raised.value) == sentence


def test_the_limit_is_said_before_it_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_tournament(search(blocks=16), tmp_path, tracking=False, workers=OneByOne())
    limit = "16 blocks find the best of 6 agents in at least half of all cases if it is"
    assert limit in capsys.readouterr().err
    run_tournament(extended(search(blocks=16), 20, ()), tmp_path, tracking=False, workers=OneByOne())
    assert "in at least half of all cases" not in capsys.readouterr().err
    agents = [part for agent in ("random", "osla", "random") for part in ("--agent", agent)]
    plan = ["tournament", "tic_tac_toe", *agents, "--blocks", 40, "--dry-run", "--design"]
    assert "40 blocks find the best of 3 agents" in run_tag(*plan, "best_agent").stdout
    assert "in at least half of all cases" not in run_tag(*plan, "best_agent:indifference=400").stdout


def test_a_search_by_older_rules_is_read_but_not_gone_on_with(folder: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as before:
        before.setattr("tag.tournaments.ledger.folder.TABLES_VERSION", 1)
        run_tournament(search(blocks=16), tmp_path, tracking=False, workers=OneByOne())
    results = read_results(tmp_path)
    assert (results.complete, results.games, results.stopping) == (True, 64, None)
    with pytest.raises(TagError, match="begun with version 1 of tables and this is 2"):
        run_tournament(search(blocks=16), tmp_path, tracking=False, workers=OneByOne())


def test_more_agents_cannot_join() -> None:
    with pytest.raises(TagError, match="it has 6 agents, and this best_agent cannot take more"):
        extended(search(), None, ["random"])


def test_another_confidence_is_another_tournament() -> None:
    assert replace(search(), design="best_agent:confidence=0.99") != search()
