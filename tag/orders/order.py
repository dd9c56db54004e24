"""Orders: all that decides a game, as text and numbers, so that any process can play it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tag.orders.opening import Opening
from tag.playing.agent import Clock, Limits
from tag.playing.faults import FaultPolicy


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

    def limits(self) -> Limits:
        """Return the limits of isolated agents."""
        return Limits(self.memory_mb, self.hang_seconds)

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
        opening: the actions with which the game begins before any agent is asked, if there are some.
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
    opening: Opening | None = None
    chance_seeds: tuple[tuple[str, int], ...] = ()

    @property
    def specs(self) -> tuple[str, ...]:
        """The specs that the order names: the game type, the agents and the metrics."""
        return (self.game, *self.agents, *self.metrics)
