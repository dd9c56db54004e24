"""Positions of Poker laid out by hand, and an evaluator of hands that sorts cards."""

from collections import Counter
from itertools import combinations

from tag.engine.rng import Rng
from tag.games.cards.poker import Poker, PokerParameters
from tag.games.cards.poker.data import BIT, NAMES


def cards(text):
    """Return the numbers of cards: ``"Ah Tc"``."""
    return [NAMES.index(name) for name in text.split()]


def card_set(numbers):
    """Return the set of these cards."""
    return sum(BIT[card] for card in numbers)


def table(*stacks, button=0, hands=(), board="", n_hands=1, **parameters):
    """Return the rules and a hand that begins with these stacks; a player without chips is out.

    Cards that are not named are any others.
    """
    model = Poker(PokerParameters(hands=n_hands, **parameters))
    state = model.setup(len(stacks), Rng(1))
    state.stacks = list(stacks)
    state.button = (button - 1) % len(stacks)
    state.big_blind_seat = -1
    model._start_hand(state, Rng(1))
    named = " ".join([*hands, board]).split()
    rest = [name for name in NAMES if name not in named]
    laid = [*hands] + ["x x"] * (len(stacks) - len(hands)) + [board + " x" * (5 - len(board.split()))]
    state.cards = cards(" ".join(name if name != "x" else rest.pop() for name in " ".join(laid).split()))
    model._go_on(state, state.big_blind_seat, Rng(1))
    return model, state


def offered(model, state):
    """Return what the player to act can do, raises as the chips put in in this hand."""
    return [_label(state, action) for action in model.available_actions(state)]


def _label(state, action):
    return int(action.total(state)) if hasattr(action, "total") else str(action)


def play(model, state, *choices):
    """Let the players act, one after the other: ``"fold"``, ``"check"``, ``"call"``, or the chips put in in this hand."""
    for choice in choices:
        by_label = {_label(state, action): action for action in model.available_actions(state)}
        assert choice in by_label, f"{choice} is not among {list(by_label)}"
        model.next(state, by_label[choice], Rng(7))
    return state


# --- hands by sorting -----------------------------------------------------------------------------------------------


def worth_of_five(numbers):
    """Return a value of five cards that is greater for better hands: the category, then the ranks in order of weight."""
    ranks = Counter(card % 13 for card in numbers)
    by_weight = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    shape = sorted(ranks.values(), reverse=True)
    is_flush = len({card // 13 for card in numbers}) == 1
    if by_weight == [12, 3, 2, 1, 0]:
        by_weight = [3, 2, 1, 0, -1]
    is_straight = len(ranks) == 5 and by_weight[0] - by_weight[4] == 4
    shapes = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], None, None, [3, 2], [4, 1]]
    category = 8 if is_straight and is_flush else 5 if is_flush else 4 if is_straight else shapes.index(shape)
    return (category, *by_weight)


def worth(numbers):
    """Return the value of the best five of these cards."""
    return max(worth_of_five(five) for five in combinations(numbers, 5))
