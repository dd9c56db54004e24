"""The rules of Diamant."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Actions, AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, interned
from tag.games.cards.diamant.actions import GoOn, LeaveCave
from tag.games.cards.diamant.data import (
    ALL_HAZARDS,
    ALL_RELICS,
    ALL_TREASURES,
    BIT,
    COUNT,
    COUNT_BITS,
    EARLY,
    HAZARD,
    HOW_MANY,
    LYING,
    LYING_BITS,
    MOST_PLAYERS,
    N_HAZARDS,
    N_RELICS,
    N_TREASURES,
    NUMBERED,
    RELIC,
    RELICS,
    TREASURES,
    DiamantParameters,
    cards_of,
    first_of,
    n_cards,
    size_of,
)
from tag.games.cards.diamant.state import DiamantState
from tag.games.cards.diamant.values import DiamantFeatures, DiamantHeuristic, DiamantMetric

#: Which one of its kind a hazard is.
_ORDINALS: Final = tuple(
    [f"the {number} hazard of this kind" for number in ("first", "second", "third", "fourth", "fifth")]
)


class Diamant(ForwardModel[DiamantState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("diamant")
    >>> state = model.setup(2, Rng(1))
    >>> for _player in range(2):
    ...     model.next(state, model.available_actions(state)[0], Rng(4))
    >>> print(state)
    Cave 1, player 0 to decide; 33 cards in the deck, 2 of them fatal
    path: spider, relic 3; 0 rubies on the way
    player 0  chest 0  in the cave with 0
    player 1  chest 0  in the cave with 0
    """

    game_type = GameType(
        "Diamant",
        2,
        MOST_PLAYERS,
        DiamantParameters,
        categories=("cards", "adventure"),
        mechanics=("push your luck", "simultaneous action selection", "hidden information"),
        chance_sources=("deck",),
        heuristic=DiamantHeuristic,
        features=DiamantFeatures,
        metric=DiamantMetric,
    )

    def __init__(self, parameters: DiamantParameters | None = None) -> None:
        """Prepare the deck and the relics."""
        chosen = DiamantParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.max_rounds = chosen.caves
        self.hazards: i64 = chosen.hazards
        self.fatal: i64 = chosen.fatal
        self.values = TREASURES[chosen.treasures]
        self.is_numbered = chosen.relics == "numbered"
        late = N_RELICS - EARLY
        self.prizes = NUMBERED if self.is_numbered else (chosen.relic,) * EARLY + (chosen.late_relic,) * late
        #: The relics in the deck of the first cave; whether another one comes into that of each later cave.
        self.first_relics: i64 = ALL_RELICS if chosen.relics == "shuffled" else 0 if chosen.relics == "none" else 1
        self.adds_relics = chosen.relics == "one_per_cave" or self.is_numbered
        self.shares_path = chosen.sharing == "path"
        self.choices: list[AnyAction] = [interned(GoOn()), interned(LeaveCave())]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return going on, and leaving."""
        return Vocabulary(Actions(GoOn), Actions(LeaveCave))

    def _setup(self, n_players: i64, rng: Rng) -> DiamantState:
        state = DiamantState(n_players, self.values, self.prizes)
        state.is_numbered = self.is_numbered
        state.shares_path = self.shares_path
        state.fatal = self.fatal
        state.deck = ALL_TREASURES | self.first_relics << RELICS
        for kind in range(N_HAZARDS):
            state.deck += self.hazards * HAZARD[kind]
        state.left = N_TREASURES + N_HAZARDS * self.hazards + HOW_MANY[self.first_relics]
        if self.adds_relics:
            state.gone = ALL_RELICS - self.first_relics << RELICS
        state.chests = (0,) * int(n_players)
        state.inside = (1 << int(n_players)) - 1
        self._turn_up(state, rng)
        return state

    def announce_setup(self, state: DiamantState) -> None:
        """Announce the first card of the first cave."""
        names = tuple([card.name for card in cards_of(state.path, self.values)])
        state.announce(Event("revealed", -1, 0.0, names, ("path",), "", "the first card in the cave: {items}"))

    def _available_actions(self, state: DiamantState) -> list[AnyAction]:
        return self.choices[:]

    def random_action(self, state: DiamantState, rng: Rng) -> AnyAction:
        """Choose without copying the list."""
        return self.choices[rng.below(2)]

    def _after_action(self, state: DiamantState, action: AnyAction, rng: Rng) -> None:
        """Ask the next player in the cave; when all have chosen, let players leave, and turn up a card for the others."""
        player = state.current_player + 1
        waiting = state.inside >> player
        if waiting:
            while waiting & 1 == 0:
                waiting >>= 1
                player += 1
            self.give_turn(state, player)
            return
        if state.leaving:
            self._leave(state, state.leaving, "")
        if state.recording and state.inside:
            words = f"going on: {_players_text(state.inside)}"
            state.announce(Event("going on", -1, float(state.n_inside()), words=words))
        if state.inside == 0:
            self._end_cave(state, rng)
        else:
            self.give_turn(state, first_of(state.inside))
        while not state.is_terminal and not self._turn_up(state, rng):
            self._end_cave(state, rng)

    def _leave(self, state: DiamantState, players: i64, reason: str) -> None:
        """Let ``players`` bring home what they carry and their part of what lies on the way; a single one takes relics."""
        number = size_of(players)
        relics: i64 = 0
        rubies = state.carried + state.part_of_path(number)
        state.lying = _left_lying(state, number)
        if number == 1:
            relics = state.relics_on_path()
            if relics:
                rubies += state.worth_of_relics(relics)
                state.relics |= relics << N_RELICS * first_of(players)
                state.path ^= relics << RELICS
        chests = list(state.chests)
        for player in range(state.n_players):
            if players >> player & 1:
                chests[player] += int(rubies)
        state.chests = tuple(chests)
        state.inside &= ~players
        state.leaving = 0
        if state.recording:
            self._announce_leaving(state, players, rubies, relics, reason)

    def _announce_leaving(self, state: DiamantState, players: i64, rubies: i64, relics: i64, reason: str) -> None:
        """Announce the rubies that each player brings home, those for relics included, and the relics."""
        names = tuple([card.name for card in cards_of(relics << RELICS, self.values)])
        words = f"{{player}} leaves with {_rubies_text(rubies)}" + (", {items} included" if names else "")
        for player in range(state.n_players):
            if players >> player & 1:
                places = [f"chest of {player}", f"rubies carried by {player}", "rubies on the way"]
                places += ["path", f"relics of {player}"] if names else []
                state.announce(Event("left", player, float(rubies), names, tuple(places), reason, words))

    def _turn_up(self, state: DiamantState, rng: Rng) -> bool:
        """Turn up a card; return whether the cave goes on."""
        if state.left == 0:
            self._leave(state, state.inside, "no card is left")
            return False
        drawn = _draw(state, rng.source("deck"))
        state.left -= 1
        if drawn < N_TREASURES:
            state.deck ^= BIT[drawn]
            state.path |= BIT[drawn]
            number = state.n_inside()
            value: i64 = self.values[drawn]
            state.carried += value // number
            state.lying |= value % number << LYING_BITS * drawn
            if state.recording:
                self._announce_card(state, BIT[drawn], f"{_rubies_text(value // number)} for each player in the cave")
            return True
        if drawn >= N_TREASURES + N_HAZARDS:
            relic: i64 = RELIC[drawn - N_TREASURES - N_HAZARDS]
            state.deck ^= relic
            state.path |= relic
            if state.recording:
                self._announce_card(state, relic, "")
            return True
        kind = drawn - N_TREASURES
        hazard: i64 = HAZARD[kind]
        state.deck -= hazard
        if state.met(kind) + 1 < self.fatal:
            state.path += hazard
            if state.recording:
                self._announce_card(state, hazard, f"{_ORDINALS[state.met(kind) - 1]}")
            return True
        state.gone += hazard
        if state.recording:
            self._announce_card(state, hazard, f"{_ORDINALS[self.fatal - 1]}")
            self._announce_flight(state)
        return False

    def _announce_card(self, state: DiamantState, card: i64, follows: str) -> None:
        """Announce a card turned up, and what follows for the players in the cave."""
        names = tuple([one.name for one in cards_of(card, self.values)])
        carried = [f"rubies carried by {player}" for player in range(state.n_players) if state.inside >> player & 1]
        places = ("deck", "path", "rubies on the way", *carried)
        state.announce(Event("revealed", -1, 0.0, names, places, follows, "{items} is turned up"))

    def _announce_flight(self, state: DiamantState) -> None:
        """Announce who leaves without what they carry."""
        carried = [f"rubies carried by {player}" for player in range(state.n_players) if state.inside >> player & 1]
        words = f"out of the cave without {_rubies_text(state.carried)} each: {_players_text(state.inside)}"
        state.announce(Event("fled", -1, float(state.n_inside()), (), ("removed", *carried), "", words))

    def _announce_end(self, state: DiamantState, relics: i64) -> None:
        """Announce the end of a cave, and the relics that no player has taken; all players enter the next one."""
        names = tuple([card.name for card in cards_of(relics << RELICS, self.values)])
        if names:
            state.announce(
                Event("relics lost", -1, 0.0, names, ("path", "removed"), "", "{items} is lost for the game")
            )
        places = ["deck", "path", "removed", "rubies on the way"]
        places += [f"rubies carried by {player}" for player in range(state.n_players)]
        number = state.round + 1
        state.announce(Event("round over", -1, float(number), (), tuple(places), "", f"cave {number} is over"))

    def _end_cave(self, state: DiamantState, rng: Rng) -> None:
        """Put the cards back, but for the relics, and let all players enter the next cave."""
        relics = state.relics_on_path()
        if state.recording:
            self._announce_end(state, relics)
        state.gone |= relics << RELICS
        back = state.path & (ALL_TREASURES | ALL_HAZARDS)
        state.left += n_cards(back)
        state.deck += back
        state.path = 0
        state.lying = 0
        state.carried = 0
        state.leaving = 0
        self.end_round(state, 0, rng)
        if state.is_terminal:
            state.inside = 0
            return
        state.inside = (1 << int(state.n_players)) - 1
        if self.adds_relics and state.round < N_RELICS:
            relic: i64 = RELIC[state.round]
            state.gone ^= relic
            state.deck |= relic
            state.left += 1


def _players_text(players: i64) -> str:
    """Return a set of players in words."""
    return ", ".join([f"player {player}" for player in range(MOST_PLAYERS) if players >> player & 1])


def _rubies_text(number: i64) -> str:
    return "1 ruby" if number == 1 else f"{number} rubies"


def _left_lying(state: DiamantState, players: i64) -> i64:
    """Return the rubies on each card that ``players`` leave behind; if all are shared together, on the first one."""
    if players == 1 or state.lying == 0:
        return 0
    if state.shares_path:
        return state.rubies_lying() % players << LYING_BITS * first_of(state.path & ALL_TREASURES)
    found: i64 = 0
    rest = state.lying
    bit: i64 = 0
    while rest:
        found |= (rest & LYING) % players << bit
        rest >>= LYING_BITS
        bit += LYING_BITS
    return found


def _draw(state: DiamantState, rng: Rng) -> i64:
    """Return a card of the deck, each as likely: a treasure, then the kind of a hazard, then a relic, counted from 0."""
    place = rng.below(state.left)
    deck = state.deck
    for card in range(N_TREASURES):
        if deck & 1:
            if place == 0:
                return card
            place -= 1
        deck >>= 1
    for kind in range(N_HAZARDS):
        place -= deck & COUNT
        if place < 0:
            return N_TREASURES + kind
        deck >>= COUNT_BITS
    number: i64 = 0
    while True:
        if deck & 1:
            if place == 0:
                return N_TREASURES + N_HAZARDS + number
            place -= 1
        deck >>= 1
        number += 1
