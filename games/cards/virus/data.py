"""The cards, as integers in four groups of five (four colours and the multicoloured one), and bodies.

A body is packed into one integer: five bits for the state of each organ, by colour. The state of an organ says whether it
is there and which cards lie on it: nothing, one virus, one medicine or, for good, two medicines. What viruses and
medicines do to an organ is looked up in tables made here once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, flag, integer
from tag.components import Card, shared

RED: Final = 0
GREEN: Final = 1
BLUE: Final = 2
YELLOW: Final = 3
#: The multicoloured organ, virus and medicine.
WILD: Final = 4

N_COLOURS: Final = 5

#: A card is the first of its group plus a colour.
ORGANS: Final = 0
VIRUSES: Final = 5
MEDICINES: Final = 10
TREATMENTS: Final = 15

TRANSPLANT: Final = 15
ORGAN_THIEF: Final = 16
SPREADING: Final = 17
LATEX_GLOVE: Final = 18
MEDICAL_ERROR: Final = 19

N_KINDS: Final = 20

#: An empty place in a hand; hands are sorted, so that empty places come last.
NO_CARD: Final = 20

#: The most cards that a hand can hold.
LARGEST_HAND: Final = 5

MOST_PLAYERS: Final = 6

COLOUR_NAMES: Final[list[str]] = ["red", "green", "blue", "yellow", "wild"]

ORGAN_NAMES: Final[list[str]] = ["heart", "stomach", "brain", "bone", "wild organ"]

NAMES: Final[list[str]] = [
    *ORGAN_NAMES,
    *[f"{colour} virus" for colour in COLOUR_NAMES],
    *[f"{colour} medicine" for colour in COLOUR_NAMES],
    "transplant",
    "organ thief",
    "spreading",
    "latex glove",
    "medical error",
]

_GROUPS: Final[list[str]] = ["organ", "virus", "medicine", "treatment"]


def _component(card: int) -> Card:
    group = _GROUPS[card // N_COLOURS]
    colour = "none" if card >= TREATMENTS else COLOUR_NAMES[card % N_COLOURS]
    return shared(Card(NAMES[card], (("group", group), ("colour", colour))))


CARDS: Final[list[Card]] = [_component(card) for card in range(N_KINDS)]

# Bodies.
#: Bits of an organ.
BITS: Final = 5
#: The state of an organ, shifted to the lowest bits.
MASK: Final = 31

EMPTY: Final = 0

ABSENT: Final = 0
FREE: Final = 1
#: The first of five states: infected by the virus of each colour.
INFECTED: Final = 2
#: The first of five states: vaccinated with the medicine of each colour.
VACCINATED: Final = 7
#: The first of fifteen states: immunised with each pair of medicines.
IMMUNISED: Final = 12

N_STATES: Final = 32

#: A virus or medicine cannot be played on the organ.
IMPOSSIBLE: Final = -1

#: The pairs of medicines by state of an immunised organ, from `IMMUNISED` on.
_PAIRS: Final[list[tuple[int, int]]] = [(one, other) for one in range(N_COLOURS) for other in range(one, N_COLOURS)]


def fits(colour: i64, other: i64) -> bool:
    """Say whether cards of two colours affect each other."""
    return colour == other or colour == WILD or other == WILD


def _after_virus(virus: int, organ: int, state: int) -> int:
    """Return the state of an organ once a virus is played on it, or on the medicine that lies there."""
    if state == ABSENT or state >= IMMUNISED:
        return IMPOSSIBLE
    if state >= VACCINATED:
        return FREE if fits(virus, state - VACCINATED) else IMPOSSIBLE
    if not fits(virus, organ):
        return IMPOSSIBLE
    return INFECTED + virus if state == FREE else ABSENT


def _after_medicine(medicine: int, organ: int, state: int) -> int:
    """Return the state of an organ once a medicine is played on it, or on the virus that lies there."""
    if state == ABSENT or state >= IMMUNISED:
        return IMPOSSIBLE
    if FREE < state < VACCINATED:
        return FREE if fits(medicine, state - INFECTED) else IMPOSSIBLE
    if not fits(medicine, organ):
        return IMPOSSIBLE
    if state == FREE:
        return VACCINATED + medicine
    first = state - VACCINATED
    return IMMUNISED + _PAIRS.index((min(first, medicine), max(first, medicine)))


_COLOURS: Final = range(N_COLOURS)

#: The state after a virus, at `outcome_index`.
AFTER_VIRUS: Final[list[int]] = [
    _after_virus(virus, organ, state) for virus in _COLOURS for organ in _COLOURS for state in range(N_STATES)
]

#: The state after a medicine, at `outcome_index`.
AFTER_MEDICINE: Final[list[int]] = [
    _after_medicine(medicine, organ, state) for medicine in _COLOURS for organ in _COLOURS for state in range(N_STATES)
]


def outcome_index(colour: i64, organ: i64, state: i64) -> i64:
    """Return where the tables have a card of ``colour`` on ``organ`` in ``state``."""
    return (colour * N_COLOURS + organ) * N_STATES + state


def state_of(body: i64, organ: i64) -> i64:
    """Return the state of ``organ``."""
    return body >> BITS * organ & MASK


def with_state(body: i64, organ: i64, state: i64) -> i64:
    """Return ``body`` with ``organ`` in another state."""
    shift = BITS * organ
    return body + (state - (body >> shift & MASK) << shift)


def healthy_in(body: i64) -> i64:
    """Return the number of healthy organs."""
    count: i64 = 0
    while body != 0:
        state = body & MASK
        if state == FREE or state >= VACCINATED:
            count += 1
        body >>= BITS
    return count


def organs_in(body: i64) -> i64:
    """Return the number of organs."""
    count: i64 = 0
    while body != 0:
        if body & MASK != ABSENT:
            count += 1
        body >>= BITS
    return count


def is_infected(body: i64) -> bool:
    """Say whether there is a virus on any organ."""
    while body != 0:
        if FREE < body & MASK < VACCINATED:
            return True
        body >>= BITS
    return False


def is_open(state: i64) -> bool:
    """Say whether an organ in ``state`` can be affected by anything but a medical error: it is there and not immunised."""
    return ABSENT < state < IMMUNISED


def cards_on(state: i64) -> list[int]:
    """Return the cards that lie on an organ in ``state``."""
    if state <= FREE:
        return []
    if state < VACCINATED:
        return [int(VIRUSES + state - INFECTED)]
    if state < IMMUNISED:
        return [int(MEDICINES + state - VACCINATED)]
    one, other = _PAIRS[state - IMMUNISED]
    return [MEDICINES + one, MEDICINES + other]


def cards_in(body: i64) -> list[int]:
    """Return all cards of a body: each organ, followed by what lies on it."""
    found: list[int] = []
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        if state != ABSENT:
            found.append(organ)
            found.extend(cards_on(state))
    return found


#: The colours of organs that are not multicoloured.
_COLOURED = 4


@dataclass
class VirusParameters(Parameters):
    """The deck, hands, the goal and the length of the game; the defaults are the printed game."""

    organs: int = integer(5, 1, 10, "organs of each of the four colours")
    wild_organs: int = integer(1, 0, 10, "multicoloured organs")
    viruses: int = integer(4, 0, 10, "viruses of each of the four colours")
    wild_viruses: int = integer(1, 0, 10, "multicoloured viruses")
    medicines: int = integer(4, 0, 10, "medicines of each of the four colours")
    wild_medicines: int = integer(4, 0, 10, "multicoloured medicines")
    transplants: int = integer(3, 0, 10, "transplants: two players' organs are swapped")
    organ_thieves: int = integer(3, 0, 10, "organ thieves: an organ is stolen")
    spreadings: int = integer(2, 0, 10, "spreadings: viruses move to other players' organs")
    latex_gloves: int = integer(1, 0, 10, "latex gloves: all others discard their hands")
    medical_errors: int = integer(1, 0, 10, "medical errors: two bodies are swapped")
    hand_size: int = integer(3, 1, LARGEST_HAND, "cards in hand at the end of a turn")
    max_discards: int = integer(3, 1, LARGEST_HAND, "cards that may be discarded in a turn; a hand has no more")
    organs_to_win: int = integer(4, 1, 5, "different healthy organs that win")
    own_viruses: bool = flag(False, "whether viruses may be played on one's own organs too")
    max_rounds: int = integer(100, 1, 1000, "rounds after which most healthy organs win")

    def check(self) -> None:
        """Refuse decks that six players cannot play with, and goals that cannot be reached."""
        size = sum(self.deck())
        needed = MOST_PLAYERS * self.hand_size + 1
        if size < needed:
            fitting = (size - 1) // MOST_PLAYERS
            right = f"the nearest value is {fitting}" if fitting else f"a deck has at least {MOST_PLAYERS + 1} cards"
            raise ParameterError(
                f"hand_size cannot be {self.hand_size} with six players and a deck of {size} cards; {right}"
            )
        if self.organs_to_win > _COLOURED and not self.wild_organs:
            raise ParameterError(
                f"organs_to_win cannot be {self.organs_to_win} with no multicoloured organ; the nearest value is {_COLOURED}"
            )

    def deck(self) -> list[int]:
        """Return how many cards of each kind there are."""
        return [
            *[self.organs] * _COLOURED,
            self.wild_organs,
            *[self.viruses] * _COLOURED,
            self.wild_viruses,
            *[self.medicines] * _COLOURED,
            self.wild_medicines,
            self.transplants,
            self.organ_thieves,
            self.spreadings,
            self.latex_gloves,
            self.medical_errors,
        ]
