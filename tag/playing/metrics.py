"""Metrics: measurements of any game while it is played (μ1 to μ7 of the TAG report, and more)."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.results import WIN
from tag.engine.rng import Rng, float_sum
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.playing.agent import Agent
from tag.playing.listener import Listener

# --- metrics: listeners that measure a game while it is played ----------------------------------------------------------


#: Expensive measures are taken at one decision of so many.
STRIDE: Final = 8


@mypyc_attr(allow_interpreted_subclasses=True)
class Metric(Listener):
    """Measures one game: a listener that has values once the game is over.

    It sees the true states, with what players cannot know. The same game gives the same values on every worker and in
    every build; so a clock time is no metric.

    A game declares its own metric in its game type (`GameType.metric`).

    Examples:
        >>> from typing import ClassVar
        >>> from tag import Game, make_agent, make_game
        >>> class Length(Metric):
        ...     measures: ClassVar[dict[str, str]] = {"length": "actions of a game"}
        ...     def on_end(self, state):
        ...         self.ticks = int(state.tick)
        ...     def values(self):
        ...         return {"length": [float(self.ticks)]}
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> model = make_game("nim")
        >>> length = Length(model, Rng(1))
        >>> state = Game(model, agents, seed=1, listeners=[length]).play()
        >>> length.values()
        {'length': [5.0]}

    Attributes:
        measures: the measures by name: one line for people each, with the unit. ``share of …`` is for values between 0
            and 1, which are shown in percent, and ``share of games …`` for one value of 0 or 1 per game.
        model: the rules.
        rng: for metrics that sample.
        counts: what a metric counts, by names of its own; all are 0 at first.
    """

    measures: ClassVar[dict[str, str]] = {}

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Get ready for one game."""
        self.model = model
        self.rng = rng
        self.counts: Counter[str] = Counter()

    def values(self) -> dict[str, list[float]]:
        """Return the measurements of the finished game, by the names in ``measures``.

        A measure has any number of values in a game: one, one per action in their order, or none where it does not apply.
        """
        raise NotImplementedError


def share(part: i64, whole: i64) -> list[float]:
    """Return the share as the one value of a measure, no value if the whole is 0."""
    return [float(part) / float(whole)] if whole else []


@mypyc_attr(allow_interpreted_subclasses=True)
class Stride(Copyable):
    """Picks one of `STRIDE` calls, the first at random: every decision has the same chance to be measured."""

    __slots__ = ("_wait",)
    _wait: i64

    def __init__(self, rng: Rng) -> None:
        """Draw the first."""
        self._wait = rng.below(STRIDE)

    def picks(self) -> bool:
        """Say whether this call is picked."""
        picked = self._wait == 0
        self._wait = STRIDE - 1 if picked else self._wait - 1
        return picked


# --- metrics of the available actions: action space size and branching factor -------------------------------------------


class ActionSpaceMetric(Metric):
    """Action space size (μ1 of the TAG report) and the share of actions without an alternative.

    Examples:
        >>> from tag import Game, make_agent, make_game
        >>> model = make_game("tic_tac_toe")
        >>> sizes = ActionSpaceMetric(model, Rng(1))
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> state = Game(model, agents, seed=1, listeners=[sizes]).play()
        >>> sizes.values()
        {'actions': [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0], 'single_actions': [0.1111111111111111]}
    """

    measures: ClassVar[dict[str, str]] = {
        "actions": "actions available to the player to act, at every action of the game",
        "single_actions": "share of a game's actions that were the only one available",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without counts."""
        super().__init__(model, rng)
        self._sizes: list[float] = []
        self._single: i64 = 0

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the available actions."""
        self._sizes.append(float(len(actions)))
        if len(actions) == 1:
            self._single += 1

    def values(self) -> dict[str, list[float]]:
        """Return the size at each action, and the share of ones."""
        if not self._sizes:
            return {}
        return {"actions": self._sizes, "single_actions": [self._single / len(self._sizes)]}


class BranchingMetric(Metric):
    """Branching factor (μ2): how many different states the available actions lead to, under the same chance."""

    measures: ClassVar[dict[str, str]] = {
        "branching": "distinct states that the available actions lead to with the same luck, at one action of eight",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without counts."""
        super().__init__(model, rng)
        self._stride = Stride(rng)
        self._counts: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Try all actions on copies."""
        if not self._stride.picks():
            return
        luck = self.rng.snapshot()
        successors: set[object] = set()
        for available in actions:
            successor = state.copy()
            self.rng.restore(luck)
            self.model.next(successor, available, self.rng)
            successors.add(successor.snapshot())
        self._counts.append(float(len(successors)))

    def values(self) -> dict[str, list[float]]:
        """Return the number of successors at each action that was picked."""
        return {"branching": self._counts}


# --- metrics of the lead: the leader, lead changes, and the turn after which the winner leads ---------------------------


_NOBODY: Final = -1


class LeadMetric(Metric):
    """Drama and decisiveness after Browne (Automatic Generation and Evaluation of Recombination Games, 2008, ch. 7).

    The leader is the side, a player or a team, that alone has the greatest heuristic when a turn ends; that of a team is the
    mean of its players'. Stability is that of Ludii: the greater, the less stable. Games whose heuristic is flat before the
    end have no leaders. Co-operative games have no values; games without a single winning side have none for drama and
    decisiveness.
    """

    measures: ClassVar[dict[str, str]] = {
        "lead_changes": "how often the lead passed from one side to another",
        "decided_at": "share of a game's turns after which the winner was ahead for good (all: not before the end)",
        "drama": "by how much the later winner was behind the leader, mean over the turns, in units of the heuristic",
        "stability": "variance of the heuristic of a side over the turns, mean over the sides: 0 where nothing changes",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without a leader."""
        super().__init__(model, rng)
        self._heuristic = model.heuristic()
        self._standings: list[list[float]] = []
        self._winner: i64 = _NOBODY
        self._sides: list[list[int]] = []

    def on_start(self, state: GameState) -> None:
        """Find the teams."""
        players: dict[int, list[int]] = {}
        for player in range(state.n_players):
            players.setdefault(int(state.team(player)), []).append(int(player))
        self._sides = list(players.values())

    def on_turn_over(self, state: GameState) -> None:
        """Value the position for every side, unless the game is over."""
        if len(self._sides) > 1 and not state.is_terminal:
            self._standings.append(
                [
                    float_sum([self._heuristic.value(state, player) for player in side]) / len(side)
                    for side in self._sides
                ]
            )

    def on_end(self, state: GameState) -> None:
        """Note which side has won, if one has alone."""
        winners = [
            number for number, side in enumerate(self._sides) if any([state.result(player) == WIN for player in side])
        ]
        if len(winners) == 1:
            self._winner = winners[0]

    def values(self) -> dict[str, list[float]]:
        """Return the measures of the game, one value each."""
        if not self._standings:
            return {}
        found = {"lead_changes": [float(self._changes())], "stability": [self._variance()]}
        if self._winner != _NOBODY:
            turns = len(self._standings)
            found["decided_at"] = [self._turns_until_settled() / turns]
            found["drama"] = [float_sum([max(row) - row[self._winner] for row in self._standings]) / turns]
        return found

    def _changes(self) -> i64:
        changes: i64 = 0
        last: i64 = _NOBODY
        for row in self._standings:
            leader = _leader(row)
            if leader == _NOBODY:
                continue
            if last not in (_NOBODY, leader):
                changes += 1
            last = leader
        return changes

    def _variance(self) -> float:
        """Return the variance of each side's heuristic over the turns, mean over the sides."""
        turns = len(self._standings)
        sides = len(self._sides)
        total = 0.0
        for side in range(sides):
            mean = 0.0
            for row in self._standings:
                mean += row[side] / turns
            for row in self._standings:
                total += (row[side] - mean) ** 2
        return total / (turns * sides)

    def _turns_until_settled(self) -> i64:
        """Return after how many turns the winner led and went on leading."""
        turns: i64 = len(self._standings)
        while turns > 0 and _leader(self._standings[turns - 1]) == self._winner:
            turns -= 1
        return turns


def _leader(row: list[float]) -> i64:
    """Return the only side with the greatest value, `_NOBODY` if there are several."""
    best = max(row)
    return row.index(best) if row.count(best) == 1 else _NOBODY


# --- metrics of rewards during a game -----------------------------------------------------------------------------------


class RewardMetric(Metric):
    """Reward sparsity (μ7): the game's own heuristic as the players meet it."""

    measures: ClassVar[dict[str, str]] = {
        "heuristic": "the game's heuristic (-1 to 1) for the player to act, before each action",
        "final_heuristic": "the game's heuristic (-1 to 1) for each player, once the game is over",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without values."""
        super().__init__(model, rng)
        self._heuristic = model.heuristic()
        self._on_the_way: list[float] = []
        self._final: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Value the position for the acting player."""
        self._on_the_way.append(self._heuristic.value(state, player))

    def on_end(self, state: GameState) -> None:
        """Value the end for all players."""
        self._final = [self._heuristic.value(state, player) for player in range(state.n_players)]

    def values(self) -> dict[str, list[float]]:
        """Return the heuristic at each action and at the end."""
        return {"heuristic": self._on_the_way, "final_heuristic": self._final}


# --- metrics of the components on the table and of their visibility -----------------------------------------------------


class TableMetric(Metric):
    """State size (μ3) and hidden information (μ4), by `GameState.components`."""

    measures: ClassVar[dict[str, str]] = {
        "components": "components in the state, at one action of eight",
        "hidden": "share of the components that the player to act cannot see, at one action of eight",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start without counts."""
        super().__init__(model, rng)
        self._stride = Stride(rng)
        self._counts: list[float] = []
        self._hidden: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count all components, and those hidden."""
        if not self._stride.picks():
            return
        count = 0
        hidden = 0
        for component in state.components():
            count += component.count()
            hidden += component.hidden_count(player)
        self._counts.append(float(count))
        if count:
            self._hidden.append(hidden / count)

    def values(self) -> dict[str, list[float]]:
        """Return both counts at each action that was picked."""
        return {"components": self._counts, "hidden": self._hidden}


# --- metrics of turns ---------------------------------------------------------------------------------------------------


class TurnsMetric(Metric):
    """Actions per turn (part of μ6); ticks, rounds and decisions of a game are in every ledger anyway."""

    measures: ClassVar[dict[str, str]] = {
        "actions_per_turn": "actions in a turn, reactions of others included, the turn in which the game ends included",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        """Start before the first turn."""
        super().__init__(model, rng)
        self._actions: i64 = 0
        self._turns: list[float] = []

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count the action."""
        self._actions += 1

    def on_turn_over(self, state: GameState) -> None:
        """Close the turn."""
        self._turns.append(float(self._actions))
        self._actions = 0

    def on_end(self, state: GameState) -> None:
        """Close the last turn, unless it is closed."""
        if self._actions:
            self.on_turn_over(state)

    def values(self) -> dict[str, list[float]]:
        """Return the actions in each turn."""
        return {"actions_per_turn": self._turns}


# --- metrics: measurements of any game while it is played (μ1 to μ7 of the TAG report, and more) ------------------------
#
# A tournament with ``metrics=("lead",)`` keeps their values in its ledger; ``tag analyse`` plays with all of them.


#: The metrics for any game, by name.
METRICS: Final[dict[str, type[Metric]]] = {
    "action_space": ActionSpaceMetric,
    "branching": BranchingMetric,
    "lead": LeadMetric,
    "reward": RewardMetric,
    "table": TableMetric,
    "turns": TurnsMetric,
}

__all__ = [
    "METRICS",
    "STRIDE",
    "ActionSpaceMetric",
    "BranchingMetric",
    "LeadMetric",
    "Metric",
    "RewardMetric",
    "Stride",
    "TableMetric",
    "TurnsMetric",
    "share",
]
