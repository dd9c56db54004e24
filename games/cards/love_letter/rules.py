"""The rules of Love Letter: rounds, turns and what may be played."""

from __future__ import annotations

from typing import Any, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary
from tag.engine.state import EVERYBODY
from tag.games.cards.love_letter.actions import MAX_PLAYERS, NO_PLAYS, PLAYS, vocabulary
from tag.games.cards.love_letter.data import COUNTESS, KING, NAMES, NO_CARD, PRINCE, LoveLetterParameters
from tag.games.cards.love_letter.state import LoveLetterState
from tag.games.cards.love_letter.values import LoveLetterFeatures, LoveLetterHeuristic, LoveLetterMetric


class LoveLetter(ForwardModel[LoveLetterState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("love_letter")
    >>> state = model.setup(2, Rng(2))
    >>> print(state.text(0))
    Round 1, player 0 to play; 9 cards in the deck; removed: Countess, King, Baron
    player 0  tokens 0/7  hand Princess + Guard  discards none
    player 1  tokens 0/7  hand ?  discards none
    >>> [str(action) for action in model.available_actions(state)][:3]
    ['Princess', 'Guard on player 1 (Priest?)', 'Guard on player 1 (Baron?)']
    """

    game_type = GameType(
        "Love Letter",
        2,
        4,
        LoveLetterParameters,
        categories=("cards", "deduction", "renaissance"),
        mechanics=("hand management", "player elimination", "hidden information", "rounds"),
        version=4,
        heuristic=LoveLetterHeuristic,
        features=LoveLetterFeatures,
        metric=LoveLetterMetric,
    )

    def __init__(self, parameters: LoveLetterParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("LoveLetterParameters", self.parameters)
        self.max_rounds = self.rules.max_rounds
        self.deck = self.rules.deck()

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(int(n_players))

    def _setup(self, n_players: i64, rng: Rng) -> LoveLetterState:
        state = LoveLetterState(n_players, self.rules.tokens_to_win(int(n_players)), [], [], [])
        state.tokens = (0,) * n_players
        self._deal(state, rng)
        return state

    def _deal(self, state: LoveLetterState, rng: Rng) -> None:
        deck = self.deck[:]
        rng.shuffle(deck)
        state.deck = deck
        state.removed = deck.pop()
        if state.n_players == 2:
            state.face_up = tuple([deck.pop() for _card in range(self.rules.face_up)])
        state.hands = [deck.pop() for _player in range(state.n_players)]
        state.known = 0
        state.public = 0
        state.doubtful = 0
        state.barred = 0
        state.ties = ()
        state.discards = []
        state.alive = (1 << state.n_players) - 1
        state.protected = 0
        state.drawn = deck.pop()

    def announce_setup(self, state: LoveLetterState) -> None:
        """Announce the cards dealt for a round."""
        places = [component.name for component in state.components()]
        words = f"round {state.round + 1} begins"
        state.announce(Event("round begun", -1, float(state.round + 1), places=tuple(places), words=words))
        if state.face_up:
            names = tuple([NAMES[card] for card in state.face_up])
            state.announce(Event("revealed", -1, 0.0, names, ("face up",), "", "{items} are removed face up"))
        for player in range(state.n_players):
            name = NAMES[state.hands[player]]
            state.announce(Event("dealt", player, 0.0, (name,), (f"hand of {player}",), seen_by=1 << player))
        state.announce_drawn(state.current_player, state.drawn, "deck")

    def _available_actions(self, state: LoveLetterState) -> list[AnyAction]:
        first, second = _plays(state)
        return first + second

    def random_action(self, state: LoveLetterState, rng: Rng) -> AnyAction:
        """Choose among the plays of both cards without a list of all."""
        first, second = _plays(state)
        count: i64 = len(first)
        chosen = rng.below(count + len(second))
        action: AnyAction = first[chosen] if chosen < count else second[chosen - count]
        return action

    def _after_action(self, state: LoveLetterState, action: AnyAction, rng: Rng) -> None:
        alive = state.alive
        if alive & (alive - 1) == 0 or not state.deck:
            self._end_play(state, rng)
            return
        self.end_player_turn(state)
        state.protected &= ~(1 << state.current_player)
        state.drawn = state.deck.pop()
        if state.recording:
            state.announce_drawn(state.current_player, state.drawn, "deck")

    def _next_player(self, state: LoveLetterState) -> i64:
        return _first_after(state.turn_player, state.alive, state.n_players)

    def _end_play(self, state: LoveLetterState, rng: Rng) -> None:
        """Score the round; then the game is over, or another round begins."""
        winners = _round_winners(state)
        if state.recording:
            _announce_winners(state, winners)
        tokens = [*state.tokens]
        is_over = False
        for player in range(state.n_players):
            if winners >> player & 1:
                tokens[player] += 1
                if tokens[player] >= state.goal:
                    is_over = True
        state.tokens = tuple(tokens)
        self.end_round(state, _first_after(state.first_player, winners, state.n_players), rng)
        if is_over and not state.is_terminal:
            state.end_by_score()
        if state.is_terminal:
            _show_hands(state)
        else:
            self._deal(state, rng)
            if state.recording:
                self.announce_setup(state)


def _announce_winners(state: LoveLetterState, winners: i64) -> None:
    """Announce the hands that are shown, and who wins the round by what; who is left alone does not show the hand."""
    alive = state.alive
    is_alone = alive & (alive - 1) == 0
    for player in range(state.n_players):
        if alive >> player & 1 and not is_alone:
            card = state.hands[player]
            state.announce(Event("revealed", player, float(card), (NAMES[card],), (f"hand of {player}",)))
    reason = "nobody else is left" if is_alone else "the highest card"
    if not is_alone and _has_tie(state, winners):
        reason = "the highest card, and the most in discards"
    for player in range(state.n_players):
        if winners >> player & 1:
            seen_by: i64 = 1 << player if is_alone else EVERYBODY
            places = (f"tokens of {player}",)
            state.announce(Event("round won", player, float(state.hands[player]), (), places, reason, seen_by=seen_by))


def _has_tie(state: LoveLetterState, winners: i64) -> bool:
    """Say whether several players had the highest card."""
    best = max([state.hands[player] for player in range(state.n_players) if winners >> player & 1])
    return state.hands.count(best) > 1


def _plays(state: LoveLetterState) -> tuple[list[Any], list[Any]]:
    """Return the ways to play the one card and the other, in lists that must not be changed."""
    player = state.current_player
    first: i64 = state.hands[player]
    second = state.drawn
    me: i64 = 1 << player
    others = state.alive & ~(state.protected | me)
    if (first == COUNTESS and _obliges(second)) or (second == COUNTESS and _obliges(first)):
        return _plays_of(COUNTESS, me, others), NO_PLAYS
    return _plays_of(first, me, others), NO_PLAYS if second == first else _plays_of(second, me, others)


def _plays_of(card: i64, me: i64, others: i64) -> list[Any]:
    """Return the ways to play ``card``, where masks say who plays it and which others are not protected."""
    return PLAYS[card << MAX_PLAYERS | (others | me if card == PRINCE else others)]


def _obliges(card: i64) -> bool:
    """Say whether the Countess must be played by who also holds ``card``."""
    return card == KING or card == PRINCE


def _round_winners(state: LoveLetterState) -> i64:
    """Return, as a mask, who has the highest card of those left, then the most in discards."""
    alive = state.alive
    best: i64 = NO_CARD
    winners: i64 = 0
    for player in range(state.n_players):
        if alive >> player & 1:
            card: i64 = state.hands[player]
            if card > best:
                best = card
                winners = 0
            if card == best:
                winners |= 1 << player
    return _most_discarded(state, winners) if winners & (winners - 1) else winners


def _most_discarded(state: LoveLetterState, tied: i64) -> i64:
    """Return, as a mask, who of the players ``tied`` has the most in discards."""
    sums = [sum(state.discards_of(player)) if tied >> player & 1 else -1 for player in range(state.n_players)]
    best = max(sums)
    winners = 0
    for player in range(len(sums)):
        if sums[player] == best:
            winners |= 1 << int(player)
    return winners


def _show_hands(state: LoveLetterState) -> None:
    """Show the hands of all who are left to all, as at the end of every round; only at the end of the game it matters.

    Who is left alone has not to show the own one.
    """
    alive = state.alive
    if alive & (alive - 1) == 0:
        return
    for player in range(state.n_players):
        for viewer in range(state.n_players):
            if alive >> player & 1 and viewer != player:
                state.show(player, viewer)


def _first_after(player: i64, seats: i64, n_players: i64) -> i64:
    """Return the first of ``seats``, a mask, in turn order after ``player``."""
    while True:
        player += 1
        if player == n_players:
            player = 0
        if seats >> player & 1:
            return player
