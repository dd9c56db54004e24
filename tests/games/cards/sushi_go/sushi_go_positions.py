"""Positions of Sushi Go! laid out by hand: a letter for each card."""

from tag import packed_size
from tag.engine.rng import Rng
from tag.games.cards.sushi_go import SushiGo, SushiGoParameters
from tag.games.cards.sushi_go.actions import ACTIONS
from tag.games.cards.sushi_go.data import NO_CHOICE, PUDDING, choice_of, count, packed, undipped, unit

#: Tempura, sashimi, dumpling, maki, egg, salmon, squid, pudding, wasabi, chopsticks; then nigiri on wasabi.
LETTERS = "tsd123enqpwcENQ"


def cards(letters):
    """Return the set of these cards."""
    return packed([letters.count(letter) for letter in LETTERS])


def letters(found):
    """Return the letters of a set of cards."""
    return "".join(letter * count(found, kind) for kind, letter in enumerate(LETTERS))


def choice(text):
    """Return the choice of one card, or of two in their order."""
    first, second = LETTERS.index(text[0]), LETTERS.index(text[1]) if len(text) > 1 else -1
    return choice_of(first, second)


def position(*hands, tables=(), scored=(), kept=(), dealt=0, **parameters):
    """Return the rules and a position in which player 0 is to choose; the deck has the other cards.

    Beside hands and tables: the points scored and the puddings kept of each player, and the cards of a full hand.
    """
    model = SushiGo(SushiGoParameters(**parameters))
    n = len(hands)
    state = model.setup(n, Rng(1))
    state.hands = [cards(hand) for hand in hands]
    state.tables = [cards(table) for table in tables] or [0] * n
    state.points = list(scored) or [0] * n
    state.puddings = tuple(kept) or (0,) * n
    state.cards = packed_size(state.hands[0])
    state.dealt = dealt or state.cards
    full = packed(model.rules.deck())
    state.deck = full - sum(state.hands) - sum(undipped(table) for table in state.tables)
    state.deck -= sum(state.puddings) * unit(PUDDING)
    state.deck_size = packed_size(state.deck)
    return model, state


def play(model, state, *texts):
    """Let the players choose, one after the other."""
    for text in texts:
        action = ACTIONS[choice(text)]
        assert action in model.available_actions(state), f"{text} of {offered(model, state)}"
        model.next(state, action, Rng(5))
    return state


def offered(model, state):
    """Return what the player to move can choose, as letters."""
    found = []
    for action in model.available_actions(state):
        first, second = int(action.choice) & 15, int(action.choice) >> 4
        found.append(LETTERS[first - 1] + (LETTERS[second - 1] if second else ""))
    return found


def has_chosen(state):
    """Return for each seat whether it has chosen."""
    return [choice != NO_CHOICE for choice in state.chosen]


def all_cards(state):
    """Return how many cards of each kind lie anywhere."""
    found = state.deck + state.discards + sum(state.hands) + sum(undipped(table) for table in state.tables)
    return int(found) + sum(state.puddings) * int(unit(PUDDING))
