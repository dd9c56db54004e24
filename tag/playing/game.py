"""The game loop: one playing of a game type, from set-up to results.

It is algorithm 1 of the TAG report: observation, available actions, the agent's choice, next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter, thread_time
from typing import Any, Final, final

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.kept_actions import group_of, is_changed, is_watching, note_suspects, restore, restore_all, watch
from tag.engine.results import DISQUALIFIED, TIMEOUT
from tag.engine.rng import Rng, derive_seed, derive_seeds
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, Event, GameState, is_among
from tag.errors import (
    ContractError,
    DataError,
    ParameterError,
    VoidGameError,
    is_of_signal,
    nearest,
    one_line,
    sentence_of,
)
from tag.playing.agent import Agent, Budget, Clock, RemoteAgent, SearchParameters, Simulator, interpreted
from tag.playing.faults import (
    CHANGED_ACTION,
    CLOCK_EXHAUSTED,
    ENDS_PROCESS,
    EXCEPTION,
    FORFEIT,
    HANG,
    ILLEGAL_ACTION,
    OVER_BUDGET,
    TIME_OUT,
    VOID,
    AgentGone,
    Fault,
    FaultPolicy,
    RemoteFault,
    text_of,
)
from tag.playing.garbage import collect_garbage
from tag.playing.listener import Listener

#: A game that takes more forward-model calls than this counts as one that never ends.
MAX_TICKS: Final = 1_000_000

#: Beginning of mypyc's message that an object is no action.
_NO_ACTION: Final = "tag.engine.state.Action object expected; got "

#: Version of the streams: it changes when the same seed gives an agent other numbers. Since version 2 no stream that an
#: agent sees reveals anything about the stream of chance.
STREAMS_VERSION: Final = 2

#: Modules whose agents change no action.
_OUR_MODULES: Final = "tag."

#: The budget of seats before the game begins.
_NO_BUDGET: Final = Budget(0)
#: So many positions are kept for an agent that watches: one that is out of the game is never asked again.
_MOST_WATCHED: Final = 1000

#: The stream that selects the measured decisions; chance has one per round, and no round has this number.
_MEASURING: Final = 1 << 30

#: The clocks as module constants: compiled code looks up imported names in a dictionary.
_now: Final = perf_counter
_cpu_now: Final = thread_time

#: Reading the CPU clock is a system call of up to a microsecond, as long as a quick decision takes. So only one of so
#: many quick decisions is measured, drawn at random, and stands for all of them.
_SAMPLED: Final = 64
#: Decisions are quick as long as none in the game has taken more wall time than this, in seconds. The first decision of an
#: agent that searches does not count as quick.
_QUICK: Final = 100e-6
#: The digest of the actions is two polynomials in two numbers, modulo a prime below 2³¹: no product exceeds 63 bits.
_DIGEST_PRIME: Final = 2_147_483_647
_DIGEST_LOW: Final = 1_000_003
_DIGEST_HIGH: Final = 48_271


@final
class ActionsDigest:
    """A digest of a sequence of actions, by their numbers among those available."""

    __slots__ = ("_high", "_low")
    _high: i64
    _low: i64

    def __init__(self) -> None:
        """Start with no action."""
        self._high = 0
        self._low = 0

    def add(self, action: AnyAction, actions: list[AnyAction]) -> None:
        """Add the next action."""
        number: i64 = 1
        for one in actions:
            if one is action:
                break
            number += 1
        self._high = (self._high * _DIGEST_HIGH + number) % _DIGEST_PRIME
        self._low = (self._low * _DIGEST_LOW + number) % _DIGEST_PRIME

    @property
    def value(self) -> int:
        """Return a number below 2⁶² for the sequence; never 0."""
        return int(self._high) * _DIGEST_PRIME + int(self._low) + 1


@final
class Seat(Copyable):
    """An agent at the table.

    Attributes:
        agent: the agent that decides.
        sim: its simulator; the loop keeps it, as the agent may replace its own.
        budget: of ``sim``, kept for the same reason.
        observing: the stream of its observations.
        most_calls: the forward-model calls that it may make in a decision, -1 for any number.
        most_copies: the copies and observations that it may make in a decision, -1 for any number.
        is_over_budget: whether it has made more of either.
        decisions: how often it was asked.
        watched: what it is shown of the positions between its decisions, if it watches.
        heard: the events that it is told of between its decisions, if it listens.
        seconds: the wall time that it took.
        cpu_seconds: the CPU time of this thread that it took, without bias: exact where every decision is measured.
    """

    __slots__ = (
        "_drawn",
        "_is_quick",
        "_left",
        "_longest",
        "_remote",
        "agent",
        "budget",
        "cpu_seconds",
        "decisions",
        "heard",
        "is_over_budget",
        "most_calls",
        "most_copies",
        "observing",
        "seconds",
        "sim",
        "watched",
    )
    agent: Agent
    sim: Simulator
    budget: Budget
    observing: Rng
    most_calls: i64
    most_copies: i64
    is_over_budget: bool
    decisions: i64
    watched: list[GameState]
    heard: list[Event]
    seconds: float
    cpu_seconds: float
    _remote: RemoteAgent | None
    _is_quick: bool
    _longest: float
    _left: i64
    _drawn: i64

    def __init__(self, agent: Agent, model: ForwardModel[Any], drawing: Rng, observing: Rng) -> None:
        """Take the seat, with rules to look ahead with, and streams for the agent's draws and observations."""
        self.agent = agent
        self.observing = observing
        self.budget = _NO_BUDGET
        self.sim = Simulator(model, drawing, self.budget)
        self.most_calls = -1
        self.most_copies = -1
        self.is_over_budget = False
        self.decisions = 0
        self.watched = []
        self.heard = []
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self._remote = agent if isinstance(agent, RemoteAgent) else None
        self._is_quick = not isinstance(agent.parameters, SearchParameters)
        self._longest = 0.0
        self._left = 0
        self._drawn = 0

    def weight(self, measuring: Rng) -> i64:
        """Return how many decisions the next one represents in `cpu_seconds`; 0 if it is not measured.

        Each quick decision is measured with the same probability, independent of its time: the sum is not biased.
        """
        if self._remote is not None:
            return 0
        if not self._is_quick:
            return 1
        if self._left == 0:
            self._left = _SAMPLED
            self._drawn = measuring.below(_SAMPLED)
        self._left -= 1
        return _SAMPLED if self._left == self._drawn else 0

    def spend(self, seconds: float, weight: i64, cpu_seconds: float) -> None:
        """Add the time of a decision."""
        self.seconds += seconds
        if weight > 0:
            self.cpu_seconds += float(weight) * cpu_seconds
        elif self._remote is not None:
            self.cpu_seconds = self._remote.cpu_seconds
        self._longest = max(self._longest, seconds)
        self._is_quick = self._longest <= _QUICK

    def peak_mb(self) -> float:
        """Return the most memory of the agent's process in megabytes, 0 where it has none or that is unknown."""
        return 0.0 if self._remote is None else self._remote.peak_mb()

    def take_budget(self, budget: Budget) -> None:
        """Give the agent its budget, and note its limits: the agent may change the budget itself."""
        self.budget = self.sim.budget = budget
        self.most_calls = budget.most_calls
        self.most_copies = budget.most_copies


class Game(Copyable):
    """One playing: a forward model, an agent per seat and a seed, which together decide the whole game.

    The streams are keyed: chance by (seed, round), each seat's agent and each seat's observations by (seed, seat) and, where
    it has one, the seat's salt. Seeds of seats are hashes of the game's seed, so an agent's streams do not lead back to
    chance. Agents look ahead with copies of the rules.

    Examples:
        >>> from tag import make_agent, make_game
        >>> game = Game(make_game("love_letter"), [make_agent("osla"), make_agent("random")], seed=1)
        >>> state = game.play()
        >>> [state.ordinal(player) for player in range(2)], game.decisions, game.faults
        ([1, 2], [15, 10], [])

    Attributes:
        state: the position; the final one after `play`.
        faults: the faults, in order.
        forfeits: the players whose faults ended the game, in order, each with the result that it got for it.
    """

    _chance_round: i64
    _has_drawn: bool
    _has_opening_seed: bool
    _hearers: list[int]
    _opened: i64
    _round: i64
    _turn: i64
    _watchers: list[int]

    def __init__(
        self,
        model: ForwardModel[Any],
        agents: Sequence[Agent],
        seed: int,
        *,
        policy: FaultPolicy | None = None,
        clock: Clock | None = None,
        time_factor: float = 1.0,
        listeners: Sequence[Listener] = (),
        salts: Sequence[int] = (),
        chance_seeds: Mapping[str, int] | None = None,
        search_models: Sequence[ForwardModel[Any]] = (),
        opening: Sequence[int] = (),
        opening_seed: i64 = -1,
    ) -> None:
        """Set the game up.

        Args:
            model: the rules.
            agents: one per seat.
            seed: random seed; with deterministic budgets it decides the whole game.
            policy: the fault policy.
            clock: each player's time for the whole game.
            time_factor: how many times as long the agents' own time budgets last as they say (`tag.orders`).
            listeners: receive the events of the game.
            salts: one per seat, or none; agents of the same spec and seat draw different numbers if their salts differ.
            chance_seeds: seeds of sources of chance (`GameType.chance_sources`) in place of ``seed``, for games to share.
            search_models: the rules with which agents look ahead, one per seat, for them alone; by default copies are made.
            opening: the first actions, which no agent decides, by their numbers among those available, from 0.
            opening_seed: random seed of the deal and of all chance in the opening; -1 for ``seed``.

        Raises:
            PlayersError: the game cannot seat so many.
            ParameterError: it has no source of chance of such a name.
        """
        self.model = model
        restore_all(group_of(type(model.undecorated()).__module__))
        self.policy = policy or FaultPolicy()
        self.listeners = list(listeners)
        self.agents, n = list(agents), len(agents)
        self._seed = derive_seed(seed, "game")
        self._time_factor = time_factor
        self._begin_chance(chance_seeds, opening_seed)
        models = list(search_models) or [model.search_model().copy() for _seat in range(n)]
        seats = zip(agents, models, *_seat_seeds(seed, n, salts), strict=True)
        self._seats = [Seat(agent, rules, Rng(draws), Rng(sees)) for agent, rules, draws, sees in seats]
        self._substitutes: Rng | None = None
        self._measuring = Rng(self._seed, _MEASURING)
        self.clocks = [] if clock is None else [clock.copy() for _seat in range(n)]
        self._clock_seconds = 0.0 if clock is None else clock.remaining
        self.state: GameState = model.setup(n, self._chance)
        self.state.recording = any([listener.hears_events() for listener in self.listeners])
        self.faults: list[Fault] = []
        self.forfeits: list[tuple[int, int]] = []
        self._turn = self._round = 0
        self._actions = ActionsDigest()
        self._suspects = _suspects(self.agents)
        self._is_watched: bool = is_watching()
        self._watchers, self._hearers = [], []
        self._begin_opening(opening)

    @property
    def decisions(self) -> list[int]:
        """Return how often each seat's agent was asked."""
        return [int(seat.decisions) for seat in self._seats]

    @property
    def actions_digest(self) -> int:
        """Return the digest of all actions; 0 where chance has decided, as the same actions then make no game the same.

        A game type whose actions have no chance may draw in the set-up: that shows in the final position.
        """
        if self.model.game_type.chance and (self._has_drawn or self._chance.has_drawn):
            return 0
        return self._actions.value

    @property
    def seconds(self) -> list[float]:
        """Return the wall time that each seat's agent took."""
        return [seat.seconds for seat in self._seats]

    @property
    def cpu_seconds(self) -> list[float]:
        """Return the CPU time that each seat's agent took: of this thread, or of its process where it is isolated."""
        return [seat.cpu_seconds for seat in self._seats]

    def peaks_mb(self) -> list[float]:
        """Return the most memory of each isolated agent's process in megabytes, 0 where it is unknown."""
        return [seat.peak_mb() for seat in self._seats]

    def play(self) -> GameState:
        """Play to the end and return the final state.

        Raises:
            VoidGameError: a fault voided the game, by the policy, or an agent has changed an action.
            ContractError: the game offers no action although it is not over, or does not end.
        """
        self.start()
        state = self.state
        while not state.is_terminal:
            self.step()
        self.end()
        return state

    def step(self) -> None:
        """Play one action; before every eighth, Python handles signals, as `interpreted` says.

        Examples:
            >>> from tag import make_agent, make_game
            >>> game = Game(make_game("nim"), [make_agent("random"), make_agent("random")], seed=1)
            >>> game.start()
            >>> while not game.state.is_terminal:
            ...     game.step()
            >>> game.end()
            >>> game.state.tick
            5
        """
        state = self.state
        if state.tick & 7 == 0:
            interpreted()
        actions = self.model.available_actions(state)
        player = state.current_player
        if len(actions) == 0:
            raise ContractError(f"no action is available to player {player} although the game is not over")
        if self._opened < len(self._opening):
            self._open(player, actions)
            return
        seat = self._seats[player]
        asked = len(actions) > 1 or seat.agent.wants_single_actions
        if self._watchers:
            self._show(player if asked else -1)
        action = self._ask(seat, player, actions) if asked else actions[0]
        if action is None:
            return
        if self._is_watched and is_changed(action):
            self._void_changed(player, [restore(action)])
        self._take(player, action, actions, seat.agent if asked else None)

    def _take(self, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None) -> None:
        """Apply one of the available ``actions``, which ``agent`` has chosen, if one was asked."""
        state = self.state
        self._actions.add(action, actions)
        if self.listeners:
            self._tell_chosen(player, action, actions, agent)
        if state.round != self._chance_round:
            self._chance_round = state.round
            self._has_drawn = self._has_drawn or self._chance.has_drawn
            self._chance.select(state.round)
        self.model.next(state, action, self._chance)
        if state.tick > MAX_TICKS:
            raise ContractError(f"the game is not over after {MAX_TICKS} actions")
        if self.listeners or self.clocks or self._hearers:
            self._tell_taken(player, action)

    def _begin_chance(self, chance_seeds: Mapping[str, int] | None, opening_seed: i64) -> None:
        """Start the streams of chance, those of the opening first."""
        self._chance_seeds = _seeds_of_sources(self.model, chance_seeds) if chance_seeds else {}
        self._has_opening_seed = opening_seed >= 0
        self._chance = (
            Rng(derive_seed(opening_seed, "game")) if self._has_opening_seed else self._chance_after_opening()
        )
        self._chance_round = 0
        self._has_drawn = False

    def _begin_opening(self, opening: Sequence[int]) -> None:
        """Note the opening, and leave listeners out that do not hear it."""
        self._opening = list(opening)
        self._opened = 0
        self._late: list[Listener] = []
        if opening:
            self._late, self.listeners = self.listeners, [one for one in self.listeners if one.hears_openings()]

    def _open(self, player: i64, actions: list[AnyAction]) -> None:
        """Take the next action of the opening; agents that watch see the position before it, as before all others.

        Raises:
            DataError: there is no action of this number.
        """
        number = self._opening[self._opened]
        self._opened += 1
        if not 0 <= number < len(actions):
            raise DataError(
                f"action {self._opened} of the opening cannot be number {number}; there are 0 to {len(actions) - 1}"
            )
        if self._watchers:
            self._show(-1)
        self._take(player, actions[number], actions, None)
        if self._opened == len(self._opening):
            self._end_opening()

    def _end_opening(self) -> None:
        """Begin ordinary play: its chance and its clocks, and listeners that do not hear openings."""
        state = self.state
        if self._has_opening_seed:
            self._has_drawn = self._has_drawn or self._chance.has_drawn
            self._chance = self._chance_after_opening()
            self._chance_round = state.round
            self._chance.select(state.round)
        for clock in self.clocks:
            clock.remaining = self._clock_seconds
        state.announced = ()
        self._turn, self._round = state.turn, state.round
        self._admit_late()

    def _admit_late(self) -> None:
        """Start the game for the listeners that did not hear the opening."""
        for listener in self._late:
            if listener not in self.listeners:
                listener.on_start(self.state)
        self.listeners, self._late = self._late, []

    def _chance_after_opening(self) -> Rng:
        """Return the stream of chance in ordinary play."""
        chance = Rng(self._seed)
        if self._chance_seeds:
            chance.set_apart(self._chance_seeds)
        return chance

    def _show(self, asked: i64) -> None:
        """Keep an observation of the position for the agents that watch, but for who is ``asked`` now.

        It tells what the player sees at the table, and so as much of the others' actions as is public.
        """
        for player in self._watchers:
            if player != asked:
                seat = self._seats[player]
                seat.watched.append(self.state.observation(player, seat.observing))
                if len(seat.watched) > _MOST_WATCHED:
                    del seat.watched[0]

    def start(self) -> None:
        """Give the agents their budgets and let them prepare; before the first `step`, which `play` does itself."""
        state = self.state
        if self._suspects:
            note_suspects()
        for player in range(state.n_players):
            seat = self._seats[player]
            observation = state.observation(player, seat.observing)
            try:
                agent = seat.agent
                budget = agent.new_budget()
                budget.time_factor = self._time_factor
                if self.clocks:
                    budget.clock = self.clocks[player].copy()
                seat.take_budget(budget)
                agent.sim = seat.sim
                agent.player = player
                agent.start_game(observation)
                self._note_wishes(agent, player)
            except BaseException as error:  # noqa: BLE001  as in _ask
                _pass_on(error)
                self._fault(_kind(error), player, _sentence(error))
        for listener in self.listeners:
            listener.on_start(state)
        if state.recording:
            self.model.announce_setup(state)
            for event in self._announced():
                for listener in self.listeners:
                    listener.on_game_event(state, event)

    def _note_wishes(self, agent: Agent, player: int) -> None:
        """Ask an agent whether it watches and whether it listens; for one that listens, the game makes events."""
        if agent.watches():
            self._watchers.append(player)
        if agent.listens():
            self._hearers.append(player)
            self.state.recording = True

    def end(self) -> None:
        """Tell listeners and agents the final position; after the last `step`, which `play` does itself."""
        state = self.state
        if self._late:
            self._admit_late()  # a fault has ended the game before its opening
        for listener in self.listeners:
            listener.on_end(state)
        for player in range(state.n_players):
            seat = self._seats[player]
            try:
                seat.agent.heard = seat.heard
                seat.agent.end_game(state.observation(player, seat.observing))
            except AgentGone:
                continue
            except BaseException as error:  # noqa: BLE001  as in _ask
                _pass_on(error)
                self.faults.append(Fault(_kind(error), int(player), int(state.tick), _sentence(error)))
        collect_garbage()
        if self._suspects:
            self._void_changed(-1, restore_all(group_of(type(self.model.undecorated()).__module__)))

    def _void_changed(self, player: i64, changes: list[str]) -> None:
        """Void the game if there are ``changes`` of actions, found once ``player`` has chosen (-1: later), and undone."""
        if not changes:
            return
        message = f"a shared action has been changed: {changes[0]}"
        for seat in [int(player)] if int(player) in self._suspects else self._suspects:
            self.faults.append(Fault(CHANGED_ACTION, seat, int(self.state.tick), message))
        raise VoidGameError(message)

    def _ask(self, seat: Seat, player: i64, actions: list[AnyAction]) -> AnyAction | None:
        """Return the agent's choice, or its substitute by the policy, None if the fault ended the game."""
        agent = seat.agent
        observation = self.state.observation(player, seat.observing)
        sim = seat.sim
        budget = sim.budget = seat.budget
        if self.clocks and budget.clock is not None:
            budget.clock.remaining = self.clocks[player].remaining
        budget.start()
        calls, copies = sim.calls, sim.copies
        seat.decisions += 1
        watched, seat.watched = seat.watched, []
        heard, seat.heard = seat.heard, []
        weight = seat.weight(self._measuring)
        cpu_begin = _cpu_now() if weight > 0 else 0.0
        begin = _now()
        try:
            agent.watched = watched
            agent.heard = heard
            action = agent.act(observation, actions[:])
        except BaseException as error:  # noqa: BLE001  an agent's own mistake must not end the tournament
            _pass_on(error)
            if isinstance(error, AgentGone) and self._has_lost_process(player):
                seat.decisions -= 1
                return self._substitute(actions)
            seat.spend(_now() - begin, weight, _cpu_now() - cpu_begin)
            return self._substituted(_kind(error), player, actions, _sentence(error))
        took = _now() - begin
        seat.spend(took, weight, _cpu_now() - cpu_begin if weight > 0 else 0.0)
        self._check_spending(seat, player, sim.calls - calls, sim.copies - copies)
        if not is_among(action, actions):
            return self._substituted(ILLEGAL_ACTION, player, actions, f"{text_of(action)} is not available")
        if self.clocks and not self.clocks[player].spend(took):
            return self._substituted(CLOCK_EXHAUSTED, player, actions, f"{took:.3f} s were more than its clock had")
        limit = self.policy.decision_seconds
        if limit > 0.0 and took > limit:
            return self._substituted(TIME_OUT, player, actions, f"{took:.3f} s for a decision of {limit:g} s")
        return action

    def _check_spending(self, seat: Seat, player: i64, calls: i64, copies: i64) -> None:
        """Record, once per game, that a decision has cost more than the agent's budget; its choice stands."""
        is_over = (calls > seat.most_calls >= 0) or (copies > seat.most_copies >= 0)
        if is_over and not seat.is_over_budget:
            seat.is_over_budget = True
            unit, spent, limit = ("forward-model calls", calls, seat.most_calls)
            if seat.most_calls < 0:
                unit, spent, limit = ("copies", copies, seat.most_copies)
            message = f"{spent} {unit} for a decision, with a budget of {limit}"
            self.faults.append(Fault(OVER_BUDGET, int(player), int(self.state.tick), message))

    def _has_lost_process(self, player: i64) -> bool:
        return any([fault.player == player and fault.kind in ENDS_PROCESS for fault in self.faults])

    def _substituted(self, kind: str, player: i64, actions: list[AnyAction], message: str) -> AnyAction | None:
        """Return a random action in the place of a faulty one, or None if the fault ended the game."""
        self._fault(kind, player, message)
        return None if self.state.is_terminal else self._substitute(actions)

    def _substitute(self, actions: list[AnyAction]) -> AnyAction:
        if self._substitutes is None:
            self._substitutes = Rng(derive_seed(self._seed, "substitutes"))
        return self._substitutes.choice(actions)

    def _fault(self, kind: str, player: i64, message: str) -> None:
        """Record the fault, and end the game or void it where the policy says so."""
        self.faults.append(Fault(kind, int(player), int(self.state.tick), message))
        what = self.policy.for_kind(kind)
        if what == VOID:
            raise VoidGameError(f"{kind} of player {player}: {message}")
        if what == FORFEIT:
            is_late = kind in (CLOCK_EXHAUSTED, TIME_OUT, HANG)
            self._forfeit(player, TIMEOUT if is_late else DISQUALIFIED)

    def _forfeit(self, player: i64, result: int) -> None:
        """End the game by score, with ``result`` for ``player`` at any score."""
        self.forfeits.append((int(player), result))
        self.state.set_result(player, result)
        self.state.end_by_score()

    def _tell_chosen(self, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None) -> None:
        for listener in self.listeners:
            listener.on_action_chosen(self.state, player, action, actions, agent)

    def _tell_taken(self, player: i64, action: AnyAction) -> None:
        state = self.state
        turn_over = state.turn != self._turn
        round_over = state.round != self._round
        self._turn = state.turn
        self._round = state.round
        if self.clocks:
            self._add_increments(player, turn_over, round_over)
        events = self._announced()
        for listener in self.listeners:
            listener.on_action_taken(state, player, action)
            for event in events:
                listener.on_game_event(state, event)
            if turn_over:
                listener.on_turn_over(state)
            if round_over:
                listener.on_round_over(state)

    def _announced(self) -> tuple[Event, ...]:
        """Return the events that the game has announced, and forget them; keep what agents that listen are told of them."""
        state = self.state
        events, state.announced = state.announced, ()
        for player in self._hearers:
            heard = self._seats[player].heard
            for event in events:
                known = event.known_to(player)
                if known is event:  # what an agent does to its events must not reach others
                    known = Event(
                        event.name,
                        event.player,
                        event.value,
                        event.items,
                        event.places,
                        event.reason,
                        event.words,
                        event.back,
                        event.seen_by,
                        event.told_to,
                    )
                if known is not None:
                    heard.append(known)
        return events

    def _add_increments(self, player: i64, turn_over: bool, round_over: bool) -> None:
        if turn_over:
            self.clocks[player].remaining += self.clocks[player].per_turn
        if round_over:
            for clock in self.clocks:
                clock.remaining += clock.per_round


def _suspects(agents: list[Agent]) -> list[int]:
    """Return the seats of agents that are no part of this package and play in this process; have games watch them."""
    found = [seat for seat, agent in enumerate(agents) if not type(agent).__module__.startswith(_OUR_MODULES)]
    if found:
        watch()
    return found


def _seat_seeds(seed: int, n: int, salts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return for each seat the seed of its agent's draws, and that of its observations."""
    if not salts:
        seeds = derive_seeds(2 * n, seed, "seats")
        return seeds[:n], seeds[n:]
    pairs = [derive_seeds(2, seed, f"seat\x1f{seat}\x1f{salts[seat]}") for seat in range(n)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _seeds_of_sources(model: ForwardModel[Any], seeds: Mapping[str, int]) -> dict[str, int]:
    """Return the seeds of the streams of these sources of chance."""
    known = model.game_type.chance_sources
    for name in seeds:
        if name not in known:
            raise ParameterError(f"{model.game_type.title} has no source of chance {name!r}{nearest(name, known)}")
    return {name: derive_seed(seed, "chance", name) for name, seed in seeds.items()}


def _pass_on(error: BaseException) -> None:
    """Raise errors that are no agent's mistake: Ctrl-C of the user (or an agent), and the end of the process by a signal."""
    if isinstance(error, KeyboardInterrupt) or (isinstance(error, SystemExit) and is_of_signal(error)):
        raise error


def _kind(error: BaseException) -> str:
    if isinstance(error, RemoteFault):
        return error.kind
    return ILLEGAL_ACTION if _is_of_no_action(error) else EXCEPTION


def _is_of_no_action(error: BaseException) -> bool:
    """Say whether `Agent.act` returned an object that is no action.

    Compiled, the game loop itself finds out, and raises; an agent that did so inside would be further down the trace.
    """
    trace = error.__traceback__
    is_outermost = trace is None or trace.tb_next is None
    return isinstance(error, TypeError) and is_outermost and str(error).startswith(_NO_ACTION)


def _sentence(error: BaseException) -> str:
    if isinstance(error, RemoteFault):
        return error.message
    if _is_of_no_action(error):
        return f"{one_line(str(error).removeprefix(_NO_ACTION))} is not available"
    return sentence_of(error)
