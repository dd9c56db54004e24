"""The parts of a balancing study: who plays what, what misses cost, what is believed, how many games it takes."""

from __future__ import annotations

from math import inf, sqrt
from pathlib import Path

import numpy as np
import pytest
from optuna.distributions import FloatDistribution, IntDistribution

from tag.errors import PlayersError, UnknownNameError
from tag.orders import Conditions, GameRecord, play_order
from tag.tournaments import PlayedGame
from tag.tournaments.statistics.intervals import student
from tag.tuning.balancing import Estimate, Target, read_target
from tag.tuning.balancing.front import front
from tag.tuning.balancing.model import CandidateModel
from tag.tuning.balancing.plan import Plan, playable
from tag.tuning.balancing.problem import BalanceIncumbent, CandidateSchedule
from tag.tuning.balancing.results.measuring import Measurement, chosen, confidence_of, games_wanted
from tag.tuning.balancing.results.text import changes_words
from tag.tuning.balancing.targets import Goal, goals_of
from tag.tuning.search.history import SearchState
from tag.tuning.space.configurations import Configurations

LADDER = ("mcts:budget=10", "mcts:budget=20", "mcts:budget=40")


def targets(game: str, players: int, *texts: str) -> list[Target]:
    return [read_target(text, game, players) for text in texts]


def plan(game: str, players: int, agents: tuple[str, ...], *texts: str) -> Plan:
    return Plan(game, players, agents, targets(game, players, *texts))


class TestShownNumbers:
    """Whatever floats are, people see four digits of them."""

    def test_a_line_on_how_the_search_stands(self):
        best = BalanceIncumbent(400, "my_game:luck=0.30000000000000004,turns=3", 0.0, {"draws": 0.1}, {"draws": 0.01})
        text = "9 trials, 4 in play; best by the model draws 0.1 ± 0.02: my_game:luck=0.3, turns=3"
        assert SearchState(best, {"trials": 9, "live": 4}).text == text

    def test_what_a_candidate_changes(self, tmp_path: Path):
        (tmp_path / "lucky.py").write_text(
            "from dataclasses import dataclass, replace\n\n"
            "from studies.komi import Komi, KomiParameters\n\nfrom tag import real\n\n\n"
            "@dataclass\nclass LuckyParameters(KomiParameters):\n    luck: float = real(0.5, 0.0, 1.0, 'of both')\n\n\n"
            "class Lucky(Komi):\n    game_type = replace(Komi.game_type, parameters=LuckyParameters)\n"
        )
        printed = f"{tmp_path / 'lucky.py'}:Lucky"
        assert changes_words(printed, f"{printed}:luck=0.30000000000000004,turns=4") == "turns 4, luck 0.3"


class TestPlans:
    def test_measures_of_the_game_itself_are_foundby_agents_that_play_themselves(self):
        found = plan("love_letter", 4, ("random", "osla"), "seat_spread<=0.05", "length=60±9", "drama<=0.3")
        assert [group.design.matchups for group in found.groups] == [[(0,) * 4, (1,) * 4]]
        assert found.block_games == 2
        assert found.metrics == ("lead",)

    @pytest.mark.parametrize(
        ("players", "agents", "text", "matchups"),
        [
            (2, ("random", "osla"), "win_rate(osla)=0.6±0.1", [(0, 1)]),
            (2, LADDER, "skill_area(mcts)>=0.1", [(0, 1), (1, 2)]),
            (2, ("random", *LADDER[:2]), "skill_area(mcts)>=0.1", [(0, 1)]),
            (2, ("osla", "random"), "restriction(Mark)<=0", [(0, 1)]),
            (4, ("osla",), "restriction(Mark)<=0", [(0, 1, 0, 1)]),
            (2, ("osla", "random"), "luck<=0.5", [(0, 1)]),
        ],
    )
    def test_measures_of_agents_are_foundby_those_that_meet(self, players, agents, text, matchups):
        game = "tic_tac_toe" if players == 2 else "love_letter"
        (group,) = plan(game, players, agents, text).groups
        assert group.design.matchups == matchups

    def test_what_several_targets_need_is_played_once(self):
        found = plan("tic_tac_toe", 2, LADDER, "skill_area>=0.1", "draws<=0.5", "skill_slope<=1", "length=7±2")
        assert [group.targets for group in found.groups] == [(0, 2), (1, 3)]
        assert found.block_games == 2 * 2 + 3

    @pytest.mark.parametrize(
        ("agents", "text", "error"),
        [
            (("random",), "skill_area>=0.1", PlayersError),
            (LADDER, "skill_area(osla)>=0.1", PlayersError),
            (("random", "osla"), "win_rate(mcts)>=0.1", UnknownNameError),
            (LADDER, "win_rate(mcts)>=0.1", UnknownNameError),
        ],
    )
    def test_agents_that_are_not_there_are_refused(self, agents, text, error):
        with pytest.raises(error):
            plan("tic_tac_toe", 2, agents, text)

    def test_other_agents_tell_what_they_can(self):
        asked = targets("tic_tac_toe", 2, "win_rate(random)=0.1±0.1", "draws<=0.5")
        found = playable("tic_tac_toe", 2, ("osla",), asked)
        assert found is not None
        assert found.targets == (asked[1],)
        assert playable("tic_tac_toe", 2, ("osla",), asked[:1]) is None

    def test_all_candidates_have_the_same_chance_and_seats(self):
        found = plan("tic_tac_toe", 2, ("random", "osla"), "win_rate(osla)>=0.5", "draws<=0.5")
        one, other = (found.games(candidate, range(3), seed=5) for candidate in (0, 7))
        assert [(g.block, g.seating, g.agents, g.seed) for g in one] == [
            (g.block, g.seating, g.agents, g.seed) for g in other
        ]
        assert len({(g.block, g.matchup, g.seating) for g in one + other}) == 2 * 3 * found.block_games
        assert {g.seed for g in one} == {g.seed for g in other}
        assert len({g.seed for g in one}) == 3

    def test_estimates_are_those_of_the_groups_that_tell_them(self):
        found = plan("tic_tac_toe", 2, ("random", "osla"), "win_rate(osla)>=0.5", "length=7±2")
        tables = CandidateSchedule(found, 3, Conditions())
        number = tables.enter("tic_tac_toe")
        games = [PlayedGame(one, play_order(tables.order(one))) for one in tables.games(number, range(30))]
        win_rate, length = found.estimates("tic_tac_toe", games)
        met = [one for one in games if len(set(one.pairing.agents)) == 2]
        alone = [one for one in games if len(set(one.pairing.agents)) == 1]
        assert (win_rate.games, length.games) == (len(met), len(alone)) == (60, 60)
        osla = found.agents.index("osla")
        assert win_rate.value == np.mean([_won(one.record, one.pairing.agents.index(osla)) for one in met])
        assert length.value == np.mean([one.record.ticks for one in alone])

    def test_tables_play_each_candidate_by_its_own_rules(self):
        found = plan("connect_four", 2, ("random",), "length=20±9")
        tables = CandidateSchedule(found, 3, Conditions())
        first, second = tables.enter("connect_four"), tables.enter("connect_four:width=5")
        assert tables.enter("connect_four") == first
        orders = [tables.order(game) for number in (first, second) for game in tables.games(number, range(2))]
        assert [order.game for order in orders] == ["connect_four"] * 2 + ["connect_four:width=5"] * 2
        assert len({order.game_id for order in orders}) == 4


def _won(record: GameRecord, seat: int) -> bool:
    return record.ordinals[seat] == 1 and record.ordinals.count(1) == 1


class TestGoals:
    def test_a_miss_by_half_of_the_band_costs_one_whatever_the_unit(self):
        asked = targets("tic_tac_toe", 2, "length=7±2", "draws=0.2±0.05", "seat_spread<=0.1", "decisions>=4")
        found = goals_of("tic_tac_toe", asked, ["draws=3"])
        assert [goal.unit for goal in found] == pytest.approx([2, 0.05, 0.05, 4])
        assert [goal.margin for goal in found] == pytest.approx([1, 0.025, 0.025, 0])
        values = [11, 0.3, 0.15, 0]
        costs = [
            goal.observed(Estimate(value, 0.0, value, value, 9)) for goal, value in zip(found, values, strict=True)
        ]
        assert costs == pytest.approx([1, 3, 1, 1])

    @pytest.mark.parametrize("mean", [0.0, 0.4, 1.0, 2.5])
    @pytest.mark.parametrize("band", [(0.2, 0.6), (-inf, 0.6), (0.2, inf)])
    def test_the_expected_cost_is_the_mean_of_costs(self, mean, band):
        goal = Goal(Target("length", *band), 0.2, 1.5, 0.05)
        drawn = np.random.default_rng(1).normal(mean, 0.3, 400_000)
        expected = goal.expected(np.array([mean]), np.array([0.3]))[0]
        assert expected == pytest.approx(float(goal.aimed(drawn).mean()), rel=0.02, abs=1e-3)

    @pytest.mark.parametrize("band", [(0.2, 0.6), (-inf, 0.6), (0.2, inf)])
    def test_the_chance_is_the_share_of_values_in_the_band(self, band):
        goal = Goal(Target("length", *band), 0.2)
        means = np.array([0.0, 0.4, 1.0])
        drawn = np.random.default_rng(1).normal(means, 0.3, (400_000, 3))
        shares = ((drawn >= band[0]) & (drawn <= band[1])).mean(axis=0)
        assert np.exp(goal.log_chance(means, np.full(3, 0.3))) == pytest.approx(shares, abs=3e-3)

    @pytest.mark.parametrize("sign", [1.0, -1.0])
    def test_a_hopeless_value_has_less_chance_the_farther_it_is(self, sign):
        goal = Goal(Target("length", -0.1, 0.1), 0.1)
        chances = goal.log_chance(sign * np.array([1.0, 2.0, 50.0, 1_000.0]), np.full(4, 1e-2))
        assert np.isfinite(chances).all()
        assert (np.diff(chances) < 0.0).all()


class TestModel:
    SPACE = Configurations({"x": FloatDistribution(0, 1), "n": IntDistribution(1, 3)})

    def model(self, errors: float = 0.05) -> CandidateModel:
        goals = [Goal(Target("length", 0.45, 0.55), 0.05), Goal(Target("draws", 0.0, 0.8), 0.4)]
        model = CandidateModel(self.SPACE, goals, lambda one: 0.01 * one["n"])
        rng = np.random.default_rng(3)
        for place in np.linspace(0, 1, 15):
            told = [Estimate(float(place + errors * rng.normal()), errors, 0, 1, 50), Estimate(0.3, 0.05, 0, 1, 50)]
            model.learn({"x": float(place), "n": 1 + round(2 * place)}, told)
        return model

    def test_the_best_is_where_the_measure_is_believed_to_be_in_its_band(self):
        assert 0.4 < self.model().ranked()[0]["x"] < 0.6

    def test_it_knows_what_it_was_foundand_how_well(self):
        model = self.model()
        means, deviations = model.posterior(model.seen)
        assert np.abs(means[0] - np.linspace(0, 1, 15)).mean() < 0.05  # nearer than what was observed
        assert (deviations[0] < 0.05).all()
        assert model.game_variances() == pytest.approx([0.05**2 * 50] * 2)

    def test_all_else_equal_the_printed_rules_are_nearer(self):
        goals = [Goal(Target("length", 0.0, 1.0), 0.5)]
        model = CandidateModel(self.SPACE, goals, lambda one: float(one["n"]))
        for n in (3, 2, 1):
            model.learn({"x": 0.5, "n": n}, [Estimate(0.5, 0.01, 0.4, 0.6, 100)])
        assert [one["n"] for one in model.ranked()] == [1, 2, 3]

    def test_what_may_meet_all_comes_before_what_surely_misses_by_little(self):
        goals = [Goal(Target("length", 0.4, 0.6), 0.1), Goal(Target("draws", 0.0, 0.2), 0.1)]
        model = CandidateModel(self.SPACE, goals, lambda _one: 0.0)
        told = {1: (0.5, 0.22, 200_000), 2: (0.58, 0.13, 50), 3: (0.9, 0.9, 50)}
        for n, (length, draws, games) in told.items():
            error = 0.5 / sqrt(games)
            found = [Estimate(value, error, 0, 1, games) for value in (length, draws)]
            model.learn({"x": n / 3, "n": n}, found)
        sure, open_, far = model.seen
        assert [group for group, _within in model.ranks(model.seen)] == [1, 0, 1]
        assert model.costs([sure])[0] < model.costs([open_])[0]
        assert model.ranked() == [open_, sure, far]

    def test_drawn_costs_scatter_around_what_is_expected(self):
        model = self.model(0.15)
        drawn = model.drawn_costs(model.seen, 3_000, np.random.default_rng(1))
        assert drawn.mean(axis=0) == pytest.approx(model.costs(model.seen), rel=0.2, abs=0.05)

    def test_nobody_on_the_front_is_worse_in_all(self):
        model = self.model(0.01)
        found = front(model, str, lambda one: float(one["x"]))
        assert list(found["distance"]) == sorted(found["distance"])
        assert found["distance"].min() == 0.0
        assert found["excess.length"].is_monotonic_decreasing
        assert found["distance"].max() < 0.55  # beyond, both are worse

    def test_the_front_leaves_out_what_may_well_be_no_better(self):
        sizes = [len(front(self.model(errors), str, lambda one: float(one["x"]))) for errors in (0.003, 0.05, 0.3)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > 2 * sizes[-1]

    def test_of_two_that_may_be_equal_the_nearer_is_on_the_front(self):
        goals = [Goal(Target("length", -inf, 0.0), 1.0)]
        model = CandidateModel(self.SPACE, goals, lambda _one: 0.0)
        for n, value in ((1, 0.500), (2, 0.499), (3, 0.2)):
            model.learn({"x": 0.0, "n": n}, [Estimate(value, 0.02, 0, 1, 50)])
        assert list(front(model, lambda one: str(one["n"]), lambda one: float(one["n"]))["spec"]) == ["1", "3"]


class TestMeasuring:
    BAND = Target("length", 10.0, 14.0)

    def measured(self, value: float, low: float, high: float) -> Measurement:
        return Measurement("game", (self.BAND,), (Estimate(value, 0.1, low, high, 100),), 100, 1)

    @pytest.mark.parametrize(
        ("estimate", "state", "games"),
        [
            ((12, 11, 13), "met", 100),
            ((12, 8, 16), "open", 400),
            ((13, 11, 15), "open", 400),
            ((15, 13, 17), "open", inf),
            ((16, 15, 17), "missed", inf),
        ],
    )
    def test_a_target_is_met_missed_or_open(self, estimate, state, games):
        found = self.measured(*estimate)
        assert found.states == (state,)
        assert found.is_feasible == (state == "met")
        assert found.games_to_know() == pytest.approx(games)

    def test_games_wanted_are_enough_nine_times_of_ten(self):
        goal = Goal(self.BAND, 2.0)
        n = games_wanted([goal], np.array([12.5]), np.array([25.0]), 10, 10_000)
        means = 12.5 + 5.0 / n**0.5 * np.random.default_rng(1).standard_normal(20_000)
        half = 1.96 * 5.0 / n**0.5
        is_in = (means - half > 10.0) & (means + half < 14.0)
        assert 0.88 < is_in.mean() < 0.92
        assert games_wanted([goal], np.array([15.0]), np.array([25.0]), 10, 700) == 700
        assert games_wanted([goal], np.array([12.0]), np.array([0.0]), 10, 700) == 10


class TestChoice:
    """The choice among measured candidates where none meets all targets."""

    TARGETS = (Target("length", 40.0, 60.0), Target("draws", 0.0, 0.1))
    GOALS = tuple(Goal(target, unit) for target, unit in zip(TARGETS, (10.0, 0.05), strict=True))

    def measured(self, spec: str, *ends: tuple[float, float]) -> Measurement:
        estimates = tuple(Estimate((low + high) / 2, (high - low) / 4, low, high, 100) for low, high in ends)
        return Measurement(spec, self.TARGETS, estimates, 100, 1)

    def test_a_target_that_a_finalist_meets_is_not_missed_for_an_open_one(self) -> None:
        """Length 78 has the lesser cost, as the draws of the other are far off by their point estimate alone."""
        missing = self.measured("missing", (76.0, 80.0), (0.05, 0.13))
        meeting = self.measured("meeting", (48.0, 52.0), (0.08, 0.62))
        printed = self.measured("printed", (100.0, 110.0), (0.5, 0.6))
        assert missing.cost(self.GOALS) < meeting.cost(self.GOALS)
        for order in ((printed, missing, meeting), (meeting, printed, missing)):
            assert chosen(order, self.GOALS).spec == "meeting"

    def test_a_value_in_the_band_is_taken_before_one_that_is_outside_by_less_than_its_error(self) -> None:
        """The bias of noise, which is taken from squares, makes the cost of the one outside negative."""
        inside = self.measured("inside", (48.0, 52.0), (0.06, 0.12))
        outside = self.measured("outside", (48.0, 52.0), (0.085, 0.125))
        assert outside.cost(self.GOALS) < inside.cost(self.GOALS)
        for order in ((inside, outside), (outside, inside)):
            assert chosen(order, self.GOALS).spec == "inside"

    def test_the_first_that_meets_all_is_taken(self) -> None:
        fits = [self.measured(name, (45.0, 55.0), (0.01, 0.09)) for name in ("printed", "other")]
        assert chosen(fits, self.GOALS).spec == "printed"

    def test_where_each_misses_what_another_meets_the_cost_decides(self) -> None:
        long = self.measured("long", (70.0, 72.0), (0.02, 0.08))
        drawn = self.measured("drawn", (48.0, 52.0), (0.3, 0.4))
        assert chosen((long, drawn), self.GOALS).spec == min((long, drawn), key=lambda one: one.cost(self.GOALS)).spec

    @pytest.mark.parametrize("seed", range(200))
    def test_no_candidate_misses_fewer_targets_that_can_be_met(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        drawn = [
            self.measured(
                str(number), *(tuple(sorted(rng.uniform(low, high, 2))) for low, high in ((30, 70), (0, 0.2)))
            )
            for number in range(4)
        ]
        can = [any(one.states[at] == "met" for one in drawn) for at in range(2)]

        def needless(one: Measurement) -> int:
            return sum(can[at] and one.states[at] == "missed" for at in range(2))

        choice = chosen(drawn, self.GOALS)
        assert choice.is_feasible or needless(choice) == min(map(needless, drawn))


class TestFamily:
    """Of studies in which nothing meets the targets, at most 5 % certify something."""

    @pytest.mark.parametrize("finalists", [1, 3, 7])
    @pytest.mark.parametrize("is_shared", [False, True])
    def test_of_candidates_at_the_end_of_a_band_one_in_twenty_is_certified(
        self, finalists: int, is_shared: bool
    ) -> None:
        """4,000 studies of blocks with a normal measure; all candidates lie just at the end, far from the other."""
        rng, blocks, studies = np.random.default_rng(finalists), 100, 4_000
        confidence = confidence_of(finalists)
        luck = rng.standard_normal((studies, 1 if is_shared else finalists + 1)) / blocks**0.5
        own = rng.standard_normal((studies, finalists + 1)) / blocks**0.5
        means = 0.9**0.5 * luck + 0.1**0.5 * own if is_shared else luck
        half = student(blocks, confidence) * np.sqrt(rng.chisquare(blocks - 1, means.shape) / (blocks - 1) / blocks)
        certified = (means + half < 0.0).any(axis=1).mean()
        assert certified <= 0.05 + 3.0 * (0.05 * 0.95 / studies) ** 0.5

    @pytest.mark.parametrize("blocks", [2, 10, 400])
    def test_a_widened_interval_is_that_of_the_confidence(self, blocks: int) -> None:
        values = np.random.default_rng(blocks).normal(size=blocks)
        error = values.std(ddof=1) / blocks**0.5
        half = student(blocks) * error
        found = Estimate(0.0, error, -half, half, blocks).widened(
            student(blocks, 0.975) / student(blocks), -np.inf, np.inf
        )
        assert found.high == pytest.approx(student(blocks, 0.975) * error)
        assert Estimate(0.9, 0.1, 0.7, 1.0, 9).widened(2.0, 0.0, 1.0) == Estimate(0.9, 0.1, pytest.approx(0.5), 1.0, 9)


def test_a_match_up_matrix_names_those_that_play(tmp_path: Path):
    wanted = tmp_path / "wanted.csv"
    wanted.write_text(",random,osla\nrandom,,0.2\nosla,,\n", encoding="utf-8")
    text = f"match_ups({wanted})<=0.1"
    assert plan("tic_tac_toe", 2, ("random", "osla"), text).block_games == 2
    with pytest.raises(UnknownNameError):
        plan("tic_tac_toe", 2, ("random", "mcts"), text)
