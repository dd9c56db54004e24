"""The rules of Exploding Kittens: the deal, what can be played, and whose turn follows."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.exploding_kittens.actions import DRAW, FIVE, FIVE_DIFFERENT, PLAYS, plays_index, vocabulary
from games.exploding_kittens.data import DEFUSE, EXPLODING_KITTEN, counts, different, packed, unit
from games.exploding_kittens.parameters import ExplodingKittensParameters
from games.exploding_kittens.state import ATTACKED, EXPLODED, TURN_ENDS, TURN_GOES_ON, ExplodingKittensState
from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary


class ExplodingKittens(ForwardModel[ExplodingKittensState]):
    """The rules."""

    game_type = GameType(
        "Exploding Kittens",
        2,
        5,
        ExplodingKittensParameters,
        categories=("cards", "humour", "animals"),
        version=2,
        mechanics=("hand management", "player elimination", "hidden information", "push your luck", "take that"),
        forgets="that no hand starts with a second Defuse, unless early_defuses are on",
    )

    def __init__(self, parameters: ExplodingKittensParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("ExplodingKittensParameters", self.parameters)
        self.deck = self.rules.deck()
        self.combos: i64 = int(self.rules.special_combos)
        self.plays_five = self.rules.special_combos and self.rules.five_different

    def vocabulary(self, n_players: i64) -> Vocabulary:
        defuses = self.rules.defuses_left(int(n_players))
        dealt = int(n_players) * self.rules.hand_cards
        return vocabulary(int(n_players), len(self.deck) - dealt + defuses + int(n_players) - 2)

    def _setup(self, n_players: i64, rng: Rng) -> ExplodingKittensState:
        deck = self.deck[:]
        defuses = [DEFUSE] * self.rules.defuses_left(int(n_players))
        if self.rules.early_defuses:
            deck += defuses
        rng.shuffle(deck)
        hands = [
            packed([DEFUSE, *[deck.pop() for _card in range(self.rules.hand_cards)]]) for _player in range(n_players)
        ]
        if not self.rules.early_defuses:
            deck += defuses
        deck += [EXPLODING_KITTEN] * (n_players - 1)
        rng.shuffle(deck)
        known = [int(unit(DEFUSE))] * (n_players * n_players)
        state = ExplodingKittensState(n_players, deck, known, [0] * n_players)
        for player in range(n_players):
            state.set_hand(player, hands[player])
        state.forget_looks()
        state.alive = (1 << int(n_players)) - 1
        state.future_cards = self.rules.future_cards
        state.nope_own = self.rules.nope_own
        return state

    def _available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        player = state.current_player
        victims = _victims(state, player)
        hand = counts(state.hand(player))
        table = PLAYS[self.combos]
        found = [DRAW]
        kind: i64 = 0
        left = hand
        while left:
            if left & 15:
                for play in table[plays_index(kind, left & 15, victims)]:
                    found.append(play)  # noqa: PERF402  compiled, `extend` is slower: most lists have one item or none
            left >>= 4
            kind += 1
        if self._can_play_five(hand):
            found.append(FIVE_DIFFERENT)
        return found

    def random_action(self, state: ExplodingKittensState, rng: Rng) -> AnyAction:
        """Count the plays, choose a number, and go through them again up to it."""
        if state.sequences:
            return super().random_action(state, rng)
        player = state.current_player
        victims = _victims(state, player)
        hand = counts(state.hand(player))
        table = PLAYS[self.combos]
        number: i64 = 1
        kind: i64 = 0
        left = hand
        while left:
            if left & 15:
                number += len(table[plays_index(kind, left & 15, victims)])
            left >>= 4
            kind += 1
        place = rng.below(number + 1 if self._can_play_five(hand) else number)
        if place == number:
            return FIVE_DIFFERENT
        place -= 1
        kind = 0
        while place >= 0:
            if hand & 15:
                plays = table[plays_index(kind, hand & 15, victims)]
                if place < len(plays):
                    return plays[place]
                place -= len(plays)
            hand >>= 4
            kind += 1
        return DRAW

    def _can_play_five(self, hand: i64) -> bool:
        """Say whether the numbers of cards in a ``hand`` allow five different ones."""
        return self.plays_five and different(hand) >= FIVE

    def _after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        phase = state.phase
        if phase == TURN_GOES_ON:
            return
        state.phase = TURN_GOES_ON
        player = state.turn_player
        if phase == TURN_ENDS and state.due > 1:
            state.due -= 1
            self.give_turn(state, player)
            return
        if phase == ATTACKED:
            self._attack(state)
        else:
            state.due = 1
            state.attacked = False
        if phase == EXPLODED:
            if not self.rules.keep_dead_hands:
                state.lay_down_all(player)
            if state.recording:
                state.announce(Event("explosion", player, float(len(state.out))))
        following = state.next_alive(player)
        self.give_turn(state, following)
        if state.alive & (state.alive - 1) == 0:
            state.end_with_winner(following)

    def _attack(self, state: ExplodingKittensState) -> None:
        """Say how many turns the next player takes."""
        left = state.due if state.attacked and self.rules.attacks_stack else 0
        state.due = self.rules.attack_turns + left
        state.attacked = True


def _victims(state: ExplodingKittensState, player: i64) -> i64:
    """Return the other players who are alive and have cards, as a mask."""
    victims: i64 = 0
    bit: i64 = 1
    for other in range(state.n_players):
        if other != player and state.alive & bit and state.hand(other):
            victims += bit
        bit += bit
    return victims
