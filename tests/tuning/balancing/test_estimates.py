"""What estimators say of games of which the truth is known, or that can be counted by hand."""

from __future__ import annotations

from math import inf, isinf, isnan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up_games import made_up, winners

from tag.errors import DataError, PlayersError, UnknownNameError
from tag.games.abstract.tic_tac_toe import TicTacToeParameters
from tag.games.boards.pandemic import PandemicParameters
from tag.tuning.balancing import CandidateGames, match_up_distance, read_wanted, rules_distance, skill_trace
from tag.tuning.balancing.measures import (
    completion,
    draws,
    first_seat,
    game_lengths,
    long_length,
    luck,
    mean_length,
    mean_score,
    restricted,
    restriction,
    restriction_spread,
    seat_spread,
    success,
    win_rate,
)

pytestmark = pytest.mark.flow


def debiased_and_raw(chances: list[float], games: int, repeats: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the spread between seats as estimated, and as seen, in so many candidates."""
    rng = np.random.default_rng(3)
    played = [winners(rng, chances, games) for _repeat in range(repeats)]
    found = [seat_spread(made_up(points)).value for points in played]
    return np.array(found), np.array([np.ptp(points.mean(axis=0)) for points in played])


class TestSeats:
    def test_first_seat_is_counted_by_hand(self) -> None:
        found = first_seat(made_up([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]]))
        assert found.value == pytest.approx(2.5 / 4 - 1 / 3)
        assert found.error == pytest.approx(np.std([1, 1, 0, 0.5], ddof=1) / 2)
        assert found.low < found.value < found.high
        assert found.games == 4

    def test_a_fair_game_of_four_has_no_spread_on_average(self) -> None:
        """The issue asks for 0 ± 1 point at 200 games; what is seen are 7."""
        debiased, raw = debiased_and_raw([0.25] * 4, 200, 60)
        assert abs(debiased.mean()) < 0.01 + 2 * debiased.std() / np.sqrt(60)
        assert raw.mean() > 0.06
        assert debiased.min() < 0.0 < debiased.max()

    @pytest.mark.slow
    @pytest.mark.parametrize("games", [100, 200, 1000])
    def test_a_fair_game_of_four_has_no_spread_to_a_point(self, games: int) -> None:
        debiased, raw = debiased_and_raw([0.25] * 4, games, 600)
        assert abs(debiased.mean()) < 0.01
        assert raw.mean() == pytest.approx({100: 0.103, 200: 0.073, 1000: 0.0325}[games], rel=0.05)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "chances",
        [
            [0.25] * 4,
            [0.3, 0.25, 0.25, 0.2],
            [0.31, 0.23, 0.23, 0.23],
            [0.35, 0.25, 0.25, 0.15],
            [0.6, 0.4],
            [0.53, 0.47],
        ],
    )
    def test_the_interval_holds_the_true_spread(self, chances: list[float]) -> None:
        rng = np.random.default_rng(4)
        true = max(chances) - min(chances)
        found = [seat_spread(made_up(winners(rng, chances, 200))) for _repeat in range(600)]
        covered = np.mean([one.low <= true <= one.high for one in found])
        assert 0.93 <= covered <= 0.995  # near 0, which nothing is below, only one end can miss

    def test_a_great_spread_is_what_is_seen(self) -> None:
        points = winners(np.random.default_rng(1), [0.9, 0.1], 2_000)
        assert seat_spread(made_up(points)).value == pytest.approx(np.ptp(points.mean(axis=0)), abs=1e-9)

    def test_seats_that_did_equally_well_may_differ_all_the_same(self) -> None:
        found = seat_spread(made_up([[1, 0], [0, 1]] * 50))
        assert found.value < 0.0
        assert found.low == 0.0
        assert 0.15 < found.high < 0.3

    def test_equal_games_give_equal_estimates(self) -> None:
        points = winners(np.random.default_rng(1), [0.25] * 4, 50)
        assert seat_spread(made_up(points)) == seat_spread(made_up(points))

    def test_blocks_in_which_all_games_agree_count_once(self) -> None:
        points = winners(np.random.default_rng(1), [0.4, 0.2, 0.2, 0.2], 100)
        alone = seat_spread(made_up(points))
        copied = seat_spread(
            made_up(np.repeat(points, 4, axis=0), blocks=np.repeat(np.arange(100), 4), seatings=np.tile(range(4), 100))
        )
        assert copied.games == 400
        assert (copied.value, copied.error) == pytest.approx((alone.value, alone.error))
        assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high), abs=1e-6)

    def test_one_block_tells_nothing(self) -> None:
        found = seat_spread(made_up([[1, 0], [0, 1]], blocks=[3, 3], seatings=[0, 1]))
        assert isnan(found.value)
        assert (found.low, found.high) == (0.0, 1.0)
        assert isinf(found.error)


class TestOutcomes:
    def test_shares_are_counted_by_hand(self) -> None:
        candidate = made_up(
            [[1, 0], [0, 1], [0.5, 0.5], [1, 0]],
            agents=[[0, 1], [1, 0], [0, 1], [1, 0]],
            labels=("osla", "random"),
            blocks=[0, 0, 1, 1],
            seatings=[0, 1, 0, 1],
        )
        assert draws(candidate).value == 0.25
        assert win_rate(candidate, "osla").value == 0.5
        assert win_rate(candidate, "random").value == 0.25
        assert win_rate(candidate, "random").games == 4
        with pytest.raises(UnknownNameError, match="no agent in these games named 'oslo'; did you mean 'osla'"):
            win_rate(candidate, "oslo")

    def test_an_agent_is_found_by_name_where_only_one_is_called_so(self) -> None:
        labels = ("mcts:budget=8", "mcts:budget=16", "random", "random#2")
        candidate = made_up([[1, 0, 0, 0]], agents=[[0, 1, 2, 3]], labels=labels)
        assert candidate.agent("mcts:budget=16") == 1
        assert candidate.agent("random") == 2
        with pytest.raises(UnknownNameError, match="several agents are named 'mcts'; name one of mcts:budget=8, mcts:"):
            candidate.agent("mcts")

    def test_success_is_that_of_the_team_that_is_named(self) -> None:
        won = [[True, True], [False, False], [True, True], [True, True]]
        teams = [[0, 0], [0, 1], [1, 1], [0, 0]]
        points = np.where(won, 0.5, 0.0)
        candidate = made_up(points, wins=won, agents=teams, labels=("osla", "random"), matchups=[0, 1, 2, 0])
        assert success(candidate).value == 0.75
        assert success(candidate, "osla").value == 1.0
        assert success(candidate, "osla").games == 2
        assert success(candidate, "osla").error > 0.0  # two of two won are not certain
        assert success(candidate, "osla").low < 0.9

    def test_scores_are_those_of_all_seats_or_of_an_agents(self) -> None:
        candidate = made_up(np.full((4, 2), 0.5), agents=[[0, 0], [0, 1], [1, 1], [0, 0]], labels=("osla", "random"))
        scores = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
        candidate.counted["score"] = scores.ravel()
        assert mean_score(candidate).value == pytest.approx(scores.mean())
        assert mean_score(candidate, "random").value == pytest.approx((4.0 + 5.0 + 6.0) / 3)

    def test_void_games_do_not_complete_and_nothing_else_counts_them(self) -> None:
        candidate = made_up(
            [[1, 0], [0, 1], [1, 0], [1, 0]],
            void=[False, True, False, False],
            blocks=[0, 0, 1, 1],
            seatings=[0, 1, 0, 1],
            ticks=[10, 10, 20, 30],
        )
        assert completion(candidate).value == 0.75
        assert completion(candidate, 20).value == 0.5
        assert first_seat(candidate).games == 2

    @pytest.mark.slow
    def test_intervals_of_shares_hold_the_truth_in_blocks_that_share_luck(self) -> None:
        rng = np.random.default_rng(2)
        covered = []
        for _repeat in range(2_000):
            luck_of_block = rng.random(50) < 0.3  # half of the games follow their block
            is_drawn = np.where(rng.random((50, 4)) < 0.5, luck_of_block[:, None], rng.random((50, 4)) < 0.3).ravel()
            points = np.where(is_drawn[:, None], 0.5, [1.0, 0.0])
            block, seating = np.repeat(range(50), 4), np.tile(range(4), 50)
            found = draws(made_up(points, blocks=block, seatings=seating))
            covered.append(found.low <= 0.3 <= found.high)
        assert 0.93 <= np.mean(covered) <= 0.97


class TestLengths:
    def test_units_are_those_of_the_ledger(self) -> None:
        candidate = made_up([[1, 0], [0, 1]], ticks=[12, 18])
        units = {unit: game_lengths(candidate, unit).tolist() for unit in ("ticks", "turns", "rounds", "decisions")}
        assert units == {"ticks": [12, 18], "turns": [5, 5], "rounds": [2, 2], "decisions": [6, 6]}
        assert game_lengths(candidate, "minutes", 20.0).tolist() == [2.0, 2.0]
        assert mean_length(candidate, game_lengths(candidate, "ticks")).value == 15.0

    def test_few_games_do_not_show_how_long_the_long_ones_are(self) -> None:
        lengths = np.arange(1.0, 41.0)
        found = long_length(made_up(np.tile([1.0, 0.0], (40, 1))), lengths)
        assert found.value == 39.0
        assert found.low < 39.0
        assert (found.high, found.error) == (inf, inf)

    @pytest.mark.slow
    def test_the_interval_of_the_long_ones_holds_the_truth(self) -> None:
        rng, truth = np.random.default_rng(5), -np.log(0.05)
        points = np.tile([1.0, 0.0], (400, 1))
        candidate = made_up(points)
        found = [long_length(candidate, rng.exponential(size=400)) for _repeat in range(1_000)]
        assert 0.93 <= np.mean([one.low <= truth <= one.high for one in found]) <= 0.975
        assert np.mean([one.value for one in found]) == pytest.approx(truth, rel=0.02)


class TestRestrictions:
    labels = ("osla", restricted("osla", "Guard"), restricted("osla", "Baron"))

    def games(self, chances: tuple[float, float], blocks: int, seed: int = 1) -> CandidateGames:
        """Return games in which restricted agents win so often against the full one, in both seatings."""
        rng = np.random.default_rng(seed)
        points, agents = [], []
        for _block in range(blocks):
            for number, chance in enumerate(chances, 1):
                for seats in ((0, number), (number, 0)):
                    wins = rng.random() < chance
                    points.append([float(wins == (agent > 0)) for agent in seats])
                    agents.append(seats)
        n = 4 * blocks
        return made_up(
            points,
            agents=agents,
            labels=self.labels,
            blocks=np.arange(n) // 4,
            matchups=np.arange(n) // 2 % 2,
            seatings=np.arange(n) % 2,
        )

    def test_a_restriction_costs_what_it_costs(self) -> None:
        candidate = self.games((0.3, 0.5), 2_000)
        found = restriction(candidate, "Guard")
        assert found.low < -0.4 < found.high
        assert found.games == 4_000
        assert restriction(candidate, "Baron").low < 0.0 < restriction(candidate, "Baron").high
        spread = restriction_spread(candidate)
        assert spread.low < 0.4 < spread.high
        assert spread.games == 8_000
        with pytest.raises(UnknownNameError, match="no restriction in these games named 'Gard'; did you mean 'Guard'"):
            restriction(candidate, "Gard")

    def test_equal_restrictions_have_no_spread_on_average(self) -> None:
        found = [restriction_spread(self.games((0.4, 0.4), 50, seed)).value for seed in range(60)]
        assert abs(np.mean(found)) < 0.03
        assert min(found) < 0.0

    def test_one_restriction_has_no_spread(self) -> None:
        with pytest.raises(UnknownNameError, match="a spread needs 2 restrictions in these games, and there are 1"):
            restriction_spread(made_up([[1, 0]], agents=[[0, 1]], labels=self.labels[:2]))


class TestMatchUps:
    labels = ("a", "b", "c")
    wanted = {("a", "b"): 0.7, ("b", "c"): 0.7, ("a", "c"): 0.8}  # noqa: RUF012  read only

    def games(self, scores: dict[tuple[str, str], float], blocks: int, seed: int) -> CandidateGames:
        rng = np.random.default_rng(seed)
        pairs = [tuple(self.labels.index(name) for name in pair) for pair in scores]
        n, k = blocks * len(pairs), len(pairs)
        first_wins = rng.random((blocks, k)) < np.array(list(scores.values()))
        points = np.stack([first_wins, ~first_wins], axis=2).reshape(-1, 2).astype(float)
        agents = np.tile(pairs, (blocks, 1))
        return made_up(points, agents=agents, labels=self.labels, blocks=np.arange(n) // k, matchups=np.arange(n) % k)

    def test_what_is_wanted_has_no_distance_on_average(self) -> None:
        found = [match_up_distance(self.games(self.wanted, 100, seed), self.wanted) for seed in range(60)]
        assert abs(np.mean([one.value for one in found])) < 0.01
        assert np.mean([one.low for one in found]) < 0.005

    def test_a_great_distance_is_found(self) -> None:
        far = {("a", "b"): 0.3, ("b", "c"): 0.3, ("a", "c"): 0.4}
        found = match_up_distance(self.games(far, 2_000, 1), self.wanted)
        assert found.low < 0.4 < found.high
        assert found.value == pytest.approx(0.4, abs=0.03)

    @pytest.mark.slow
    def test_the_interval_holds_the_true_distance(self) -> None:
        true = {("a", "b"): 0.6, ("b", "c"): 0.75, ("a", "c"): 0.8}
        distance = np.sqrt((0.1**2 + 0.05**2) / 3)
        found = [match_up_distance(self.games(true, 200, seed), self.wanted) for seed in range(600)]
        assert 0.93 <= np.mean([one.low <= distance <= one.high for one in found]) <= 0.99

    def test_a_file_says_what_is_wanted(self, tmp_path: Path) -> None:
        file = tmp_path / "wanted.csv"
        file.write_text(',a,b,"mcts:budget=8,k=1"\na,,0.7,\nb,0.3,,\n"mcts:budget=8,k=1",0.9,,0.5\n')
        assert read_wanted(file) == {("a", "b"): 0.7, ("a", "mcts:budget=8,k=1"): pytest.approx(0.1)}
        file.write_text(",a,b\na,,0.7\nb,0.7,\n")
        with pytest.raises(DataError, match="the wanted scores of 'a' and 'b' in .* do not sum to 1"):
            read_wanted(file)
        file.write_text(",a,b\na,,70\n")
        with pytest.raises(DataError, match="a wanted score in .* cannot be '70'; it lies between 0 and 1"):
            read_wanted(file)
        file.write_text("")
        with pytest.raises(DataError, match="cannot read the wanted scores|has no scores"):
            read_wanted(file)
        with pytest.raises(DataError, match="cannot read the wanted scores"):
            read_wanted(tmp_path / "none.csv")

    def test_strangers_have_no_score(self) -> None:
        with pytest.raises(DataError, match="'a' and 'c' have not met in these games"):
            match_up_distance(self.games({("a", "b"): 0.5}, 20, 1), {("a", "c"): 0.5})


class TestSkill:
    labels = ("mcts:budget=8", "mcts:budget=16", "mcts:budget=32", "mcts:budget=64")

    def games(self, chances: list[float], blocks: int, seed: int) -> CandidateGames:
        """Return a ladder on which the stronger wins so often at each step, in both seatings."""
        rng = np.random.default_rng(seed)
        k = len(chances)
        wins = rng.random((blocks, k, 2)) < np.array(chances)[:, None]
        points = np.stack([np.where([True, False], ~wins, wins), np.where([True, False], wins, ~wins)], axis=3)
        agents = np.array([[[step, step + 1], [step + 1, step]] for step in range(k)])
        n = blocks * k * 2
        return made_up(
            points.reshape(n, 2).astype(float),
            agents=np.tile(agents.reshape(-1, 2), (blocks, 1)),
            labels=self.labels[: k + 1],
            blocks=np.arange(n) // (2 * k),
            matchups=np.arange(n) // 2 % k,
            seatings=np.arange(n) % 2,
        )

    def test_a_certain_ladder(self) -> None:
        found = skill_trace(self.games([0.9, 0.7, 0.6], 3_000, 1))
        for gain, true in zip(found.gains, (0.8, 0.4, 0.2), strict=True):
            assert abs(gain.value - true) < 4 * gain.error
        assert abs(found.area.value - 1.4 / 3) < 4 * found.area.error < 0.04
        assert abs(found.slope.value + 0.3) < 4 * found.slope.error < 0.04
        assert found.agents == self.labels

    @pytest.mark.slow
    def test_intervals_hold_the_truth(self) -> None:
        found = [skill_trace(self.games([0.7, 0.6, 0.5], 60, seed)) for seed in range(2_000)]
        assert 0.93 <= np.mean([one.area.low <= 0.2 <= one.area.high for one in found]) <= 0.97
        assert 0.93 <= np.mean([one.slope.low <= -0.2 <= one.slope.high for one in found]) <= 0.97

    def test_what_it_needs(self) -> None:
        candidate = self.games([0.7, 0.6, 0.5], 20, 1)
        with pytest.raises(PlayersError, match="a skill trace needs 2 agents at growing budgets, not 1"):
            skill_trace(candidate, self.labels[:1])
        with pytest.raises(DataError, match="'mcts:budget=8' and 'mcts:budget=32' have not met"):
            skill_trace(candidate, (self.labels[0], self.labels[2]))
        assert isnan(skill_trace(candidate, self.labels[:2]).slope.value)


class TestLuck:
    def games(self, share: float, blocks: int, seed: int, skill: float = 0.0) -> CandidateGames:
        """Return games of two agents in both seatings, of which a share is decided by who sits where in the block."""
        rng = np.random.default_rng(seed)
        dealt = rng.random((blocks, 1)) < 0.5
        better_first = np.array([[True, False]])
        chance = 0.5 + np.where(better_first, skill, -skill)
        played = rng.random((blocks, 2)) < chance
        first_wins = np.where(rng.random((blocks, 1)) < share, dealt, played).ravel()
        points = np.stack([first_wins, ~first_wins], axis=1).astype(float)
        n = 2 * blocks
        return made_up(
            points,
            agents=np.tile([[0, 1], [1, 0]], (blocks, 1)),
            labels=("a", "b"),
            blocks=np.arange(n) // 2,
            seatings=np.arange(n) % 2,
        )

    @pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
    def test_it_is_the_share_of_games_that_the_deal_decides(self, share: float) -> None:
        found = luck(self.games(share, 4_000, 1))
        assert found.low <= share <= found.high + 1e-9
        assert found.error < 0.02

    def test_better_agents_are_no_luck(self) -> None:
        found = luck(self.games(0.0, 4_000, 2, skill=0.4))
        assert abs(found.value) < 4 * found.error < 0.08

    def test_blocks_of_one_game_tell_nothing(self) -> None:
        assert isnan(luck(made_up([[1, 0], [0, 1], [1, 0]])).value)

    @pytest.mark.slow
    @pytest.mark.parametrize(("share", "skill", "blocks"), [(0.0, 0.0, 100), (0.3, 0.0, 100), (0.0, 0.2, 400)])
    def test_the_interval_holds_the_truth(self, share: float, skill: float, blocks: int) -> None:
        found = [luck(self.games(share, blocks, seed, skill)) for seed in range(1_000)]
        assert 0.93 <= np.mean([one.low <= share <= one.high for one in found]) <= 0.97
        assert abs(np.mean([one.value for one in found]) - share) < 0.02


class TestRules:
    def test_a_distance_is_that_across_the_ranges(self) -> None:
        assert rules_distance(TicTacToeParameters, {}).value == 0.0
        found = rules_distance(TicTacToeParameters, {"size": 7})
        assert (found.low, found.value, found.high) == pytest.approx((0.5, 0.5, 0.5))
        assert (found.error, found.games) == (0.0, 0)

    def test_parameters_that_are_not_searched_do_not_count(self) -> None:
        declared = {one.name: one for one in PandemicParameters.dimensions()}
        name = "cards_for_cure"
        values = {name: declared[name].low}
        alone = rules_distance(PandemicParameters, values, [name]).value
        assert 0.0 < alone <= 1.0
        assert rules_distance(PandemicParameters, values).value == pytest.approx(alone / len(declared))
        with pytest.raises(UnknownNameError, match="no parameter named 'cards'"):
            rules_distance(PandemicParameters, {"cards": 1})


def test_partial_and_void_match_ups_count_for_nothing() -> None:
    points = [[1, 0], [0, 1], [1, 0], [1, 0], [0, 1]]
    candidate = made_up(points, blocks=[0, 0, 1, 1, 2], seatings=[0, 1, 0, 1, 0], void=[False] * 3 + [True, False])
    assert candidate.blocks.tolist() == [0, 0]


def test_no_games_tell_nothing() -> None:
    empty = made_up(np.zeros((0, 2)))
    assert isinstance(empty.games, pd.DataFrame)
    for estimate in (first_seat(empty), seat_spread(empty), draws(empty), luck(empty), completion(empty)):
        assert isnan(estimate.value)
        assert estimate.games == 0
