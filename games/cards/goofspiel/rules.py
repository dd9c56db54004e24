"""The rules of Goofspiel."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Actions, AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, interned
from tag.games.cards.goofspiel.actions import Bid
from tag.games.cards.goofspiel.data import BIT, GoofspielParameters, card_of, highest, listed
from tag.games.cards.goofspiel.state import GoofspielState
from tag.games.cards.goofspiel.values import GoofspielFeatures, GoofspielHeuristic, GoofspielMetric


class Goofspiel(ForwardModel[GoofspielState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("goofspiel:cards=4,prizes=descending")
    >>> state = model.setup(2, Rng(1))
    >>> for card in (3, 1):
    ...     model.next(state, model.available_actions(state)[card - 1], Rng(1))
    >>> print(state)
    Round 2, player 0 to bid; on offer: 3; 2 prizes to come
    player 0  points 4  hand 1 2 4
    player 1  points 0  hand 2 3 4
    """

    game_type = GameType(
        "Goofspiel",
        2,
        10,
        GoofspielParameters,
        categories=("cards", "simple"),
        mechanics=("auction", "simultaneous action selection", "hand management"),
        chance_sources=("prizes",),
        check_parameters="cards=4",
        heuristic=GoofspielHeuristic,
        features=GoofspielFeatures,
        metric=GoofspielMetric,
    )

    def __init__(self, parameters: GoofspielParameters | None = None) -> None:
        """Make the actions once."""
        chosen = GoofspielParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.n_cards: i64 = chosen.cards
        self.max_rounds = min(chosen.rounds, chosen.cards) if chosen.rounds else chosen.cards
        self.order = chosen.prizes
        self.carries = chosen.ties == "carry"
        self.hides = chosen.hidden
        self.bids: list[AnyAction] = [interned(Bid(card)) for card in range(chosen.cards + 1)]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return a bid of each card."""
        return Vocabulary(Actions(Bid, card=range(1, self.n_cards + 1)))

    def _setup(self, n_players: i64, rng: Rng) -> GoofspielState:
        state = GoofspielState(n_players, self.n_cards, self.hides)
        self._turn_up(state, rng)
        return state

    def announce_setup(self, state: GoofspielState) -> None:
        """Announce the first prize."""
        self._announce_prize(state, state.offer)

    def _available_actions(self, state: GoofspielState) -> list[AnyAction]:
        hand = state.hands[state.current_player]
        return [self.bids[card] for card in range(1, self.n_cards + 1) if hand >> card & 1]

    def random_action(self, state: GoofspielState, rng: Rng) -> AnyAction:
        """Choose without a list."""
        hand: i64 = state.hands[state.current_player]
        return self.bids[card_of(hand, rng.below(bit_count(hand)))]

    def _after_action(self, state: GoofspielState, action: AnyAction, rng: Rng) -> None:
        """Ask the next player; when all have bid, give the prize away and turn up another one."""
        player = state.current_player + 1
        if player < state.n_players:
            self.give_turn(state, player)
            return
        bids = state.bids
        state.hands = tuple([hand - BIT[bid] for hand, bid in zip(state.hands, bids, strict=True)])
        state.bids = (0,) * int(state.n_players)
        if self.hides:
            state.past = (*state.past, bids)
        if state.recording:
            self._announce_bids(state, bids)
        self._award(state, *highest(bids))
        self.end_round(state, 0, rng)
        if not state.is_terminal:
            self._turn_up(state, rng)
            if state.recording:
                self._announce_prize(state, state.offer)

    def _award(self, state: GoofspielState, best: i64, players: i64) -> None:
        """Give the prizes on offer to the player with the highest bid, if there is one."""
        stake = state.stake()
        if bit_count(players) > 1:
            if state.recording:
                reason = "they stay on offer" if self.carries else "they are thrown away"
                places = ("on offer", "thrown away")
                words = "the highest bids are equal, and no player wins the prizes"
                state.announce(Event("tied", -1, float(stake), (), places, reason, words))
            if not self.carries:
                state.offer = 0
            return
        winner = card_of(players, 0)
        won, points = list(state.won), list(state.points)
        won[winner] |= int(state.offer)
        points[winner] += int(stake)
        state.won, state.points = tuple(won), tuple(points)
        if state.recording:
            names = tuple([f"prize {card}" for card in listed(state.offer)])
            places = ("on offer", f"won by {winner}")
            state.announce(Event("won", winner, float(stake), names, places, "", "{player} wins {items}"))
        state.offer = 0

    def _turn_up(self, state: GoofspielState, rng: Rng) -> None:
        """Turn up a prize: the lowest, the highest, or any."""
        last = bit_count(state.prizes) - 1
        place: i64 = 0
        if self.order == "descending":
            place = last
        elif self.order == "random":
            place = rng.source("prizes").below(last + 1)
        prize: i64 = BIT[card_of(state.prizes, place)]
        state.prizes -= prize
        state.offer |= prize

    def _announce_prize(self, state: GoofspielState, offer: i64) -> None:
        """Announce the prizes on offer."""
        names = tuple([f"prize {card}" for card in listed(offer)])
        state.announce(
            Event("revealed", -1, float(state.stake()), names, ("prizes", "on offer"), "", "on offer: {items}")
        )

    def _announce_bids(self, state: GoofspielState, bids: tuple[int, ...]) -> None:
        """Announce the bids, each to all or to its player; of hidden ones also who has made the highest."""
        for player in range(state.n_players):
            places = (f"hand of {player}", f"bids of {player}")
            seen_by = 1 << player if self.hides else -1
            item = (str(bids[player]),)
            state.announce(
                Event("shown", player, float(bids[player]), item, places, "", "{player} bids {items}", seen_by=seen_by)
            )
        if self.hides:
            words = f"the highest bid: {state.told(bids)}"
            state.announce(Event("highest", -1, float(state.shown(bids)[0]), words=words))
