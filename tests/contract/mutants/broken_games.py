"""Kuhn poker, broken in one way each: what the checks of games are for.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

import random  # noqa: TID251  the breach of one of the games
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tag import (
    DO_NOTHING,
    DRAW,
    WIN,
    Action,
    Actions,
    Cells,
    Event,
    ExtendedSequence,
    Features,
    ForwardModel,
    GameState,
    GameType,
    Parameters,
    Rng,
    StateHeuristic,
    Vocabulary,
    integer,
    interned,
)
from tag.catalogue.user_code import load_class
from tag.components import Counter
from tag.engine.forward_model import Outcomes

_FILE = f"{Path(__file__).parents[3] / 'examples' / 'kuhn_poker.py'}"
KuhnState = load_class(f"{_FILE}:KuhnState", GameState)
KuhnPoker = load_class(f"{_FILE}:KuhnPoker", ForwardModel)
Pass = load_class(f"{_FILE}:Pass", Action)


class _State(KuhnState):
    """Kuhn's state, whose copies are of the same broken class."""

    def copy(self):
        other = type(self)(self.n_players)
        self.copy_to(other)
        other.cards = self.cards[:]
        other.paid = self.paid[:]
        other.bettor = self.bettor
        return other


class _Game(KuhnPoker):
    """Kuhn's rules, on a broken state."""

    state_class = _State

    def _setup(self, n_players, rng):
        state = self.state_class(n_players)
        rng.shuffle(state.cards)
        return state


class Intact(_Game):
    """Nothing broken: the classes above are not what is caught."""

    caught_by = ""


# --- copies -------------------------------------------------------------------------------------------------------------


class _SharingState(_State):
    def copy(self):
        other = super().copy()
        other.paid = self.paid
        return other


class CopySharesAList(_Game):
    caught_by = "copy_independent"
    state_class = _SharingState


class _ForgetfulState(_State):
    def copy(self):
        other = super().copy()
        other.bettor = -1
        return other


class CopyForgetsAField(_Game):
    caught_by = "copy_equal"
    state_class = _ForgetfulState


class _Purse:
    """Something mutable that does not look it."""

    def __init__(self):
        self.coins = 0


class _PurseState(_State):
    def __init__(self, n_players):
        super().__init__(n_players)
        self.purse = _Purse()

    def copy(self):
        other = super().copy()
        other.purse = self.purse
        return other


class CopySharesAnObject(_Game):
    caught_by = "copy_playable"
    state_class = _PurseState

    def _after_action(self, state, action, rng):
        state.purse.coins += 1
        super()._after_action(state, action, rng)


class _OtherClassState(_State):
    def copy(self):
        other = super().copy()
        other.__class__ = _State
        return other


class CopyIsOfAnotherClass(_Game):
    caught_by = "copy_equal"
    state_class = _OtherClassState


# --- actions ------------------------------------------------------------------------------------------------------------


class OffersTwice(_Game):
    caught_by = "actions_distinct"

    def _available_actions(self, state):
        actions = super()._available_actions(state)
        return [*actions, actions[0]]


class DeclaresTooFewActions(_Game):
    caught_by = "actions_numbered"

    def vocabulary(self, n_players):
        return Vocabulary(Actions(Pass))


class RandomActionsAreNotUniform(_Game):
    caught_by = "actions_random"

    def random_action(self, state, rng):
        return self.available_actions(state)[min(rng.below(3), 1)]


class RandomActionsDrawTwice(_Game):
    caught_by = "actions_random"

    def random_action(self, state, rng):
        action = super().random_action(state, rng)
        rng.below(2)
        return action


class RolloutsPlayOn(_Game):
    caught_by = "rollouts_equal"

    def rollout(self, state, depth, rng):
        return super().rollout(state, depth + 1, rng)


class RolloutsCountWrongly(_Game):
    caught_by = "rollouts_equal"

    def rollout(self, state, depth, rng):
        super().rollout(state, depth, rng)
        return depth


class RolloutsDrawTwice(_Game):
    caught_by = "rollouts_equal"

    def rollout(self, state, depth, rng):
        played = super().rollout(state, depth, rng)
        rng.below(2)
        return played


class _OneOfTwo(ExtendedSequence):
    asked = False

    def current_player(self, state):
        return state.turn_player

    def available_actions(self, state):
        return [DO_NOTHING, interned(Pass())]

    def random_action(self, state, rng):
        rng.below(2)
        return DO_NOTHING

    def after_action(self, state, action, rng):
        self.asked = True

    def is_complete(self, state):
        return self.asked

    def copy(self):
        other = _OneOfTwo()
        other.asked = self.asked
        return other


class SequenceActionsAreNotUniform(_Game):
    caught_by = "actions_random"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.tick == 1:
            state.start_sequence(_OneOfTwo())


class MakesNewActions(_Game):
    caught_by = "actions_interned"

    def _available_actions(self, state):
        return [Pass(), *super()._available_actions(state)[1:]]


class _Keyed(Pass):
    def __init__(self, state):
        self.state = state

    def key(self):
        return (self.state,)


class KeysHoldStates(_Game):
    caught_by = "actions_interned"

    def _available_actions(self, state):
        return [interned(_Keyed(state)), *super()._available_actions(state)]


class GoesOnAfterTheEnd(_Game):
    caught_by = "actions_while_it_lasts"

    def available_actions(self, state):
        return super().available_actions(state) or [DO_NOTHING]


class OffersNothing(_Game):
    caught_by = "actions_while_it_lasts"

    def _available_actions(self, state):
        return [] if state.tick == 1 else super()._available_actions(state)


class ComputingActionsChangesState(_Game):
    caught_by = "actions_repeatable"

    def _available_actions(self, state):
        state.phase += 1
        return super()._available_actions(state)


class ActionsInChangingOrder(_Game):
    caught_by = "actions_repeatable"
    asked = 0

    def _available_actions(self, state):
        self.asked += 1
        return super()._available_actions(state)[:: 1 if self.asked % 2 else -1]


class OffersTheSameList(_Game):
    caught_by = "actions_repeatable"

    def __init__(self, parameters=None):
        super().__init__(parameters)
        self.offered = [interned(Pass()), *super()._available_actions(None)[1:]]

    def _available_actions(self, state):
        return self.offered


class OffersWhatFails(_Game):
    caught_by = "actions_playable"

    def _after_action(self, state, action, rng):
        if state.tick == 2 and not isinstance(action, Pass):
            raise IndexError("no such chip")
        super()._after_action(state, action, rng)


# --- the seed -----------------------------------------------------------------------------------------------------------


class UsesGlobalRandom(_Game):
    caught_by = "seed_repeats"

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        random.shuffle(state.cards)
        return state


class UsesTheClock(_Game):
    caught_by = "seed_repeats"

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        state.phase = time.perf_counter_ns()
        return state


class ModelKeepsAState(_Game):
    caught_by = "copy_playable"
    plays = 0

    def _setup(self, n_players, rng):
        self.plays = 0
        return super()._setup(n_players, rng)

    def _after_action(self, state, action, rng):
        self.plays += 1
        state.phase = self.plays
        super()._after_action(state, action, rng)


class _ClassState(_State):
    taken: list[int] = []  # noqa: RUF012  the breach


class StateLivesInItsClass(_Game):
    caught_by = "seed_undisturbed"
    state_class = _ClassState

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        state.taken.clear()
        return state

    def _after_action(self, state, action, rng):
        state.taken.append(1)
        state.phase = len(state.taken)
        super()._after_action(state, action, rng)


class OrderFromHashes(_Game):
    caught_by = "seed_other_process"

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        suits = {"hearts", "spades", "clubs", "diamonds", "cups", "coins", "swords", "clovers"}
        state.suits = tuple(suits)
        return state


# --- observations -------------------------------------------------------------------------------------------------------


class _LazyState(_State):
    def redeterminise(self, player: int, rng: Rng) -> None:
        """Deal nothing."""


class ObservationsAreTheTruth(_Game):
    caught_by = "observation_varies"
    state_class = _LazyState


class _KeepsUndealtState(_State):
    def redeterminise(self, player: int, rng: Rng) -> None:
        undealt = self.cards.pop()
        super().redeterminise(player, rng)
        self.cards.append(undealt)


class UndealtCardIsKept(_Game):
    caught_by = "observation_varies"
    state_class = _KeepsUndealtState


class _OwnCardState(_State):
    def redeterminise(self, player: int, rng: Rng) -> None:
        rng.shuffle(self.cards)


class OwnCardIsDealtAgain(_Game):
    caught_by = "observation_knowledge"
    state_class = _OwnCardState


class _NoKnowledgeState(_State):
    def knowledge(self, player):
        return self.snapshot()


class KnowledgeIsEverything(_Game):
    caught_by = "observation_knowledge"
    state_class = _NoKnowledgeState


class _HalfHiddenState(_State):
    def redeterminise(self, player: int, rng: Rng) -> None:
        """Leave the truth in every other observation."""
        if rng.below(2):
            super().redeterminise(player, rng)


class ObservationsPreferTheTruth(_Game):
    caught_by = "observation_blind"
    state_class = _HalfHiddenState


class _RotatingState(_State):
    def redeterminise(self, player: int, rng: Rng) -> None:
        """Keep the order of the hidden cards."""
        if not self.is_terminal:
            own = self.cards.pop(player)
            turn = int(rng.below(2))
            self.cards = [*self.cards[turn:], *self.cards[:turn]]
            self.cards.insert(player, own)


class ObservationsKeepAnOrder(_Game):
    caught_by = "observation_blind"
    state_class = _RotatingState


class ActionsTellTheUndealtCard(_Game):
    caught_by = "observation_actions"

    def _available_actions(self, state):
        return super()._available_actions(state)[: 1 if state.cards[-1] == state.n_players else 2]


class _EndingState(_State):
    def score(self, player):
        return float(self.cards[player])


class ScoresAreHidden(_Game):
    caught_by = "observation_end"
    state_class = _EndingState


class _RememberingState(_State):
    def observation(self, player, rng):
        seen = super().observation(player, rng)
        seen.history = self.history
        return seen


class ObservationsHoldTheHistory(_Game):
    caught_by = "observation_end"
    state_class = _RememberingState


class _NextCard(Features):
    def names(self, n_players):
        return ("own", "next")

    def values(self, state, player):
        return [float(state.cards[player]), float(state.cards[player + 1])]


class FeaturesLeak(_Game):
    caught_by = "views_blind"
    game_type = replace(_Game.game_type, features=_NextCard)


class _TextState(_State):
    def text(self, viewer):
        return f"cards {self.cards}"


class TextLeaks(_Game):
    caught_by = "views_blind"
    state_class = _TextState


class _Growing(Features):
    def names(self, n_players):
        return ("own", "next")

    def values(self, state, player):
        return [float(player)] * state.tick


class FeaturesGrow(_Game):
    caught_by = "views_steady"
    game_type = replace(_Game.game_type, features=_Growing)


class _SameNames(_NextCard):
    def names(self, n_players):
        return ("own", "own")

    def values(self, state, player):
        return [float(state.cards[player]), 0.0]


class FeaturesShareAName(_Game):
    caught_by = "views_steady"
    game_type = replace(_Game.game_type, features=_SameNames)


# --- events ------------------------------------------------------------------------------------------------------------


class TellsTheCard(_Game):
    """All players are told the card of who bets or passes."""

    caught_by = "events_blind"

    def _after_action(self, state, action, rng):
        card = state.cards[state.current_player]
        state.announce(Event("chosen", state.current_player, items=(card,)))
        super()._after_action(state, action, rng)


class _ChipsState(_State):
    def components(self):
        return [Counter(f"chips of {player}", self.paid[player]) for player in range(self.n_players)]


class TellsOfOnePlayer(_Game):
    """Only the chips of player 0 are told of."""

    caught_by = "events_complete"
    state_class = _ChipsState

    def _after_action(self, state, action, rng):
        if state.current_player == 0:
            state.announce(Event("paid", 0, float(state.paid[0]), places=("chips of 0",)))
        super()._after_action(state, action, rng)


# --- results ------------------------------------------------------------------------------------------------------------


class _UpsideDownState(_State):
    def ordinal(self, player):
        return self.n_players + 1 - super().ordinal(player)


class LoserComesFirst(_Game):
    caught_by = "results_ordered"
    state_class = _UpsideDownState


class _SecondPlaceState(_State):
    def ordinal(self, player):
        return 1 + super().ordinal(player)


class NobodyComesFirst(_Game):
    caught_by = "results_ordered"
    state_class = _SecondPlaceState


class _UnequalTeamState(_State):
    def team(self, player):
        return 0


class WinsWithoutTheTeam(_Game):
    caught_by = "results_ordered"
    state_class = _UnequalTeamState


class DrawsWithNobody(_Game):
    caught_by = "results_ordered"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.is_terminal:
            state.results = tuple(DRAW if result == WIN else result for result in state.results)


class WinsTooEarly(_Game):
    caught_by = "results_final"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if not state.is_terminal:
            state.set_result(0, WIN)


class EndsWithoutResults(_Game):
    caught_by = "results_final"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.is_terminal:
            state.results = ()


class _Chips(StateHeuristic):
    def value(self, state, player):
        return state.score(player)


class HeuristicOutOfRange(_Game):
    caught_by = "heuristic_in_range"
    game_type = replace(_Game.game_type, heuristic=_Chips)


class _Meek(StateHeuristic):
    def value(self, state, player):
        return 0.5 * state.result_value(player)


class _Certain(StateHeuristic):
    def value(self, state, player):
        return state.result_value(player) if state.is_terminal else 1.0


class HeuristicPromisesAWin(_Game):
    caught_by = "heuristic_in_range"
    game_type = replace(_Game.game_type, heuristic=_Certain)


class HeuristicDoesNotKnowAWin(_Game):
    caught_by = "heuristic_in_range"
    game_type = replace(_Game.game_type, heuristic=_Meek)


class _SameForAll(StateHeuristic):
    def value(self, state, player):
        return 0.1 * player

    def value_all(self, state, values):
        values[:] = [self.value(state, 0)] * state.n_players


class HeuristicsOfAllDiffer(_Game):
    caught_by = "heuristic_in_range"
    game_type = replace(_Game.game_type, heuristic=_SameForAll)


# --- pickles, parameters, ends ------------------------------------------------------------------------------------------


def _dealt(n_players):
    return _UnpicklableState(n_players)


class _UnpicklableState(_State):
    def __reduce__(self):
        return (_dealt, (self.n_players,))


class PickleLosesFields(_Game):
    caught_by = "pickle_state"
    state_class = _UnpicklableState


@dataclass
class _DeckParameters(Parameters):
    extra: int = integer(0, -2, 0, "cards more than the rules say")


class CrashesInItsRange(_Game):
    caught_by = "parameters_playable"
    game_type = GameType("Kuhn poker", 2, 3, _DeckParameters)

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        del state.cards[len(state.cards) + self.parameters.extra :]
        return state


@dataclass
class _MuteParameters(Parameters):
    extra: int = integer(0, 0, 3, "")


class DoesNotSayWhatItMeans(_Game):
    caught_by = "parameters_declared"
    game_type = GameType("Kuhn poker", 2, 3, _MuteParameters)


class SaysThatNothingIsHidden(_Game):
    caught_by = "information_declared"
    game_type = GameType("Kuhn poker", 2, 3, hidden_information=False)


class SaysThatNothingIsChance(_Game):
    caught_by = "chance_declared"
    game_type = GameType("Kuhn poker", 2, 3, chance=False)

    def _after_action(self, state, action, rng):
        rng.next32()
        super()._after_action(state, action, rng)


class NeverEnds(_Game):
    caught_by = "plays"

    def _after_action(self, state, action, rng):
        self.end_player_turn(state)


class SeatsTooMany(_Game):
    caught_by = "plays"
    game_type = GameType("Kuhn poker", 2, 3)

    def check_players(self, n_players):
        """Let everybody in."""


class _EndlessQuestion(ExtendedSequence):
    def current_player(self, state):
        return state.turn_player

    def available_actions(self, state):
        return [interned(Pass())]

    def after_action(self, state, action, rng):
        self.asked = True

    def is_complete(self, state):
        return getattr(self, "asked", False)

    def copy(self):
        return self


class SequenceIsShared(_Game):
    caught_by = "copy_independent"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.tick == 1:
            state.start_sequence(_EndlessQuestion())


def _dealt_by_hash(n_players):
    state = _HashedState(n_players)
    state.bettor = hash("bettor") % 10**9
    return state


class _HashedState(_State):
    def __init__(self, n_players):
        super().__init__(n_players)
        self.bettor = hash("bettor") % 10**9

    def __reduce__(self):
        return (_dealt_by_hash, (self.n_players,))


class PickleReadsDifferently(_Game):
    """Seen only by another process, which has to import this module by name."""

    state_class = _HashedState


# --- chance apart from decisions, and cells: a token on a ring of six places ----------------------------------------------


class _Step(Action):
    """Move the token by a place; it slips by another one in either direction."""

    def __init__(self, direction):
        self.direction = direction

    def execute(self, state, rng):
        state.place = (state.place + self.direction) % 6


class _RingState(GameState):
    def __init__(self, n_players):
        super().__init__(n_players)
        self.place = 0

    def copy(self):
        other = type(self)(self.n_players)
        self.copy_to(other)
        other.place = self.place
        return other

    def knowledge(self, player):
        return (int(self.current_player), int(self.tick), self.place)

    def cell_values(self):
        return bytes([cell == self.place for cell in range(6)])

    def __str__(self):
        return f"the token is at {self.place}"


class _Ring(ForwardModel):
    """After six moves, it is a draw."""

    game_type = GameType("Ring", 2, 2, hidden_information=False)
    state_class = _RingState
    actions = ((0, 1), (1, 0))

    def vocabulary(self, n_players):
        return Vocabulary(Actions(_Step, direction=(-1, 1)))

    def cells(self, n_players):
        return Cells(6, 2, [(0, 1, 2, 3, 4, 5), (0, 5, 4, 3, 2, 1)], self.actions)

    def afterstate(self, state, action):
        other = state.copy()
        other.tick += 1
        action.execute(other, Rng(0))
        return other

    def resolve_chance(self, afterstate, rng):
        afterstate.place = (afterstate.place + 1 - 2 * rng.below(2)) % 6
        if afterstate.tick == 6:
            afterstate.end_with_draw()
        else:
            self.end_player_turn(afterstate)

    def _setup(self, n_players, rng):
        return self.state_class(n_players)

    def _available_actions(self, state):
        return [interned(_Step(-1)), interned(_Step(1))]

    def _after_action(self, state, action, rng):
        self.resolve_chance(state, rng)


class IntactRing(_Ring):
    caught_by = ""


class IntactRingOfSources(_Ring):
    caught_by = ""
    game_type = replace(_Ring.game_type, chance_sources=("slips",))

    def resolve_chance(self, afterstate, rng):
        super().resolve_chance(afterstate, rng.source("slips"))


class ChanceOfNoSource(_Ring):
    caught_by = "chance_from_sources"
    game_type = replace(_Ring.game_type, chance_sources=("slips",))

    def resolve_chance(self, afterstate, rng):
        super().resolve_chance(afterstate, rng.source("slip"))


class OutcomesAddUpToMore(_Ring):
    caught_by = "outcomes_possible"

    def outcomes(self, state, action, limit=1000):
        found = super().outcomes(state, action, limit)
        found.add(0.1, state.copy())
        return found


class OutcomesAreForgotten(_Ring):
    caught_by = "outcomes_possible"

    def outcomes(self, state, action, limit=1000):
        found = Outcomes()
        for slip in (-1, 0):
            after = self.afterstate(state, action)
            after.place = (after.place + slip * 2) % 6
            found.add(0.5, after)
        return found


class AfterstatesSlipTwice(_Ring):
    caught_by = "afterstates_equal"

    def afterstate(self, state, action):
        other = super().afterstate(state, action)
        other.place = (other.place + 2) % 6
        return other


class AfterstatesMoveTheGame(_Ring):
    caught_by = "afterstates_equal"

    def afterstate(self, state, action):
        other = super().afterstate(state, action)
        state.place = other.place
        return other


class CellsBeyondTheirValues(_Ring):
    caught_by = "cells_in_range"

    def cells(self, n_players):
        return Cells(6, 1)


class CellsOfTheSecret(_Game):
    caught_by = "cells_in_range"

    class state_class(_State):  # noqa: N801
        def cell_values(self):
            return bytes(self.cards)

    def cells(self, n_players):
        return Cells(n_players + 1, n_players + 1)


class SymmetriesForgetActions(_Ring):
    caught_by = "symmetries_kept"
    actions = ((0, 1), (0, 1))


class SymmetriesAreNoGroup(_Ring):
    caught_by = "symmetries_kept"

    def cells(self, n_players):
        return Cells(6, 2, [(0, 1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 0)])


class SymmetriesChangeTheRules(_Ring):
    caught_by = "symmetries_kept"

    class state_class(_RingState):  # noqa: N801
        def cell_values(self):
            return bytes([self.place == cell for cell in (0, 1, 3, 2, 4, 5)])
