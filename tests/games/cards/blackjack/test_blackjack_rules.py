"""Blackjack: positions for each rule, random games against a naive implementation, and hands against OpenSpiel."""

import pytest
from blackjack_positions import (
    Naive,
    choices,
    drawn,
    hand_of,
    kinds,
    money,
    play,
    table,
)

from tag import DRAW, LOSE, WIN, ParameterError, Rng, make_game
from tag.games.cards.blackjack import Blackjack, BlackjackParameters
from tag.games.cards.blackjack.data import (
    BETTING,
    IN_DECK,
    INSURING,
    NAMES,
    NO_CARD,
    OWNER,
    as_shoe,
    hand_text,
    is_soft,
    kinds_of,
    owner_of,
    size_of,
    total_of,
)
from tag.table.events import event_texts

VARIANTS = [
    {},
    {"decks": 1, "penetration": 95, "largest_bet": 3, "surrender": True},
    {"hole_card": False, "hits_soft_17": True, "surrender": True, "blackjack": "6to5"},
    {"decks": 2, "resplit_aces": True, "double": "9-11", "double_after_split": False, "penetration": 0},
    {"decks": 1, "hit_split_aces": True, "resplit_aces": True, "hands": 3, "blackjack": "even", "double": "10-11"},
    {"blackjack": "none", "double": "none", "hands": 1, "decks": 1, "penetration": 60, "goal": "dealer"},
    {"hole_card": False, "decks": 1, "penetration": 95, "insurance": False, "hits_soft_17": True},
]


# --- values of hands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("A 6", 17, True),
        ("A 6 10", 17, False),
        ("A A", 12, True),
        ("A A 9", 21, True),
        ("A A 10", 12, False),
        ("10 10 A", 21, False),
        ("5 10 10", 25, False),
        ("A 2 3 4", 20, True),
        ("A A A A A A A", 17, True),
    ],
)
def test_an_ace_counts_11_unless_that_is_too_much(cards, total, soft):
    """Card values: aces count 1 or 11."""
    hand = hand_of(cards)
    assert (total_of(hand), is_soft(hand), size_of(hand)) == (total, soft, len(cards.split()))
    assert kinds_of(hand) == sorted(kinds(cards))
    assert hand_text(hand).endswith(f"({'soft ' if soft else ''}{total})")


def test_hands_hold_all_cards_that_they_can_get():
    """Every sequence of cards that takes cards below 21 points, with eight decks."""
    seen = set()

    def extend(hand, cards):
        key = tuple(sorted(cards))
        if key in seen:
            return
        seen.add(key)
        assert (kinds_of(hand), owner_of(hand)) == (list(key), 6)
        if sum(kind + 1 for kind in cards) <= 20:
            for kind in range(10):
                extend(hand + as_hand[kind], [*cards, kind])

    as_hand = [hand_of(name) & ~(1 << 39) for name in ("A", *map(str, range(2, 11)))]
    extend(OWNER[6], [])
    assert len(seen) > 3000


# --- rules -----------------------------------------------------------------------------------------------------------------


def test_the_shoe_is_made_of_decks():
    """Equipment: six decks, with 96 tens and 24 of each other kind."""
    for decks in (1, 6, 8):
        state = make_game(f"blackjack:decks={decks}").setup(1, Rng(0))
        names = [card.name for card in state.components()[0].items]
        assert len(names) == state.left == 52 * decks
        assert {name: names.count(name) for name in names} == {
            name: decks * number for name, number in zip(("A", *map(str, range(2, 11))), IN_DECK, strict=True)
        }


def test_every_player_gets_two_cards_and_the_dealer_one_open_and_one_hidden():
    """The deal: two cards for each, the dealer's second one face down."""
    model = Blackjack()
    state = model.setup(5, Rng(4))
    assert choices(model, state) == ["deal"]
    model.next(state, model.available_actions(state)[0], Rng(4))
    assert [size_of(hand) for hand in state.hands] == [2] * 5
    assert (size_of(state.dealer), state.hole != NO_CARD, state.left) == (1, True, 312 - 12)
    assert state.bets == (10,) * 5


@pytest.mark.parametrize(("pays", "won"), [("3to2", 1.5), ("6to5", 1.2), ("even", 1.0)])
def test_a_blackjack_is_paid_at_once(pays, won):
    """Blackjack: pays 3 to 2; it beats any other 21."""
    _model, state = table("A 10", "10 7", dealer="6 5", blackjack=pays)
    assert state.current_player == 1
    model, state = table("A 10", dealer="6 5", blackjack=pays)
    assert (money(state), state.round, choices(model, state)) == ([won], 1, ["deal"])


def test_a_blackjack_beats_21_of_more_cards():
    """Blackjack: it beats any other 21."""
    model, state = table("A 10", "9 9", dealer="6 5")
    play(model, state, "stand / 10")
    assert (total_of(state.dealer), money(state)) == (21, [1.5, -1])


def test_a_blackjack_of_the_dealer_ends_the_round():
    """Dealer's blackjack: all lose, a player's blackjack is a push; with a ten there is no insurance."""
    model, state = table("A 10", "10 10", "5 6", dealer="10 A")
    assert (money(state), state.round, state.phase) == ([0, -1, -1], 1, BETTING)
    assert choices(model, state) == ["deal"]


def test_without_blackjacks_an_ace_and_a_ten_are_a_21():
    """Variant: as in OpenSpiel and TAG."""
    model, state = table("A 10", "10 10", dealer="10 A", blackjack="none")
    assert (state.current_player, choices(model, state)) == (1, ["stand", "hit", "double down", "split"])
    play(model, state, "stand")
    assert money(state) == [0, -1]


def test_insurance_is_offered_to_each_player_against_an_ace():
    """Insurance: before the dealer looks, half of the bet, paid 2 to 1."""
    model, state = table("10 10", "A 10", "5 6", dealer="A 10")
    assert (state.phase, choices(model, state)) == (INSURING, ["insure", "no insurance"])
    play(model, state, "insure")
    assert state.current_player == 1
    play(model, state, "insure", "no insurance")
    assert (money(state), state.round) == ([0, 1, -1], 1)


def test_insurance_is_lost_if_the_dealer_has_no_blackjack():
    """Insurance: a bet of its own."""
    model, state = table("10 10", "A 10", dealer="A 9", bet=2)
    play(model, state, "insure", "insure", "stand")
    assert money(state) == [-1, 3 - 1]


@pytest.mark.parametrize("dealer", ["10 A", "9 A", "2 10"])
def test_there_is_no_insurance_against_other_cards(dealer):
    """Insurance: only against an ace."""
    _model, state = table("10 9", dealer=dealer)
    assert state.phase != INSURING
    _model, state = table("10 9", dealer="A 9", insurance=False)
    assert state.phase != INSURING


def test_who_is_bust_loses_at_once_although_the_dealer_is_bust_too():
    """Hitting: over 21 loses."""
    model, state = table("10 6", "10 8", dealer="10 6")
    play(model, state, "hit / 10")
    assert state.current_player == 1
    play(model, state, "stand / 10")
    assert (total_of(state.dealer), money(state)) == (26, [-1, 1])


def test_a_hand_with_21_points_is_done():
    """Ruling: 21 stands."""
    model, state = table("10 6", "10 8", dealer="10 9")
    play(model, state, "hit / 2", "hit / 3")
    assert state.current_player == 1
    play(model, state, "stand")
    assert money(state) == [1, -1]


@pytest.mark.parametrize(("mine", "won"), [("10 9", 1), ("10 8", 0), ("10 7", -1)])
def test_more_points_win_and_equal_ones_are_a_push(mine, won):
    """Settling: points against the dealer's."""
    model, state = table(mine, dealer="10 8")
    play(model, state, "stand")
    assert money(state) == [won]


@pytest.mark.parametrize(
    ("dealer", "cards", "hits", "total"),
    [
        ("10 6", "A", False, 17),
        ("A 6", "", False, 17),
        ("A 6", "10", True, 17),
        ("A 6", "5 9", True, 21),
        ("A 6", "A", True, 18),
        ("6 A", "3", True, 20),
        ("10 7", "", True, 17),
        ("2 2", "2 2 2 2 2 2 A", False, 17),
        ("A 5", "10 10", False, 26),
    ],
)
def test_the_dealer_takes_cards_to_17(dealer, cards, hits, total):
    """The dealer's play: hits 16, stands on 17, on a soft 17 by the house's rule."""
    model, state = table("10 8", dealer=dealer, hits_soft_17=hits, insurance=False)
    play(model, state, f"stand / {cards}")
    assert (total_of(state.dealer), state.left) == (total, 0)


def test_the_dealer_takes_no_card_if_no_bet_depends_on_it():
    """Ruling: the hole card is turned up, and that is all."""
    model, state = table("10 6", "A 10", dealer="10 6")
    play(model, state, "hit / 10")
    assert (hand_text(state.dealer), money(state)) == ("6 10 (16)", [-1, 1.5])


def test_doubling_takes_one_card_for_twice_the_bet():
    """Doubling down: any first two cards."""
    model, state = table("6 5", "10 10", dealer="10 7", bet=3)
    play(model, state, "double down / 2", "stand")
    assert money(state) == [-6, 3]
    model, state = table("6 5", dealer="10 7")
    play(model, state, "hit / 2")
    assert choices(model, state) == ["stand", "hit"]


@pytest.mark.parametrize(
    ("rule", "hands"),
    [("any", "8 9 10 11 12 soft"), ("9-11", "9 10 11"), ("10-11", "10 11"), ("none", "")],
)
def test_the_house_says_which_hands_can_be_doubled(rule, hands):
    """Doubling down: any two cards, hard 9 to 11, 10 and 11, or none."""
    cards = {"8": "5 3", "9": "5 4", "10": "6 4", "11": "6 5", "12": "10 2", "soft": "A 8"}
    for name, hand in cards.items():
        model, state = table(hand, dealer="5 7", double=rule)
        assert ("double down" in choices(model, state)) == (name in hands.split())


def test_a_pair_becomes_two_hands():
    """Splitting: a bet on each; the second hand gets its card when it is played."""
    model, state = table("8 8", dealer="10 7", bet=2)
    play(model, state, "split / 3")
    assert [hand_text(hand) for hand in state.hands] == ["3 8 (11)", "8 (8)"]
    play(model, state, "double down / 10 10", "stand")
    assert money(state) == [4 + 2]


def test_tens_and_court_cards_are_a_pair_and_different_cards_are_none():
    """Splitting: cards of equal value."""
    for hand, is_pair in [
        ("10 10", True),
        ("9 9", True),
        ("A A", True),
        ("9 10", False),
        ("A 3", False),
        ("2 4", False),
    ]:
        model, state = table(hand, dealer="5 7")
        assert ("split" in choices(model, state)) == is_pair


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_pairs_can_be_split_again_up_to_so_many_hands(most):
    """Splitting: up to four hands."""
    model, state = table("8 8", dealer="10 7", hands=most)
    for _hand in range(most - 1):
        play(model, state, "split / 8")
    assert len(state.hands) == most
    assert "split" not in choices(model, state)


def test_split_aces_get_one_card_each():
    """Splitting aces: one card, no blackjack, no third ace."""
    model, state = table("A A", dealer="6 10", bet=2)
    play(model, state, "split / 10 A 5")
    assert [total_of(hand) for hand in state.hands] == [21, 12]
    assert (total_of(state.dealer), money(state)) == (21, [0 - 2])


def test_split_aces_may_be_split_again_by_the_houses_rule():
    """Splitting aces: resplitting, up to the number of hands."""
    model, state = table("A A", dealer="6 10", resplit_aces=True, hands=3)
    play(model, state, "split / A")
    assert choices(model, state) == ["stand", "split"]
    play(model, state, "split / A 9 5 5")
    assert [total_of(hand) for hand in state.hands] == [12, 20, 16]
    assert state.round == 1


def test_split_aces_may_be_played_on_by_the_houses_rule():
    """Splitting aces: hitting them."""
    model, state = table("A A", dealer="6 10", hit_split_aces=True)
    play(model, state, "split / 3")
    assert choices(model, state) == ["stand", "hit", "double down"]
    play(model, state, "hit / 4", "stand / 10 5")
    assert (money(state), [total_of(hand) for hand in state.hands]) == ([-1 + 0], [18, 21])


def test_hands_from_a_split_are_doubled_by_the_houses_rule():
    """Splitting: doubling after it."""
    for allowed in (True, False):
        model, state = table("5 5", dealer="6 10", double_after_split=allowed)
        play(model, state, "split / 6")
        assert ("double down" in choices(model, state)) == allowed


def test_giving_up_costs_half_of_the_bet():
    """Late surrender: with the first two cards, after the dealer has looked."""
    model, state = table("10 6", "8 8", dealer="10 7", surrender=True, bet=2)
    play(model, state, "surrender", "split / 2")
    assert "surrender" not in choices(model, state)
    play(model, state, "stand / 3", "stand")
    assert money(state) == [-1, -2 - 2]


def test_without_a_hole_card_a_blackjack_takes_all_bets():
    """European rule: the dealer's second card comes last; doubled and split hands lose everything."""
    model, state = table("8 8", "A 10", "10 5", dealer="10", hole_card=False, surrender=True)
    assert state.hole == NO_CARD
    play(model, state, "split / 3", "double down / 5 10", "stand")
    play(model, state, "surrender / A")
    assert money(state) == [-2 - 1, 0, -1]


def test_without_a_hole_card_insurance_is_settled_last():
    """European rule: also if all are bust."""
    model, state = table("10 6", dealer="A", hole_card=False)
    play(model, state, "insure", "hit / 10 10")
    assert (total_of(state.dealer), money(state)) == (21, [-1 + 1])
    model, state = table("10 6", dealer="A", hole_card=False)
    play(model, state, "no insurance", "hit / 10")
    assert (size_of(state.dealer), money(state)) == (1, [-1])


def test_bets_are_chosen_in_order_and_another_player_begins_each_round():
    """Blackjack tournaments: the button moves on."""
    model = make_game("blackjack:largest_bet=4,rounds=3")
    state, rng = model.setup(3, Rng(1)), Rng(1)
    for first in range(3):
        for offset in range(3):
            assert (state.phase, state.current_player) == (BETTING, (first + offset) % 3)
            assert choices(model, state) == ["bet 1", "bet 2", "bet 3", "bet 4"]
            model.next(state, model.available_actions(state)[offset], rng)
        while state.round == first:
            model.next(state, model.available_actions(state)[-1 if state.phase == INSURING else 0], rng)
    assert state.is_terminal


@pytest.mark.parametrize(
    ("penetration", "left", "is_shuffled"), [(75, 79, False), (75, 78, True), (0, 312, True), (95, 16, False)]
)
def test_the_shoe_is_shuffled_when_so_much_is_used(penetration, left, is_shuffled):
    """The cut card: before the next round."""
    model = Blackjack(BlackjackParameters(penetration=penetration))
    state = model.setup(1, Rng(0))
    state.left = left
    state.shoe = left  # so many tens
    model._deal(state, Rng(0))
    assert state.left == (312 if is_shuffled else left) - 4


def test_discards_are_shuffled_when_the_shoe_runs_out():
    """Ruling: those of earlier rounds, not what lies on the table."""
    model, state = table("10 6", dealer="10 6", decks=1)
    model.next(state, model.available_actions(state)[1], Rng(3))
    assert (state.left, sum(size_of(hand) for hand in state.hands)) == (52 - 4 - 1, 3)
    assert (
        state.shoe + as_shoe(state.dealer) + sum(as_shoe(hand) for hand in state.hands) == model.setup(1, Rng(0)).shoe
    )


def test_a_table_has_only_so_many_hands_that_the_cards_suffice():
    """Ruling: 10 hands with one deck."""
    model, state = table(*["8 8"] * 7, dealer="10 7", decks=1)
    for _split in range(3):
        play(model, state, "split / 8")
    assert len(state.hands) == 10
    play(model, state, *["stand / 10", "stand / 10", "stand / 10", "stand"])
    assert (state.current_player, choices(model, state)) == (1, ["stand", "hit", "double down"])


@pytest.mark.parametrize(
    ("goal", "won", "results"),
    [
        ("most", (5, -10, 5), (DRAW, LOSE, DRAW)),
        ("most", (-5, -10, -7), (WIN, LOSE, LOSE)),
        ("dealer", (5, -10, 7), (WIN, LOSE, WIN)),
        ("dealer", (0, -10, -7), (LOSE, LOSE, LOSE)),
        ("most", (-1,), (LOSE,)),
        ("most", (0,), (DRAW,)),
        ("dealer", (12,), (WIN,)),
    ],
)
def test_the_goal_decides_who_wins(goal, won, results):
    """Results: the most money, or money won from the dealer; one player alone against the dealer."""
    state = make_game(f"blackjack:goal={goal}").setup(len(won), Rng(0))
    state.money = won
    state.end_by_money()
    assert (state.results, state.is_terminal) == (results, True)
    assert money(state) == [each / 10 for each in won]


@pytest.mark.parametrize("spec", ["decks=9", "decks=0", "double=8-11", "blackjack=2to1", "hands=5", "penetration=96"])
def test_impossible_values_are_refused_with_the_nearest_one(spec):
    with pytest.raises(ParameterError, match="cannot be"):
        make_game(f"blackjack:{spec}")


# --- the whole game against a naive implementation -------------------------------------------------------------------------


def check_equal(state, naive):
    """Compare the position with that of the naive implementation."""
    assert (state.round, money(state)) == (naive.round, pytest.approx(naive.money))
    found = [(owner_of(hand), kinds_of(hand)) for hand in state.hands]
    assert found == [(hand.owner, sorted(hand.cards)) for hand in naive.hands]
    assert (kinds_of(state.dealer), state.hole) == (sorted(naive.dealer), NO_CARD if naive.hole is None else naive.hole)
    assert state.left == len(naive.shoe)
    assert {player for player in range(naive.n) if state.insured >> player & 1} == naive.insured
    everything = state.unseen() + state.discards() + as_shoe(state.dealer) + sum(as_shoe(hand) for hand in state.hands)
    assert everything == Blackjack(naive.rules).setup(1, Rng(0)).shoe


def play_beside_naive(rules, n_players, seed):
    parameters = BlackjackParameters(**rules)
    model, rng, picks = Blackjack(parameters), Rng(seed), Rng(seed + 1)
    state, naive = model.setup(n_players, rng), Naive(parameters, n_players, Rng(seed))
    while not state.is_terminal:
        check_equal(state, naive)
        names = choices(model, state)
        assert (names, state.current_player) == (naive.actions(), naive.seat())
        wanted = [name for name in names if name in ("split", "insure", "hit")]
        name = wanted[-1] if wanted and picks.below(3) == 0 else names[picks.below(len(names))]
        model.next(state, model.available_actions(state)[names.index(name)], rng)
        naive.apply(name)
    assert naive.round == parameters.rounds
    check_equal(state, naive)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_random_games_are_those_of_a_naive_implementation(rules):
    for n_players in range(1, 8):
        for seed in range(5):
            play_beside_naive(rules, n_players, 10 * seed)


@pytest.mark.slow
def test_2000_random_games_are_those_of_a_naive_implementation():
    for seed in range(2000):
        rng = Rng(seed)
        rules = {**BlackjackParameters.sample(rng).changes(), "rounds": 1 + rng.below(20)}
        play_beside_naive(rules, 1 + rng.below(7), seed)


# --- OpenSpiel -------------------------------------------------------------------------------------------------------------


class Beside:
    """A hand of OpenSpiel's game, which gets the kinds of cards that are dealt here."""

    def __init__(self, game):
        self.state, self.used = game.new_initial_state(), set()

    def deal(self, kind):
        """Deal any card of a kind that is left: kind 9 is a ten or a court card."""
        ranks = range(9, 13) if kind == 9 else [kind]
        card = next(s * 13 + r for s in range(4) for r in ranks if s * 13 + r not in self.used)
        self.used.add(card)
        self.state.apply_action(card)


def test_1000_hands_are_those_of_openspiel():
    """OpenSpiel: one deck, hit or stand, the dealer stands on all 17, no blackjacks; the dealer's first card is hidden."""
    game = pytest.importorskip("pyspiel").load_game("blackjack")
    model = make_game("blackjack:rounds=1,decks=1,blackjack=none,double=none,hands=1,insurance=false,goal=dealer")
    pack = [kind for kind, number in enumerate(IN_DECK) for _card in range(number)]
    for seed in range(1000):
        cards, picks = drawn(pack, Rng(seed)), Rng(seed + 5000)
        beside, state, rng = Beside(game), model.setup(1, Rng(0)), Rng(seed)
        model.next(state, model.available_actions(state)[0], rng)
        first, second, up, hole = cards[:4]
        for kind in (first, second, hole, up):
            beside.deal(kind)
        at = 4
        while not state.is_terminal:
            hits = picks.below(2)
            model.next(state, model.available_actions(state)[hits], rng)
            beside.state.apply_action(0 if hits else 1)
            if hits:
                beside.deal(cards[at])
                at += 1
        if beside.state.current_player() == 0:  # at 21 points, where a hand is done here
            beside.state.apply_action(1)
        while beside.state.is_chance_node():
            beside.deal(cards[at])
            at += 1
        assert beside.state.is_terminal()
        assert beside.state.returns() == [state.score(0)]
        assert 52 - at == state.left


# --- events ----------------------------------------------------------------------------------------------------------------


def told(model, state, *steps):
    """Return what player 0 is told of these steps."""
    state.recording = True
    play(model, state, *steps)
    return event_texts(state.announced, 0)


def test_events_tell_the_cards_of_the_dealer_and_why_hands_win():
    model, state = table("10 9", "10 6", dealer="6 10")
    assert told(model, state, "stand", "hit / 8 9") == [
        "player 1 draws 8: bust with 24",
        "the dealer turns 10 up: 16",
        "the dealer draws 9: bust with 25",
        "player 0 wins 1: 19 against bust",
        "player 1 loses 1: bust with 24",
        "round 1 is over",
    ]


def test_events_tell_how_an_insurance_ends():
    model, state = table("10 9", dealer="A 10")
    assert told(model, state, "insure") == [
        "the dealer turns 10 up: soft 21",
        "player 0 loses 1: 19 against 21, the dealer has a blackjack",
        "player 0 wins 1 by the insurance: the dealer has a blackjack",
        "round 1 is over",
    ]


def test_events_of_a_deal_hide_the_hole_card():
    model = make_game("blackjack")
    state = model.setup(1, Rng(1))
    assert "the dealer takes a card face down" in told(model, state, "deal")
    hole = next(event for event in state.announced if event.name == "hole card")
    assert hole.items[0] in NAMES
    assert hole.known_to(0).items == (None,)
