"""Love Letter, Connect Four, Pandemic and Hanabi, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from dataclasses import replace

from tag.engine.results import ONGOING
from tag.engine.snapshot import field_values, restored
from tag.games.abstract.connect_four import ConnectFour, ConnectFourFeatures, ConnectFourHeuristic, ConnectFourState
from tag.games.boards.pandemic.rules import Pandemic
from tag.games.boards.pandemic.state import PandemicState
from tag.games.cards.hanabi.rules import Hanabi
from tag.games.cards.hanabi.state import HanabiState
from tag.games.cards.love_letter.rules import LoveLetter
from tag.games.cards.love_letter.state import LoveLetterState


def remade(state, cls):
    """Return ``state`` as one of the class ``cls``, with the same values."""
    return restored(cls, field_values(state))


class Copied:
    """Copies of a broken state are of its class."""

    def copy(self):
        return remade(super().copy(), type(self))


class Remade:
    """Rules whose states are remade as a class to break."""

    def _setup(self, n_players, rng):
        return remade(super()._setup(n_players, rng), self.state_class)


class CopiedLoveLetterState(Copied, LoveLetterState):
    """One that is not broken."""


class RemadeLoveLetter(Remade, LoveLetter):
    state_class = CopiedLoveLetterState


class IntactLoveLetter(RemadeLoveLetter):
    caught_by = ""


class _RivalsState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        hands, drawn = self.hands[:], self.drawn
        super().redeterminise(player, rng)
        if hands != self.hands or drawn != self.drawn:
            pool = [*self.deck, *[card for card in self.hands if card], self.removed, self.drawn]
            for card in [*hands, drawn]:
                if card in pool:
                    pool.remove(card)
            self.hands, self.drawn = hands, drawn
            self.removed = pool.pop() if self.removed else 0
            self.deck = [card for card in pool if card]


class RivalsHandsAreNotDealtAgain(RemadeLoveLetter):
    caught_by = "observation_blind"
    state_class = _RivalsState


class _RemovedState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        removed = self.removed
        self.removed = 0
        super().redeterminise(player, rng)
        self.removed = removed


class RemovedCardIsKept(RemadeLoveLetter):
    caught_by = "observation_blind"
    state_class = _RemovedState


class _CutState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        order = self.deck[:]
        super().redeterminise(player, rng)
        if sorted(order) == sorted(self.deck):
            return
        kept = [card for card in order if card in self.deck]
        left = self.deck[:]
        for card in kept:
            if card in left:
                left.remove(card)
        self.deck = sorted(self.deck, key=lambda card: order.index(card) if card in order else -1)


class OrderOfTheDeckLeaks(RemadeLoveLetter):
    caught_by = "observation_blind"
    state_class = _CutState


class _LowState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.removed and self.deck and self.removed > self.deck[0]:
            self.removed, self.deck[0] = self.deck[0], self.removed


class RemovedCardIsDealtLow(RemadeLoveLetter):
    caught_by = "observation_fair"
    state_class = _LowState


class _PrincessState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        for holder in range(self.n_players):
            if holder != player and self.hands[holder] == 8 and not self.knows(player, holder) and self.deck:
                self.hands[holder], self.deck[0] = self.deck[0], self.hands[holder]


class PrincessIsNeverDealtToRivals(RemadeLoveLetter):
    caught_by = "observation_varies"
    state_class = _PrincessState


class _ForgetfulState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        self.known = 0
        self.public = 0
        self.doubtful = 0
        super().redeterminise(player, rng)


class ForgetsHandsSeen(RemadeLoveLetter):
    caught_by = "observation_knowledge"
    state_class = _ForgetfulState


class _DiscardsState(CopiedLoveLetterState):
    def copy(self):
        other = super().copy()
        other.discards = self.discards
        return other


class DiscardsAreShared(RemadeLoveLetter):
    caught_by = "copy_independent"
    state_class = _DiscardsState


class _LateState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        top = self.deck[-1] if self.deck else 0
        super().redeterminise(player, rng)
        if self.turn and top in self.deck:
            self.deck.remove(top)
            self.deck.append(top)


class TopCardLeaksAfterTheFirstTurn(RemadeLoveLetter):
    caught_by = "observation_blind"
    state_class = _LateState


class LeavesAResultOpen(RemadeLoveLetter):
    caught_by = "results_final"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.is_terminal:
            state.set_result(0, ONGOING)


# --- Connect Four -------------------------------------------------------------------------------------------------------


class _ConnectFourState(Copied, ConnectFourState):
    """One that is not broken."""


class _ConnectFour(Remade, ConnectFour):
    state_class = _ConnectFourState


class IntactConnectFour(_ConnectFour):
    caught_by = ""


class _FreeState(_ConnectFourState):
    def copy(self):
        other = super().copy()
        other.free += 1
        return other


class CopyMiscounts(_ConnectFour):
    caught_by = "copy_equal"
    state_class = _FreeState


class OrderOfColumnsChanges(_ConnectFour):
    caught_by = "actions_repeatable"
    asked = 0

    def _available_actions(self, state):
        self.asked += 1
        actions = super()._available_actions(state)
        return actions if self.asked % 3 else actions[::-1]


class DropsByChance(_ConnectFour):
    caught_by = "chance_declared"

    def _after_action(self, state, action, rng):
        rng.below(2)
        super()._after_action(state, action, rng)


class _ForeignState(_ConnectFourState):
    def redeterminise(self, player, rng):
        self.first, self.second = self.second, self.first


class BoardsAreSwappedInObservations(_ConnectFour):
    caught_by = "information_declared"
    state_class = _ForeignState


class _TurnedAround(ConnectFourHeuristic):
    def value(self, state, player):
        return -super().value(state, player)


class HeuristicIsTurnedAround(_ConnectFour):
    caught_by = "heuristic_in_range"
    game_type = replace(_ConnectFour.game_type, heuristic=_TurnedAround)


class _NoNumbers(ConnectFourFeatures):
    def values(self, state, player):
        return [float("nan")] * len(self.names(state.n_players))


class FeaturesAreNotFinite(_ConnectFour):
    caught_by = "views_steady"
    game_type = replace(_ConnectFour.game_type, features=_NoNumbers)


# --- Pandemic ------------------------------------------------------------------------------------------------------------


class CopiedPandemicState(Copied, PandemicState):
    """One that is not broken."""


class RemadePandemic(Remade, Pandemic):
    state_class = CopiedPandemicState


class _InfectionState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        order = self.infection_deck[:]
        super().redeterminise(player, rng)
        self.infection_deck = order


class InfectionDeckIsKept(RemadePandemic):
    caught_by = "observation_blind"
    state_class = _InfectionState


class _EpidemicsState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        order = self.player_deck[:]
        super().redeterminise(player, rng)
        cut = rng.below(len(order)) if order else 0
        self.player_deck = [*order[cut:], *order[:cut]]


class PlayerDeckIsCut(RemadePandemic):
    caught_by = "observation_blind"
    state_class = _EpidemicsState


class _EarlyState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        deck = self.player_deck
        top = len(deck) - 1
        for place in range(max(0, top - 6), top):
            if deck[place] > deck[top]:
                deck[place], deck[top] = deck[top], deck[place]


class TopCardIsDealtHigh(RemadePandemic):
    caught_by = "observation_fair"
    state_class = _EarlyState


# --- Hanabi ----------------------------------------------------------------------------------------------------------


class _HanabiState(Copied, HanabiState):
    """One that is not broken."""


class _Hanabi(Remade, Hanabi):
    state_class = _HanabiState


class IntactHanabi(_Hanabi):
    caught_by = ""


class _KeptHandState(_HanabiState):
    def redeterminise(self, player, rng):
        """Deal nothing: the deck has no order."""


class TheOwnHandIsNotDealtAgain(_Hanabi):
    caught_by = "observation_blind"
    state_class = _KeptHandState


class _UnmarkedState(_HanabiState):
    def redeterminise(self, player, rng):
        marks = self.marks[:]
        self.marks = [3 * self.full_kinds() if mark else 0 for mark in marks]
        super().redeterminise(player, rng)
        self.marks = marks


class TheOwnHandIsDealtAgainstItsMarks(_Hanabi):
    caught_by = "observation_knowledge"
    state_class = _UnmarkedState


class _PositiveState(_HanabiState):
    def redeterminise(self, player, rng):
        marks = self.marks[:]
        touched = [self.touched >> 8 * (at // self.size) + at % self.size & 1 for at in range(len(marks))]
        self.marks = [
            mark if is_touched or not mark else 3 * self.full_kinds()
            for mark, is_touched in zip(marks, touched, strict=True)
        ]
        super().redeterminise(player, rng)
        self.marks = marks


class HintsThatDidNotMarkACardAreForgotten(_Hanabi):
    caught_by = "observation_knowledge"
    state_class = _PositiveState


class _SortedState(_HanabiState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if not self.is_terminal and not self.touched >> 8 * player & 255 and self.tick == 0:
            first, end = player * self.size, player * self.size + self.held(player)
            self.hands[first:end] = sorted(self.hands[first:end])


class TheOwnHandIsDealtInOrder(_Hanabi):
    caught_by = "observation_fair"
    state_class = _SortedState


class _OpenHandState(_HanabiState):
    def text(self, viewer):
        return super().text(-1)


class TheTextShowsTheOwnHand(_Hanabi):
    caught_by = "views_blind"
    state_class = _OpenHandState


class _FewDecksState(_HanabiState):
    def components(self):
        return [part for part in super().components() if part.name != "discards"]


class DiscardsVanish(_Hanabi):
    caught_by = "cards_kept"
    state_class = _FewDecksState
