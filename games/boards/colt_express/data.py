"""Bandits, cards and sets of them, numbers of the table, and the train and round cards of the JSON files beside this.

A card's kind is its action, plus six for the second bandit of a player who has two. A set of cards (a hand, a deck) is one
integer: four bits per kind say how many there are, and the bits from the 48th on how many Bullet cards. No player knows the
order of a deck, so a draw from the set is a draw from the shuffled deck.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from mypy_extensions import i64

from tag import MoreThan, ParameterError, Parameters, Rng, choice, flag, integer
from tag.components import Card, shared
from tag.components.data import Fields, load_fields
from tag.errors import nearest

# Bandits.
BELLE: Final = 0
CHEYENNE: Final = 1
DJANGO: Final = 2
DOC: Final = 3
GHOST: Final = 4
TUCO: Final = 5

#: A bandit without an ability.
OUTLAW: Final = 6

#: Not chosen yet.
UNCHOSEN: Final = -1

N_BANDITS: Final = 6

BANDIT_NAMES: Final[list[str]] = ["Belle", "Cheyenne", "Django", "Doc", "Ghost", "Tuco", "an outlaw"]

#: With two players, each of the first ones is paired with one of the second ones.
FIRST_OF_TEAMS: Final = (GHOST, DOC, BELLE)
SECOND_OF_TEAMS: Final = (TUCO, DJANGO, CHEYENNE)

# Cards.
MOVE: Final = 0
FLOOR: Final = 1
SHOOT: Final = 2
ROB: Final = 3
MARSHAL: Final = 4
PUNCH: Final = 5

N_ACTIONS: Final = 6
N_KINDS: Final = 12
BULLET: Final = 12

ACTION_NAMES: Final[list[str]] = ["Move", "Floor Change", "Fire", "Robbery", "Marshal", "Punch"]

#: The names by kind; the last one is the Bullet card.
CARD_NAMES: Final[list[str]] = [*ACTION_NAMES, *[f"{name} of the second bandit" for name in ACTION_NAMES], "Bullet"]

CARDS: Final[list[Card]] = [shared(Card(name, ())) for name in CARD_NAMES]

_BULLET_SHIFT: Final = 48
_NIBBLES: Final = 0x0F0F0F0F0F0F
_ONES: Final = 0x010101010101
_EVERY_KIND: Final = 0x111111111111

#: All cards of a set but the Bullets.
ACTION_CARDS: Final = 0xFFFFFFFFFFFF

_ONE_BULLET: Final = 1 << _BULLET_SHIFT


@final
class Cards:
    """The cards of a player.

    Attributes:
        hand: the set of those in hand.
        deck: the set of those in the deck, whose order no player knows.
    """

    def __init__(self, hand: i64, deck: i64) -> None:
        self.hand = hand
        self.deck = deck

    def copy(self) -> Cards:
        return Cards(self.hand, self.deck)

    def draw(self, number: i64, rng: Rng) -> None:
        """Draw ``number`` cards, all there are in the deck if they are fewer."""
        drawn = draw_set(self.deck, number, rng)
        self.hand += drawn
        self.deck -= drawn

    def __reduce__(self) -> Any:
        return (Cards, (int(self.hand), int(self.deck)))


def unit(kind: i64) -> i64:
    """Return one card of ``kind``, as a set (from above: compiled shifts of 1 to the left have 32 bits)."""
    return _ONE_BULLET >> (_BULLET_SHIFT - 4 * kind)


def count(cards: i64, kind: i64) -> i64:
    """Return how many cards of ``kind`` there are."""
    return cards >> _BULLET_SHIFT if kind == BULLET else (cards >> (4 * kind)) & 15


def size(cards: i64) -> i64:
    """Return how many cards there are."""
    actions = cards & ACTION_CARDS
    pairs = (actions & _NIBBLES) + ((actions >> 4) & _NIBBLES)
    return (((pairs * _ONES) >> 40) & 0xFF) + (cards >> _BULLET_SHIFT)


def kinds(cards: i64) -> i64:
    """Return the kinds of action cards that there are, each as the lowest of its four bits."""
    some = cards | cards >> 1
    return (some | some >> 2) & _EVERY_KIND


def count_kinds(cards: i64) -> i64:
    """Return how many kinds of action cards there are."""
    return ((kinds(cards) * _EVERY_KIND) >> 44) & 15


def kind_at(cards: i64, place: i64) -> i64:
    """Return the kind at ``place`` among those there are, in order."""
    kind: i64 = 0
    while True:
        if cards & 15:
            if place == 0:
                return kind
            place -= 1
        cards >>= 4
        kind += 1


def draw(cards: i64, rng: Rng) -> i64:
    """Return the kind of a card drawn at random from ``cards``, which is not empty."""
    return _pick(cards, rng.below(size(cards)))


def draw_set(cards: i64, number: i64, rng: Rng) -> i64:
    """Return ``number`` cards drawn at random from ``cards``, all of them if there are no more."""
    total = size(cards)
    if number >= total:
        return cards
    is_rest = 2 * number > total  # then the cards left over are drawn, which are fewer
    draws = total - number if is_rest else number
    rest = cards
    for _card in range(draws):
        rest -= unit(_pick(rest, rng.below(total)))
        total -= 1
    return rest if is_rest else cards - rest


def _pick(cards: i64, place: i64) -> i64:
    """Return the kind of the card at ``place`` of ``cards``, the Bullets being the first ones."""
    left = place - (cards >> _BULLET_SHIFT)
    if left < 0:
        return BULLET
    kind: i64 = 0
    rest = cards
    while kind < N_KINDS:
        left -= rest & 15
        if left < 0:
            break
        rest >>= 4
        kind += 1
    return kind


def listed(cards: i64) -> list[int]:
    """Return the kinds of ``cards``, in order."""
    return [kind for kind in range(N_KINDS + 1) for _copy in range(count(cards, kind))]


# The table.
#: What kind of decision is due.
CHOOSE: Final = 0
PLACE: Final = 1
RESERVE: Final = 2
PLAN: Final = 3
COVER: Final = 4
STEAL: Final = 5
PICK_POCKET: Final = 6

#: Where a bandit is who has not boarded the train.
NOWHERE: Final = -1

#: One token or seat as a mask; a table, since a compiled shift by a variable is computed in 32 bits.
BITS: Final[list[int]] = [1 << number for number in range(62)]

#: A card of the pile: the kind, a bit for face down, and the player.
DOWN: Final = 16
KIND_BITS: Final = 15
PLAYER_SHIFT: Final = 5


def car_name(car: i64, cars: i64) -> str:
    """Return the name of a car in a train of so many ``cars``, the locomotive included."""
    return "caboose" if car == 0 else "locomotive" if car == cars - 1 else f"car {car}"


# The train and the round cards, as read from their files.
STANDARD: Final = 0
TUNNEL: Final = 1
SPEEDING_UP: Final = 2
SWITCHING: Final = 3

TURN_NAMES: Final[list[str]] = ["standard", "tunnel", "speeding up", "switching"]

NO_EVENT: Final = 0
ANGRY_MARSHAL: Final = 1
SWIVEL_ARM: Final = 2
BRAKING: Final = 3
TAKE_IT_ALL: Final = 4
REBELLION: Final = 5
PICKPOCKETING: Final = 6
REVENGE: Final = 7
HOSTAGE: Final = 8

EVENT_NAMES: Final[list[str]] = [
    "none",
    "angry marshal",
    "swivel arm",
    "braking",
    "take it all",
    "passengers' rebellion",
    "pickpocketing",
    "marshal's revenge",
    "hostage",
]

#: Tokens are bits of one integer.
_MOST_TOKENS: Final = 60
_MOST_CARS: Final = 12
_MOST_TURNS: Final = 8
_MOST_BANDITS: Final = 6


@dataclass
class RoundCard:
    """A round card: its name, event, and turns."""

    name: str
    event: int
    turns: bytes


@dataclass
class Rounds:
    """The round cards: those for 2-4 players, those for 5-6 players, and the stations."""

    small: list[RoundCard]
    large: list[RoundCard]
    stations: list[RoundCard]


@dataclass
class Train:
    """The cars and the loot of the box.

    Attributes:
        cars: the loot of each car: purses, jewels.
        purses: the values of all purses, without one first purse per bandit put first.
        jewels: how many jewels there are.
        jewel: the value of a jewel.
        strongboxes: how many strongboxes there are.
        strongbox: the value of a strongbox.
        first_purse: the value of the purse with which each bandit starts.
    """

    cars: list[tuple[int, int]]
    purses: list[int]
    jewels: int
    jewel: int
    strongboxes: int
    strongbox: int
    first_purse: int


def read_train(fields: Fields) -> Train:
    """Return the train that the object of a JSON file describes.

    Raises:
        DataError: there is something wrong; the message names file and field.
    """
    cars: list[tuple[int, int]] = []
    for entry in fields.objects("cars"):
        entry.text("name")
        cars.append((entry.integer("purses", 0, 0, _MOST_TOKENS), entry.integer("jewels", 0, 0, _MOST_TOKENS)))
        entry.check_all_read()
    if not _MOST_BANDITS <= len(cars) <= _MOST_CARS:
        raise fields.wrong(
            "cars", f"six players need {_MOST_BANDITS} cars and the table holds {_MOST_CARS}, not {len(cars)}"
        )
    purses: list[int] = []
    for entry in fields.objects("purses"):
        purses += [entry.integer("value", None, 1, 100_000)] * entry.integer("count", 1, 0, _MOST_TOKENS)
        entry.check_all_read()
    first_purse = fields.integer("first_purse", None, 1, 100_000)
    jewel, jewels = _tokens(fields, "jewels")
    strongbox, strongboxes = _tokens(fields, "strongboxes")
    train = Train(cars, purses, jewels, jewel, strongboxes, strongbox, first_purse)
    fields.check_all_read()
    _check_train(train, fields)
    return train


def _tokens(fields: Fields, key: str) -> tuple[int, int]:
    entry = Fields(fields.value(key), fields.source, fields.at(key))
    found = (entry.integer("value", None, 1, 100_000), entry.integer("count", None, 1, _MOST_TOKENS))
    entry.check_all_read()
    return found


def _check_train(train: Train, fields: Fields) -> None:
    """Check that there is loot enough for every train and every bandit, and no more than can be kept."""
    first = train.purses.count(train.first_purse)
    if first < _MOST_BANDITS:
        raise fields.wrong(
            "first_purse", f"six bandits need {_MOST_BANDITS} purses of {train.first_purse}, not {first}"
        )
    needed = sum([purses for purses, _jewels in train.cars])
    if needed + _MOST_BANDITS > len(train.purses):
        raise fields.wrong(
            "purses", f"the cars and six bandits need {needed + _MOST_BANDITS} purses, not {len(train.purses)}"
        )
    needed = sum([jewels for _purses, jewels in train.cars])
    if needed > train.jewels:
        raise fields.wrong("jewels.count", f"the cars need {needed} jewels, not {train.jewels}")
    total = len(train.purses) + train.jewels + train.strongboxes
    if total > _MOST_TOKENS:
        raise fields.wrong("purses", f"there can be {_MOST_TOKENS} pieces of loot in all, not {total}")


def read_rounds(fields: Fields) -> Rounds:
    """Return the round cards that the object of a JSON file describes.

    Raises:
        DataError: there is something wrong; the message names file and field.
    """
    rounds = Rounds([], [], [])
    for entry in fields.objects("rounds"):
        name, event = entry.text("name"), _event(entry, NO_EVENT, REBELLION)
        rounds.small.append(RoundCard(name, event, _turns(entry, "turns_2_4")))
        rounds.large.append(RoundCard(name, event, _turns(entry, "turns_5_6")))
        entry.check_all_read()
    for entry in fields.objects("stations"):
        name = entry.text("name")
        rounds.stations.append(RoundCard(name, _event(entry, PICKPOCKETING, HOSTAGE), _turns(entry, "turns")))
        entry.check_all_read()
    fields.check_all_read()
    if not rounds.small:
        raise fields.wrong("rounds", "there has to be a round card")
    if not rounds.stations:
        raise fields.wrong("stations", "there has to be a station")
    return rounds


def _event(entry: Fields, low: int, high: int) -> int:
    """Return the event of a card, which is one of those from ``low`` to ``high`` or none."""
    name = entry.text("event")
    known = [EVENT_NAMES[NO_EVENT], *[EVENT_NAMES[event] for event in range(max(low, 1), high + 1)]]
    if name not in known:
        raise entry.wrong("event", f"no event is named {name!r}{nearest(name, known)}")
    return EVENT_NAMES.index(name)


def _turns(entry: Fields, key: str) -> bytes:
    names: list[Any] = entry.items(key)
    if not 1 <= len(names) <= _MOST_TURNS:
        raise entry.wrong(key, f"a round has 1 to {_MOST_TURNS} turns, not {len(names)}")
    for name in names:
        if name not in TURN_NAMES:
            raise entry.wrong(key, f"no turn is named {name!r}{nearest(str(name), TURN_NAMES)}")
    return bytes([TURN_NAMES.index(name) for name in names])


#: The printed train and round cards.
TRAIN: Final[Train] = read_train(load_fields(Path(__file__).with_name("train.json")))
ROUNDS: Final[Rounds] = read_rounds(load_fields(Path(__file__).with_name("round_cards.json")))


@dataclass
class ColtExpressParameters(Parameters):
    """Length, cards, bullets and money, the bandits and the game of two; the defaults are the printed game."""

    rounds: int = integer(5, 1, 8, "rounds, the last of them at a station")
    hand: int = integer(6, 1, 10, "cards drawn at the start of a round")
    doc_extra: int = integer(1, 0, 4, "cards that Doc draws beyond them", active_if=("bandits", ("chosen", "dealt")))
    draw: int = integer(3, 1, 5, "cards drawn instead of playing one")
    roof_move: int = integer(3, 1, 6, "cars that a Move on the roofs can go", active_if=("moves", MoreThan(0)))
    bullets: int = integer(6, 0, 12, "Bullet cards of each bandit")
    neutral_bullets: int = integer(13, 0, 40, "neutral Bullet cards")
    gunslinger: int = integer(1000, 0, 5000, "prize of who has fired most", step=50)
    ransom: int = integer(250, 0, 2000, "what a hostage-taker in or on the locomotive gets", step=50)
    moves: int = integer(2, 0, 5, "Move cards of each bandit (one of each kind with two bandits)")
    floor_changes: int = integer(2, 0, 5, "Floor Change cards of each bandit")
    shots: int = integer(2, 0, 5, "Fire cards of each bandit")
    robberies: int = integer(2, 0, 5, "Robbery cards of each bandit")
    marshals: int = integer(1, 0, 5, "Marshal cards of each player")
    punches: int = integer(1, 0, 5, "Punch cards of each bandit")
    bandits: str = choice("chosen", ("chosen", "dealt", "none"), "who has which ability: chosen, dealt, or none at all")
    two_bandits: bool = flag(True, "with two players each has a team of two bandits")
    team_cars: int = integer(3, 2, 6, "cars beside the locomotive with two teams", active_if=("two_bandits", (True,)))
    reserve: bool = flag(True, "each team puts a card of its choice into its hand", active_if=("two_bandits", (True,)))
    cover: bool = flag(True, "after a Fire a team may add a card of the other", active_if=("two_bandits", (True,)))

    def check(self) -> None:
        """Refuse decks without cards, and more rounds than there are round cards."""
        if sum(self.counts()) == 0:
            raise ParameterError(
                "a deck of 0 action cards cannot be played; the nearest deck has 1 card, such as moves=1"
            )
        most = len(ROUNDS.small) + 1
        if self.rounds > most:
            raise ParameterError(
                f"rounds cannot be {self.rounds} with {most - 1} round cards and a station; nearest {most}"
            )

    def counts(self) -> list[int]:
        """Return how many cards of each action a bandit has."""
        return [self.moves, self.floor_changes, self.shots, self.robberies, self.marshals, self.punches]

    def bandits_per_player(self, n_players: i64) -> int:
        """Return how many bandits each player has."""
        return 2 if n_players == 2 and self.two_bandits else 1

    def cars(self, n_players: i64) -> int:
        """Return the cars, the locomotive included."""
        return self.team_cars + 1 if self.bandits_per_player(n_players) == 2 else int(n_players) + 1
