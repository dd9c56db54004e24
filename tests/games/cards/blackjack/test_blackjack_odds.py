"""Blackjack: dealer's totals, values of hands and basic strategy by enumeration; observations; heuristic and metric."""

from collections import Counter
from functools import cache
from itertools import permutations

import pytest
from blackjack_positions import best, kinds, money, names_of, play, shoe_of, table
from play.measuring import random_game, scripted
from play.valuing import features_of, heuristic_of

from tag import Rng, make_game, make_heuristic
from tag.engine.rng import Draws
from tag.games.cards.blackjack import Blackjack, BlackjackHeuristic, BlackjackHeuristicParameters, BlackjackParameters
from tag.games.cards.blackjack.data import (
    ACE,
    BETTING,
    IN_DECK,
    N_KINDS,
    NO_CARD,
    ONE,
    PLAYING,
    TEN,
    is_soft,
    pair_of,
    total_of,
)
from tag.games.cards.blackjack.values import odds

pytestmark = pytest.mark.flow

# --- exact odds, by enumeration of a shoe as a tuple of counts --------------------------------------------------------
#
# A shoe of None never runs out.


def chances(shoe, never=None):
    """Return the kinds that can be drawn, with their probabilities and the shoe after it."""
    counts = list(IN_DECK if shoe is None else shoe)
    if never is not None:
        counts[never] = 0
    found = []
    for kind, number in enumerate(counts):
        if number:
            rest = None if shoe is None else tuple(left - (k == kind) for k, left in enumerate(shoe))
            found.append((kind, number / sum(counts), rest))
    return found


@cache
def dealer_ends(cards, shoe, hits_soft_17=False, looked=False):
    """Return the probability of each total of the dealer, with ``BJ`` and ``bust``; ``looked``: without a blackjack."""
    total, soft = best(list(cards))
    if sorted(cards) == [ACE, TEN]:
        return {"BJ": 1.0}
    if total > 21:
        return {"bust": 1.0}
    if len(cards) > 1 and (total > 17 or (total == 17 and not (soft and hits_soft_17))):
        return {total: 1.0}
    never = {ACE: TEN, TEN: ACE}.get(cards[0]) if looked and len(cards) == 1 else None
    found = Counter()
    for kind, chance, rest in chances(shoe, never):
        for end, probability in dealer_ends(
            tuple(sorted([*cards, kind])) if len(cards) > 1 else (*cards, kind), rest, hits_soft_17
        ).items():
            found[end] += chance * probability
    return dict(found)


def against(total, ends):
    """Return what a unit on ``total`` wins."""
    if total > 21:
        return -1.0
    return sum(
        probability * (1 if end == "bust" or (end != "BJ" and total > end) else -1 if end == "BJ" or total < end else 0)
        for end, probability in ends.items()
    )


@cache
def stand(cards, up, shoe, hits=False):
    return against(best(list(cards))[0], dealer_ends((up,), shoe, hits, looked=True))


def draws_given_no_blackjack(shoe, up):
    """Return the player's next cards, if the hole card has been dealt from the shoe and makes no blackjack."""
    never = {ACE: TEN, TEN: ACE}.get(up)
    if shoe is None or never is None:
        return chances(shoe)
    size, bad = sum(shoe), shoe[never]
    found = []
    for kind, _chance, rest in chances(shoe):
        others = size - bad - (kind != never)
        found.append((kind, shoe[kind] / (size - bad) * others / (size - 1), rest))
    return found


@cache
def hit(cards, up, shoe, hits=False):
    """Return the value of one card and then the better of standing and hitting."""
    found = 0.0
    for kind, chance, rest in draws_given_no_blackjack(shoe, up):
        after = tuple(sorted([*cards, kind]))
        total = best(list(after))[0]
        found += chance * (
            stand(after, up, rest, hits)
            if total >= 21
            else max(stand(after, up, rest, hits), hit(after, up, rest, hits))
        )
    return found


@cache
def double(cards, up, shoe, hits=False):
    return 2 * sum(
        chance * stand(tuple(sorted([*cards, kind])), up, rest, hits)
        for kind, chance, rest in draws_given_no_blackjack(shoe, up)
    )


def less(shoe, *cards):
    return tuple(number - cards.count(kind) for kind, number in enumerate(shoe))


ONE_DECK = IN_DECK
SIX_DECKS = tuple(6 * number for number in IN_DECK)


@pytest.mark.parametrize(
    ("up", "published"),
    [
        ("A", (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654)),
        ("2", (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0, 0.352973)),
        ("6", (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823)),
        ("7", (0.372345, 0.138583, 0.0773344, 0.0788967, 0.072987, 0, 0.259854)),
    ],
)
def test_the_enumeration_gives_the_published_totals_of_the_dealer(up, published):
    """M. Shackleford, wizardofodds.com, blackjack appendix 2B: one deck, the dealer stands on soft 17."""
    (card,) = kinds(up)
    ends = dealer_ends((card,), less(ONE_DECK, card))
    assert [ends.get(end, 0) for end in (17, 18, 19, 20, 21, "BJ", "bust")] == pytest.approx(published, abs=6e-7)


@pytest.mark.parametrize(
    ("hand", "standing", "doubling"),
    [
        ("2 A", -0.661732, -0.593281),
        ("3 2", -0.659375, -1.318751),
        ("6 4", -0.636118, 0.048615),
        ("6 5", -0.634013, 0.240259),
        ("7 2", -0.645559, -0.402057),
        ("7 A", -0.101015, -0.357778),
    ],
)
def test_the_enumeration_gives_the_published_values_of_hands(hand, standing, doubling):
    """The same, appendix 9: one deck, against an ace that is no blackjack."""
    cards = tuple(sorted(kinds(hand)))
    shoe = less(ONE_DECK, *cards, ACE)
    assert stand(cards, ACE, shoe) == pytest.approx(standing, abs=6e-7)
    assert double(cards, ACE, shoe) == pytest.approx(doubling, abs=6e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("hand", "hitting"), [("6 5", 0.172946), ("7 2", -0.082785), ("2 A", -0.067808)])
def test_the_enumeration_gives_the_published_values_of_hitting(hand, hitting):
    cards = tuple(sorted(kinds(hand)))
    assert hit(cards, ACE, less(ONE_DECK, *cards, ACE)) == pytest.approx(hitting, abs=6e-7)


# --- the game against the enumeration ---------------------------------------------------------------------------------


def holes(state):
    """Return observations with every hole card that they can deal, each with its probability."""
    draws = Draws()
    while True:
        seen = state.copy()
        seen.redeterminise(0, draws.rng())
        yield draws.probability(), seen
        if not draws.advance():
            return


def value_of(model, state, *names):
    """Return what the player wins on average by these actions, as far as possible, over all hole cards and draws."""
    found = 0.0
    for chance, position in holes(state):
        reached = [(chance, position)]
        for name in names:
            after = []
            for probability, before in reached:
                actions = {str(action): action for action in model.available_actions(before)}
                if before.round or name not in actions:
                    after.append((probability, before))
                    continue
                outcomes = model.outcomes(before, actions[name], 1_000_000).all()
                after += [(probability * part, other) for part, other in outcomes]
            reached = after
        found += sum(probability * other.score(0) for probability, other in reached)
    return found


@pytest.mark.parametrize("hits", [False, True])
@pytest.mark.parametrize("up", ["A", "10", "6", "9"])
@pytest.mark.parametrize("hand", ["6 5", "A 6", "10 2"])
def test_the_game_gives_the_values_of_the_enumeration(hand, up, hits):
    """Standing, doubling, and one hit, with a shoe of nine cards and the hole card, which is none for a blackjack."""
    cards, (card,) = tuple(sorted(kinds(hand))), kinds(up)
    rest = kinds("A 2 4 5 6 8 10 10 9 3")
    model, state = table(hand, dealer=f"{up} 5", insurance=False, hits_soft_17=hits)
    rest.remove(4)
    state.shoe, state.left = shoe_of(rest), len(rest)
    shoe = tuple([*rest, 4].count(kind) for kind in range(N_KINDS))
    assert value_of(model, state, "stand") == pytest.approx(stand(cards, card, shoe, hits))
    doubled = double(cards, card, shoe, hits)
    assert value_of(model, state, "double down") == pytest.approx(doubled)
    assert value_of(model, state, "hit", "stand") == pytest.approx(doubled / 2)


# --- basic strategy ---------------------------------------------------------------------------------------------------

#: By the dealer's card from 2 to 10 and the ace: stand, hit, double, split (after which hands may be doubled).
HARD = {
    **{total: "HHHHHHHHHH" for total in range(5, 9)},
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    **{total: "SSSSSHHHHH" for total in range(13, 17)},
    **{total: "SSSSSSSSSS" for total in range(17, 21)},
}
SOFT = {
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SDDDDSSHHH",
    19: "SSSSSSSSSS",
    20: "SSSSSSSSSS",
}
PAIRS = {
    ACE: "PPPPPPPPPP",
    1: "PPPPPPHHHH",
    2: "PPPPPPHHHH",
    3: "HHHPPHHHHH",
    4: "DDDDDDDDHH",
    5: "PPPPPHHHHH",
    6: "PPPPPPHHHH",
    7: "PPPPPPPPPP",
    8: "PPPPPSPPSS",
    TEN: "SSSSSSSSSS",
}
UP_CARDS = [*range(1, N_KINDS), ACE]


@cache
def endless(points, ace, up, hits=False):
    """Return the values of standing, hitting and doubling from a shoe that never runs out."""
    total = points + 10 if ace and points <= 11 else points
    standing = against(total, dealer_ends((up,), None, hits, looked=True))
    if total >= 21:
        return standing, standing, standing
    hitting = doubling = 0.0
    for kind, chance, _shoe in chances(None):
        after = endless(points + kind + 1, ace or kind == ACE, up, hits)
        hitting += chance * max(after[:2])
        doubling += 2 * chance * after[0]
    return standing, hitting, doubling


def values_of(cards, up):
    """Return the value of each action by its letter; a split without splitting again."""
    points, ace = sum(kind + 1 for kind in cards), ACE in cards
    found = dict(zip("SHD", endless(points, ace, up), strict=True))
    if cards[0] == cards[1]:
        after = [
            (chance, endless(cards[0] + kind + 2, ACE in (cards[0], kind), up)) for kind, chance, _ in chances(None)
        ]
        found["P"] = 2 * sum(chance * (each[0] if ace else max(each)) for chance, each in after)
    return found


def chart():
    """Return the hands of the chart with the dealer's card and the published action."""
    for total in range(5, 20):
        cards = (total - 11, TEN) if total > 11 else ((total - 1) // 2 - 1, total // 2)
        for up, action in zip(UP_CARDS, HARD[total], strict=True):
            yield cards, up, action
    for total, row in SOFT.items():
        for up, action in zip(UP_CARDS, row, strict=True):
            yield (ACE, total - 12), up, action
    for kind, row in PAIRS.items():
        for up, action in zip(UP_CARDS, row, strict=True):
            yield (kind, kind), up, action


def test_basic_strategy_is_the_published_one():
    """Shackleford's and the Vegas Strip's charts for four and more decks, where the best action leads by 0.01."""
    clear = 0
    for cards, up, action in chart():
        values = values_of(cards, up)
        ranked = sorted(values, key=values.get, reverse=True)
        if values[ranked[0]] - values[ranked[1]] >= 0.01:
            clear += 1
            assert ranked[0] == action, (cards, up, values)
        assert values[ranked[0]] - values[action] < 0.02
    assert clear >= 300


@pytest.mark.parametrize("hits", [False, True])
def test_the_heuristics_odds_are_those_of_the_enumeration(hits):
    """All hands against all cards."""
    found = odds(hits, True)
    for up in range(N_KINDS):
        for ace in (0, 1):
            for points in range(1 + ace, 31):
                at = up * 64 + ace * 32 + points
                standing, hitting, doubling = endless(points, ace == 1, up, hits)
                expected = (standing, hitting, doubling / 2) if standing != hitting else (standing,) * 3
                assert (found.stand[at], found.hit[at], found.last[at]) == pytest.approx(expected, abs=1e-12)
                assert found.play[at] == max(found.stand[at], found.hit[at])


def by_the_chart(state):
    """Return the texts of what basic strategy does, best first."""
    if state.phase != PLAYING:
        return ["deal", "no insurance"]
    hand = state.hands[state.at]
    column = UP_CARDS.index(state.up_card())
    pair, total = pair_of(hand), total_of(hand)
    letters = [] if pair == NO_CARD else [PAIRS[pair][column]]
    letters.append(SOFT[max(total, 13)][column] if is_soft(hand) else HARD[max(total, 5)][column])
    names = {"S": "stand", "H": "hit", "D": "double down", "P": "split"}
    last = ["stand"] if is_soft(hand) and total == 18 else ["hit", "stand"]
    return [names[letter] for letter in letters] + last


def rounds_by_the_chart(spec, rounds, seed):
    """Return what each round of a game wins."""
    model, rng = make_game(f"blackjack:rounds={rounds},{spec}"), Rng(seed)
    state = model.setup(1, rng)
    found, before = [], 0.0
    while not state.is_terminal:
        actions = {str(action): action for action in model.available_actions(state)}
        model.next(state, next(actions[name] for name in by_the_chart(state) if name in actions), rng)
        if state.phase == BETTING:
            found.append(state.score(0) - before)
            before = state.score(0)
    return found


@pytest.mark.slow
def test_basic_strategy_loses_as_much_as_published():
    """Shackleford, appendix 9: -0.0038 for five decks and the best play; six decks and the chart cost 0.0004 more."""
    won = [each for seed in range(400) for each in rounds_by_the_chart("penetration=75", 1000, seed)]
    mean = sum(won) / len(won)
    error = (sum((each - mean) ** 2 for each in won) / len(won) ** 2) ** 0.5
    assert 0.0017 < error < 0.0019
    assert abs(mean + 0.0042) < 4 * error


# --- observations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("up", "seen"), [("A", "6 2"), ("A", ""), ("10", "6"), ("10", "10 2"), ("6", "10 6"), ("10", "A 10 10 10 6 6")]
)
def test_the_hole_card_is_dealt_as_by_all_orders_of_the_shoe(up, seen):
    """Of all orders of seven cards that agree with what has been seen, so many have each hole card."""
    shoe, later, (card,) = kinds("A 10 10 10 6 6 2"), kinds(seen), kinds(up)
    never = {ACE: TEN, TEN: ACE}.get(card)
    orders = [hole for hole, *others in permutations(shoe) if hole != never and others[: len(later)] == later]
    _model, state = table("2 3", dealer=f"{up} 5", insurance=False)
    for kind in later:
        shoe.remove(kind)
    state.hole = next(kind for kind in shoe if kind != never)
    shoe.remove(state.hole)
    state.shoe, state.left = shoe_of(shoe), len(shoe)
    dealt = Counter()
    for chance, observation in holes(state):
        dealt[observation.hole] += chance
        assert (observation.unseen(), observation.left) == (state.unseen(), state.left)
    assert dealt == pytest.approx({kind: number / len(orders) for kind, number in Counter(orders).items()})


def test_before_the_dealer_looks_every_card_can_be_the_hole_card():
    """While insurance is offered, a blackjack is possible; of four cards not seen, each is as likely."""
    _model, state = table("2 3", dealer="A 5")
    state.shoe, state.left = shoe_of(kinds("10 10 A")), 3
    dealt = Counter()
    for chance, observation in holes(state):
        dealt[observation.hole] += chance
    assert dealt == {4: 0.25, TEN: 0.5, ACE: 0.25}


def test_the_last_card_not_seen_is_known_when_the_shoe_runs_out():
    """The discards are shuffled, and the hole card is not among them."""
    model, state = table("2 3", dealer="6 5", decks=1)
    model.next(state, model.available_actions(state)[1], Rng(2))
    assert state.is_hole_certain
    assert [observation.hole for _chance, observation in holes(state)] == [4]
    assert "face down 5" in state.text(0)
    while state.round == 0:
        model.next(state, model.available_actions(state)[0], Rng(2))
    assert not state.is_hole_certain


@pytest.mark.parametrize(
    "spec", ["decks=1,penetration=95", "decks=2,largest_bet=2", "hole_card=false", "blackjack=none"]
)
def test_observations_keep_what_a_record_of_all_open_cards_says(spec):
    """Cards that left the shoe, less the hole card, are those laid open since it was shuffled."""
    model, rng, picks = make_game(f"blackjack:{spec}"), Rng(3), Rng(4)
    for n_players in (1, 4, 7):
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            everything = full = model.setup(1, Rng(0)).unseen()
            for deck in state.components()[2:]:
                everything -= sum(ONE[kinds(card.name)[0]] for card in getattr(deck, "items", []))
            assert 0 <= everything <= full
            for player in range(n_players):
                seen = state.observation(player, picks)
                assert seen.unseen() == everything
                assert seen.knowledge(player) == state.knowledge(player)
                assert (seen.hole == NO_CARD) == (state.hole == NO_CARD)
                assert seen.hole == NO_CARD or seen.hole != seen.never_hole()
                assert seen.text(player) == state.text(player)
                assert features_of(seen, player) == features_of(state, player)
            model.next(state, model.random_action(state, picks), rng)


def test_nothing_is_hidden_without_a_hole_card():
    model, rng = make_game("blackjack:hole_card=false"), Rng(3)
    state = model.setup(3, rng)
    while not state.is_terminal:
        assert state.observation(1, Rng(5)).snapshot() == state.snapshot()
        model.next(state, model.random_action(state, rng), rng)


# --- heuristic, features and metric -----------------------------------------------------------------------------------


def units(value, scale=20):
    """Return the money that has this value."""
    return value * scale / (1 - abs(value))


def test_the_heuristic_counts_money_and_the_odds_of_hands():
    """A 20 that stands, a 12 that may hit, and a blackjack, against a 6."""
    _model, state = table("10 10", "10 2", "A 10", dealer="6 5", bet=2, goal="dealer")
    state.money = (30, 0, -10)
    found = odds(False, True)
    expected = [3 + 2 * found.play[5 * 64 + 20], 2 * found.play[5 * 64 + 12], -1 + 3]
    assert [units(heuristic_of(state, player)) for player in range(3)] == pytest.approx(expected)


def test_in_a_race_the_heuristic_subtracts_the_best_rival():
    state = make_game("blackjack").setup(3, Rng(0))
    state.money = (30, 50, -10)
    heuristic = make_heuristic("blackjack:rivals=1,scale=10")
    assert [units(heuristic.value(state, player), 10) for player in range(3)] == pytest.approx([-2, 2, -6])
    alone = make_game("blackjack").setup(1, Rng(0))
    alone.money = (50,)
    assert units(heuristic.value(alone, 0), 10) == pytest.approx(5)


@pytest.mark.parametrize(("tens", "better"), [(3, "no insurance"), (5, "insure")])
def test_the_heuristic_insures_if_more_than_a_third_of_the_cards_are_tens(tens, better):
    """Of 12 cards not seen; with four tens, both would be the same."""
    model, state = table("10 8", dealer="A 5")
    state.shoe, state.left = shoe_of([TEN] * tens + [1] * (11 - tens)), 11
    values = {}
    for action in model.available_actions(state):
        after = state.copy()
        action.execute(after, Rng(0))
        values[str(action)] = heuristic_of(after, 0)
    assert max(values, key=values.get) == better


def test_the_heuristic_of_a_blackjack_to_come_is_its_chance():
    """European rule: with 3 tens among 12 cards an ace becomes a blackjack with probability 1/4."""
    _model, state = table("10 10", "A 10", dealer="A", hole_card=False, insurance=False, goal="dealer")
    state.shoe, state.left = shoe_of([TEN] * 3 + [1] * 9), 12
    standing = odds(False, True).play[20]
    expected = [0.75 * standing - 0.25, 0.75 * 1.5]
    assert [units(heuristic_of(state, player)) for player in range(2)] == pytest.approx(expected)


def test_features_show_the_hand_and_the_cards_not_seen():
    _model, state = table("8 8", "A 6", dealer="9 5")
    found = features_of(state, 0)
    assert (found["total"], found["pair"], found["up_card"], found["soft"], found["bet"]) == (16, 8, 9, 0, 1)
    assert features_of(state, 1)["soft"] == 1
    state = make_game("blackjack:decks=1").setup(2, Rng(0))
    state.money = (15, -20)
    found = features_of(state, 1)
    assert (found["unseen"], found["unseen_10"], found["unseen_A"]) == (52, 16 / 52, 4 / 52)
    assert (found["money_0"], found["money_1"], found["lead"]) == (-2, 1.5, -3.5)


def test_the_metric_counts_hands():
    model, state = table("8 8", "A 10", dealer="A 5", cards="10 10 10 3", rounds=1)
    state.shoe, state.left = shoe_of(kinds("10 10 10 10")), 4
    found = scripted(model, "blackjack", state, "insure", "no insurance", "split", "stand", "stand")
    assert money(state) == [2 - 0.5, 1.5]
    assert found == {
        "blackjacks": [0.5],
        "busts": [0.0],
        "doubles": [0.0],
        "splits": [0.5],
        "surrenders": [0.0],
        "insured": [0.5],
        "dealer_busts": [1.0],
        "won": [1.5],
    }


def test_the_metric_of_random_games_agrees_with_their_ends():
    for seed in range(5):
        state, log, found = random_game(Blackjack(BlackjackParameters(surrender=True)), "blackjack", 4, seed)
        assert found["won"] == [pytest.approx(sum(money(state)) / 40)]
        texts = [text for _player, text in log.actions]
        assert found["splits"] == [texts.count("split") / 40]
        assert found["surrenders"] == [texts.count("surrender") / 40]
        hands = 40 + texts.count("split")
        assert found["doubles"] == [texts.count("double down") / hands]


def test_the_heuristic_has_a_weight_for_hands():
    _model, state = table("10 10", dealer="6 5")
    heuristic = BlackjackHeuristic(BlackjackHeuristicParameters(hands=0.0))
    assert heuristic.value(state, 0) == 0.0
    assert heuristic_of(state, 0) > 0.02


def test_a_view_hides_the_hole_card():
    model, state = table("10 10", "5 6", dealer="6 5")
    assert "face down ?" in state.text(0)
    assert "face down 5" in state.text(-1)
    assert names_of(state.unseen()) == ["5"]
    play(model, state, "stand", "stand / 10")
    assert "dealer    5 6 10 (21)" in state.text(0)
