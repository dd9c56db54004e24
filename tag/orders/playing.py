"""Playing games by order.

The same order gives the same record (except for the seconds) in every process, interpreted or compiled, as long as the
budgets are deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tag.catalogue import process_ends
from tag.catalogue.registry import make_agent, make_game, metric_class
from tag.catalogue.user_code import check_specs
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.rng import Rng, derive_seed
from tag.engine.snapshot import state_hash
from tag.errors import VoidGameError
from tag.orders.budgets import with_game_budget
from tag.orders.opening import choices_of
from tag.orders.order import Conditions, GameOrder
from tag.orders.record import GameRecord
from tag.orders.speed import own_speed
from tag.playing.agent import Agent
from tag.playing.game import Game
from tag.playing.listener import Listener
from tag.playing.metrics import Metric
from tag.playing.recording import RecordedGame, Recorder, Recording


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
    specs = tuple([with_game_budget(text, order.game) for text in order.agents])
    if conditions.isolate:
        agents, models = _isolated(order.game, specs, conditions), [model] * len(specs)  # these look ahead elsewhere
    else:
        known = [_agent_type(order.game, text) for text in specs]
        agents, models = [cls(parameters) for cls, parameters, _rules in known], [rules for _cls, _own, rules in known]
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
        opening=opening_choices(order),
        opening_seed=order.opening.own_seed if order.opening else -1,
    )


def opening_choices(order: GameOrder) -> tuple[int, ...]:
    """Return the actions of the opening of an order, by their numbers among those available."""
    if order.opening is None:
        return ()
    return choices_of(order.opening, _model(order.game), len(order.agents), order.seed, order.chance_seeds)


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


def _isolated(game: str, agents: tuple[str, ...], conditions: Conditions) -> list[Agent]:
    from tag.isolation._agent import isolated_agents  # noqa: PLC0415  most games need no processes

    return isolated_agents(game, agents, conditions.limits())


def _end_isolated() -> None:
    from tag.isolation._agent import close_agents  # noqa: PLC0415  as above

    close_agents()
