"""Records: all results of a game, as text and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from tag.playing.faults import Fault


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
