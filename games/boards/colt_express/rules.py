"""The rules of Colt Express: set-up, rounds of planning and stealing, and the end."""

from __future__ import annotations

from typing import Any, cast

from mypy_extensions import i64

from tag import AnyAction, ForwardModel, GameType, Rng, Vocabulary, bit_place, interned
from tag.games.boards.colt_express import telling
from tag.games.boards.colt_express.actions import (
    CHANGE_FLOOR,
    CHOICES,
    COVERS,
    FIRES,
    HIDES,
    MARSHAL_MOVES,
    MOVES,
    NO_COVER,
    PLACES,
    PLAYS,
    PUNCHES,
    RESERVES,
    ROBS,
    DrawCards,
    vocabulary,
)
from tag.games.boards.colt_express.data import (
    ACTION_CARDS,
    ACTION_NAMES,
    ANGRY_MARSHAL,
    BITS,
    BRAKING,
    CHOOSE,
    COVER,
    DOC,
    DOWN,
    FIRST_OF_TEAMS,
    FLOOR,
    GHOST,
    HOSTAGE,
    KIND_BITS,
    MARSHAL,
    MOVE,
    N_ACTIONS,
    N_BANDITS,
    NO_EVENT,
    OUTLAW,
    PICK_POCKET,
    PICKPOCKETING,
    PLACE,
    PLAN,
    PLAYER_SHIFT,
    PUNCH,
    REBELLION,
    RESERVE,
    REVENGE,
    ROB,
    ROUNDS,
    SECOND_OF_TEAMS,
    SHOOT,
    SPEEDING_UP,
    STEAL,
    SWITCHING,
    SWIVEL_ARM,
    TAKE_IT_ALL,
    TRAIN,
    TUNNEL,
    UNCHOSEN,
    Cards,
    ColtExpressParameters,
    Train,
    count_kinds,
    kind_at,
    kinds,
    unit,
)
from tag.games.boards.colt_express.state import ColtExpressState, cards_text, owned_text, plus, who_text
from tag.games.boards.colt_express.values import ColtExpressFeatures, ColtExpressHeuristic, ColtExpressMetric


class ColtExpress(ForwardModel[ColtExpressState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("colt_express")
    >>> state = model.setup(2, Rng(1))
    >>> [str(action) for action in model.available_actions(state)]
    ['choose Doc and Cheyenne', 'choose Belle and Django', 'choose Ghost and Tuco']
    """

    game_type = GameType(
        "Colt Express",
        2,
        6,
        ColtExpressParameters,
        categories=("cards", "fighting", "trains", "western"),
        mechanics=("programming", "hand management", "hidden information", "variable powers", "take that"),
        version=2,
        chance_sources=("train", "bandits", "rounds", "cards"),
        check_parameters="rounds=3",
        heuristic=ColtExpressHeuristic,
        features=ColtExpressFeatures,
        metric=ColtExpressMetric,
    )

    def __init__(self, parameters: ColtExpressParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("ColtExpressParameters", self.parameters)
        self.max_rounds = self.rules.rounds
        self.draw_action: AnyAction = interned(DrawCards(self.rules.draw))

    def vocabulary(self, n_players: i64) -> Vocabulary:
        per = self.rules.bandits_per_player(n_players)
        return vocabulary(int(n_players) * per, self.rules.cars(n_players), int(self.rules.draw))

    def _setup(self, n_players: i64, rng: Rng) -> ColtExpressState:
        chosen = self.rules
        per = self.rules.bandits_per_player(n_players)
        n_bandits = int(n_players) * per
        cars = self.rules.cars(n_players)
        deck = _new_deck(chosen.counts(), per)
        state = ColtExpressState(
            n_players,
            [-1] * n_bandits,
            [0] * (2 * cars),
            [0] * n_bandits,
            [],
            [Cards(0, deck) for _player in range(n_players)],
            [OUTLAW if chosen.bandits == "none" else UNCHOSEN] * n_bandits,
        )
        state.per = per
        state.cars = cars
        state.marshal = cars - 1
        state.neutral = chosen.neutral_bullets
        state.left = (1 << len(ROUNDS.small)) - 1
        state.bullets = (chosen.bullets,) * n_bandits
        state.wounds = state.shots = state.money = (0,) * int(n_players)
        state.covers = per == 2 and chosen.cover
        state.reserves = per == 2 and chosen.reserve
        _deal_loot(state, TRAIN, rng.source("train"))
        if chosen.bandits != "none":
            _deal_bandits(state, chosen.bandits == "dealt", rng.source("bandits"))
        if chosen.bandits != "chosen":
            self._board(state, rng)
        return state

    def announce_setup(self, state: ColtExpressState) -> None:
        """Tell the first round, if nothing is chosen before it."""
        if state.turns:
            self._announce_boarding(state)
            self._announce_round(state)
            if state.phase == PLAN:
                for player in range(state.n_players):
                    hand = cards_text(state, player, state.cards[player].hand)
                    state.announce(telling.dealt(player, hand))

    def _announce_boarding(self, state: ColtExpressState) -> None:
        for bandit in range(len(state.spots)):
            car = telling.car_text(state.spots[bandit] >> 1, state.cars)
            state.announce(telling.boarded(who_text(state, bandit), bandit // state.per, bandit, car))

    def _announce_round(self, state: ColtExpressState) -> None:
        begins = telling.round_begins(state.round + 1, state.title, state.turns, state.event, state.first_player)
        state.announce(begins)

    def _board(self, state: ColtExpressState, rng: Rng) -> None:
        """Put the bandits on the train, or let teams do so, and start."""
        state.offers = 0
        if state.per == 2:
            state.phase = PLACE
            if state.recording:
                state.announce(telling.boarding(len(state.spots)))
            return
        for seat in range(state.n_players):
            state.spots[seat] = 2 * (seat & 1)
        if state.recording:
            self._announce_boarding(state)
        self._begin_round(state, rng)

    def _begin_round(self, state: ColtExpressState, rng: Rng) -> None:
        rounds = rng.source("rounds")
        if state.round == self.max_rounds - 1:
            card = ROUNDS.stations[rounds.below(len(ROUNDS.stations))]
        else:
            number = bit_place(state.left, rounds.below(len(ROUNDS.small) - state.round), 1)
            state.left -= BITS[number]
            card = ROUNDS.small[number] if state.n_players <= 4 else ROUNDS.large[number]
        state.title = card.name
        state.event = card.event
        state.turns = card.turns
        state.pile = []
        state.done = -1
        state.acting = -1
        state.slot = 0
        state.step = 0
        if state.recording:
            self._announce_round(state)
        if state.reserves:
            state.phase = RESERVE
        else:
            self._deal(state, rng)

    def _deal(self, state: ColtExpressState, rng: Rng) -> None:
        for player in range(state.n_players):
            number = self.rules.hand + self.rules.doc_extra if state.plays(player, DOC) else self.rules.hand
            cards = state.cards[player]
            held = cards.hand
            cards.draw(number, rng.source("cards"))
            if state.recording:
                state.announce(telling.dealt(player, cards_text(state, player, cards.hand - held)))
        state.phase = PLAN

    def _end_planning(self, state: ColtExpressState, rng: Rng) -> None:
        """Put the hands back on the decks and turn the pile over."""
        for cards in state.cards:
            cards.deck += cards.hand
            cards.hand = 0
        state.phase = STEAL
        state.done = 0
        if state.recording:
            state.announce(telling.planned(state.n_players))
        self._go_on_stealing(state, rng)

    def _go_on_stealing(self, state: ColtExpressState, rng: Rng) -> None:
        """Return cards without effect to their decks, up to one that has an effect or to the end of the round."""
        pile = state.pile
        while state.done < len(pile):
            card: i64 = pile[state.done]
            player = card >> PLAYER_SHIFT
            kind = card & KIND_BITS
            state.acting = player * state.per + (1 if kind >= N_ACTIONS else 0)
            has_effect = self._has_effect(state, state.acting, kind % N_ACTIONS)
            if state.recording:
                _announce_card(state, card, has_effect)
            if has_effect:
                self.give_turn(state, player)
                return
            self._return_card(state)
        state.pile = []
        if state.recording and state.event != NO_EVENT:
            state.announce(telling.event_comes(state.event))
        if state.event == PICKPOCKETING:
            state.phase = PICK_POCKET
            state.done = 0
            self._go_on_picking(state, rng)
        else:
            _resolve_event(state, self.rules.ransom)
            self._finish_round(state, rng)

    def _return_card(self, state: ColtExpressState) -> None:
        card = state.pile[state.done]
        state.cards[card >> PLAYER_SHIFT].deck += unit(card & KIND_BITS)
        state.done += 1

    def _has_effect(self, state: ColtExpressState, bandit: i64, action: i64) -> bool:
        if action == SHOOT:
            return state.bullets[bandit] > 0 and len(state.fire_targets(bandit)) > 0
        if action == ROB:
            return state.floor[state.spots[bandit]] != 0
        return action != PUNCH or state.spots.count(state.spots[bandit]) > 1

    def _go_on_picking(self, state: ColtExpressState, rng: Rng) -> None:
        """Find the next bandit, from the first player's on, who is alone with a purse; without one the round is over."""
        n_bandits = len(state.spots)
        while state.done < n_bandits:
            bandit = (state.first_player * state.per + state.done) % n_bandits
            spot = state.spots[bandit]
            if state.spots.count(spot) == 1 and state.floor[spot] & state.purses:
                state.acting = bandit
                self.give_turn(state, bandit // state.per)
                return
            state.done += 1
        self._finish_round(state, rng)

    def _finish_round(self, state: ColtExpressState, rng: Rng) -> None:
        state.acting = -1
        first = state.first_player + 1
        self.end_round(state, first if first < state.n_players else 0, rng)
        if not state.is_terminal:
            self._begin_round(state, rng)

    def _on_round_limit(self, state: ColtExpressState, rng: Rng) -> None:
        """Give the prize to each player who has fired most; all loot is shown, and the richest wins."""
        most = max(state.shots)
        for player in range(state.n_players):
            if state.shots[player] == most:
                state.money = plus(state.money, player, self.rules.gunslinger)
                if state.recording:
                    state.announce(telling.gunslinger(player, most, self.rules.gunslinger))
        everything = (1 << len(state.values)) - 1
        state.open_purses(everything, rng.source("train"))
        state.known = (everything,) * int(state.n_players)
        state.end_by_score()
        if state.recording:
            _announce_end(state)

    def _available_actions(self, state: ColtExpressState) -> list[AnyAction]:
        phase = state.phase
        if phase == PLAN:
            return self._plans(state)
        if phase == STEAL:
            return self._deeds(state)
        if phase == COVER:
            return self._covers(state)
        if phase == PLACE:
            return PLACES[:]
        if phase == PICK_POCKET:
            return _robberies(state, state.purses)
        found: list[AnyAction] = []
        if phase == CHOOSE:
            _add_set(found, state.offers, 1, CHOICES)
        else:
            _add_set(found, kinds(state.cards[state.current_player].deck), 4, RESERVES)
        return found

    def random_action(self, state: ColtExpressState, rng: Rng) -> AnyAction:
        """Choose a plan by its number; most of random play is planning."""
        if state.phase != PLAN:
            return super().random_action(state, rng)
        cards = state.cards[state.current_player]
        number = count_kinds(cards.hand)
        hides = number if self._may_hide(state) else 0
        place = rng.below(number + hides + (1 if _may_draw(cards) else 0))
        plays = _plays(state) if place < number else HIDES
        if place >= number + hides:
            return self.draw_action
        plan: AnyAction = plays[kind_at(cards.hand, place if place < number else place - number)]
        return plan

    def _plans(self, state: ColtExpressState) -> list[AnyAction]:
        """Return the kinds in hand, again face down for the Ghost, and drawing."""
        cards = state.cards[state.current_player]
        found: list[AnyAction] = []
        _add_set(found, kinds(cards.hand), 4, _plays(state))
        if self._may_hide(state):
            _add_set(found, kinds(cards.hand), 4, HIDES)
        if _may_draw(cards):
            found.append(self.draw_action)
        return found

    def _may_hide(self, state: ColtExpressState) -> bool:
        """Say whether the player can choose to play a card face down: as the Ghost, on the first turn."""
        return state.slot == 0 and state.turns[0] != TUNNEL and state.plays(state.current_player, GHOST)

    def _covers(self, state: ColtExpressState) -> list[AnyAction]:
        """Return the cards of the other bandit than the one who fires, the Marshal's excepted."""
        hand = state.cards[state.current_player].hand
        first = 0 if state.pile[-1] & KIND_BITS >= N_ACTIONS else N_ACTIONS
        found = [NO_COVER]
        for kind in range(first, first + N_ACTIONS):
            if kind % N_ACTIONS != MARSHAL and (hand >> 4 * kind) & 15:
                found.append(COVERS[kind])
        return found

    def _deeds(self, state: ColtExpressState) -> list[AnyAction]:
        bandit = state.acting
        action = (state.pile[state.done] & KIND_BITS) % N_ACTIONS
        if action == MOVE:
            spot = state.spots[bandit]
            return _ways(MOVES, spot >> 1, self.rules.roof_move if spot & 1 else 1, state.cars)
        if action == FLOOR:
            return [CHANGE_FLOOR]
        if action == SHOOT:
            return [FIRES[victim] for victim in state.fire_targets(bandit)]
        if action == ROB:
            return _robberies(state, -1)
        if action == MARSHAL:
            return _ways(MARSHAL_MOVES, state.marshal, 1, state.cars)
        return _punches(state)

    def _after_action(self, state: ColtExpressState, action: AnyAction, rng: Rng) -> None:
        phase = state.phase
        if phase == PLAN:
            self._next_plan(state, rng)
        elif phase == STEAL:
            if state.recording:
                state.announce(telling.done(state.pile[state.done] >> PLAYER_SHIFT))
            self._return_card(state)
            self._go_on_stealing(state, rng)
        elif phase == PICK_POCKET:
            state.done += 1
            self._go_on_picking(state, rng)
        elif phase != COVER:  # then the same player is asked again, for a cover
            self._next_preparation(state, rng)

    def _next_preparation(self, state: ColtExpressState, rng: Rng) -> None:
        """Ask the next player to choose, place or reserve, or go on once all have."""
        self.end_player_turn(state)
        if state.current_player != state.first_player:
            return
        if state.phase == CHOOSE:
            self._board(state, rng)
        elif state.phase == PLACE:
            if state.recording:
                self._announce_boarding(state)
            self._begin_round(state, rng)
        else:
            self._deal(state, rng)

    def _next_plan(self, state: ColtExpressState, rng: Rng) -> None:
        plays = 2 if state.turns[state.slot] == SPEEDING_UP else 1
        n = state.n_players
        state.step += 1
        if state.step == n * plays:
            state.slot += 1
            state.step = 0
            if state.slot == len(state.turns):
                self._end_planning(state, rng)
                return
        turn = state.turns[state.slot]
        place = state.step >> 1 if turn == SPEEDING_UP else state.step
        seat = state.first_player + (n - place if turn == SWITCHING else place)
        self.give_turn(state, seat if seat < n else seat - n)


def _announce_card(state: ColtExpressState, card: i64, has_effect: bool) -> None:
    """Tell a card that is due, if it lay face down or has no effect."""
    player = card >> PLAYER_SHIFT
    action = (card & KIND_BITS) % N_ACTIONS
    who = f"player {player}" if action == MARSHAL else who_text(state, state.acting)
    name = ACTION_NAMES[action]
    if not has_effect:
        state.announce(telling.no_effect(who, player, name, _lack(state, action)))
    elif card & DOWN:
        state.announce(telling.turned_up(who, player, name))


def _lack(state: ColtExpressState, action: i64) -> str:
    """Return why a card has no effect."""
    if action == SHOOT:
        return "there is no bandit in sight" if state.bullets[state.acting] else "there is no bullet left"
    return "there is no loot" if action == ROB else "there is no other bandit"


def _announce_end(state: ColtExpressState) -> None:
    """Announce the possessions of all, and who wins and why."""
    bandits, floors = range(len(state.spots)), range(len(state.floor))
    loot = [telling.loot_place(bandit) for bandit in bandits] + [telling.floor_place(spot) for spot in floors]
    state.announce(telling.loot_shown(("round", *loot)))
    totals = [state.score(player) for player in range(state.n_players)]
    for player in range(state.n_players):
        state.announce(telling.wealth(player, owned_text(state, player), state.money[player], totals[player]))
    winners = tuple([player for player in range(state.n_players) if state.ordinal(player) == 1])
    if winners:
        best = totals[winners[0]]
        state.announce(telling.richest(winners, totals.count(best), best, state.wounds[winners[0]]))


def _plays(state: ColtExpressState) -> list[Any]:
    """Return the ways to play each kind of card in this turn."""
    return HIDES if state.turns[state.slot] == TUNNEL else PLAYS


def _may_draw(cards: Cards) -> bool:
    """Say whether the player can draw, or pass by doing so: without a deck only if there is no card to play."""
    return cards.deck != 0 or cards.hand & ACTION_CARDS == 0


def _add_set(found: list[Any], flags: i64, step: i64, actions: list[Any]) -> None:
    """Add the ``actions`` whose flags are set, at places ``step`` bits apart."""
    index: i64 = 0
    while flags:
        if flags & 1:
            found.append(actions[index])
        flags >>= step
        index += 1


def _ways(actions: list[Any], car: i64, steps: i64, cars: i64) -> list[AnyAction]:
    """Return the actions for the cars up to ``steps`` away."""
    low, high = max(0, car - steps), min(cars - 1, car + steps)
    return [actions[there] for there in range(low, high + 1) if there != car]


def _robberies(state: ColtExpressState, mask: i64) -> list[AnyAction]:
    """Return the ways to take one of the pieces of loot in ``mask`` at the acting bandit's spot."""
    loot = state.floor[state.spots[state.acting]] & mask
    return [ROBS[token] for token in state.distinct_loot(loot, state.acting // state.per)]


def _punches(state: ColtExpressState) -> list[AnyAction]:
    """Return the ways to punch: whom, for which loot, and where to."""
    bandit = state.acting
    car = state.spots[bandit] >> 1
    found: list[AnyAction] = []
    for victim in state.punch_targets(bandit):
        loot = state.held[victim]
        tokens = state.distinct_loot(loot, bandit // state.per) if loot else [-1]
        for there in (car - 1, car + 1):
            if 0 <= there < state.cars:
                for token in tokens:
                    found.append(PUNCHES[victim][there][token + 1])
    return found


def _new_deck(counts: list[int], per: int) -> int:
    """Return the cards of a player: all of one bandit, or one of each kind of both and one Marshal."""
    if per == 1:
        return int(sum([counts[action] * unit(action) for action in range(N_ACTIONS)]))
    deck = 0
    for action in range(N_ACTIONS):
        one = min(counts[action], 1)
        deck += int(one * unit(action))
        if action != MARSHAL:
            deck += int(one * unit(N_ACTIONS + action))
    return deck


def _deal_loot(state: ColtExpressState, train: Train, rng: Rng) -> None:
    """Give a purse to each bandit, choose the cars and lay their loot down, the purses at random."""
    n_bandits = len(state.spots)
    purses = train.purses[:]
    for _bandit in range(n_bandits):
        purses.remove(train.first_purse)
    state.purse_mean = sum(purses) / len(purses)
    n_purses = n_bandits + len(purses)
    valuables = [train.jewel] * train.jewels + [train.strongbox] * train.strongboxes
    state.values = tuple([train.first_purse] * n_bandits + [0] * len(purses) + valuables)
    state.contents = tuple(sorted(purses))
    state.purses = (1 << n_purses) - 1
    state.unopened = state.purses ^ ((1 << n_bandits) - 1)
    state.jewels = ((1 << train.jewels) - 1) << n_purses
    everything = (1 << len(state.values)) - 1
    state.known = (everything ^ int(state.unopened),) * int(state.n_players)
    for bandit in range(n_bandits):
        state.held[bandit] = 1 << bandit
    cars = train.cars[:]
    rng.shuffle(cars)
    purse, jewel = n_bandits, n_purses
    for car in range(int(state.cars) - 1):
        more_purses, more_jewels = cars[car]
        state.floor[2 * car] = (((1 << more_purses) - 1) << purse) | (((1 << more_jewels) - 1) << jewel)
        purse += more_purses
        jewel += more_jewels
    strongbox = 1 << (n_purses + train.jewels)
    state.floor[2 * (int(state.cars) - 1)] = strongbox
    state.boxed = everything ^ (strongbox * 2 - 1)


def _deal_bandits(state: ColtExpressState, is_dealt: bool, rng: Rng) -> None:
    """Lay out the bandits or teams that can be chosen, or deal them."""
    if state.per == 2:
        seconds = list(SECOND_OF_TEAMS)
        rng.shuffle(seconds)
        offers = [first | second << 3 for first, second in zip(FIRST_OF_TEAMS, seconds, strict=True)]
    else:
        offers = list(range(N_BANDITS))
    state.offers = sum([BITS[offer] for offer in offers])
    if is_dealt:
        rng.shuffle(offers)
        dealt: list[int] = []
        for offer in offers[: state.n_players]:
            dealt += [offer & 7, offer >> 3] if state.per == 2 else [offer]
        state.characters = dealt


def _resolve_event(state: ColtExpressState, ransom: i64) -> None:
    event = state.event
    if event == ANGRY_MARSHAL:
        state.hand_out(_on_marshals_roof(state))
        if state.marshal > 0:
            if state.recording:
                state.announce(telling.marshal_driven(telling.car_text(state.marshal - 1, state.cars)))
            state.move_marshal(state.marshal - 1)
    elif event == SWIVEL_ARM:
        _sweep(state)
    elif event == BRAKING:
        _brake(state)
    elif event == TAKE_IT_ALL:
        _drop_strongbox(state)
    elif event == REBELLION:
        state.hand_out([bandit for bandit in range(len(state.spots)) if not state.spots[bandit] & 1])
    else:
        _stop_at_station(state, ransom)


def _stop_at_station(state: ColtExpressState, ransom: i64) -> None:
    if state.event == REVENGE:
        for bandit in _on_marshals_roof(state):
            _drop_purse(state, bandit)
    elif state.event == HOSTAGE:
        for bandit in range(len(state.spots)):
            if state.spots[bandit] >> 1 == state.cars - 1:
                state.money = plus(state.money, bandit // state.per, ransom)
                if state.recording:
                    state.announce(telling.ransom(who_text(state, bandit), bandit // state.per, ransom))


def _on_marshals_roof(state: ColtExpressState) -> list[int]:
    return [bandit for bandit in range(len(state.spots)) if state.spots[bandit] == 2 * state.marshal + 1]


def _sweep(state: ColtExpressState) -> None:
    """Sweep all bandits on roofs to that of the caboose."""
    for bandit in range(len(state.spots)):
        if state.spots[bandit] & 1 and state.spots[bandit] != 1:
            state.put(bandit, 1, "is swept")


def _brake(state: ColtExpressState) -> None:
    """Move all bandits on roofs by a car towards the locomotive."""
    for bandit in range(len(state.spots)):
        spot = state.spots[bandit]
        if spot & 1 and spot >> 1 < state.cars - 1:
            state.put(bandit, spot + 2, "slides")


def _drop_strongbox(state: ColtExpressState) -> None:
    """Let the Marshal drop the next strongbox, if there is one, where he is."""
    bit = state.boxed & -state.boxed
    state.boxed &= ~bit
    state.floor[2 * state.marshal] |= int(bit)
    if state.recording:
        place = telling.floor_place(2 * state.marshal) if bit else ""
        state.announce(telling.strongbox(place, telling.car_text(state.marshal, state.cars)))


def _drop_purse(state: ColtExpressState, bandit: i64) -> None:
    """Make a bandit drop the least valuable purse."""
    loot = state.held[bandit] & state.purses
    lowest: i64 = -1
    for token in range(len(state.values)):
        if loot & BITS[token] and (lowest < 0 or state.values[token] < state.values[lowest]):
            lowest = token
    if lowest >= 0:
        state.drop(bandit, lowest)
