"""The search and what it is made of: tables, budgets, blocks, objectives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import optuna
import pytest
from optuna.pruners import NopPruner
from optuna.study import StudyDirection
from studies.invented import Invented, last, record_of, shuffled, void_record_of

from tag.errors import DataError
from tag.orders import GameOrder, GameRecord
from tag.tournaments import PlayedGame
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.reports.progress import Progress
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import SEARCH, StudyDefinition
from tag.tuning.agent.objectives import PANELS, Objective
from tag.tuning.agent.problem import TuningSearch
from tag.tuning.agent.schedule import StudySchedule, schedule_of
from tag.tuning.samplers import make_sampler
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.search.search import Search
from tag.tuning.study.queue import GameQueue, StudyInterruptedError

pytestmark = pytest.mark.flow

optuna.logging.set_verbosity(optuna.logging.WARNING)


def definition_of(**changes: Any) -> StudyDefinition:
    options: dict[str, Any] = {
        "games": 600,
        "versus": ("osla",),
        "search": ("horizon", "discount"),
        "sampler": "ntbea",
        "games_per_trial": 20,
        "live": 6,
        "validation": 0,
    }
    return define_study("rmhc", "tic_tac_toe", **(options | changes))


class Run:
    """A search with invented games.

    Attributes:
        search: when it has ended.
        problem: likewise.
        pool: what was to be played.
    """

    def __init__(self, folder: Path, definition: StudyDefinition, pool: Invented | None = None) -> None:
        self.pool = pool or Invented()
        choice = make_sampler(definition.sampler, definition.space.configurations, definition.games, 7)
        self.problem = TuningSearch(definition, schedule_of(definition, SEARCH, definition.versus))
        study = optuna.create_study(sampler=choice.sampler, pruner=NopPruner(), directions=self.problem.directions)
        study.enqueue_trial(definition.space.default)
        self.problem.model = IncumbentModel(definition.space, study, definition.budgets)
        player = GameQueue(folder, self.problem.schedule, self.pool, Progress(), lambda: False)
        self.search = Search(self.problem, study, player, definition.budgets, definition.live)
        self.search.run()
        player.finish(merge=True)

    @property
    def trials(self) -> list[tuple[str, int, float | None, str]]:
        return [(trial.spec, trial.games, trial.value, trial.state) for trial in self.search.trials]


class TestBudget:
    @pytest.mark.parametrize("games", [20, 39, 40, 119, 120])
    @pytest.mark.parametrize("live", [1, 6])
    def test_it_is_spent_as_far_as_whole_trials_go_and_never_exceeded(
        self, games: int, live: int, tmp_path: Path
    ) -> None:
        run = Run(tmp_path, definition_of(games=games, live=live, race=False))
        assert run.search.games == games // 20 * 20 == len(run.pool.games)
        assert len(run.trials) == games // 20

    def test_games_of_dropped_trials_are_given_back(self, tmp_path: Path) -> None:
        """Also the last of them, when what is left had no room for a whole trial."""
        run = Run(tmp_path, definition_of(games=2_000, games_per_trial=100, live=3))
        dropped = [trial for trial in run.search.trials if trial.state == "dropped"]
        assert dropped
        assert all(trial.games < 100 for trial in dropped)
        assert len(run.trials) > 20
        assert 2_000 - 100 < run.search.games <= 2_000
        assert run.search.games == len(run.pool.games) == sum(trial.games for trial in run.search.trials)

    def test_so_many_are_in_play_at_once(self, tmp_path: Path) -> None:
        """And no trial has ever been failed for want of games."""
        run = Run(tmp_path, definition_of(live=6))
        states = Counter(trial.state.name for trial in run.search.study.trials)
        assert states.keys() <= {"COMPLETE", "PRUNED"}
        asked = [trial.number for trial in run.search.trials]
        behind = [sum(earlier > number for earlier in asked[:place]) for place, number in enumerate(asked)]
        assert max(behind) < 6


def test_a_search_stops_between_proposals(tmp_path: Path) -> None:
    """Before, all trials in play were asked for first, which took minutes where each proposal was slow."""
    definition = definition_of(sampler="random", live=16)
    problem = TuningSearch(definition, schedule_of(definition, SEARCH, definition.versus))
    study = optuna.create_study(sampler=make_sampler("random", problem.configurations, 600, 7).sampler)
    queue = GameQueue(tmp_path, problem.schedule, Invented(), Progress(), lambda: len(study.trials) >= 3)
    with pytest.raises(StudyInterruptedError):
        Search(problem, study, queue, definition.budgets, definition.live).run()
    assert len(study.trials) == 3


def test_arrival_decides_nothing(tmp_path: Path) -> None:
    pools = [Invented(1), Invented(3, last), Invented(4, shuffled(1)), Invented(4, shuffled(2))]
    runs = [Run(tmp_path / str(number), definition_of(), pool) for number, pool in enumerate(pools)]
    assert len({tuple(run.trials) for run in runs}) == 1
    assert len({tuple(run.problem.model.incumbents) for run in runs}) == 1
    assert len(runs[0].problem.model.incumbents) > 10
    assert all(set(run.pool.games.values()) == {1} for run in runs)


def test_a_configuration_that_is_tried_again_plays_new_blocks(tmp_path: Path) -> None:
    run = Run(tmp_path, definition_of(search=("horizon=2,3",), race=False, sampler="random"))
    games, _seats = read_ledger(tmp_path)
    assert len(run.trials) == 30
    assert {trial.spec for trial in run.search.trials} == {"rmhc:horizon=2", "rmhc:horizon=3"}
    for agent, group in games.groupby("matchup"):
        trials = sum(trial.agent == agent for trial in run.search.trials)
        assert sorted(group["block"].unique()) == list(range(10 * trials))
    by_block = games.groupby("block")["seed"].nunique()
    assert set(by_block) == {1}


@pytest.mark.parametrize(("rounds", "is_common"), [(1, False), (9, False), (10, True)])
def test_trials_of_few_blocks_have_blocks_of_their_own(rounds: int, is_common: bool, tmp_path: Path) -> None:
    """Else all that is known would be known of the same few deals."""
    run = Run(tmp_path, definition_of(games=40 * rounds, games_per_trial=2 * rounds, race=False, sampler="random"))
    games, _seats = read_ledger(tmp_path)
    assert len(run.trials) == 20
    assert games["matchup"].nunique() == 20
    assert games["seed"].nunique() == (rounds if is_common else 20 * rounds)


@pytest.mark.parametrize("sampler", ["ntbea", "bgp", "tpe", "random", "nsgaii", "qmc"])
def test_every_sampler_searches_and_keeps_the_constraints(sampler: str, tmp_path: Path) -> None:
    """Of a tournament no more than the population, which samplers of Optuna's know nothing of."""
    definition = define_study(
        "rhea:selection=tournament",
        "tic_tac_toe",
        games=80,
        versus=("osla",),
        search=("population_size=6..8", "tournament_size=1..20"),
        sampler=sampler,
        games_per_trial=4,
        validation=0,
    )
    run = Run(tmp_path, definition)
    assert len(run.trials) == 20
    for trial in run.search.trials:
        assert trial.configuration["tournament_size"] <= trial.configuration["population_size"]
    assert all(trial.state.is_finished() for trial in run.search.study.trials)


class TestVoidGames:
    def test_they_are_not_counted_and_their_trials_not_told(self, tmp_path: Path) -> None:
        def some(order: GameOrder) -> GameRecord:
            return void_record_of(order) if "rmhc:horizon=3" in order.agents else record_of(order)

        definition = definition_of(search=("horizon=2,3",), sampler="random", race=False)
        run = Run(tmp_path, definition, Invented(record=some))
        by_spec = {trial.spec: (trial.games, trial.state, trial.value is None) for trial in run.search.trials}
        assert by_spec["rmhc:horizon=3"] == (0, "void", True)
        assert by_spec["rmhc:horizon=2"] == (20, "complete", False)
        assert {trial.state.name for trial in run.search.study.trials} == {"COMPLETE", "FAIL"}
        assert run.problem.model.incumbents[-1].spec == "rmhc:horizon=2"

    def test_where_none_counts_nothing_is_recommended(self, tmp_path: Path) -> None:
        run = Run(tmp_path, definition_of(), Invented(record=void_record_of))
        assert {state for *_rest, state in run.trials} == {"void"}
        assert not run.problem.model.incumbents


class TestTables:
    def test_every_block_has_each_seat_once_and_one_seed_for_all(self) -> None:
        tables = StudySchedule("love_letter", 4, ("osla",), seed=3)
        one, other = tables.enter("rmhc"), tables.enter("rhea")
        games = tables.games(one, range(3))
        assert [game.agents.index(one) for game in games] == [0, 1, 2, 3] * 3
        assert all(sorted(game.agents) == [0, 0, 0, one] for game in games)
        assert [game.seed for game in games] == [game.seed for game in tables.games(other, range(3))]
        assert len({game.seed for game in games}) == 3
        assert len({game.game_id for game in games + tables.games(other, range(3))}) == 24

    def test_the_opponents_of_a_panel_take_turns_with_the_same_seeds(self) -> None:
        tables = StudySchedule("tic_tac_toe", 2, ("osla", "random", "mcts"), seed=3)
        agent = tables.enter("rmhc")
        games = tables.games(agent, range(6))
        opponents = [next(one for one in game.agents if one != agent) for game in games]
        assert opponents == [0, 0, 1, 1, 2, 2] * 2
        assert [len({game.seed for game in part}) for part in (games[:6], games[6:], games)] == [1, 1, 2]

    def test_one_game_stands_for_all_seatings_of_an_agent_that_meets_itself(self) -> None:
        tables = StudySchedule("love_letter", 4, ("rmhc", "osla"), seed=3)
        agent = tables.enter("rmhc")
        games = tables.games(agent, range(2))
        assert [game.agents for game in games[:2]] == [(agent,) * 4, (agent, 1, 1, 1)]
        assert len(games) == 5
        for name in ("win_rate", "points"):
            record = record_of(tables.order(games[0]))
            assert Objective(name, tables, "mean", 2).value([PlayedGame(games[0], record)], agent) == 0.25

    def test_a_team_of_the_agent_alone_plays_a_seed_once(self) -> None:
        tables = StudySchedule("pandemic", 3, (), seed=3)
        agent = tables.enter("rmhc")
        games = tables.games(agent, range(4))
        assert [game.agents for game in games] == [(agent,) * 3] * 4
        assert len({game.seed for game in games}) == 4
        assert tables.order(games[0]).agents == ("rmhc",) * 3

    def test_team_mates_hold_the_other_seats(self) -> None:
        tables = StudySchedule("pandemic", 3, ("osla",), seed=3)
        agent = tables.enter("rmhc")
        assert [game.agents for game in tables.games(agent, range(1))] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]

    def test_single_games_go_through_all_seats(self) -> None:
        tables = StudySchedule("love_letter", 4, ("osla",), seed=3)
        agent = tables.enter("rmhc")
        single = [game for number in range(8) for game in tables.some_games(agent, range(number, number + 1))]
        assert single == tables.games(agent, range(2))


class TestObjective:
    @staticmethod
    def played(tables: StudySchedule, agent: int, blocks: range) -> list[PlayedGame]:
        return [PlayedGame(game, record_of(tables.order(game))) for game in tables.games(agent, blocks)]

    @pytest.fixture
    def tables(self) -> StudySchedule:
        tables = StudySchedule("love_letter", 4, ("osla", "rmhc:horizon=18"), seed=3)
        tables.enter("rmhc:horizon=14")
        return tables

    def seats(self, games: Sequence[PlayedGame]) -> list[tuple[PlayedGame, int]]:
        return [(game, game.pairing.agents.index(2)) for game in games]

    def test_values_by_hand(self, tables: StudySchedule) -> None:
        games = self.played(tables, 2, range(40))
        places = [game.record.ordinals[seat] for game, seat in self.seats(games)]
        wins = [place == 1 for place in places]
        values = {name: Objective(name, tables, "mean", 2).value(games, 2) for name in ("win_rate", "ordinal", "score")}
        assert values["win_rate"] == pytest.approx(sum(wins) / 160)
        assert values["ordinal"] == pytest.approx(sum(places) / 160)
        assert values["score"] == pytest.approx(sum(4 - place for place in places) / 160)

    def test_the_minimum_of_a_panel_is_the_worst_also_where_less_is_better(self, tables: StudySchedule) -> None:
        games = self.played(tables, 2, range(40))
        halves = [[game for game in games if game.pairing.block % 2 == half] for half in range(2)]
        for name, worst in (("win_rate", min), ("ordinal", max)):
            objective = Objective(name, tables, "minimum", 2)
            alone = [Objective(name, tables).value(half, 2) for half in halves]
            assert alone[0] != alone[1]
            assert objective.value(games, 2) == worst(alone)
            soft = Objective(name, tables, "soft_minimum", 2).value(games, 2)
            mean = Objective(name, tables, "mean", 2).value(games, 2)
            assert min(mean, worst(alone)) < soft < max(mean, worst(alone))

    def test_blocks_are_seeds_against_all_opponents(self, tables: StudySchedule) -> None:
        games = self.played(tables, 2, range(40))
        objective = Objective("win_rate", tables, "mean", 2)
        by_block = objective.by_block(games[::-1], 2)
        assert len(by_block) == 20
        assert by_block[3] == objective.value([game for game in games if game.pairing.block in (6, 7)], 2)
        assert sum(by_block) / 20 == pytest.approx(objective.value(games, 2))

    @pytest.mark.parametrize("name", ["win_rate", "points", "ordinal", "score"])
    @pytest.mark.parametrize("panel", PANELS)
    def test_blocks_give_value_and_error_of_every_panel(self, tables: StudySchedule, name: str, panel: str) -> None:
        """The mean of the blocks is the value, which the mean of the minima of blocks is not, and they have its error."""
        games = self.played(tables, 2, range(2_000))
        objective = Objective(name, tables, panel, 2)
        by_block = objective.by_block(games, 2)
        assert len(by_block) == 1_000
        assert fmean(by_block) == pytest.approx(objective.value(games, 2), abs=1e-9)
        parts = [objective.value([game for game in games if game.pairing.block // 40 == part], 2) for part in range(50)]
        assert stdev(by_block) / sqrt(20) == pytest.approx(stdev(parts), rel=0.35)

    def test_void_games_do_not_count(self, tables: StudySchedule) -> None:
        games = self.played(tables, 2, range(4))
        void = [PlayedGame(game.pairing, void_record_of(tables.order(game.pairing))) for game in games]
        objective = Objective("win_rate", tables, "mean", 2)
        assert objective.value(void, 2) is None
        assert objective.by_block(void, 2) == []
        assert objective.value([*void[:8], *games[8:]], 2) == objective.value(games[8:], 2)

    def test_a_function_of_the_users_has_the_frames_of_the_ledger(self, tables: StudySchedule, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(
            "def quick_wins(games, seats):\n"
            "    own = seats[seats.tuned].merge(games, on='game_id')\n"
            "    return float(((own.result == 'win') / own.ticks).mean())\n"
        )
        games = self.played(tables, 2, range(10))
        wins = Objective("win_rate", tables, "mean", 2).value(games, 2)
        assert Objective(f"{file}:quick_wins", tables, "mean", 2).value(games, 2) == pytest.approx(wins / 9)

    def test_a_function_of_the_users_knows_who_is_tuned(self, tables: StudySchedule, tmp_path: Path) -> None:
        """One seat against others; all where the agent meets itself, and in a team without others."""
        (tmp_path / "mine.py").write_text(
            "def share(games, seats):\n    assert seats.tuned.dtype == bool\n    return seats.tuned.mean()\n"
        )
        name = f"{tmp_path / 'mine.py'}:share"
        assert Objective(name, tables).value(self.played(tables, 2, range(4)), 2) == 0.25
        itself = tables.enter("osla")
        assert Objective(name, tables).value(self.played(tables, itself, range(0, 4, 2)), itself) == 1.0
        team = StudySchedule("pandemic", 3, (), seed=3)
        assert Objective(name, team).value(self.played(team, team.enter("osla"), range(2)), 0) == 1.0

    @pytest.mark.parametrize("returned", ["None", "'high'", "float('nan')", "float('inf')"])
    def test_a_function_that_returns_no_number(self, returned: str, tables: StudySchedule, tmp_path: Path) -> None:
        (tmp_path / "mine.py").write_text(f"def bad(games, seats):\n    return {returned}\n")
        objective = Objective(f"{tmp_path / 'mine.py'}:bad", tables)
        with pytest.raises(DataError, match=r"mine\.py:bad' returned"):
            objective.value(self.played(tables, 2, range(1)), 2)


def test_less_is_better_where_the_objective_says_so() -> None:
    definition = definition_of(objective="ordinal")
    problem = TuningSearch(definition, schedule_of(definition, SEARCH, definition.versus))
    assert problem.directions == [StudyDirection.MINIMIZE]
