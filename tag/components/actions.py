"""Generic actions on states made of components: with them a game can be designed before a line of its own is written.

They hold names of components, never components, and find them on the table of a `ComponentState`:

    interned(DrawCards("draw", "hand_0"))         takes the top card of the deck "draw" into the deck "hand_0"
    interned(ModifyCounter("outbreaks", 1))       moves the counter "outbreaks" up by one

Doing nothing is `tag.engine.state.DO_NOTHING`.
"""

from __future__ import annotations

from itertools import permutations

from mypy_extensions import i64, mypyc_attr

from tag.components._decks import Deck, move_item
from tag.components.state import ComponentState
from tag.engine.rng import Rng
from tag.engine.state import Action, AnyAction, interned


def item_name(deck: Deck[object], index: i64, viewer: i64) -> str:
    """Return the item at ``index`` for ``viewer``, ``a card`` where that viewer does not see it."""
    inside = 0 <= index < len(deck.items)
    return str(deck.items[index]) if inside and deck.is_item_visible(index, viewer) else f"a {deck.back}"


@mypyc_attr(allow_interpreted_subclasses=True)
class DrawCards(Action[ComponentState]):
    """Draw cards, one by one, from the top of a deck onto another."""

    __slots__ = ("count", "source", "target")
    source: str
    target: str
    count: i64

    def __init__(self, source: str, target: str, count: i64 = 1) -> None:
        """Name both decks, and say how many cards."""
        self.source = source
        self.target = target
        self.count = count

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Draw, and raise `ContractError` where the deck holds too few."""
        source, target = state.area.deck(self.source), state.area.deck(self.target)
        for _drawn in range(self.count):
            move_item(source, len(source.items) - 1, target)

    def text(self, state: ComponentState, viewer: i64) -> str:
        """Name the cards that ``viewer`` sees before they are drawn; ``state`` is the one before."""
        deck = state.area.deck(self.source)
        top = len(deck.items) - 1
        cards = ", ".join([item_name(deck, top - drawn, viewer) for drawn in range(self.count)])
        return f"draw {cards} from {self.source} to {self.target}"

    def __str__(self) -> str:
        """Say how many cards go where."""
        cards = "a card" if self.count == 1 else f"{self.count} cards"
        return f"draw {cards} from {self.source} to {self.target}"


@mypyc_attr(allow_interpreted_subclasses=True)
class MoveCard(Action[ComponentState]):
    """Move one card, by its place in a deck, onto another deck: play, discard, pass."""

    __slots__ = ("index", "source", "target")
    source: str
    index: i64
    target: str

    def __init__(self, source: str, index: i64, target: str) -> None:
        """Name both decks, and the card by its index from the bottom of the first."""
        self.source = source
        self.index = index
        self.target = target

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Move the card, and raise `ContractError` where there is none."""
        move_item(state.area.deck(self.source), self.index, state.area.deck(self.target))

    def text(self, state: ComponentState, viewer: i64) -> str:
        """Name the card where ``viewer`` sees it; ``state`` is the one before."""
        card = item_name(state.area.deck(self.source), self.index, viewer)
        return f"move {card} from {self.source} to {self.target}"

    def __str__(self) -> str:
        """Say which place is moved where."""
        return f"move card {self.index} from {self.source} to {self.target}"


@mypyc_attr(allow_interpreted_subclasses=True)
class MoveAll(Action[ComponentState]):
    """Move a whole deck onto another, in its order."""

    __slots__ = ("source", "target")
    source: str
    target: str

    def __init__(self, source: str, target: str) -> None:
        """Name both decks."""
        self.source = source
        self.target = target

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Move the cards from the bottom up."""
        source, target = state.area.deck(self.source), state.area.deck(self.target)
        for _moved in range(len(source.items)):
            move_item(source, 0, target)

    def __str__(self) -> str:
        """Name the moved deck and its target."""
        return f"move all of {self.source} to {self.target}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Shuffle(Action[ComponentState]):
    """Shuffle a deck."""

    __slots__ = ("deck",)
    deck: str

    def __init__(self, deck: str) -> None:
        """Name the deck."""
        self.deck = deck

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Bring the cards into random order."""
        state.area.deck(self.deck).shuffle(rng)

    def __str__(self) -> str:
        """Name the shuffled deck."""
        return f"shuffle {self.deck}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Rearrange(Action[ComponentState]):
    """Rearrange the top of a deck; ``order[i]`` is where the card that comes i-th from the top lay before."""

    __slots__ = ("deck", "order", "player")
    deck: str
    order: tuple[int, ...]
    player: i64

    def __init__(self, deck: str, order: tuple[int, ...], player: i64) -> None:
        """Name the deck, the permutation of 0, 1, … and the player, who alone knows it."""
        self.deck = deck
        self.order = order
        self.player = player

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Rearrange, and raise `ContractError` where the deck holds too few."""
        state.area.deck(self.deck).permute_top(self.order, self.player)

    def text(self, state: ComponentState, viewer: i64) -> str:
        """Hide the order from all but the player."""
        if viewer < 0 or viewer == self.player:
            return str(self)
        return f"rearrange the top {len(self.order)} of {self.deck}"

    def __str__(self) -> str:
        """Say how the top is rearranged."""
        order = ", ".join([str(place + 1) for place in self.order])
        return f"rearrange the top {len(self.order)} of {self.deck} to {order}"


def rearrangements(deck: str, count: i64, player: i64) -> list[AnyAction]:
    """Return all ways in which ``player`` can rearrange the top ``count`` of ``deck``; as it is comes first."""
    return [interned(Rearrange(deck, order, player)) for order in permutations(range(int(count)))]


@mypyc_attr(allow_interpreted_subclasses=True)
class SetCell(Action[ComponentState]):
    """Set the value on a place of a board: a cell of a grid, a hexagon, a node."""

    __slots__ = ("board", "place", "value")
    board: str
    place: i64
    value: i64

    def __init__(self, board: str, place: i64, value: i64) -> None:
        """Name the board, and the place by its number."""
        self.board = board
        self.place = place
        self.value = value

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Set the value."""
        state.area.board(self.board).set(self.place, int(self.value))

    def text(self, state: ComponentState, viewer: i64) -> str:
        """Name the place as the board does, and the value where ``viewer`` sees it there."""
        board = state.area.board(self.board)
        value = str(self.value) if board.is_item_visible(self.place, viewer) else "?"
        return f"set {board.place_name(self.place)} of {self.board} to {value}"

    def __str__(self) -> str:
        """Name the place and its new value."""
        return f"set {self.place} of {self.board} to {self.value}"


@mypyc_attr(allow_interpreted_subclasses=True)
class PlaceToken(Action[ComponentState]):
    """Put the top token of a supply (a deck of tokens) on a place of a board of tokens."""

    __slots__ = ("board", "place", "supply")
    supply: str
    board: str
    place: i64

    def __init__(self, supply: str, board: str, place: i64) -> None:
        """Name the supply and the board, and the place by its number."""
        self.supply = supply
        self.board = board
        self.place = place

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Put the token there, in the place of what lay there; raise `ContractError` where the supply is empty."""
        state.area.board(self.board).set(self.place, state.area.deck(self.supply).draw())

    def text(self, state: ComponentState, viewer: i64) -> str:
        """Name the place as the board does, and the token where ``viewer`` sees it; ``state`` is the one before."""
        supply, board = state.area.deck(self.supply), state.area.board(self.board)
        token = item_name(supply, len(supply.items) - 1, viewer)
        return f"place {token} on {board.place_name(self.place)} of {self.board}"

    def __str__(self) -> str:
        """Name the token's supply and its place."""
        return f"place a token from {self.supply} on {self.place} of {self.board}"


@mypyc_attr(allow_interpreted_subclasses=True)
class ModifyCounter(Action[ComponentState]):
    """Add to a counter, or take away."""

    __slots__ = ("amount", "counter")
    counter: str
    amount: i64

    def __init__(self, counter: str, amount: i64) -> None:
        """Name the counter and the change."""
        self.counter = counter
        self.amount = amount

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Change the counter, which clamps or refuses at its bounds."""
        state.area.counter(self.counter).change(self.amount)

    def __str__(self) -> str:
        """Name the counter and its change."""
        return f"{self.counter} {'+' if self.amount >= 0 else '-'}{abs(int(self.amount))}"


@mypyc_attr(allow_interpreted_subclasses=True)
class RollDie(Action[ComponentState]):
    """Roll a die."""

    __slots__ = ("die",)
    die: str

    def __init__(self, die: str) -> None:
        """Name the die."""
        self.die = die

    def execute(self, state: ComponentState, rng: Rng) -> None:
        """Roll the die."""
        state.area.die(self.die).roll(rng)

    def __str__(self) -> str:
        """Name the rolled die."""
        return f"roll {self.die}"
