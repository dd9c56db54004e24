"""Swiss tournaments: no pair and no bye is repeated that can be avoided, and equals meet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random  # noqa: TID251  only how games end
from typing import Any

import pytest
from commands import run_tag

from tag.errors import ParameterError
from tag.tournaments import define, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.rounds.design import RoundDesign
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.statistics.stopping.outcomes import Outcome

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 61]


def play_round(design: Any, random: Random, blocks: int = 1) -> None:
    """Play the latest round: each game has one winner by chance, or none, so that points differ or not."""
    stage, games = design.known - 1, []
    for matchup in range(design.matchups_in(stage)):
        for _block in range(blocks):
            for seating in range(design.n_seatings):
                agents = design.agents(stage, matchup, seating)
                winner = random.randrange(len(agents) + 1)
                points = tuple(float(seat == winner) for seat in range(len(agents)))
                if winner == len(agents):
                    points = (1.0 / len(agents),) * len(agents)
                games.append(Outcome(agents, points, (1,) * len(agents), void=False))
    design.learn(games)


def pairs_of(design: RoundDesign, number: int) -> list[tuple[int, int]]:
    return [pair for table in design.rounds[number].tables for pair in combinations(sorted(table.agents), 2)]


def fewest_repeats(n: int, met: Counter[tuple[int, int]], byes: Counter[int]) -> int:
    """The fewest repeated pairs and byes of any pairing of n agents, by looking at all of them."""

    def best(left: tuple[int, ...], has_bye: bool) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        found = [met[first, other] + best(tuple(agent for agent in rest if agent != other), has_bye) for other in rest]
        if has_bye:
            found.append(byes[first] + best(rest, has_bye=False))
        return min(found)

    return best(tuple(range(n)), has_bye=n % 2 == 1)


@pytest.mark.parametrize("n_agents", SIZES)
def test_no_pair_meets_twice_and_nobody_has_two_byes(n_agents: int) -> None:
    for seed in range(30 if n_agents < 50 else 4):
        random, design = Random(seed), make_design("swiss", n_agents, 2, 1)
        assert isinstance(design, RoundDesign)
        for _round in range(design.n_rounds):
            play_round(design, random)
        assert design.is_over
        met = Counter(pair for number in range(design.n_rounds) for pair in pairs_of(design, number))
        assert max(met.values()) == 1
        byes = Counter(agent for one in design.rounds for agent in one.byes)
        assert max(byes.values(), default=0) == n_agents % 2
        assert sum(byes.values()) == n_agents % 2 * design.n_rounds


@pytest.mark.parametrize("n_agents", [3, 4, 5, 6, 7, 8])
def test_repeats_are_as_few_as_any_pairing_has(n_agents: int) -> None:
    """Also in more rounds than there are opponents, where pairs and byes must repeat."""
    n_repeated = 0
    for seed in range(10):
        random, design = Random(seed), make_design("swiss", n_agents, 2, 1)
        assert isinstance(design, RoundDesign)
        design.n_rounds = n_agents + 3
        met, byes = Counter[tuple[int, int]](), Counter[int]()
        for number in range(design.n_rounds):
            pairs, free = pairs_of(design, number), design.rounds[number].byes
            repeats = sum(met[pair] for pair in pairs) + sum(byes[agent] for agent in free)
            assert repeats == fewest_repeats(n_agents, met, byes)
            n_repeated += repeats
            met.update(pairs)
            byes.update(free)
            play_round(design, random)
    assert n_repeated > 0


@pytest.mark.parametrize(("n_agents", "n_players"), [(9, 3), (12, 3), (16, 4), (13, 4), (20, 4)])
def test_larger_tables_repeat_few_pairs(n_agents: int, n_players: int) -> None:
    """The social golfer problem has no simple method; fewer than one pair in eight is a repeated one."""
    pairs = repeats = 0
    for seed in range(20):
        random, design = Random(seed), make_design("swiss", n_agents, n_players, 1)
        assert isinstance(design, RoundDesign)
        for _round in range(design.n_rounds):
            play_round(design, random)
        met = Counter(pair for number in range(design.n_rounds) for pair in pairs_of(design, number))
        byes = Counter(agent for one in design.rounds for agent in one.byes)
        assert max(byes.values(), default=0) <= 1
        pairs, repeats = pairs + sum(met.values()), repeats + sum(met.values()) - len(met)
    assert repeats < pairs / 8


def test_equals_meet_and_a_bye_is_a_win_in_every_game() -> None:
    design = make_design("swiss", 5, 2, 1)
    assert isinstance(design, RoundDesign)
    games = []
    for matchup in range(2):
        for seating in range(2):
            agents = design.agents(0, matchup, seating)
            points = tuple(float(agent == min(agents)) for agent in agents)
            games.append(Outcome(agents, points, (1, 2), void=False))
    (bye,) = design.rounds[0].byes
    design.learn(games)
    assert dict(design.result("abcde").scores)["abcde"[bye]] == 2.0
    winners = {min(table.agents) for table in design.rounds[0].tables} | {bye}
    losers = set(range(5)) - winners
    assert sum(set(table.agents) <= winners for table in design.rounds[1].tables) == 1
    assert set(design.rounds[1].byes) <= losers


@pytest.mark.parametrize("design", ["swiss:bye=0.5", "swiss:bye=0.0", "swiss"])
@pytest.mark.parametrize(("n_agents", "n_players"), [(3, 2), (7, 2), (11, 3), (14, 4)])
def test_a_bye_is_worth_what_the_definition_says(design: str, n_agents: int, n_players: int) -> None:
    """All points are those of games and byes, and nobody without a bye has any of these."""
    worth = float(design.partition("=")[2] or 1.0)
    for seed in range(5):
        random, swiss = Random(seed), make_design(design, n_agents, n_players, 1)
        assert isinstance(swiss, RoundDesign)
        for _round in range(swiss.n_rounds):
            play_round(swiss, random, blocks=3)
        of_byes = Counter(agent for one in swiss.rounds for agent in one.byes)
        of_games = Counter[int]()
        for one in swiss.rounds:
            for table in one.tables:
                of_games.update(dict(zip(table.agents, table.points, strict=True)))
        assert of_byes
        for label, points in swiss.result([str(agent) for agent in range(n_agents)]).scores:
            earned = points - of_games[int(label)]
            assert earned == pytest.approx(worth * of_byes[int(label)] * 3 * n_players)


@pytest.mark.parametrize("bye", ["-0.5", "1.5"])
def test_a_bye_is_worth_no_more_than_a_win(bye: str) -> None:
    with pytest.raises(ParameterError, match="bye"):
        define("tic_tac_toe", ("a=random", "b=random", "c=random"), 1, design=f"swiss:bye={bye}")


def test_a_half_point_bye_is_the_definitions_and_a_full_one_its_default(tmp_path: Path) -> None:
    agents, scores = ("a=random", "b=osla", "c=random"), []
    for design in ("swiss", "swiss:bye=0.5"):
        definition = define("tic_tac_toe", agents, 2, seed=3, design=design)
        assert TournamentDefinition.from_json(definition.to_json()) == definition
        found = run_tournament(definition, tmp_path / design.replace(":", ""), tracking=False).rounds
        assert found is not None
        scores.append(sum(points for _agent, points in found.scores))
    assert define("tic_tac_toe", agents, 2, seed=3, design="swiss:bye=1").design == "swiss"
    assert scores == pytest.approx([2 * 4 + 2 * 4, 2 * 4 + 2 * 2])


def test_results_and_reports_show_rounds_byes_and_points(tmp_path: Path) -> None:
    definition = define("tic_tac_toe", ("a=random", "b=osla", "c=random"), 2, seed=3, design="swiss")
    found = run_tournament(definition, tmp_path / "s", tracking=False).rounds
    assert found is not None
    assert found.is_decided
    assert [table.round for table in found.tables] == [1, 2]
    assert [number for number, _agent in found.byes] == [1, 2]
    assert sum(points for _agent, points in found.scores) == pytest.approx(2 * 4 + 2 * 4)
    best = max(points for _agent, points in found.scores)
    assert set(found.winners) == {agent for agent, points in found.scores if points == best}
    for command in ("results", "status"):
        shown = run_tag(command, tmp_path / "s").output
        assert found.text in shown
        assert "bye" in shown
        assert "points of all rounds" in shown
    assert run_tag("report", tmp_path / "s").exit_code == 0
    page = (tmp_path / "s" / "report.html").read_text()
    assert "Points of all rounds" in page
    assert ">bye<" in page
    again = run_tournament(definition, tmp_path / "again", tracking=False)
    assert again.content_hash == content_hash(tmp_path / "s")
