"""Depth-limited search of all actions: alpha-beta, paranoid, max^n, and expectimax where chance is averaged.

Alpha-beta as by Knuth and Moore (1975), max^n by Luckhardt and Irani (1986), paranoid search by Sturtevant and Korf (2000),
expectimax by Michie (1966). Deeper and deeper searches share a table of the positions that were valued before.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import nextafter
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.agents.search._findings import AT_MOST, EXACT, Known, ValuedAction, bound_of
from tag.catalogue.registry import make_heuristic
from tag.engine.forward_model import SIMULTANEOUS
from tag.engine.parameters import choice, integer
from tag.engine.rng import Rng
from tag.engine.state import DO_NOTHING, AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.playing.agent import MOST_OUTCOMES, Agent, SearchParameters
from tag.playing.garbage import CollectionPaused
from tag.playing.search_tree import CHANCE, LOWER, UPPER, SearchNode, decision

AUTO: Final = "auto"
MAX_N: Final = "max_n"
PARANOID: Final = "paranoid"

ACTIONS: Final = "actions"
TURNS: Final = "turns"
ROUNDS: Final = "rounds"

#: The longest line of actions that is followed, in any unit of depth.
_LONGEST_LINE: Final = 400
_INFINITE: Final = 1e300
#: The value of a win; minus this is that of a loss.
_END: Final = 1.0


@dataclass
class LookAheadParameters(SearchParameters):
    """Parameters of the agents that look at all actions."""

    budget: int = integer(10_000, 1, 1_000_000_000, "search budget per decision", log=True)
    depth: int = integer(100, 1, 400, "how deep the search looks at most, in units", log=True)
    unit: str = choice(ACTIONS, (ACTIONS, TURNS, ROUNDS), "unit of the depth")
    opponents: str = choice(
        AUTO,
        (AUTO, PARANOID, MAX_N),
        "model of the others: they minimise the searcher's value, with alpha-beta pruning, or maximise their own; auto is "
        "the first with two sides, else the second",
    )
    determinisations: int = integer(10, 1, 1000, "deals of the hidden information to average over", log=True)
    table: int = integer(100_000, 0, 100_000_000, "positions that are remembered; none with hidden information")


@mypyc_attr(allow_interpreted_subclasses=True)
class LookAhead(Agent):
    """Looks at all actions, one step deeper in each pass, until the budget or the depth ends or all ends were seen.

    A pass that the budget ends counts only as far as it got: its first action is the best of the pass before. Among actions
    of the same value, one is drawn; a win in sight is not put off, and a loss not hastened. Hidden information is dealt
    some times, and the values of an action are averaged.

    What others choose at the same time as the player is dealt with it, before and after the player's choice alike, and adds
    nothing to the depth. So all seats look equally far, and value positions in which all choices have happened.
    """

    parameters_class = LookAheadParameters
    _heuristic: StateHeuristic

    def __init__(self, parameters: LookAheadParameters | None = None) -> None:
        """Take the parameters, or the defaults."""
        chosen = LookAheadParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._given_heuristic = make_heuristic(chosen.heuristic)
        self._depth_limit: i64 = chosen.depth
        self._unit = chosen.unit
        self._opponents = chosen.opponents
        self._determinisations: i64 = chosen.determinisations
        self._table_limit: i64 = chosen.table
        self._table: dict[Hashable, Known] = {}
        self._remembers = False
        self._averages = False
        self._values_afterstates = False
        self._is_max_n = False
        self._team: i64 = 0
        #: Whether the game has simultaneous choices, and the seeds of those of others in each deal and in this one.
        self._is_simultaneous = False
        self._seeds: list[i64] = []
        self._seed: i64 = 0
        #: Whether the search met the limit of the depth, or the end of the budget.
        self._met_limit = False
        self._is_over = False
        #: Whether the search can see all that may happen, and whether outcomes that it met were drawn.
        self._sees_all = False
        self._has_sampled = False
        #: Whether the action valued last has several outcomes, which are looked at without cutting off.
        self._has_outcomes = False
        #: Where the depth is counted from, and the limit of this pass.
        self._origin: i64 = 0
        self._limit: i64 = 0
        self._nodes: i64 = 0
        self._depth: i64 = 0
        self._valued: list[ValuedAction] = []
        self._observation: GameState | None = None
        self._is_proven = False

    def averages_chance(self) -> bool:
        """Say whether the value of an action is the mean over all that chance can do; else one outcome is certain."""
        return False

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Value positions by ``heuristic`` from the next game on."""
        self._given_heuristic = heuristic

    def start_game(self, observation: GameState) -> None:
        """Forget the positions of earlier games."""
        kind = self.sim.model.game_type
        self._table = {}
        self._averages = self.averages_chance() and kind.chance
        self._heuristic = self._given_heuristic.of(self.sim.model)
        self._values_afterstates = kind.chance and self._heuristic.is_of_afterstates()
        self._sees_all = not kind.hidden_information and (self._averages or not kind.chance)
        self._remembers = self._table_limit > 0 and self._sees_all
        self._is_simultaneous = kind.hidden_information and SIMULTANEOUS in kind.mechanics
        self._team = observation.team(self.player)
        sides = {observation.team(player) for player in range(observation.n_players)}
        self._is_max_n = self._opponents == MAX_N or (self._opponents == AUTO and len(sides) > 2)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Search deeper and deeper and return the best action found.

        >>> from tag import Game, make_agent, make_game
        >>> agents = [make_agent("expectimax:budget=300"), make_agent("random")]
        >>> state = Game(make_game("connect_four:width=4,height=4"), agents, seed=2).play()
        >>> [int(state.ordinal(player)) for player in range(2)]
        [1, 2]
        """
        sim = self.sim
        if len(self._table) > self._table_limit:
            self._table = {}
        worlds = [observation]
        if sim.model.game_type.hidden_information:
            while len(worlds) < self._determinisations and not sim.budget.is_spent():
                worlds.append(sim.observation(observation, self.player))
        self._seeds = [sim.rng.next32() for _world in worlds] if self._is_simultaneous else []
        shuffled = actions.copy()
        sim.rng.shuffle(shuffled)
        ordered = [ValuedAction(action) for action in shuffled]
        self._nodes = 0
        self._depth = 0
        self._is_over = False
        self._has_outcomes = False
        self._is_proven = False
        self._valued = ordered
        self._observation = observation
        while self._depth < self._depth_limit and not self._is_over:
            self._met_limit = False
            self._has_sampled = False
            with CollectionPaused():
                n_valued = self._pass(worlds, ordered, self._depth + 1)
            if n_valued == 0:
                break
            best = self._best_of(ordered[:n_valued])
            ordered = [ordered[best], *ordered[:best], *ordered[best + 1 :]]
            self._valued = ordered
            if not self._is_over:
                self._depth += 1
                self._is_proven = self._sees_all and not self._met_limit and not self._has_sampled
                if not self._met_limit:
                    break
        return ordered[0].action

    def _best_of(self, valued: list[ValuedAction]) -> i64:
        """Return the place of the best action of a pass, drawn among equal ones.

        If all is won, or lost, it is the first of these: that of the pass before, if it is one of them.
        """
        greatest = max([one.value for one in valued if not one.is_bound])
        equal = [index for index, one in enumerate(valued) if one.value == greatest and not one.is_bound]
        if len(equal) == 1 or abs(greatest) == _END:
            return equal[0]
        return equal[self.sim.rng.below(len(equal))]

    def _pass(self, worlds: list[GameState], actions: list[ValuedAction], depth: i64) -> i64:
        """Set the mean values of ``actions``, or of the first ones if the budget ends; return how many were valued.

        In one world, an action that is worse than one before is cut off and gets a bound. One that is as good is not, as a
        draw must know equal values; unless the value is a win or a loss, of which the first counts.
        """
        n_valued: i64 = 0
        best = alpha = -_INFINITE
        cuts_off = len(worlds) == 1 and not self._is_max_n
        for valued in actions:
            total = 0.0
            for index in range(len(worlds)):
                world = worlds[index]
                self._origin = self._clock(world)
                self._limit = depth
                if self._is_simultaneous:
                    self._seed = self._seeds[index]
                total += self._value_of(world, valued.action, 1, alpha)
                if self._is_over:
                    return n_valued
            value = total / float(len(worlds))
            valued.value = value
            valued.depth = depth
            valued.is_bound = alpha > -_INFINITE and value <= alpha and not self._has_outcomes
            best = max(best, value)
            if cuts_off:
                alpha = best if abs(best) == _END else nextafter(best, -_INFINITE)
            n_valued += 1
        return n_valued

    def _value_of(self, world: GameState, action: AnyAction, line: i64, alpha: float) -> float:
        if self._is_max_n:
            return self._vector_after(world, action, line)[self.player]
        return self._after(world, action, line, alpha, _INFINITE)

    def _ends_before_outcome(self) -> bool:
        """Say whether the search is over before another outcome of an action, whose calls and copies are paid already."""
        budget = self.sim.budget
        self._is_over = self._is_over or (not budget.limits_moves and budget.is_spent())
        return self._is_over

    def _count_node(self, state: GameState) -> None:
        if self._is_simultaneous and state.is_unresolved():
            return
        self._nodes += 1
        self.sim.budget.iterations += 1

    def _clock(self, state: GameState) -> i64:
        if self._unit == TURNS:
            return state.turn
        return state.round if self._unit == ROUNDS else 0

    def _left(self, state: GameState, line: i64) -> i64:
        """Return how far the search may look below ``state``, which is ``line`` actions below the root."""
        if self._unit == ACTIONS:
            return self._limit - line
        return self._limit - (self._clock(state) - self._origin) if line < _LONGEST_LINE else 0

    def _is_leaf(self, state: GameState, left: i64, line: i64) -> bool:
        """Say whether the heuristic values ``state``, or the budget ends here.

        A heuristic of afterstates is asked after the next action, as ``state`` comes after chance.
        """
        if state.is_terminal:
            return True
        if left <= 0 and not (self._values_afterstates and line <= _LONGEST_LINE):
            self._met_limit = True
            return True
        self._is_over = self.sim.budget.is_spent()
        return self._is_over

    def _key(self, state: GameState) -> Hashable:
        """Return the key of ``state`` in the table, None without a table; a round limit makes equal positions differ."""
        if not self._remembers:
            return None
        key = state.knowledge(state.current_player)
        return (int(state.round), key) if self.sim.model.max_rounds else key

    def _dealt(self, state: GameState, left: i64) -> AnyAction | None:
        """Return the action that is dealt to the player who decides; None where this is no simultaneous choice of another.

        It does not depend on the searcher's own choice. Who chooses first is known by the position after it.
        """
        if not self._is_simultaneous or state.current_player == self.player or state.is_terminal:
            return None
        sim = self.sim
        is_unresolved = state.is_unresolved()
        if not is_unresolved and (left <= 0 or sim.budget.is_spent()):
            return None
        actions = sim.available_actions(state)
        action = actions[Rng(self._seed, state.tick).below(len(actions))]
        if not is_unresolved:
            is_unresolved = self._child(state, action).is_unresolved()
        return action if is_unresolved else None

    def _child(self, state: GameState, action: AnyAction) -> GameState:
        """Return the position after ``action``: one call and one copy, none where others choose at the same time.

        So who is asked first pays for as many positions as who is asked last.
        """
        sim = self.sim
        child = sim.copy(state)
        sim.next(child, action)
        if self._is_simultaneous and child.is_unresolved():
            sim.take_back_cost()
        return child

    def _free_unresolved(self, outcomes: list[tuple[float, GameState]]) -> None:
        """Take back the cost of the outcomes in which others still choose at the same time."""
        if self._is_simultaneous:
            for _probability, outcome in outcomes:
                if outcome.is_unresolved():
                    self.sim.take_back_cost()

    def _after(self, state: GameState, action: AnyAction, line: i64, alpha: float, beta: float) -> float:
        """Return the value of ``action``, the mean over chance; outside of (alpha, beta) it may be a bound."""
        sim = self.sim
        leaf = self._leaf_after(state, action, line)
        if leaf is not None:
            return self._value_at(leaf)
        if self._is_over:
            return 0.0
        if self._averages:
            outcomes = sim.outcomes(state, action)
            self._has_sampled = self._has_sampled or sim.has_sampled
            self._free_unresolved(outcomes)
            if len(outcomes) > 1:
                mean = 0.0
                for probability, outcome in outcomes:
                    if self._ends_before_outcome():
                        return 0.0
                    mean += probability * self._value(outcome, line, -_INFINITE, _INFINITE)
                self._has_outcomes = True
                return mean
            if len(outcomes) == 1:
                value = self._value(outcomes[0][1], line, alpha, beta)
                self._has_outcomes = False
                return value
            self._is_over = True
            return 0.0
        return self._value(self._child(state, action), line, alpha, beta)

    def _leaf_after(self, state: GameState, action: AnyAction, line: i64) -> GameState | None:
        """Return the position before the chance of ``action`` if the depth ends there and the heuristic is for such ones.

        It notes whether the budget ends before another call.
        """
        budget = self.sim.budget
        self._is_over = budget.is_spent()
        has_ended = self._left(state, line) <= 0
        if self._is_over or not self._values_afterstates or (self._unit == ACTIONS and not has_ended):
            return None
        after = self.sim.afterstate(state, action)
        if after is None:  # the game cannot tell it
            self._values_afterstates = False
            return None
        if after.is_terminal or not (has_ended or self._left(after, line) <= 0):
            self._is_over = budget.is_spent()
            return None
        self._count_node(after)
        self._met_limit = True
        return after

    def _value(self, state: GameState, line: i64, alpha: float, beta: float) -> float:
        """Return the value of ``state`` for the searcher; outside of (alpha, beta) it may be a bound."""
        self._count_node(state)
        left = self._left(state, line)
        dealt = self._dealt(state, left)
        if dealt is not None:
            return self._after(state, dealt, line, alpha, beta)
        if self._is_leaf(state, left, line):
            return self._value_at(state)
        key = self._key(state)
        known = self._table.get(key)
        if known is not None and known.settles(left, alpha, beta):
            self._met_limit = self._met_limit or not known.is_final
            self._has_sampled = self._has_sampled or known.is_sample
            return known.value
        met_limit = self._met_limit
        has_sampled = self._has_sampled
        self._met_limit = False
        self._has_sampled = False
        maximises = state.team(state.current_player) == self._team
        actions = self._ordered(state, known)
        low = alpha
        high = beta
        best = actions[0]
        best_value = -_INFINITE if maximises else _INFINITE
        for action in actions:
            value = self._after(state, action, line + 1, low, high)
            if self._is_over:
                return 0.0
            if (value > best_value) if maximises else (value < best_value):
                best_value = value
                best = action
            if maximises:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        if self._remembers:
            bound = bound_of(best_value, alpha, beta)
            found = Known(best_value, None, bound, left, not self._met_limit, self._has_sampled, best)
            self._remember(key, found)
        self._met_limit = self._met_limit or met_limit
        self._has_sampled = self._has_sampled or has_sampled
        return best_value

    def _ordered(self, state: GameState, known: Known | None) -> list[AnyAction]:
        """Return the available actions, the one that was best before first."""
        actions = self.sim.available_actions(state)
        if known is None or known.best is actions[0]:
            return actions
        return [known.best, *[action for action in actions if action is not known.best]]

    def _remember(self, key: Hashable, known: Known) -> None:
        if len(self._table) < self._table_limit or key in self._table:
            self._table[key] = known

    def _vector_after(self, state: GameState, action: AnyAction, line: i64) -> list[float]:
        """Return the value of ``action`` for each player, the mean over chance."""
        sim = self.sim
        leaf = self._leaf_after(state, action, line)
        if leaf is not None:
            return self._values_at(leaf)
        if self._is_over:
            return [0.0] * state.n_players
        if self._averages:
            means = [0.0] * state.n_players
            outcomes = sim.outcomes(state, action)
            self._has_sampled = self._has_sampled or sim.has_sampled
            self._free_unresolved(outcomes)
            self._is_over = len(outcomes) == 0
            for probability, outcome in outcomes:
                if self._ends_before_outcome():
                    return means
                values = self._vector(outcome, line)
                for player in range(len(means)):
                    means[player] += probability * values[player]
            return means
        return self._vector(self._child(state, action), line)

    def _vector(self, state: GameState, line: i64) -> list[float]:
        """Return the value of ``state`` for each player."""
        self._count_node(state)
        left = self._left(state, line)
        dealt = self._dealt(state, left)
        if dealt is not None:
            return self._vector_after(state, dealt, line)
        if self._is_leaf(state, left, line):
            return self._values_at(state)
        key = self._key(state)
        known = self._table.get(key)
        if known is not None and known.settles(left, 0.0, 0.0) and known.values is not None:
            self._met_limit = self._met_limit or not known.is_final
            self._has_sampled = self._has_sampled or known.is_sample
            return known.values
        met_limit = self._met_limit
        has_sampled = self._has_sampled
        self._met_limit = False
        self._has_sampled = False
        mover = state.current_player
        actions = self._ordered(state, known)
        best = actions[0]
        best_values: list[float] = []
        for action in actions:
            found = self._vector_after(state, action, line + 1)
            if self._is_over:
                return found
            if len(best_values) == 0 or found[mover] > best_values[mover]:
                best_values = found
                best = action
        if self._remembers:
            is_final = not self._met_limit
            known = Known(best_values[mover], best_values, EXACT, left, is_final, self._has_sampled, best)
            self._remember(key, known)
        self._met_limit = self._met_limit or met_limit
        self._has_sampled = self._has_sampled or has_sampled
        return best_values

    def _value_at(self, state: GameState) -> float:
        """Return the heuristic's value of ``state`` for the searcher; 0 once the budget is spent, as nothing counts then."""
        return 0.0 if self._is_over else self._heuristic.value(state, self.player)

    def _values_at(self, state: GameState) -> list[float]:
        """Return the heuristic's value of ``state`` for each player; zeros once the budget is spent."""
        values = [0.0] * state.n_players
        if not self._is_over:
            self._heuristic.value_all(state, values)
        return values

    def statistics(self) -> dict[str, object]:
        """Return the figures of the last decision.

        ``depth``, the passes that were complete; ``nodes``; ``is_proven``, whether no card is hidden and all outcomes of
        chance and all ends were seen, so that the value is that of perfect play; ``value`` of the action played;
        ``forward_model_calls``, ``copies``; ``actions``, with the ``value`` and ``depth`` of the last pass that came to
        each, and ``is_bound`` where it was cut off.
        """
        budget = self.sim.budget
        return {
            "depth": int(self._depth),
            "nodes": int(self._nodes),
            "is_proven": self._is_proven,
            "value": self._valued[0].value if self._valued else 0.0,
            "forward_model_calls": int(budget.forward_model_calls),
            "copies": int(budget.copies),
            "actions": [valued.figures() for valued in self._valued],
        }

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the actions of the last decision, each with the best replies that the search found, one after another.

        These lines come from the table of positions, so there are none without it, as with hidden information. Where chance
        is averaged, a line goes through the likeliest outcomes. Visits are not counted.
        """
        observation = self._observation
        if observation is None:
            return None
        longest = (most_nodes - 1) // len(self._valued) - 1
        nodes: list[SearchNode] = []
        for valued in self._valued:
            value = valued.value if valued.depth > 0 else None
            node = SearchNode(valued.action, int(self.player), None, value, bound=UPPER if valued.is_bound else "")
            if self._is_proven and not valued.is_bound:
                node.proven = value
            if self._remembers:
                self._origin = self._clock(observation)
                self._limit = valued.depth
                self._add_line(node, observation, longest)
            nodes.append(node)
        root = decision(self.player, self._valued[0].action, nodes)
        root.proven = root.children[0].proven
        return root

    def _add_line(self, first: SearchNode, start: GameState, longest: i64) -> None:
        """Add the best replies to the action ``first`` in ``start``, as deep as the search: ``longest`` nodes at most."""
        state = start
        node = first
        line: i64 = 1
        while 2 * line <= longest:
            outcomes = self.sim.model.outcomes(state, node.action, MOST_OUTCOMES).all()
            if len(outcomes) == 0:
                return
            probability, state = max(outcomes, key=lambda outcome: outcome[0])
            left = self._left(state, line)
            known = None if state.is_terminal or left <= 0 else self._table.get(self._key(state))
            if known is None or not (known.is_final or known.depth >= left):
                return
            if len(outcomes) > 1:
                outcome = self._line_node(DO_NOTHING, CHANCE, known)
                outcome.probability = probability
                node.children.append(outcome)
                node = outcome
            following = self._line_node(known.best, int(state.current_player), known)
            node.children.append(following)
            node = following
            line += 1

    def _line_node(self, action: AnyAction, player: int, known: Known) -> SearchNode:
        """Return a node whose value is that of the position in which the action is best."""
        values = known.values
        value = known.value if values is None else values[self.player]
        node = SearchNode(action, player, None, value, () if values is None else tuple(values))
        if known.bound != EXACT:
            node.bound = UPPER if known.bound == AT_MOST else LOWER
        elif known.is_final and not known.is_sample:
            node.proven = value
        return node
