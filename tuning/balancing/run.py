"""Balancing from beginning to end: search, measurement on unseen seeds, and checks with other agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tag.cluster import Workers
from tag.errors import DataError
from tag.tournaments.reports.progress import Progress
from tag.tuning.balancing.definition import BALANCE, HELD_OUT, RETUNED, VALIDATION, BalanceDefinition
from tag.tuning.balancing.front import front
from tag.tuning.balancing.measures import unseen
from tag.tuning.balancing.options import retune_study
from tag.tuning.balancing.plan import Plan, playable
from tag.tuning.balancing.problem import BalanceSearch, schedule_of
from tag.tuning.balancing.report.report import BALANCES, report_page, write_report
from tag.tuning.balancing.results.measuring import Measurement, chosen, confidence_of, games_wanted, measure
from tag.tuning.balancing.results.results import FRONT, BalanceResults, read_balance
from tag.tuning.balancing.results.text import balance_json, balance_text
from tag.tuning.balancing.results.verdict import PanelCheck, verdict
from tag.tuning.run import run_study
from tag.tuning.samplers.users_code import told_in_a_sentence
from tag.tuning.search.history import SearchHistory
from tag.tuning.search.search import Search
from tag.tuning.space.ranges import shown
from tag.tuning.study.definition import FEWEST_BLOCKS
from tag.tuning.study.engine import StudyEngine
from tag.tuning.study.files import write_frame, write_json
from tag.tuning.study.problem import Output, Problem
from tag.tuning.study.queue import StudyInterruptedError

_SEARCH_FOLDER: Final = "search"
_RETUNE_FOLDER: Final = "retune"


class Balancing(Problem[BalanceDefinition, BalanceResults]):
    """Studies that balance a game."""

    definition = BalanceDefinition
    output = Output(read_balance, balance_text, balance_json, write_report, report_page)
    run_type = BALANCES

    def play(self, engine: StudyEngine[BalanceDefinition]) -> None:
        """Search, measure the best candidates on unseen seeds, and write the choice."""
        _BalancingStages(engine).run()


def run_balance(
    definition: BalanceDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
) -> BalanceResults:
    """Play the missing games of a study and return the results, complete unless it was interrupted.

    Either way its report is written (`tag.tuning.balancing.report`). The arguments are those of `tag.tuning.run.run_study`.

    Raises:
        TagError: the folder or a user's file does not fit, or a game breaks its contract.
    """
    return Balancing().run(definition, out, workers=workers, tracking=tracking, progress=progress)


class _BalancingStages:
    """The stages of a study, each of which resumes after an interruption."""

    def __init__(self, engine: StudyEngine[BalanceDefinition]) -> None:
        self._engine = engine
        self._definition = engine.definition
        self._confidence = confidence_of(self._definition.finalists)

    def run(self) -> None:
        definition = self._definition
        withheld = [target.argument for target in definition.bands if target.measure == "restriction"]
        for sentence in unseen(definition.game, definition.players, withheld) if withheld else ():
            self._engine.events.say(sentence)
        self._engine.events.start(definition.games_at_most, 0)
        if definition.growth:
            self._engine.events.say(definition.growth)
        printed, measured = self._validate(self._search())
        choice = chosen((printed, *measured), definition.goals)  # the default rules first
        blocks = choice.games // definition.plan.block_games
        held_out = self._check(HELD_OUT, definition.held_out, choice.spec, blocks)
        tuned = self._tuned(choice.spec) if definition.retune else ""
        retuned = self._check(RETUNED, _with_tuned(definition, tuned), choice.spec, blocks)
        write_json(
            self._engine.folder / BALANCE,
            verdict(self._engine.manifest, printed, choice, measured, held_out, tuned, retuned),
        )

    def _search(self) -> BalanceSearch:
        definition = self._definition
        problem = BalanceSearch(definition)
        study = problem.study(self._engine.folder.name)
        queue = self._engine.games(_SEARCH_FOLDER, problem.schedule)
        search = Search(problem, study, queue, definition.budgets, definition.live)
        history = SearchHistory(
            self._engine.folder, self._engine.events, counts=("trials", "live"), frame=problem.frame
        )
        history.begin(search, problem.incumbents)
        (self._engine.folder / FRONT).unlink(missing_ok=True)  # it may be from before the study was given more games
        try:
            with queue, told_in_a_sentence("sampler", definition.sampler):
                search.run(history.follow)
        finally:
            problem.look()
            history.end()
        if not problem.model.seen:
            raise DataError("no game of the search counts, so that nothing can be chosen; try the agents with tag play")
        write_frame(self._engine.folder / FRONT, front(problem.model, problem.spec, problem.distance))
        return problem

    def _validate(self, problem: BalanceSearch) -> tuple[Measurement, list[Measurement]]:
        """Measure the best candidates one after another until one meets all targets; and the default rules.

        The model learns from a candidate that misses before the next is picked.
        """
        definition = self._definition
        limits = (FEWEST_BLOCKS * definition.plan.block_games, definition.validation)
        variances = problem.model.game_variances()
        found: list[Measurement] = []
        with self._measuring(VALIDATION, definition.plan) as measured:
            while len(found) < definition.finalists and not any(one.is_feasible for one in found):
                finalist = problem.finalist([one.spec for one in found])
                if finalist is None:
                    break
                means, _deviations = problem.model.posterior([finalist])
                wanted = games_wanted(definition.goals, means[:, 0], variances, *limits, self._confidence)
                found.append(measured(problem.spec(finalist), wanted))
                problem.model.learn(finalist, found[-1].estimates)
            base = definition.space.base
            printed = next((one for one in found if one.spec == base), None)
            return printed or measured(base, max(one.games for one in found)), found

    def _check(self, stream: str, agents: Sequence[str], spec: str, blocks: int) -> PanelCheck | None:
        """Measure the default rules and the choice with other agents on other seeds; None without agents."""
        definition = self._definition
        plan = playable(definition.game, definition.players, agents, definition.bands) if agents else None
        if plan is None:
            return None
        with self._measuring(stream, plan) as measured:
            games = blocks * plan.block_games
            printed = measured(definition.space.base, games)
            return PanelCheck(plan.agents, printed, printed if spec == printed.spec else measured(spec, games))

    def _tuned(self, game: str) -> str:
        """Return the agent tuned to the chosen rules; the same as before where tuning does not improve it."""
        definition = self._definition
        self._engine.events.say(f"tuning {definition.retune} to {shown(game)}")
        study = retune_study(definition, game)
        found = run_study(study, self._engine.folder / _RETUNE_FOLDER, workers=self._engine.workers, tracking=False)
        if found.recommendation is None:
            raise StudyInterruptedError
        return str(found.recommendation["spec"])

    @contextmanager
    def _measuring(self, stream: str, plan: Plan) -> Iterator[Callable[[str, int], Measurement]]:
        """Yield a function that measures a candidate with so many games on the seeds of a stream."""
        seed = self._definition.stream(stream)
        schedule = schedule_of(self._definition, plan, seed)
        with self._engine.games(stream.replace(" ", "_"), schedule) as queue:
            yield lambda spec, games: measure(schedule, queue, spec, games, seed, self._confidence)


def _with_tuned(definition: BalanceDefinition, tuned: str) -> tuple[str, ...]:
    """Return the panel with the tuned agent in place of the old one, or the tuned agent alone if that was not there."""
    if tuned in ("", definition.retune):
        return ()
    panel = definition.agents
    return (
        tuple(tuned if one == definition.retune else one for one in panel) if definition.retune in panel else (tuned,)
    )
