"""The rules of Uno: rounds, turns, the plays and their effects."""

from __future__ import annotations

from typing import Any, Final, cast

from mypy_extensions import i64

from tag import DO_NOTHING, LOSE, AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, bit_place
from tag.engine.state import EVERYBODY
from tag.games.cards.uno.actions import KEEP_ONLY, NAMINGS, OTHERS, PLAYS, WITH_DRAWN, WildDrawFour, vocabulary
from tag.games.cards.uno.data import (
    DRAW_TWO,
    ELIMINATION,
    N_SYMBOLS,
    NAMES,
    NO_CARD,
    NO_SYMBOL,
    REVERSE,
    SINGLE,
    SKIP,
    WILD,
    WILD_DRAW_FOUR,
    WINNER,
    CardSet,
    UnoParameters,
    card_set,
)
from tag.games.cards.uno.state import DRAWN, NAMING, TURN, UnoState
from tag.games.cards.uno.values import UnoFeatures, UnoHeuristic, UnoMetric

_NOBODY = -1

#: Bits of other choices (`OTHERS`): the four colours of each kind of wild card, and drawing.
_WILDS: Final = 0xF0
_FOURS: Final = 0xF00
_DRAW: Final = 0x1000


class Uno(ForwardModel[UnoState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("uno")
    >>> state = model.setup(3, Rng(1))
    >>> print(state.text(0))
    Round 1, player 0 to decide; 86 cards in the draw pile
    on top: green 1; 1 discards
    player 0  points 0  7 cards: yellow 7, yellow 9, yellow skip, yellow reverse, green 0, green 2, green skip
    player 1  points 0  7 cards: ? ? ? ? ? ? ?
    player 2  points 0  7 cards: ? ? ? ? ? ? ?
    """

    game_type = GameType(
        "Uno",
        2,
        10,
        UnoParameters,
        categories=("cards", "bluffing", "shedding"),
        mechanics=("hand management", "hidden information", "take that", "lose a turn", "rounds"),
        version=3,
        check_parameters="max_rounds=2,max_turns=40,hand_size=3",
        heuristic=UnoHeuristic,
        features=UnoFeatures,
        metric=UnoMetric,
    )

    def __init__(self, parameters: UnoParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("UnoParameters", self.parameters)
        self.max_rounds = self.rules.max_rounds
        self.deck = card_set([card for card, count in enumerate(self.rules.deck()) for _copy in range(count)])

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary()

    def _setup(self, n_players: i64, rng: Rng) -> UnoState:
        state = UnoState(n_players, CardSet(), CardSet(), [])
        rules = self.rules
        state.points = (0,) * n_players
        state.fallen = (0,) * n_players if rules.scoring == ELIMINATION else ()
        state.goal = rules.goal
        state.hand_size = rules.hand_size
        state.action_points = rules.action_points
        state.wild_points = rules.wild_points
        state.low_wins = rules.scoring != WINNER
        state.partners = rules.partners
        state.dealer = n_players - 1
        self._deal(state, rng)
        return state

    def announce_setup(self, state: UnoState) -> None:
        """Announce the cards dealt for a round, and the card turned up."""
        places = [component.name for component in state.components()]
        words = f"round {state.round + 1} begins"
        state.announce(Event("round begun", -1, float(state.round + 1), (), tuple(places), "", words))
        for player in range(state.n_players):
            if state.hands[player].size:
                state.announce_hand(player, "", "", 1 << player)
        left = state.seat_after(state.dealer, 1)
        follows = {SKIP: "loses the turn", DRAW_TWO: f"has {self.rules.draw_two} cards more and loses the turn"}
        reason = f"player {left} {follows[state.symbol]}" if state.symbol in follows else ""
        if state.symbol == REVERSE:
            reason = f"player {state.first_player} begins" + (", the other way round" if state.direction < 0 else "")
        elif state.top == WILD:
            reason = f"player {state.first_player} names a colour"
        state.announce(Event("revealed", -1, 0.0, (NAMES[state.top],), (), reason, "{items} is turned up"))

    def _deal(self, state: UnoState, rng: Rng) -> None:
        """Start a round: deal, turn up a card that is no wild draw four, and let it have its effect."""
        n_players = state.n_players
        state.deck = self.deck.copy()
        state.discards = CardSet()
        state.hands = [CardSet() for _player in range(n_players)]
        state.sightings = ()
        state.direction = 1
        state.step = 1
        state.phase = TURN
        state.passes = 0
        state.end_turn = state.turn + self.rules.max_turns if self.rules.max_turns else 0
        state.drawn = NO_CARD
        for player in range(n_players):
            if not (state.fallen and state.fallen[player]):
                state.draw_cards(player, state.hand_size, rng)
        card = state.deck.take(rng)
        while card == WILD_DRAW_FOUR:
            state.deck.add(card)
            card = state.deck.take(rng)
        state.turn_up(card, 0 if card == WILD else card // N_SYMBOLS)
        starter = self._starter(state, rng)
        state.first_player = starter
        state.turn_player = starter
        state.current_player = starter

    def _starter(self, state: UnoState, rng: Rng) -> i64:
        """Let the card turned up have its effect and return who plays first."""
        left = state.seat_after(state.dealer, 1)
        if state.top == WILD:
            state.phase = NAMING
        elif state.symbol == REVERSE:
            if state.active > 2:
                state.direction = -1
            return state.dealer
        elif state.symbol == SKIP:
            return state.seat_after(left, 1)
        elif state.symbol == DRAW_TWO:
            state.draw_cards(left, self.rules.draw_two, rng)
            return state.seat_after(left, 1)
        return left

    def _available_actions(self, state: UnoState) -> list[AnyAction]:
        if state.phase != TURN:
            return self._reactions(state)[:]
        own, others = self._choices(state)
        actions: list[AnyAction] = []
        _add_set(actions, own, 4, PLAYS, N_SYMBOLS * state.colour)
        _add_set(actions, others, 1, OTHERS[state.symbol], 0)
        return actions

    def random_action(self, state: UnoState, rng: Rng) -> AnyAction:
        """Choose by number, without a list of all."""
        if state.sequences:
            return super().random_action(state, rng)
        if state.phase != TURN:
            reactions = self._reactions(state)
            return reactions[rng.below(len(reactions))]
        choice = self._random_choice(state, rng)
        return PLAYS[N_SYMBOLS * state.colour + choice] if choice >= 0 else OTHERS[state.symbol][~choice]

    def rollout(self, state: UnoState, depth: i64, rng: Rng) -> i64:
        """Begin turns without actions, unless a subclass has other rules: search takes 4 % less."""
        if type(self) is not Uno or state.recording:
            return super().rollout(state, depth, rng)
        played: i64 = 0
        while played < depth and not state.is_terminal:
            if state.phase != TURN or state.sequences:
                self.next(state, self.random_action(state, rng), rng)
            else:
                state.tick += 1
                choice = self._random_choice(state, rng)
                if choice >= 0:
                    state.lay(N_SYMBOLS * state.colour + choice, state.colour)
                else:
                    OTHERS[state.symbol][~choice].execute(state, rng)
                self._after_action(state, DO_NOTHING, rng)
                if state.sequences:
                    self._settle_sequences(state)
            played += 1
        return played

    def _random_choice(self, state: UnoState, rng: Rng) -> i64:
        """Return the symbol of a card of the colour to play, or the index of one of `OTHERS`, with its bits inverted."""
        own, others = self._choices(state)
        count = bit_count(own)
        index = rng.below(count + bit_count(others))
        return bit_place(own, index, 4) if index < count else ~bit_place(others, index - count, 1)

    def _choices(self, state: UnoState) -> tuple[i64, i64]:
        """Return the playable symbols of the colour (`CardSet.symbols`), and the other choices, as the bits of `OTHERS`."""
        hand = state.hands[state.current_player]
        symbol = state.symbol
        own = hand.symbols(state.colour)
        others: i64 = 0
        if symbol != NO_SYMBOL:
            others = hand.colours(symbol) & ~(1 << state.colour)
        if hand.n_of_both_wilds:
            if hand.n_wilds:
                others |= _WILDS
            if hand.n_wild_draw_fours and (self.rules.bluffing or own == 0):
                others |= _FOURS
        if self.rules.voluntary_draw or own | others == 0:
            others |= _DRAW
        return own, others

    def _reactions(self, state: UnoState) -> list[AnyAction]:
        """Return the colours to name, or what can be done with the card just drawn; the list must not be changed."""
        if state.phase == NAMING:
            return NAMINGS
        card = state.drawn
        if card == WILD_DRAW_FOUR:
            fits = self.rules.bluffing or not state.hands[state.current_player].has_colour(state.colour)
        else:
            fits = card == WILD or card // N_SYMBOLS == state.colour or card % N_SYMBOLS == state.symbol
        return WITH_DRAWN[card] if fits else KEEP_ONLY

    def _after_action(self, state: UnoState, action: AnyAction, rng: Rng) -> None:
        if state.phase == DRAWN:
            return
        if state.step == 0:
            state.step = 1
            return
        player = state.turn_player
        if state.laid:
            if self._take_effect(state, player, rng):
                return
            state.laid = False
            size = state.hands[player].size
            if size == 0:
                self._end_play(state, player, rng)
                return
            if size == 1 and self.rules.uno_slip > 0.0 and rng.uniform() < self.rules.uno_slip:
                state.draw_for(player, self.rules.uno_penalty, "did not say Uno", rng)
        steps = state.step
        state.step = 1
        self.give_turn(state, state.seat_after(player, steps))
        if state.passes >= state.active or state.turn == state.end_turn:
            self._end_play(state, _NOBODY, rng)

    def _take_effect(self, state: UnoState, player: i64, rng: Rng) -> bool:
        """Let the card just played have its effect, and return whether a player has to be asked first.

        A last card that is a wild draw four cannot have been played with a card of the colour, so no player is asked.
        """
        symbol = state.symbol
        if symbol < SKIP:
            return False
        if symbol == NO_SYMBOL:
            return self._take_wild_effect(state, player, rng)
        if symbol == DRAW_TWO:
            victim = state.seat_after(player, 1)
            state.draw_for(victim, self.rules.draw_two, "draw two", rng)
            state.lose_turn(victim)
        elif symbol == SKIP or state.active == 2:
            state.lose_turn(state.seat_after(player, 1))
        else:
            state.direction = -state.direction
            if state.recording:
                state.announce(Event("reversed", words="play goes the other way round"))
        return False

    def _take_wild_effect(self, state: UnoState, player: i64, rng: Rng) -> bool:
        colour = state.claim
        if colour < 0:
            return False
        state.claim = -1
        victim = state.seat_after(player, 1)
        if self.rules.bluffing and self.rules.challenges and state.hands[player].size:
            state.start_sequence(WildDrawFour(victim, colour, self.rules.draw_four, self.rules.challenge_extra))
            return True
        state.draw_for(victim, self.rules.draw_four, "wild draw four", rng)
        state.lose_turn(victim)
        return False

    def _end_play(self, state: UnoState, winner: i64, rng: Rng) -> None:
        """Count the points; then the game is over, or another round begins."""
        n_players = int(state.n_players)
        caught = [int(state.points_in_hand(player)) for player in range(n_players)]
        if state.recording:
            _announce_hands(state, caught)
        before = state.points
        if state.low_wins:
            state.points = tuple([state.points[player] + caught[player] for player in range(n_players)])
        else:
            team = state.team(winner) if winner != _NOBODY else _best_team(state, caught)
            won = sum([caught[player] for player in range(n_players) if state.team(player) != team])
            state.points = tuple(
                [state.points[player] + (won if state.team(player) == team else 0) for player in range(n_players)]
            )
        if state.recording:
            _announce_round(state, winner, before, float(sum(caught)))
        if self._is_over(state, winner):
            state.round += 1
            return
        state.direction = 1
        dealer = state.seat_after(state.dealer, 1)
        self.end_round(state, state.first_player, rng)
        if not state.is_terminal:
            state.dealer = dealer
            self._deal(state, rng)
            if state.recording:
                self.announce_setup(state)

    def _is_over(self, state: UnoState, winner: i64) -> bool:
        """End the game if the round has decided it, and return whether it has."""
        scoring = self.rules.scoring
        if scoring == SINGLE:
            if winner == _NOBODY:
                state.end_by_score()
            else:
                state.end_with_winner(winner)
            return True
        if max(state.points) < state.goal:
            return False
        if scoring == ELIMINATION:
            return self._eliminate(state)
        state.end_by_score()
        return True

    def _eliminate(self, state: UnoState) -> bool:
        """Put out of the game who has reached the goal, and return whether that has ended it."""
        falling = [
            player
            for player in range(int(state.n_players))
            if state.fallen[player] == 0 and state.points[player] >= state.goal
        ]
        if state.recording:
            for player in falling:
                words = "{player} is out of the game"
                state.announce(Event("eliminated", player, reason=f"{state.points[player]} points", words=words))
        now = int(state.round) + 1
        state.fallen = tuple([now if player in falling else fell for player, fell in enumerate(state.fallen)])
        if len(falling) >= state.active - 1:
            state.end_by_score()
            return True
        for player in falling:
            state.set_result(player, LOSE)
        state.active -= len(falling)
        return False


def _announce_hands(state: UnoState, caught: list[int]) -> None:
    """Announce the cards left in hands, and their points."""
    for player in range(state.n_players):
        if state.hands[player].size:
            state.announce_hand(player, "{player} shows {items}", f"{caught[player]} points", EVERYBODY)


def _announce_round(state: UnoState, winner: i64, before: tuple[int, ...], caught: float) -> None:
    """Announce the end of a round with the points of all cards left in hands, and what each player scores."""
    name, words, reason = "round won", "{player} wins the round", "no card is left in hand"
    if winner == _NOBODY:
        name, words = "round blocked", "the round ends without a winner"
        reason = "no player can play" if state.passes >= state.active else "the turns are used up"
    state.announce(Event(name, winner, caught, (), (), reason, words))
    for player, points in enumerate(state.points):
        if points != before[player]:
            state.announce(Event("scored", player, float(points - before[player]), places=(f"points of {player}",)))


def _best_team(state: UnoState, caught: list[int]) -> i64:
    """Return the team ``caught`` with the fewest points, `_NOBODY` if several teams are."""
    fewest = min(caught)
    teams = {int(state.team(player)) for player in range(state.n_players) if caught[player] == fewest}
    return teams.pop() if len(teams) == 1 else _NOBODY


def _add_set(found: list[Any], flags: i64, step: i64, actions: list[Any], first: i64) -> None:
    """Add the ``actions`` from the number ``first`` on whose flags are set, at places ``step`` bits apart."""
    while flags:
        if flags & 1:
            found.append(actions[first])
        flags >>= step
        first += 1
