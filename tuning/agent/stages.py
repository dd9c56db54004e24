"""The stages of tuning: the search, the changes that are taken back, and the comparisons on unseen seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

import optuna
from optuna.samplers import BaseSampler

from tag.errors import DataError
from tag.orders import with_game_budget
from tag.tuning.agent.comparisons.comparison import SIDES, Comparison, EqualTime, compare, decision_cpu_ms
from tag.tuning.agent.comparisons.equal_time import (
    Scaling,
    Times,
    budget_of,
    first_scaling,
    read_scaling,
    scaled,
    unless_same,
    write_scaling,
)
from tag.tuning.agent.comparisons.games import GamesComparison, compare_in_games
from tag.tuning.agent.comparisons.portfolio import Portfolio, play_portfolios
from tag.tuning.agent.comparisons.reversion import Reversion
from tag.tuning.agent.definition import (
    CALIBRATION,
    CALIBRATION_BLOCKS,
    EQUAL_TIME,
    HELD_OUT,
    PORTFOLIO,
    SEARCH,
    VALIDATION,
    StudyDefinition,
    why_not_scaled,
)
from tag.tuning.agent.problem import TuningSearch
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.agent.warm_start import read_known_trials
from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.users_code import UsersObjects, told_in_a_sentence
from tag.tuning.search.history import SearchHistory
from tag.tuning.search.incumbents import Incumbent, IncumbentModel
from tag.tuning.search.portfolio import GameGains
from tag.tuning.search.search import Search
from tag.tuning.study.engine import StudyEngine


@dataclass(frozen=True)
class TuningOutcome:
    """The results of the stages of a study.

    Attributes:
        incumbent: the recommendation of the search.
        validation: its comparison with the default; None if it is the default, or no games were planned.
        held_out: the same against held-out opponents, if there are any.
        equal_time: the same with the default's budget scaled; None where there is no validation.
        doubt: why the search has no recommendation; empty if it has one.
        taken_back: the parameters whose changes to the default were taken back, as they showed no gain.
        games: of a study over several games, the comparisons in those of the search and those held out, by stream.
        portfolios: of one configuration and more, for these games.
    """

    incumbent: Incumbent
    validation: Comparison | None = None
    held_out: Comparison | None = None
    equal_time: EqualTime | None = None
    doubt: str = ""
    taken_back: Sequence[str] = ()
    games: Mapping[str, GamesComparison] | None = None
    portfolios: Sequence[Portfolio] = ()


class TuningStages:
    """The stages of a study, each of which resumes after an interruption."""

    def __init__(self, engine: StudyEngine[StudyDefinition], given: UsersObjects) -> None:
        """Take the user's objects beside the study."""
        self._engine = engine
        self._given = given
        self._definition = engine.definition
        self._known = read_known_trials(engine.folder)
        self._history = SearchHistory(engine.folder, engine.events)
        self._gains: Mapping[str, GameGains] = {}

    def run(self) -> TuningOutcome:
        """Search, take back changes without a gain, and compare the recommendation with the default.

        Raises:
            StudyInterruptedError: the study was asked to stop.
            TagError: a game breaks its contract, or none of the search counts.
        """
        definition, events = self._definition, self._engine.events
        events.start(definition.games_at_most, 0)
        for sentence in filter(None, (definition.growth, definition.budget_text)):
            events.say(sentence)
        model = self._search()
        doubt = model.doubt(definition.generations)
        taken_back: list[str] = []
        if definition.reversion_games and not doubt:
            taken_back = Reversion(self._engine, self._compare).take_back(model)
            self._history.end()
        incumbent = model.incumbents[-1]
        if definition.events:
            return self._outcome_in_games(incumbent, doubt)
        if not definition.validation or incumbent.spec == definition.default or doubt:
            return TuningOutcome(incumbent, doubt=doubt, taken_back=taken_back)
        sides = incumbent.spec, definition.default
        validation = self._compare(VALIDATION, sides, definition.measuring)
        held_out = self._compare(HELD_OUT, sides, definition.held_out) if definition.held_out else None
        return TuningOutcome(
            incumbent, validation, held_out, self._at_equal_time(incumbent.spec, validation), doubt, taken_back
        )

    def _search(self) -> IncumbentModel:
        """Spend the budget, in self-play against one incumbent after the other, and return the last model."""
        definition = self._definition
        if not definition.generations:
            return self._search_against(definition.versus, 0)
        found = self._search_against((definition.default,), 0)
        for generation in range(1, definition.generations):
            found = self._search_against((found.incumbents[-1].spec,), generation)
        return found

    def _search_against(self, opponents: Sequence[str], generation: int) -> IncumbentModel:
        """Spend the budget of a generation and return its model."""
        definition = self._definition
        stream = f"{SEARCH}-{generation}" if generation else SEARCH
        budgets = [one // max(definition.generations, 1) for one in definition.budgets]
        problem = TuningSearch(definition, schedule_of(definition, stream, opponents))
        study = self._study(problem, budgets[0], definition.stream(f"sampler of {stream}"))
        self._enqueue(study, opponents if generation else ())
        problem.model = IncumbentModel(definition.space, study, budgets, problem.bounds)
        queue = self._engine.games(stream, problem.schedule)
        search = Search(problem, study, queue, budgets, definition.live, self._given.callbacks)
        self._history.begin(search, problem.model.incumbents)
        try:
            with queue, told_in_a_sentence("sampler", definition.sampler):
                search.run(self._history.follow)
                if not problem.model.incumbents:
                    raise DataError("no game of the search counts: all are void; see what went wrong in its ledger")
                if queue.unasked:
                    self._engine.events.say(
                        f"{queue.unasked:,} games are of configurations that {definition.sampler} has not asked for again; "
                        "they stay in the ledger, and count once it does"
                    )
                self._gains = problem.gains
                return problem.model
        finally:
            self._history.end()

    def _study(self, problem: TuningSearch, budget: int, seed: int) -> optuna.Study:
        """Return an Optuna study in memory, with the trials of earlier studies."""
        definition = self._definition
        sampler = deepcopy(self._given.sampler) or self._made_sampler(budget, seed)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(
            study_name=self._engine.folder.name,
            sampler=sampler,
            pruner=deepcopy(self._given.pruner) or optuna.pruners.NopPruner(),  # some learn as they go
            directions=problem.directions,
        )
        for trial in self._known:
            study.add_trial(trial.of_optuna(definition.space))
            problem.skip(trial.spec, trial.games)
        return study

    def _made_sampler(self, budget: int, seed: int) -> BaseSampler:
        definition = self._definition
        configurations, per_trial = definition.space.configurations, definition.games_per_trial
        return make_sampler(definition.sampler, configurations, budget, seed, per_trial).sampler

    def _enqueue(self, study: optuna.Study, incumbents: Sequence[str]) -> None:
        """Enqueue the default first, then the incumbent in self-play, then the specs of ``enqueue``."""
        space = self._definition.space
        specs = [space.spec(space.default), *incumbents, *self._definition.enqueue]
        for spec in dict.fromkeys(specs):
            study.enqueue_trial(space.configuration(spec))

    def _compare(
        self, stream: str, sides: tuple[str, str], opponents: Sequence[str], games: int | None = None
    ) -> Comparison:
        """Compare two agents in so many ``games`` of either side at most; if omitted, in those of a validation."""
        definition = self._definition
        schedule = schedule_of(definition, stream, opponents)
        with self._engine.games(stream.replace(" ", "_"), schedule) as queue:
            most = definition.validation if games is None else games
            return compare(definition, stream, schedule, queue, *sides, most)

    def _outcome_in_games(self, incumbent: Incumbent, doubt: str) -> TuningOutcome:
        """Compare the recommendation with the default in all games, and find portfolios for those of the search."""
        definition, games = self._definition, dict[str, GamesComparison]()
        if not definition.validation or doubt:
            return TuningOutcome(incumbent, doubt=doubt)
        if incumbent.spec != definition.default:
            sides = incumbent.spec, definition.default
            streams = [VALIDATION, *([HELD_OUT] if definition.held_out else [])]
            games = {stream: self._compare_in_games(stream, sides) for stream in streams}
        if not definition.portfolio:
            return TuningOutcome(incumbent, games=games)
        schedule = schedule_of(definition, PORTFOLIO, definition.measuring)
        with self._engine.games(PORTFOLIO, schedule) as queue:
            portfolios = play_portfolios(definition, schedule, queue, self._gains)
        return TuningOutcome(incumbent, games=games, portfolios=portfolios)

    def _compare_in_games(self, stream: str, sides: tuple[str, str]) -> GamesComparison:
        """Compare two agents in the games of a stream."""
        definition = self._definition
        schedule = schedule_of(definition, stream, definition.measuring)
        with self._engine.games(stream.replace(" ", "_"), schedule) as queue:
            return compare_in_games(definition, stream, schedule, queue, sides)

    def _at_equal_time(self, spec: str, validation: Comparison) -> EqualTime:
        """Compare the recommendation with the default at equal CPU time per decision."""
        definition = self._definition
        if not definition.validation_at_equal_time:
            return EqualTime(Scaling(remark=why_not_scaled(definition.default) or "it was not asked for"))
        scaling = read_scaling(self._engine.folder, spec)
        if scaling is None:
            is_better = validation.result.decision == "better"
            default = with_game_budget(definition.default, definition.game)
            scaling = first_scaling(default, validation.times, is_better)
            if scaling.default and scaling.default != spec:
                scaling = scaled(scaling.default, self._times(spec, scaling.default), scaling.factor or 1.0)
            scaling = unless_same(scaling, spec)
            write_scaling(self._engine.folder, spec, scaling)
        if not scaling.default:
            return EqualTime(scaling)
        schedule = schedule_of(definition, EQUAL_TIME, self._measuring(scaling.default))
        with self._engine.games(f"equal_time/{budget_of(scaling.default)}", schedule) as queue:
            games = definition.validation_at_equal_time
            return EqualTime(scaling, compare(definition, EQUAL_TIME, schedule, queue, spec, scaling.default, games))

    def _times(self, spec: str, default: str) -> Times:
        """Return the CPU milliseconds per decision of the recommendation and of a default in a few games."""
        schedule = schedule_of(self._definition, CALIBRATION, self._measuring(default))
        agents = [schedule.enter(one) for one in (spec, default)]
        blocks = range(CALIBRATION_BLOCKS * schedule.panel)
        with self._engine.games(f"calibration/{budget_of(default)}", schedule) as queue:
            # The sides take turns, so that other load on the machine slows both alike.
            turns = [[schedule.games(agent, range(block, block + 1)) for agent in agents] for block in blocks]
            for turn in turns:
                for games in turn:
                    queue.ask(games)
            played = [[queue.take(games) for games in turn] for turn in turns]
        by_side = [[game for turn in played for game in turn[side]] for side in range(len(SIDES))]
        return {name: decision_cpu_ms(games, agent) for name, games, agent in zip(SIDES, by_side, agents, strict=True)}

    def _measuring(self, default: str) -> list[str]:
        """Return the opponents of a validation in which ``default`` stands for the default, also among them."""
        return [default if one == self._definition.default else one for one in self._definition.measuring]
