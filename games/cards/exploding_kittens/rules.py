"""The rules of Exploding Kittens: the deal, what can be played, and whose turn follows."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from tag import DO_NOTHING, AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary
from tag.games.cards.exploding_kittens.actions import (
    DRAW,
    FIVE,
    FIVE_DIFFERENT,
    NOPE_IT,
    PLAYS,
    Play,
    plays_index,
    vocabulary,
)
from tag.games.cards.exploding_kittens.data import (
    DEFUSE,
    EXPLODING_KITTEN,
    NAMES,
    NOPE,
    ExplodingKittensParameters,
    counts,
    different,
    drawn,
    listed,
    packed,
    size,
    unit,
)
from tag.games.cards.exploding_kittens.state import (
    ATTACKED,
    EXPLODED,
    TURN_ENDS,
    TURN_GOES_ON,
    UNSEEN,
    ExplodingKittensState,
)
from tag.games.cards.exploding_kittens.values import (
    ExplodingKittensFeatures,
    ExplodingKittensHeuristic,
    ExplodingKittensMetric,
)


class ExplodingKittens(ForwardModel[ExplodingKittensState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("exploding_kittens")
    >>> state = model.setup(2, Rng(1))
    >>> outcomes = model.outcomes(state, model.available_actions(state)[0])
    >>> round(max(probability for probability, _state in outcomes.all()), 3)
    0.114
    """

    game_type = GameType(
        "Exploding Kittens",
        2,
        5,
        ExplodingKittensParameters,
        categories=("cards", "humour", "animals"),
        version=3,
        chance_sources=("deck", "thefts"),
        mechanics=("hand management", "player elimination", "hidden information", "push your luck", "take that"),
        forgets="that no hand starts with a second Defuse, unless early_defuses are on",
        heuristic=ExplodingKittensHeuristic,
        features=ExplodingKittensFeatures,
        metric=ExplodingKittensMetric,
    )

    def __init__(self, parameters: ExplodingKittensParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("ExplodingKittensParameters", self.parameters)
        self.cards = packed(self.rules.deck())
        self.combos: i64 = int(self.rules.special_combos)
        self.plays_five = self.rules.special_combos and self.rules.five_different

    def vocabulary(self, n_players: i64) -> Vocabulary:
        defuses = self.rules.defuses_left(int(n_players))
        dealt = int(n_players) * self.rules.hand_cards
        return vocabulary(int(n_players), int(size(self.cards)) - dealt + defuses + int(n_players) - 2)

    def _setup(self, n_players: i64, rng: Rng) -> ExplodingKittensState:
        left = self.cards
        defuses = self.rules.defuses_left(int(n_players)) * unit(DEFUSE)
        if self.rules.early_defuses:
            left += defuses
        known = [int(unit(DEFUSE))] * (n_players * n_players)
        state = ExplodingKittensState(n_players, [], known, [0] * n_players)
        for player in range(n_players):
            hand = drawn(left, self.rules.hand_cards, rng.source("deck"))
            left -= hand
            state.set_hand(player, hand + unit(DEFUSE))
        if not self.rules.early_defuses:
            left += defuses
        state.unseen = left + (n_players - 1) * unit(EXPLODING_KITTEN)
        state.deck = [UNSEEN] * size(state.unseen)
        state.forget_looks()
        state.alive = (1 << int(n_players)) - 1
        state.future_cards = self.rules.future_cards
        state.nope_own = self.rules.nope_own
        return state

    def announce_setup(self, state: ExplodingKittensState) -> None:
        """Announce the hands, each to its player."""
        for player in range(state.n_players):
            cards = tuple([NAMES[kind] for kind in listed(state.hand(player))])
            state.announce(Event("dealt", player, 0.0, cards, (f"hand of {player}",), seen_by=1 << player))

    def _available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        player = state.current_player
        if state.play is not None:
            return [DO_NOTHING, NOPE_IT] if state.count(player, NOPE) else [DO_NOTHING]
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
        """Count the plays, choose a number, and go through them again up to it; a list of them would take twice as long."""
        if state.sequences:
            return super().random_action(state, rng)
        player = state.current_player
        if state.play is not None:  # two of three decisions in random play
            return NOPE_IT if rng.below(2 if state.count(player, NOPE) else 1) else DO_NOTHING
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
                    return cast("AnyAction", plays[place])
                place -= len(plays)
            hand >>= 4
            kind += 1
        return DRAW

    def rollout(self, state: ExplodingKittensState, depth: i64, rng: Rng) -> i64:
        """Go through answers to plays, two of three decisions, without the general steps of `next`."""
        if type(self) is not ExplodingKittens or state.recording:
            return super().rollout(state, depth, rng)
        played: i64 = 0
        while played < depth and not state.is_terminal:
            action = self.random_action(state, rng)
            if state.play is None:
                self.next(state, action, rng)
            else:
                state.tick += 1
                action.execute(state, rng)
                self._after_action(state, action, rng)
                if state.sequences:
                    self._settle_sequences(state)
            played += 1
        return played

    def _can_play_five(self, hand: i64) -> bool:
        """Say whether the numbers of cards in a ``hand`` allow five different ones."""
        return self.plays_five and different(hand) >= FIVE

    def _after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        if state.play is not None:
            self._ask(state, action, rng)
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
            if state.recording:
                reason = "the Defuse is kept" if state.count(player, DEFUSE) else "no Defuse in hand"
                places = ("kitten drawn", "discards")
                state.announce(
                    Event("explosion", player, float(len(state.out)), (), places, reason, "{player} explodes")
                )
            if not self.rules.keep_dead_hands:
                state.lay_down_all(player)
        following = state.next_alive(player)
        if state.recording and state.due > 1:
            words = "{player} has to take {value} turns"
            state.announce(Event("attacked", following, float(state.due), words=words))
        self.give_turn(state, following)
        if state.alive & (state.alive - 1) == 0:
            state.end_with_winner(following)

    def _ask(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        """Ask the next player for a Nope; when all have passed, let the play take effect unless it is noped.

        Players without a Nope are asked too: skipping them would tell the others. After a Nope all are asked again.
        """
        asked = state.current_player
        following = state.next_alive(asked)
        if action is not DO_NOTHING:
            state.last = asked
        elif asked == state.last or (following == state.last and not state.nope_own):
            play = cast("Play", state.play)
            noped = state.nopes & 1
            state.play = None
            state.nopes = state.last = 0
            state.current_player = state.turn_player
            if noped and state.recording:
                state.announce(Event("noped", state.turn_player, words=f"{play} has no effect", reason="Nope"))
            if not noped:
                play.resolve(state, state.turn_player, rng)
            return
        state.current_player = following

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
