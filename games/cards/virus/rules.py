"""The rules of Virus!: turns, what may be played, and who wins."""

from __future__ import annotations

from typing import Any, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary
from tag.games.cards.virus.actions import (
    DISCARDS,
    DRAW_ONLY,
    ERRORS,
    GLOVE,
    MEDICINE_PLAYS,
    ORGAN_PLAYS,
    RANKS,
    SPREAD,
    THEFTS,
    TRANSPLANTS,
    VIRUS_PLAYS,
    Discard,
    all_discards,
    can_spread,
    discard_table,
    vocabulary,
)
from tag.games.cards.virus.data import (
    ABSENT,
    AFTER_MEDICINE,
    AFTER_VIRUS,
    BITS,
    EMPTY,
    LATEX_GLOVE,
    MASK,
    MEDICAL_ERROR,
    MEDICINES,
    MOST_PLAYERS,
    N_COLOURS,
    N_KINDS,
    NO_CARD,
    ORGAN_THIEF,
    SPREADING,
    TRANSPLANT,
    TREATMENTS,
    VIRUSES,
    VirusParameters,
    healthy_in,
    is_open,
    outcome_index,
    state_of,
)
from tag.games.cards.virus.state import VirusState
from tag.games.cards.virus.values import VirusFeatures, VirusHeuristic, VirusMetric


class Virus(ForwardModel[VirusState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> state = make_game("virus").setup(2, Rng(2))
    >>> print(state.text(0))
    Round 1, player 0 to play; deck 62, discards 0
    player 0  hand green medicine, organ thief, spreading  body empty
    player 1  hand ?, ?, ?  body empty
    """

    game_type = GameType(
        "Virus!",
        2,
        MOST_PLAYERS,
        VirusParameters,
        categories=("cards", "medical", "humour"),
        mechanics=("hand management", "set collection", "take that"),
        version=2,
        heuristic=VirusHeuristic,
        features=VirusFeatures,
        metric=VirusMetric,
    )

    def __init__(self, parameters: VirusParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("VirusParameters", self.parameters)
        self.max_rounds = self.rules.max_rounds
        self.deck = self.rules.deck()
        self.table: i64 = discard_table(self.rules.hand_size, self.rules.max_discards)

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(int(n_players), min(self.rules.max_discards, self.rules.hand_size))

    def _setup(self, n_players: i64, rng: Rng) -> VirusState:
        rules = self.rules
        bodies, hands = [EMPTY] * n_players, [NO_CARD] * int(n_players * rules.hand_size)
        state = VirusState(n_players, rules.organs_to_win, rules.hand_size, bodies, hands, self.deck[:], [0] * N_KINDS)
        state.count_deck()
        for player in range(n_players):
            state.draw_up(player, rng)
        return state

    def announce_setup(self, state: VirusState) -> None:
        """Announce the hands, each to its player."""
        for player in range(state.n_players):
            state.announce_cards("dealt", player, state.hand(player))

    def _available_actions(self, state: VirusState) -> list[AnyAction]:
        plays, discards = self._choices(state)
        return plays + discards

    def random_action(self, state: VirusState, rng: Rng) -> AnyAction:
        """Choose among plays and discards without a list of all."""
        if state.sequences:
            return super().random_action(state, rng)
        plays, discards = self._choices(state)
        count: i64 = len(plays)
        chosen = rng.below(count + len(discards))
        action: AnyAction = plays[chosen] if chosen < count else discards[chosen - count]
        return action

    def _choices(self, state: VirusState) -> tuple[list[Any], list[Any]]:
        """Return the cards to play and the ways to discard, the second list not to be changed."""
        hands = state.hands
        first = state.current_player * state.hand_size
        found: list[AnyAction] = []
        if hands[first] == NO_CARD:
            return found, DRAW_ONLY
        last: i64 = NO_CARD
        rank: i64 = 0
        for place in range(state.hand_size):
            card: i64 = hands[first + place]
            rank += RANKS[place * (NO_CARD + 1) + card]
            if card != last and card != NO_CARD:
                last = card
                self._add_plays(found, state, card)
        discards = DISCARDS[self.table][rank]
        if not discards:
            discards = all_discards(state.hand(state.current_player), self.rules.max_discards)
            DISCARDS[self.table][rank] = discards
        return found, discards

    def _add_plays(self, found: list[AnyAction], state: VirusState, card: i64) -> None:
        if card >= TREATMENTS:
            _add_treatments(found, state, card)
        elif card >= MEDICINES:
            _add_medicines(found, state, card - MEDICINES)
        elif card >= VIRUSES:
            self._add_viruses(found, state, card - VIRUSES)
        elif state_of(state.bodies[state.current_player], card) == ABSENT:
            found.append(ORGAN_PLAYS[card])

    def _add_viruses(self, found: list[AnyAction], state: VirusState, virus: i64) -> None:
        for target in range(state.n_players):
            if target != state.current_player or self.rules.own_viruses:
                body: i64 = state.bodies[target]
                organ: i64 = 0
                while body != EMPTY:
                    before = body & MASK
                    if is_open(before) and AFTER_VIRUS[outcome_index(virus, organ, before)] >= 0:
                        found.append(VIRUS_PLAYS[virus][target][organ])
                    body >>= BITS
                    organ += 1

    def _after_action(self, state: VirusState, action: AnyAction, rng: Rng) -> None:
        if not isinstance(action, Discard):  # most actions in random play, and they change no body
            for player in range(state.n_players):
                if healthy_in(state.bodies[player]) >= state.goal:
                    if state.recording:
                        words = f"{{player}} has {state.goal} healthy organs"
                        state.announce(Event("body complete", player, words=words))
                    state.end_with_winner(player)
                    return
        if state.recording:
            state.draw_up_told(state.turn_player, rng)
        else:
            state.draw_up(state.turn_player, rng)
        following = self._next_player(state)
        if following == state.first_player:
            self.end_round(state, following, rng)
        else:
            self.give_turn(state, following)


def _add_medicines(found: list[AnyAction], state: VirusState, medicine: i64) -> None:
    body: i64 = state.bodies[state.current_player]
    organ: i64 = 0
    while body != EMPTY:
        before = body & MASK
        if is_open(before) and AFTER_MEDICINE[outcome_index(medicine, organ, before)] >= 0:
            found.append(MEDICINE_PLAYS[medicine][organ])
        body >>= BITS
        organ += 1


def _add_treatments(found: list[AnyAction], state: VirusState, card: i64) -> None:
    """Add the ways to play a treatment; there is none where it could do nothing."""
    player = state.current_player
    if card == TRANSPLANT:
        _add_transplants(found, state)
    elif card == ORGAN_THIEF:
        _add_thefts(found, state)
    elif card == SPREADING:
        if can_spread(state, player):
            found.append(SPREAD)
    elif card == LATEX_GLOVE:
        if _others_hold_cards(state):
            found.append(GLOVE)
    elif card == MEDICAL_ERROR:
        for target in range(state.n_players):
            if target != player and (state.bodies[player] != EMPTY or state.bodies[target] != EMPTY):
                found.append(ERRORS[target])


def _add_transplants(found: list[AnyAction], state: VirusState) -> None:
    bodies = state.bodies
    for one in range(state.n_players):
        first: i64 = bodies[one]
        for other in range(one + 1, state.n_players):
            second: i64 = bodies[other]
            if first != EMPTY and second != EMPTY:
                _add_swaps(found, TRANSPLANTS[one][other], first, second)


def _add_swaps(found: list[AnyAction], swaps: list[AnyAction], first: i64, second: i64) -> None:
    """Add the ``swaps`` of movable organs of two bodies that leave no organ twice."""
    for organ in range(N_COLOURS):
        if is_open(state_of(first, organ)):
            is_new = state_of(second, organ) == ABSENT
            for other in range(N_COLOURS):
                if is_open(state_of(second, other)) and (
                    organ == other or (is_new and state_of(first, other) == ABSENT)
                ):
                    found.append(swaps[organ * N_COLOURS + other])


def _add_thefts(found: list[AnyAction], state: VirusState) -> None:
    player = state.current_player
    own: i64 = state.bodies[player]
    for target in range(state.n_players):
        body: i64 = state.bodies[target]
        if target != player and body != EMPTY:
            for organ in range(N_COLOURS):
                if is_open(state_of(body, organ)) and state_of(own, organ) == ABSENT:
                    found.append(THEFTS[target][organ])


def _others_hold_cards(state: VirusState) -> bool:
    for other in range(state.n_players):
        if other != state.current_player and state.hands[other * state.hand_size] != NO_CARD:
            return True
    return False
