"""Diamant: positions for each rule, random games against a naive implementation, hidden choices, and probabilities."""

from collections import Counter
from itertools import combinations, permutations, product

import pytest
from play.measuring import random_game, scripted
from play.valuing import features_of

from tag import Rng, interned, make_game
from tag.engine.parameters import Spec
from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.values import short_of_results
from tag.games.cards.diamant import Diamant, DiamantHeuristic, DiamantHeuristicParameters, DiamantParameters
from tag.games.cards.diamant.actions import GoOn, LeaveCave
from tag.games.cards.diamant.data import HAZARD, N_RELICS, N_TREASURES, RELIC
from tag.table.events import event_text

GO_ON, LEAVE = interned(GoOn()), interned(LeaveCave())
VALUES = (1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17)
SPIDER, SNAKE, LAVA, BOULDER, RAM = HAZARD
VARIANTS = [
    {},
    {"relics": "one_per_cave"},
    {"relics": "numbered", "treasures": "tag", "sharing": "path"},
    {"relics": "none", "caves": 2, "hazards": 5, "fatal": 3},
    {"caves": 7, "hazards": 1, "relics": "one_per_cave", "sharing": "path"},
    {"hazards": 2, "fatal": 4, "relic": 0, "late_relic": 20, "caves": 1},
]


def treasure(*rubies):
    """Return the set of treasures with these rubies; of two equal ones the first."""
    return sum(1 << VALUES.index(value) for value in rubies)


def cave(deck, n_players=3, path=0, lying=None, carried=0, **rules):
    """Return the model and a position before the first of all players in the cave has chosen.

    ``lying`` are the rubies on cards, by the number on the card.
    """
    model = Diamant(DiamantParameters(**rules))
    state = model.setup(n_players, Rng(0))
    state.deck, state.path, state.carried = deck, path, carried
    state.left = sum(deck >> card & 1 for card in range(N_TREASURES))
    state.left += sum(deck >> 15 + 4 * kind & 15 for kind in range(5)) + (deck >> 35).bit_count()
    state.lying = sum(left << 3 * VALUES.index(value) for value, left in (lying or {}).items())
    state.gone = state.relics = 0
    return model, state


def choose(model, state, *leavers):
    """Let each player in the cave choose; ``leavers`` leave."""
    for player in [player for player in range(state.n_players) if state.inside >> player & 1]:
        assert state.current_player == player
        model.next(state, LEAVE if player in leavers else GO_ON, Rng(1))


def inside(state):
    return [player for player in range(state.n_players) if state.inside >> player & 1]


# --- rules -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rubies", "players", "each", "rest"),
    [(17, 3, 5, 2), (17, 6, 2, 5), (1, 2, 0, 1), (9, 3, 3, 0), (3, 5, 0, 3), (15, 4, 3, 3)],
)
def test_treasures_are_shared_in_whole_parts(rubies, players, each, rest):
    """Treasure cards: the rest stays on the card."""
    model, state = cave(treasure(rubies), players)
    choose(model, state)
    assert (state.carried, state.rubies_lying()) == (each, rest)
    assert state.chests == (0,) * players


def test_only_players_in_the_cave_share_a_treasure():
    """Treasure cards: the explorers present share."""
    model, state = cave(treasure(9, 4))
    choose(model, state, 1)
    first = state.carried
    choose(model, state)
    assert first + state.carried in (4 // 2 + 9 // 2 + 9 // 2, 4 // 2 + 9 // 2 + 4 // 2)
    assert state.chests == (0, 0, 0)


def test_the_first_hazard_of_a_kind_does_nothing():
    """Trap cards: the first of its kind."""
    model, state = cave(SNAKE, path=SPIDER + treasure(11), carried=3)
    choose(model, state)
    assert (state.round, state.carried, inside(state)) == (0, 3, [0, 1, 2])
    assert state.path == SPIDER + SNAKE + treasure(11)


def test_the_second_hazard_of_a_kind_takes_all_that_is_carried():
    """Trap cards: the second of its kind ends the round; those who left before keep theirs."""
    model, state = cave(SPIDER, path=SPIDER + treasure(11), lying={11: 2}, carried=3)
    choose(model, state, 2)
    assert state.round == 1
    assert state.chests == (0, 0, 3 + 2)
    assert inside(state) == [0, 1, 2]


def test_the_hazard_that_ends_a_cave_is_removed_and_no_other():
    """End of a round: the second trap card leaves the game, the first one goes back."""
    model, state = cave(SPIDER, path=SPIDER + 2 * SNAKE + treasure(11, 5), fatal=3)
    state.path += SPIDER
    choose(model, state)
    assert state.gone == SPIDER
    assert state.deck + state.path == 2 * SPIDER + 2 * SNAKE + treasure(11, 5)
    assert state.left == 5


def test_who_leaves_alone_takes_all_rubies_on_the_way():
    """Leaving the cave alone."""
    model, state = cave(SNAKE, lying={11: 2, 5: 2, 17: 1}, carried=4)
    choose(model, state, 1)
    assert state.chests == (0, 9, 0)
    assert (state.rubies_lying(), state.carried, inside(state)) == (0, 4, [0, 2])


def test_several_who_leave_share_the_rubies_on_each_card():
    """Leaving the cave together: of 3, 1 and 2 rubies each of two gets 1, 0 and 1; the rest stays on its card."""
    model, state = cave(SNAKE, 4, lying={11: 3, 5: 1, 14: 2}, carried=4)
    choose(model, state, 0, 3)
    assert state.chests == (6, 0, 0, 6)
    assert state.lying == 1 << 3 * VALUES.index(11) | 1 << 3 * VALUES.index(5)


def test_as_in_incan_gold_several_who_leave_share_all_rubies_on_the_way():
    """Incan Gold, Players Who Leave: they divide all that has been left on any card."""
    path = treasure(11, 5, 14)
    model, state = cave(SNAKE, 5, path=path, lying={11: 4, 5: 1, 14: 3}, carried=4, sharing="path")
    choose(model, state, 0, 2, 3)
    assert state.chests == (6, 0, 6, 6, 0)
    assert state.rubies_lying() == 2


def test_rubies_left_on_the_way_wait_for_those_who_leave_later():
    """Leaving the cave: what cannot be shared stays on the card."""
    model, state = cave(SNAKE + LAVA, lying={5: 1}, carried=1)
    choose(model, state, 0, 1)
    assert state.chests == (1, 1, 0)
    choose(model, state, 2)
    assert state.chests == (1, 1, 2)


def test_a_relic_stays_on_the_path_when_it_is_turned_up():
    """Relic cards: they stay where they are."""
    model, state = cave(RELIC[2])
    choose(model, state)
    assert (state.relics_on_path(), state.carried, state.relics) == (1 << 2, 0, 0)


def test_who_leaves_alone_takes_all_relics():
    """Relic cards: only to a single leaver."""
    model, state = cave(SNAKE, path=RELIC[1] + RELIC[4], carried=2)
    choose(model, state, 2)
    assert state.chests == (0, 0, 2 + 5 + 5)
    assert (state.n_relics(2), state.relics_on_path()) == (2, 0)


def test_none_of_several_who_leave_takes_a_relic():
    """Relic cards: if several leave, the relics stay."""
    model, state = cave(SNAKE, path=RELIC[1], carried=2)
    choose(model, state, 0, 2)
    assert state.chests == (2, 0, 2)
    assert (state.n_taken(), state.relics_on_path()) == (0, 1 << 1)
    choose(model, state, 1)
    assert state.n_relics(1) == 1


@pytest.mark.parametrize(("before", "rubies"), [(0, 5 + 5), (1, 5 + 5), (2, 5 + 10), (3, 10 + 10)])
def test_the_first_three_relics_count_5_and_the_others_10(before, rubies):
    """Relic cards: their value, by the order in which they are taken, whoever takes them."""
    model, state = cave(SNAKE, path=RELIC[3] + RELIC[4])
    state.relics = (1 << before) - 1 << N_RELICS * 1
    choose(model, state, 0)
    assert state.chests == (rubies, 0, 0)


def test_numbered_relics_count_what_is_printed_on_them():
    """Incan Gold (2020), Components: artifacts numbered 5, 7, 8, 10 and 12."""
    model, state = cave(SNAKE, path=RELIC[0] + RELIC[4] + RELIC[3], relics="numbered")
    choose(model, state, 0)
    assert state.chests == (5 + 12 + 10, 0, 0)


@pytest.mark.parametrize("leavers", [(0, 1, 2), ()])
def test_relics_turned_up_are_not_shuffled_into_the_next_cave(leavers):
    """End of a round: relics that were turned up leave the game, taken or not."""
    model, state = cave(SPIDER, path=SPIDER + RELIC[1] + treasure(4))
    choose(model, state, *leavers)
    assert state.round == 1
    assert state.gone >> 35 == 1 << 1
    assert (state.deck + state.path) >> 35 == 0


def test_one_more_relic_comes_into_the_deck_of_each_cave():
    """Incan Gold, A Game Round: an artifact that is not discovered stays in the deck."""
    model, state = cave(treasure(4) + RELIC[0], path=SPIDER, relics="one_per_cave")
    state.gone = sum(RELIC[1:])
    for number in range(1, 5):
        hidden, lost = state.deck >> 35, state.gone >> 35 | state.path >> 35
        state.inside = 3  # two leave together, so that relics on the path are lost
        choose(model, state, 0, 1)
        assert state.round == number
        assert (state.deck | state.path) >> 35 == hidden | 1 << number
        assert state.gone >> 35 == lost ^ 1 << number


def test_when_all_have_left_the_next_cave_begins_with_all_players():
    """Game play: five caves, each entered by all."""
    model, state = cave(treasure(5, 9), carried=2)
    choose(model, state, 0, 2)
    choose(model, state, 1)
    assert (state.round, inside(state), state.current_player) == (1, [0, 1, 2], 0)
    assert state.path.bit_count() == 1


@pytest.mark.parametrize("caves", [1, 5])
def test_the_game_ends_after_the_last_cave(caves):
    """End of the game: after five rounds."""
    model, state = cave(treasure(5), carried=2, caves=caves)
    state.round = caves - 1
    choose(model, state, 0, 1, 2)
    assert state.is_terminal
    assert state.chests == (2, 2, 2)
    assert state.results == (DRAW,) * 3


def test_of_equal_rubies_the_most_relics_win():
    """End of the game: the tie."""
    model, state = cave(treasure(5), caves=1)
    state.chests, state.relics = (5, 5, 4), RELIC[0] >> 35 << 5 | 6 << 10
    choose(model, state, 0, 1, 2)
    assert state.results == (LOSE, WIN, LOSE)
    assert [state.ordinal(player) for player in range(3)] == [2, 1, 3]


def test_all_leave_when_the_deck_runs_out():
    """Ruling: with other parameters only."""
    model, state = cave(0, path=treasure(9) + RELIC[0], carried=3, lying={9: 3})
    choose(model, state, 0)
    assert state.chests[0] == 3 + 3 + 5
    assert state.chests[1:] == (3, 3)
    assert state.round == 1


def test_the_deck_is_the_printed_one():
    """Contents: 15 treasures, 15 traps, 5 relics."""
    state = Diamant().setup(3, Rng(3))
    cards = Counter(card.name for deck in state.components()[:3] for card in deck.items)
    expected = Counter(f"treasure {value}" for value in VALUES)
    expected.update({name: 3 for name in ("spider", "snake", "lava", "boulder", "ram")})
    assert cards == expected + Counter(f"relic {number}" for number in range(1, 6))
    assert state.left == 34


# --- the whole game against a naive implementation ---------------------------------------------------------------------


class Naive:
    """The rules with cards as names in lists, and rubies of each player; draws are those of the sorted deck."""

    def __init__(self, parameters, n_players, rng):
        self.rules, self.n, self.rng = parameters, n_players, rng
        values = VALUES if parameters.treasures == "printed" else (1, 2, 3, 4, 5, 7, *range(9, 18))
        self.deck = [("treasure", number, value) for number, value in enumerate(values)]
        self.deck += [("trap", kind, 0) for kind in range(5) for _copy in range(parameters.hazards)]
        self.unused = [] if parameters.relics == "none" else [("relic", number, 0) for number in range(5)]
        if parameters.relics == "shuffled":
            self.deck += self.unused
            self.unused = []
        self.home = [0] * n_players
        self.relics = [0] * n_players
        self.cave = -1
        self.enter()

    @property
    def is_over(self):
        return self.cave == self.rules.caves

    def enter(self):
        """Enter the next cave, and the one after that if its first card ends it."""
        self.cave += 1
        if self.is_over:
            return
        if self.unused:
            self.deck.append(self.unused.pop(0))
        self.pockets = dict.fromkeys(range(self.n), 0)
        self.path, self.on_card = [], {}
        self.reveal()

    def reveal(self):
        if not self.deck:
            self.go_home(list(self.pockets))
            self.finish()
            return
        self.deck.sort(key=lambda card: (("treasure", "trap", "relic").index(card[0]), card[1]))
        card = self.deck.pop(self.rng.below(len(self.deck)))
        self.path.append(card)
        if card[0] == "treasure":
            for player in self.pockets:
                self.pockets[player] += card[2] // len(self.pockets)
            self.on_card[card] = card[2] % len(self.pockets)
        elif card[0] == "trap" and self.path.count(card) == self.rules.fatal:
            self.path.remove(card)
            self.finish()

    def finish(self):
        self.deck += [card for card in self.path if card[0] != "relic"]
        self.enter()

    def go_home(self, leavers):
        if self.rules.sharing == "path":
            total = sum(self.on_card.values())
            part, self.on_card = total // len(leavers), {"rest": total % len(leavers)}
        else:
            part = sum(rubies // len(leavers) for rubies in self.on_card.values())
            self.on_card = {card: rubies % len(leavers) for card, rubies in self.on_card.items()}
        for player in leavers:
            self.home[player] += self.pockets.pop(player) + part
        if len(leavers) == 1:
            for card in [card for card in self.path if card[0] == "relic"]:
                self.path.remove(card)
                early = self.rules.relic if sum(self.relics) < 3 else self.rules.late_relic
                self.home[leavers[0]] += (5, 7, 8, 10, 12)[card[1]] if self.rules.relics == "numbered" else early
                self.relics[leavers[0]] += 1

    def choose(self, leavers):
        if leavers:
            self.go_home(leavers)
        if self.pockets:
            self.reveal()
        else:
            self.finish()


def play_beside_naive(rules, n_players, seed, patience):
    parameters = DiamantParameters(**rules)
    model, rng, choices = Diamant(parameters), Rng(seed), Rng(seed + 1)
    state, naive = model.setup(n_players, rng), Naive(parameters, n_players, Rng(seed))
    while not state.is_terminal:
        assert (list(state.chests), state.round) == (naive.home, naive.cave)
        assert inside(state) == sorted(naive.pockets)
        assert set(naive.pockets.values()) == {state.carried}
        assert (state.rubies_lying(), state.left) == (sum(naive.on_card.values()), len(naive.deck))
        assert state.relics_on_path().bit_count() == sum(card[0] == "relic" for card in naive.path)
        leavers = [player for player in naive.pockets if choices.below(patience) == 0]
        for player in inside(state):
            model.next(state, LEAVE if player in leavers else GO_ON, rng)
        naive.choose(leavers)
    assert naive.is_over
    assert (list(state.chests), [state.n_relics(player) for player in range(n_players)]) == (naive.home, naive.relics)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_random_games_are_those_of_a_naive_implementation(rules):
    for n_players in range(2, 7):
        for seed in range(4):
            play_beside_naive(rules, n_players, 10 * seed, patience=2 + 2 * seed)


@pytest.mark.slow
def test_2000_random_games_are_those_of_a_naive_implementation():
    for seed in range(2000):
        rng = Rng(seed)
        rules = DiamantParameters.sample(rng).changes()
        play_beside_naive(dict(rules), 2 + rng.below(5), seed, patience=2 + rng.below(6))


# --- simultaneous choices ----------------------------------------------------------------------------------------------


def played_by(seats, seed):
    """Return the end for each person; ``seats`` has who sits where, who decides by the cave, the card and an own number."""
    model, rng = Diamant(), Rng(seed)
    state = model.setup(len(seats), rng)
    steps = 0
    while not state.is_terminal:
        rng.select(100 * state.round + steps)
        steps += 1
        for player in inside(state):
            own = Rng(1000 * seed + 10 * steps + seats[player])
            model.next(state, LEAVE if own.below(4) == 0 else GO_ON, rng)
    return {person: (state.chests[seat], state.n_relics(seat), state.result(seat)) for seat, person in enumerate(seats)}


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_the_order_of_asking_changes_nothing(n_players):
    for seed in range(4):
        games = [played_by(seats, seed) for seats in permutations(range(n_players))]
        assert all(game == games[0] for game in games)


@pytest.mark.parametrize("choices", list(product([GO_ON, LEAVE], repeat=2)))
def test_choices_are_hidden_until_all_have_chosen(choices):
    """Observations, views and actions of the player asked last are the same for all choices of the others."""
    model, state = cave(treasure(9) + 2 * SNAKE, path=SPIDER + treasure(11) + RELIC[0], lying={11: 2}, carried=3)
    _, other = cave(treasure(9) + 2 * SNAKE, path=SPIDER + treasure(11) + RELIC[0], lying={11: 2}, carried=3)
    for action in choices:
        assert action.text(state, 2) == "choose in secret"
        assert action.text(state, int(state.current_player)) != "choose in secret"
        model.next(state, action, Rng(1))
        model.next(other, GO_ON, Rng(1))
    assert state.knowledge(2) == other.knowledge(2)
    assert (state.text(2), features_of(state, 2)) == (other.text(2), features_of(other, 2))
    for seed in range(20):
        assert state.observation(2, Rng(seed)).snapshot() == other.observation(2, Rng(seed)).snapshot()


def test_hidden_choices_are_dealt_evenly_and_the_own_one_is_kept():
    model, state = cave(treasure(9), 4, path=RELIC[0], carried=3)
    for action in (GO_ON, LEAVE, GO_ON):
        model.next(state, action, Rng(1))
    rng = Rng(5)
    found = Counter(int(state.observation(1, rng).leaving) for _draw in range(4000))
    assert set(found) == {0b0010, 0b0011, 0b0110, 0b0111}
    assert all(abs(number - 1000) < 4.5 * 27.4 for number in found.values())
    assert {int(state.observation(0, rng).leaving) & 0b1001 for _draw in range(50)} == {0}


def test_choices_of_a_card_are_open_with_the_next_one():
    model, state = cave(treasure(9) + SNAKE, carried=3)
    choose(model, state, 1)
    assert all(state.observation(player, Rng(1)).snapshot() == state.snapshot() for player in range(3))


# --- probabilities -----------------------------------------------------------------------------------------------------


def after_card(model, state):
    """Return the positions after all go on, with their probabilities."""
    before = state.copy()
    while before.current_player != max(inside(before)):
        model.next(before, GO_ON, Rng(0))
    return model.outcomes(before, GO_ON, limit=5000).all()


@pytest.mark.parametrize("rules", VARIANTS[:5], ids=str)
def test_the_risk_and_the_mean_share_are_those_of_all_outcomes(rules):
    model, rng = make_game(str(Spec("diamant", rules))), Rng(8)
    state, looked_at = model.setup(3, rng), 0
    while not state.is_terminal and looked_at < 12:
        if not state.inside & (1 << state.current_player) - 1:
            looked_at += 1
            players, found = state.n_inside(), after_card(model, state)
            # A cave that ended has put its path back: the next one begins within the same outcome.
            ended = [(probability, after) for probability, after in found if after.round > state.round]
            goes_on = [(probability, after) for probability, after in found if after.round == state.round]
            assert sum(probability for probability, _ in found) == pytest.approx(1)
            assert sum(probability for probability, _ in ended) == pytest.approx(state.risk())
            gained = sum(probability * (after.carried - state.carried) for probability, after in goes_on)
            assert gained == pytest.approx(state.mean_share(players))
        model.next(state, rng.choice([GO_ON, GO_ON, GO_ON, LEAVE]), rng)


def test_the_first_cards_of_a_cave_are_dealt_as_by_enumeration():
    """Of all sets of two or three of the 35 cards, so many have two equal hazards: 0.0252 and 0.0741."""
    cards = [("treasure", number) for number in range(15)] + [("relic", number) for number in range(5)]
    cards += [("trap", kind) for kind in range(5) for _copy in range(3)]
    expected = []
    for size in (2, 3):
        sets = [Counter(card for card in drawn if card[0] == "trap") for drawn in combinations(cards, size)]
        expected.append(sum(max(kinds.values(), default=0) > 1 for kinds in sets) / len(sets))
    model, state = cave(0, 2)
    state.deck, state.left = (1 << 15) - 1 + 3 * sum(HAZARD) + sum(RELIC), 35
    alive, dead = {state.snapshot(): (1.0, state)}, 0.0
    for size in (1, 2, 3):
        reached = {}
        for probability, position in alive.values():
            if size > 1:
                dead += probability * position.risk()
            if size == 3:
                continue
            for chance, after in after_card(model, position):
                if after.round == 0:
                    key = after.snapshot()
                    reached[key] = (reached.get(key, (0.0, after))[0] + probability * chance, after)
        if size > 1:
            assert dead == pytest.approx(expected[size - 2])
        alive = reached


# --- heuristic, features and metric ------------------------------------------------------------------------------------


def test_the_heuristic_prefers_to_leave_where_it_is_worth_more():
    """With 10 rubies carried, one of two cards fatal, and 8 rubies for each of two on the other."""
    heuristic = DiamantHeuristic()
    model, state = cave(SPIDER + treasure(17), 2, path=SPIDER, carried=10)
    values = []
    for action in (GO_ON, LEAVE):
        after = state.copy()
        model.next(after, action, Rng(0))
        values.append(heuristic.value(after, 0))
    rival = max(10, (1 - 1 / 2) * (10 + 8 / 2))
    assert values[0] == pytest.approx(((1 - 1 / 2) * (10 + 8 / 2) - 0.5 * rival) / 60)
    assert values[1] == pytest.approx((10 - 0.5 * rival) / 60)


@pytest.mark.parametrize("n_players", range(2, 7))
def test_before_a_card_all_in_the_cave_expect_the_best_number_of_further_cards(n_players):
    """What lies on the way counts in parts, and each further card like the next one."""
    heuristic = DiamantHeuristic(DiamantHeuristicParameters(rivals=0.0, path=1.0, further=5))
    n_lying = n_later = 0
    for seed in range(10):
        model, rng = Diamant(), Rng(seed)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            n = state.n_inside()
            if n and not state.is_unresolved():
                now = state.carried + state.part_of_path(n)
                if n == 1:
                    now += state.worth_of_relics(state.relics_on_path())
                later = [(1 - state.risk()) ** k * (now + k * state.mean_share(n)) for k in range(6)]
                n_lying += now > state.carried
                n_later += max(later) > max(later[:2])
                player = next(seat for seat in range(n_players) if state.inside >> seat & 1)
                expected = short_of_results((state.chests[player] + max(later)) / 60)
                assert heuristic.value(state, player) == pytest.approx(expected)
            model.next(state, rng.choice([GO_ON, GO_ON, LEAVE]), rng)
    assert n_lying > 10
    assert n_later > 10


def test_the_metric_counts_hazards_and_relics():
    model, state = cave(SPIDER, path=SPIDER + RELIC[0] + RELIC[1], carried=4, caves=1)
    found = scripted(model, "diamant", state, "leave", "go on", "go on")
    assert found == {"fatal_caves": [1.0], "caught": [2 / 3], "relics": [2.0], "rubies": [14 / 3]}


def test_the_metric_of_random_games_agrees_with_their_ends():
    for seed in range(5):
        state, _log, found = random_game(Diamant(), "diamant", 4, seed)
        assert found["rubies"] == [sum(state.chests) / 4]
        assert found["relics"] == [state.n_taken()]
        assert 0.0 <= found["caught"][0] <= found["fatal_caves"][0] <= 1.0


def told(state):
    """Return what has been announced in words, and forget it."""
    texts = [event_text(event) for event in state.announced]
    state.announced = ()
    return texts


def test_who_leaves_with_what_and_what_is_turned_up_is_told():
    model, state = cave(treasure(9), path=treasure(4) + RELIC[1], lying={4: 1}, carried=1)
    state.recording = True
    choose(model, state, 2)
    assert told(state) == [
        "player 2 leaves with 7 rubies, relic 2 included",
        "going on: player 0, player 1",
        "treasure 9 is turned up: 4 rubies for each player in the cave",
    ]


def test_who_flees_from_a_hazard_is_told():
    model, state = cave(SNAKE, path=SNAKE + treasure(4) + RELIC[0], carried=1)
    state.recording = True
    model.next(state, GO_ON, Rng(1))
    model.next(state, GO_ON, Rng(1))
    assert told(state) == []  # choices are secret until all have chosen
    model.next(state, GO_ON, Rng(1))
    assert told(state)[:5] == [
        "going on: player 0, player 1, player 2",
        "snake is turned up: the second hazard of this kind",
        "out of the cave without 1 ruby each: player 0, player 1, player 2",
        "relic 1 is lost for the game",
        "cave 1 is over",
    ]
