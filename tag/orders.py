"""Playing games by order: text and numbers in, text and numbers out, so that any process can do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter, process_time
from typing import Any, Final

from tag.catalogue import process_ends
from tag.catalogue.registry import make_agent, make_game, metric_class
from tag.catalogue.user_code import check_specs
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.rng import Rng, derive_seed
from tag.engine.snapshot import state_hash
from tag.errors import VoidGameError
from tag.playing.agent import Agent, Clock
from tag.playing.decorators import FirstMovesRandom, RestrictedForwardModel
from tag.playing.faults import Fault, FaultPolicy
from tag.playing.game import Game
from tag.playing.listener import Listener
from tag.playing.metrics import Metric
from tag.playing.recording import RecordedGame, Recorder, Recording

# --- calibration --------------------------------------------------------------------------------------------------------
#
# Calibration: how fast this process plays a game type, so that a time limit can buy the same thinking on any machine.


#: The piece of work is a number of steps of random games, the same on every machine. A run repeats it until it has taken
#: this much CPU time, in seconds; the result is the median of the runs.
_STEPS: Final = 100
_RUN_SECONDS: Final = 0.15
_RUNS: Final = 9
#: No run begins after so much wall time, in seconds, but there are enough for a median.
_SECONDS: Final = 1.6
_LEAST_RUNS: Final = 3


@dataclass(frozen=True)
class Speed:
    """Speed at which a process plays.

    Attributes:
        calls_per_second: forward-model calls per second of CPU time, each with the observation that comes before it.
        share: the CPU time that it got per second of wall time; 1 where it has a core to itself.
    """

    calls_per_second: float
    share: float

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (Speed, (self.calls_per_second, self.share))


@lru_cache(maxsize=64)
def own_speed(game: str, players: int) -> Speed:
    """Return how fast this process plays random games of the spec ``game`` with so many players.

    It is measured once, in up to about two seconds, in CPU time. It depends on the processor's speed and on the load of
    other processes on shared cores, but not on a moment in which another process gets the same core.
    """
    model = make_game(game)
    _play_piece(model, players)  # loads and builds what first use needs
    last_begin = perf_counter() + _SECONDS
    rates: list[float] = []
    shares: list[float] = []
    while len(rates) < _LEAST_RUNS or (len(rates) < _RUNS and perf_counter() < last_begin):
        steps, cpu, wall = _run(model, players)
        rates.append(float(steps) / cpu)
        shares.append(cpu / wall)
    return Speed(_median(rates), min(_median(shares), 1.0))


def _run(model: ForwardModel[Any], players: int) -> tuple[int, float, float]:
    """Do the piece of work for a while, and return its steps, and the CPU and wall time in seconds that they took."""
    steps = 0
    wall = perf_counter()
    cpu = process_time()
    took = 0.0
    while took < _RUN_SECONDS:
        _play_piece(model, players)
        steps += _STEPS
        took = process_time() - cpu
    return steps, took, perf_counter() - wall


def _play_piece(model: ForwardModel[Any], players: int) -> None:
    """Take `_STEPS` steps: in each the current player observes, and a random action is applied."""
    number = 0
    rng = Rng(derive_seed(number, "calibration"))
    state = model.setup(players, rng)
    for _step in range(_STEPS):
        if state.is_terminal:
            number += 1
            rng = Rng(derive_seed(number, "calibration"))
            state = model.setup(players, rng)
        state.observation(state.current_player, rng)
        actions = model.available_actions(state)
        model.next(state, actions[rng.below(len(actions))], rng)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


# --- playing games by order: text and numbers in, text and numbers out, so that any process can do it -------------------
#
# An order has all that decides a game; a record has all its results. The same order gives the same record (except for the
# seconds) in every process, interpreted or compiled, as long as the budgets are deterministic.


@dataclass
class Conditions:
    """Conditions of all games of a tournament: faults, clocks, isolation, and the reference speed of time limits.

    Attributes:
        policy: the fault policy.
        clock_seconds: each player's time for the whole game, 0 for no clock.
        increment_seconds: the seconds added to the clock after each decision.
        isolate: whether each agent plays in a process of its own (`tag.isolation`).
        memory_mb: the memory that such a process may use, in megabytes; 0 for no limit.
        hang_seconds: how long such a process may take for an answer before it is ended.
        reference_speed: the forward-model calls per second (`tag.orders`) of the machine on which times last as long
            as they say; they last longer on a slower one. 0 for no scaling on any machine.
    """

    policy: FaultPolicy = field(default_factory=FaultPolicy)
    clock_seconds: float = 0.0
    increment_seconds: float = 0.0
    isolate: bool = False
    memory_mb: int = 0
    hang_seconds: float = 60.0
    reference_speed: float = 0.0

    def lasting(self, factor: float) -> Conditions:
        """Return the same conditions with all times ``factor`` times as long, without those of the agents' own budgets."""
        return replace(
            self,
            policy=replace(self.policy, decision_seconds=factor * self.policy.decision_seconds),
            clock_seconds=factor * self.clock_seconds,
            increment_seconds=factor * self.increment_seconds,
            hang_seconds=factor * self.hang_seconds,
        )

    def clock(self) -> Clock | None:
        """Return a player's clock, if there is one."""
        return Clock(self.clock_seconds, self.increment_seconds) if self.clock_seconds > 0.0 else None


@dataclass
class GameOrder:
    """A game to be played.

    Attributes:
        game_id: the name of the game in its ledger.
        game: the spec of the game type.
        agents: the spec of the agent in each seat.
        seed: random seed of the game.
        conditions: faults and clocks.
        metrics: the names of the metrics that measure the game (`tag.catalogue.registry.metric_class`).
        record_actions: whether to record the actions.
        salts: one per seat, or none: agents' streams are keyed by them as well (`tag.playing.game.Game`).
        openings: how many moves at the beginning are drawn at random, the same for all agents; they do not know of it.
        chance_seeds: sources of chance with seeds of their own (`tag.playing.game.Game`).
    """

    game_id: str
    game: str
    agents: tuple[str, ...]
    seed: int
    conditions: Conditions = field(default_factory=Conditions)
    metrics: tuple[str, ...] = ()
    record_actions: bool = False
    salts: tuple[int, ...] = ()
    openings: int = 0
    chance_seeds: tuple[tuple[str, int], ...] = ()

    @property
    def specs(self) -> tuple[str, ...]:
        """The specs that the order names: the game type, the agents and the metrics."""
        return (self.game, *self.agents, *self.metrics)


@dataclass
class GameRecord:
    """Results of a game; the tuples have one entry per seat.

    Attributes:
        game_id: the order's.
        results: constants of `tag.engine.results`; all 0 (ongoing) in a void game.
        ordinals: places from 1, shared by players who cannot be separated.
        teams: numbers, the same for those who win and lose together.
        scores: the game's own points.
        decisions: how often the agent was asked.
        seconds: the wall time that the agent took.
        ticks: forward-model calls of the game.
        turns: turns ended.
        rounds: rounds ended.
        state_hash: `tag.engine.snapshot.state_hash` of the final position.
        void: whether a fault voided the game.
        faults: the faults, in order.
        measures: the measurements of the order's metrics, as pairs of name and values; nothing in a void game.
        choices: the actions as `tag.playing.recording.Recording` has them, if the order wants them recorded.
        forfeits: the players whose faults ended the game, as in a recording.
        cpu_seconds: the CPU time that the agent took (`tag.playing.game.Seat`); empty where it is not known.
        peak_mb: the most memory that the agent's process has had resident, in megabytes (2**20 bytes), 0 where that is not
            known; empty where agents are not isolated.
        actions_digest: a number for the sequence of all actions (`tag.playing.game.Game`); 0 where chance has decided, or it
            is not known.
    """

    game_id: str
    results: tuple[int, ...]
    ordinals: tuple[int, ...]
    teams: tuple[int, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    ticks: int
    turns: int
    rounds: int
    state_hash: str
    void: bool = False
    faults: list[Fault] = field(default_factory=list)
    measures: tuple[tuple[str, tuple[float, ...]], ...] = ()
    choices: tuple[int, ...] = ()
    forfeits: tuple[tuple[int, int], ...] = ()
    cpu_seconds: tuple[float, ...] = field(default=(), compare=False)
    peak_mb: tuple[float, ...] = field(default=(), compare=False)
    actions_digest: int = field(default=0, compare=False)


def play_order(order: GameOrder, listeners: Sequence[Listener] = ()) -> GameRecord:
    """Play the game that ``order`` describes, and report its events to ``listeners``.

    Examples:
        >>> record = play_order(GameOrder("g1", "tic_tac_toe", ("osla", "random"), seed=1))
        >>> record.ordinals, record.ticks, record.state_hash
        ((1, 2), 5, '09279a158e0b8299')
        >>> again = play_order(GameOrder("g1", "tic_tac_toe", ("osla", "random"), seed=1))
        >>> again.state_hash == record.state_hash
        True

    Raises:
        TagError: the order is wrong, or the game breaks its contract; faults of agents are recorded instead.
    """
    metrics = _metrics(order)
    recorders = [Recorder()] if order.record_actions else []
    process_ends.refuse()
    try:
        game = new_game(order, [*listeners, *metrics, *recorders])
        record = _played(game, order.game_id)
        if order.conditions.isolate:
            record.peak_mb = tuple(game.peaks_mb())
    finally:
        process_ends.permit()
        if order.conditions.isolate:
            _end_isolated()
    if metrics and not record.void:
        record.measures = _measures(metrics)
    for recorder in recorders:
        record.choices = tuple(recorder.choices)
    return record


def play_recording(recording: Recording, listeners: Sequence[Listener] = ()) -> GameRecord:
    """Play a game from its recording, without its agents, and report its events to ``listeners``.

    The record has no decisions, seconds and faults, as these belong to the agents.

    Examples:
        >>> record = play_order(GameOrder("g1", "nim", ("random", "random"), seed=1, record_actions=True))
        >>> record.choices
        (0, 8, 0, 2, 4)

    Raises:
        DataError: the recording does not fit the rules.
        TagError: there is no such game type, or it cannot seat so many.
    """
    record = _played(RecordedGame(_model(recording.game), recording, listeners), recording.game_id)
    record.choices = tuple(recording.choices)
    return record


def _played(game: Game, game_id: str) -> GameRecord:
    """Play to the end and return the record, without measures and choices."""
    void = False
    try:
        game.play()
    except VoidGameError:
        void = True
    state = game.state
    seats = range(len(game.agents))
    return GameRecord(
        game_id,
        tuple([int(state.result(seat)) for seat in seats]),
        tuple([int(state.ordinal(seat)) for seat in seats]),
        tuple([int(state.team(seat)) for seat in seats]),
        tuple([state.score(seat) for seat in seats]),
        tuple(game.decisions),
        tuple(game.seconds),
        int(state.tick),
        int(state.turn),
        int(state.round),
        state_hash(state),
        void,
        game.faults,
        forfeits=tuple(game.forfeits),
        cpu_seconds=tuple(game.cpu_seconds),
        actions_digest=game.actions_digest,
    )


def new_game(order: GameOrder, listeners: Sequence[Listener] = ()) -> Game:
    """Return the game that ``order`` describes, set up and not yet played.

    Raises:
        TagError: the order is wrong, or would run what the user has not vouched for.
    """
    check_specs(order.specs)
    factor = _time_factor(order)
    conditions = order.conditions if factor == 1.0 else order.conditions.lasting(factor)
    model = _model(order.game)
    if conditions.isolate:
        agents, models = _isolated(order, conditions), [model] * len(order.agents)  # these look ahead elsewhere
    else:
        known = [_agent_type(order.game, text) for text in order.agents]
        agents, models = [cls(parameters) for cls, parameters, _rules in known], [rules for _cls, _own, rules in known]
    if order.openings > 0:
        drawn = FirstMovesRandom(order.openings, derive_seed(order.seed, "opening"))
        model = RestrictedForwardModel(model, [drawn], decision_only=True)
    return Game(
        model,
        agents,
        order.seed,
        policy=conditions.policy,
        clock=conditions.clock(),
        time_factor=factor,
        listeners=listeners,
        salts=order.salts,
        chance_seeds=dict(order.chance_seeds),
        search_models=models,
    )


def _time_factor(order: GameOrder) -> float:
    """Return the factor on times here that gives as many forward-model calls as at the reference speed."""
    reference = order.conditions.reference_speed
    return reference / own_speed(order.game, len(order.agents)).calls_per_second if reference > 0.0 else 1.0


def _metrics(order: GameOrder) -> list[Metric]:
    if not order.metrics:
        return []
    model = _model(order.game)
    seed = derive_seed(order.seed, "metrics")
    return [metric_class(name)(model, Rng(seed, number)) for number, name in enumerate(order.metrics)]


def _measures(metrics: list[Metric]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    return tuple([(name, tuple(values)) for metric in metrics for name, values in metric.values().items()])


def forget_user_code() -> None:
    """Make games and agents anew from now on, as the text of a user's file has changed."""
    _model.cache_clear()
    _agent_type.cache_clear()


@lru_cache(maxsize=64)
def _model(text: str) -> ForwardModel[Any]:
    return make_game(text)


@lru_cache(maxsize=1024)
def _agent_type(game: str, text: str) -> tuple[type[Agent], Parameters, ForwardModel[Any]]:
    """Return class and parameters of an agent, and the rules for its look-ahead, which are for it alone."""
    agent = make_agent(text)
    return type(agent), agent.parameters, make_game(game).search_model()


def _isolated(order: GameOrder, conditions: Conditions) -> list[Agent]:
    from tag.isolation._agent import isolated_agents  # noqa: PLC0415  most games need no processes

    return isolated_agents(order.game, order.agents, conditions.memory_mb, conditions.hang_seconds)


def _end_isolated() -> None:
    from tag.isolation._agent import close_agents  # noqa: PLC0415  as above

    close_agents()
