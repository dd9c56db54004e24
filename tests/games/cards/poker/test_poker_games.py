"""Poker in random games: against a plain second implementation of the rules, and against OpenSpiel."""

import pytest
from poker_positions import table, worth

from tag.engine.rng import Rng
from tag.games.cards.poker import Poker, PokerParameters
from tag.games.cards.poker.data import deal

SHARES = {
    "minimum": ["min"],
    "all_in": [],
    "pot": [100],
    "half_pot": [50, 100],
    "standard": ["min", 50, 100],
    "many": ["min", 33, 50, 75, 100, 150, 200],
}
VARIANTS = [
    {},
    {"stack": 60, "raises": "many"},
    {"stack": 200, "small_blind": 1, "big_blind": 2, "raises": "half_pot"},
    {"stack": 50, "raises": "minimum", "blinds_up_every": 2},
    {"stack": 97, "small_blind": 3, "big_blind": 7, "raises": "pot", "hands": 25, "target": 150},
    {"stack": 500, "raises": "all_in", "hands": 4},
]


class Table:
    """The rules once more, written plainly: bets of each round apart, players by name, pots layer by layer."""

    def __init__(self, n_players, stack=1000, small_blind=5, big_blind=10, **rules):
        self.chips = dict.fromkeys(range(n_players), stack)
        self.blinds = [small_blind, big_blind]
        self.rules = {"hands": 10, "blinds_up_every": 0, "target": 0, "raises": "standard", **rules}
        self.hands_played = 0
        self.button = n_players - 1
        self.last_big = None
        self.ranking = []  # groups of players out of the game, the first one out at the front

    def left_of(self, seat, players):
        return min(players, key=lambda player: (player - seat - 1) % len(self.chips))

    def start(self, cards):
        """Begin a hand with two of ``cards`` for each seat and five for the board; return whether it is over at once."""
        every = self.rules["blinds_up_every"]
        doubled = [2 * blind for blind in self.blinds]
        if every and self.hands_played and self.hands_played % every == 0 and doubled[1] <= sum(self.chips.values()):
            self.blinds = doubled
        self.playing = [player for player, chips in self.chips.items() if chips]
        self.before = dict(self.chips)
        self.holes = {player: cards[2 * player : 2 * player + 2] for player in self.playing}
        self.board = cards[-5:]
        self.street = 0
        self.in_pot = dict.fromkeys(self.chips, 0)
        self.bets = dict.fromkeys(self.chips, 0)
        self.folded, self.done = set(), set()
        self.button = self.left_of(self.button, self.playing)
        if len(self.playing) == 2:
            small, big = self.button, self.left_of(self.button, self.playing)
            if big == self.last_big:
                small, big = big, small
                self.button = small
        else:
            small = self.left_of(self.button, self.playing)
            big = self.left_of(small, self.playing)
        self.last_big = big
        self.bet(small, self.blinds[0])
        self.bet(big, self.blinds[1])
        self.high, self.raise_size = self.blinds[1], self.blinds[1]
        return self.turn_after(big)

    def bet(self, player, chips):
        chips = min(chips, self.chips[player])
        self.chips[player] -= chips
        self.bets[player] += chips

    def contenders(self):
        return [player for player in self.playing if player not in self.folded]

    def with_chips(self):
        return [player for player in self.contenders() if self.chips[player]]

    def options(self):
        """Return what the player to act can do; raises as the chips bet in this round."""
        player, due = self.player, self.high - self.bets[self.player]
        found = ["fold", "call"] if due else ["check"]
        reach = [self.bets[other] + self.chips[other] for other in self.with_chips() if other != player]
        limit = min(self.bets[player] + self.chips[player], max(reach, default=0))
        if limit <= self.high or (player in self.done and due < self.raise_size):
            return found
        least = self.high + self.raise_size
        pot = sum(self.in_pot.values()) + sum(self.bets.values()) + due
        totals = [least if share == "min" else self.high + pot * share // 100 for share in SHARES[self.rules["raises"]]]
        raises = sorted({total for total in totals if least <= total < limit})
        if not raises or self.rules["raises"] != "minimum":
            raises.append(limit)
        return found + raises

    def act(self, choice):
        """Let the player to act do so; return whether the hand is over."""
        player = self.player
        self.done.add(player)
        if choice == "fold":
            self.folded.add(player)
        elif choice == "call":
            self.bet(player, self.high - self.bets[player])
        elif choice != "check":
            self.bet(player, choice - self.bets[player])
            self.raise_size = max(self.raise_size, choice - self.high)
            self.high = choice
        return self.turn_after(player)

    def turn_after(self, seat):
        """Find who is to act; if none is, go on to the next rounds and the end of the hand. Return whether it is over."""
        while len(self.contenders()) > 1:
            waiting = [p for p in self.with_chips() if p not in self.done or self.bets[p] < self.high]
            highest = max(self.bets[player] for player in self.contenders())
            if len(self.with_chips()) == 1 and self.bets[self.with_chips()[0]] >= highest:
                waiting = []
            if waiting:
                self.player = self.left_of(seat, waiting)
                return False
            self.collect()
            if self.street == 3:
                break
            self.street += 1
            self.high, self.raise_size, self.done = 0, self.blinds[1], set()
            seat = self.button
        self.collect()
        self.settle()
        return True

    def collect(self):
        for player, chips in self.bets.items():
            self.in_pot[player] += chips
        self.bets = dict.fromkeys(self.bets, 0)

    def pots(self):
        """Return each pot with those who can win it, the main pot first; what no other has put in is a pot, too."""
        if len(self.contenders()) == 1:
            return [(sum(self.in_pot.values()), self.contenders())]
        rest, found = dict(self.in_pot), []
        while any(rest.values()):
            able = [player for player in self.contenders() if rest[player]]
            layer = min(rest[player] for player in able)
            chips = {player: min(layer, left) for player, left in rest.items()}
            found.append((sum(chips.values()), able))
            rest = {player: left - chips[player] for player, left in rest.items()}
        return found

    def settle(self):
        """Pay the pots, and order those who are out."""
        for chips, able in self.pots():
            value = {player: worth(self.holes[player] + self.board) if len(able) > 1 else 0 for player in able}
            winners = [player for player in able if value[player] == max(value.values())]
            winners.sort(key=lambda player: (player - self.button - 1) % len(self.chips))
            for place, player in enumerate(winners):
                self.chips[player] += chips // len(winners) + (place < chips % len(winners))
        self.hands_played += 1
        out = [player for player in self.playing if not self.chips[player]]
        for stack in sorted({self.before[player] for player in out}):
            self.ranking.append([player for player in out if self.before[player] == stack])

    def is_over(self):
        left = [chips for chips in self.chips.values() if chips]
        target = self.rules["target"]
        return len(left) == 1 or self.hands_played == self.rules["hands"] or 0 < target <= max(left)

    def places(self):
        """Return each player's place, 1 for the best; equal players share the better one."""
        left = {chips for chips in self.chips.values() if chips}
        groups = [
            [player for player, has in self.chips.items() if has == chips] for chips in sorted(left, reverse=True)
        ]
        found, place = {}, 1
        for group in [*groups, *reversed(self.ranking)]:
            found.update(dict.fromkeys(group, place))
            place += len(group)
        return [found[player] for player in self.chips]


def labels(model, state):
    """Return the available actions by what `Table.options` calls them."""
    found = {}
    for action in model.available_actions(state):
        name = int(action.total(state) - state.matched) if hasattr(action, "total") else str(action)
        assert name not in found
        found[name] = action
    return found


def likely(options, rng):
    """Choose at random, but call often and go all-in or fold rarely, so that hands last."""
    if rng.below(3) == 0:
        return options[rng.below(len(options))]
    options = [choice for choice in options if choice != "fold"]
    return options[rng.below(max(len(options) - 1, 1))]


def play_both(n_players, rules, seed, choose=likely):
    """Play a game by both implementations, compare them at each decision, and return what was chosen."""
    model, rng, deals = Poker(PokerParameters(**rules)), Rng(seed), Rng(seed + 1)
    rng.set_apart({"cards": seed + 1})
    state, table = model.setup(n_players, rng), Table(n_players, **rules)
    total = sum(state.stacks) + int(state.pot)
    chosen = []
    is_hand_over = True
    while True:
        while is_hand_over and not table.is_over():
            cards = [0] * (2 * n_players + 5)
            deal(cards, [], deals)
            is_hand_over = table.start(cards)
        if is_hand_over:
            break
        assert (state.current_player, state.phase, state.button) == (table.player, table.street, table.button)
        assert state.stacks == list(table.chips.values())
        assert sum(state.stacks) + state.pot == total
        by_name, options = labels(model, state), table.options()
        assert list(by_name) == options
        assert len(set(options)) == len(options)
        chosen.append(choose(options, rng))
        model.next(state, by_name[chosen[-1]], rng)
        is_hand_over = table.act(chosen[-1])
    assert state.is_terminal
    assert state.stacks == list(table.chips.values())
    assert [state.ordinal(player) for player in range(n_players)] == table.places()
    return chosen


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("n_players", [2, 3, 4, 6, 9])
def test_random_games_go_as_by_the_plain_rules(rules, n_players):
    chosen = []
    for seed in range(8):
        chosen += play_both(n_players, rules, seed)
    assert len(chosen) > 50


@pytest.mark.slow
def test_two_thousand_random_games_go_as_by_the_plain_rules():
    for seed in range(2_000):
        play_both(2 + seed % 8, VARIANTS[seed % 5 if seed % 3 else 5], seed)


# --- OpenSpiel --------------------------------------------------------------------------------------------------------


def acpc_game(pyspiel, stacks):
    """Return OpenSpiel's game with these stacks; its last player has the button."""
    two = len(stacks) == 2
    return pyspiel.load_game(
        "universal_poker",
        {
            "betting": "nolimit",
            "bettingAbstraction": "fullgame",
            "numPlayers": len(stacks),
            "numRounds": 4,
            "blind": "10 5" if two else " ".join(["5", "10"] + ["0"] * (len(stacks) - 2)),
            "stack": " ".join(map(str, stacks)),
            "firstPlayer": "2 1 1 1" if two else "3 1 1 1",
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
        },
    )


def deal_to(other, laid):
    """Deal the cards ``laid`` out where OpenSpiel waits for them; it numbers them by rank first."""
    while other.is_chance_node():
        card = laid.pop(0)
        other.apply_action(card % 13 * 4 + card // 13)


def follow(other, state, choice):
    """Make a choice in OpenSpiel: what is above all that others can call may have to be more there."""
    if choice == "fold":
        other.apply_action(0)
    elif choice in ("check", "call"):
        other.apply_action(1)
    else:
        total = choice + int(state.matched)
        other.apply_action(min(action for action in other.legal_actions() if action > 1 and action >= total))


@pytest.mark.parametrize("n_players", [2, 3, 4, 6])
def test_pots_and_showdowns_are_those_of_openspiel(n_players):
    """One hand with unequal stacks; OpenSpiel splits chips, so it is less exact where hands tie."""
    pyspiel = pytest.importorskip("pyspiel")
    showdowns = 0
    for seed in range(60):
        rng = Rng(1_000 * n_players + seed)
        stacks = [10 + rng.below(20 if rng.below(2) else 300) for _seat in range(n_players)]
        model, state = table(*stacks, button=n_players - 1)
        deal(state.cards, [], rng)
        if state.is_terminal:  # all-in by the blinds, with the cards before
            continue
        laid, other = state.cards[:], acpc_game(pyspiel, stacks).new_initial_state()
        while not state.is_terminal:
            deal_to(other, laid)
            by_name = labels(model, state)
            choice = likely(list(by_name), rng)
            assert other.current_player() == state.current_player
            follow(other, state, choice)
            model.next(state, by_name[choice], rng)
        while not other.is_terminal():
            deal_to(other, laid)
            if not other.is_terminal():
                other.apply_action(1)
        won = [after - before for after, before in zip(state.stacks, stacks, strict=True)]
        hands = [worth(state.cards[2 * seat : 2 * seat + 2] + state.cards[-5:]) for seat in range(n_players)]
        tolerance = 0 if len(set(hands)) == n_players else n_players
        assert won == pytest.approx(other.returns(), abs=tolerance)
        showdowns += state.shown > 0
    assert showdowns > 10
