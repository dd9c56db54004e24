"""The actions of Virus!: playing a card of each group, each treatment, and discarding."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.virus.bodies import (
    ABSENT,
    AFTER_MEDICINE,
    AFTER_VIRUS,
    FREE,
    IMMUNISED,
    VACCINATED,
    cards_on,
    outcome_index,
    state_of,
    with_state,
)
from games.virus.cards import (
    COLOUR_NAMES,
    LATEX_GLOVE,
    MEDICAL_ERROR,
    MEDICINES,
    MOST_PLAYERS,
    N_COLOURS,
    NAMES,
    NO_CARD,
    ORGAN_NAMES,
    ORGAN_THIEF,
    SPREADING,
    TRANSPLANT,
    VIRUSES,
)
from games.virus.spreading import SpreadingSequence
from games.virus.state import VirusState
from tag.action import Action, AnyAction, interned
from tag.event import Event
from tag.rng import Rng


class PlayOrgan(Action[VirusState]):
    """Put an organ into one's own body, which has none of that colour."""

    def __init__(self, organ: i64) -> None:
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Lay the card down, with nothing on it."""
        player = state.current_player
        state.lose(player, self.organ)
        state.bodies[player] = int(with_state(state.bodies[player], self.organ, FREE))

    def __str__(self) -> str:
        """Name the organ: ``play heart``."""
        return f"play {ORGAN_NAMES[self.organ]}"


class PlayVirus(Action[VirusState]):
    """Play a virus: infect a free organ, destroy an infected one, or neutralise the medicine of a vaccinated one."""

    def __init__(self, virus: i64, target: i64, organ: i64) -> None:
        """Name the virus by its colour, and the organ of the player ``target``."""
        self.virus = virus
        self.target = target
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Lay the virus on the organ, or discard it with what it destroys."""
        card = VIRUSES + self.virus
        state.lose(state.current_player, card)
        body: i64 = state.bodies[self.target]
        before = state_of(body, self.organ)
        after: i64 = AFTER_VIRUS[outcome_index(self.virus, self.organ, before)]
        state.bodies[self.target] = int(with_state(body, self.organ, after))
        if before == FREE:
            return
        discards = state.discards
        discards[card] += 1
        for other in cards_on(before):
            discards[other] += 1
        if after == ABSENT:
            discards[self.organ] += 1
            if state.recording:
                state.announce(Event("organ destroyed", self.target, float(self.organ)))

    def text(self, state: VirusState, viewer: i64) -> str:
        """Say what the virus does: ``red virus infects heart of player 2``."""
        before = state_of(state.bodies[self.target], self.organ)
        deed = "infects" if before == FREE else "destroys" if before < VACCINATED else "neutralises medicine on"
        return f"{COLOUR_NAMES[self.virus]} virus {deed} {ORGAN_NAMES[self.organ]} of player {self.target}"

    def __str__(self) -> str:
        """Name card and target: ``red virus on heart of player 2``."""
        return f"{COLOUR_NAMES[self.virus]} virus on {ORGAN_NAMES[self.organ]} of player {self.target}"


class PlayMedicine(Action[VirusState]):
    """Play a medicine on one's own organ: cure an infected one, vaccinate a free one, or immunise a vaccinated one."""

    def __init__(self, medicine: i64, organ: i64) -> None:
        self.medicine = medicine
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Lay the medicine on the organ, or discard it with the virus that it destroys."""
        player = state.current_player
        card = MEDICINES + self.medicine
        state.lose(player, card)
        body: i64 = state.bodies[player]
        before = state_of(body, self.organ)
        after: i64 = AFTER_MEDICINE[outcome_index(self.medicine, self.organ, before)]
        state.bodies[player] = int(with_state(body, self.organ, after))
        if FREE < before < VACCINATED:
            state.discards[card] += 1
            for other in cards_on(before):
                state.discards[other] += 1
        elif after >= IMMUNISED and state.recording:
            state.announce(Event("organ immunised", player, float(self.organ)))

    def text(self, state: VirusState, viewer: i64) -> str:
        """Say what the medicine does: ``red medicine cures heart``."""
        before = state_of(state.bodies[state.current_player], self.organ)
        deed = "vaccinates" if before == FREE else "cures" if before < VACCINATED else "immunises"
        return f"{COLOUR_NAMES[self.medicine]} medicine {deed} {ORGAN_NAMES[self.organ]}"

    def __str__(self) -> str:
        """Name card and organ: ``red medicine on heart``."""
        return f"{COLOUR_NAMES[self.medicine]} medicine on {ORGAN_NAMES[self.organ]}"


class Transplant(Action[VirusState]):
    """Swap two players' organs, with what lies on them; neither may be immunised or then be twice in a body."""

    def __init__(self, one: i64, organ: i64, other: i64, other_organ: i64) -> None:
        """Name ``organ`` of the player ``one`` and ``other_organ`` of the player ``other``, who sits later."""
        self.one = one
        self.organ = organ
        self.other = other
        self.other_organ = other_organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Swap the organs."""
        state.discard(state.current_player, TRANSPLANT)
        bodies = state.bodies
        first: i64 = bodies[self.one]
        second: i64 = bodies[self.other]
        given = state_of(first, self.organ)
        taken = state_of(second, self.other_organ)
        first = with_state(first, self.organ, ABSENT)
        second = with_state(second, self.other_organ, ABSENT)
        bodies[self.one] = int(with_state(first, self.other_organ, taken))
        bodies[self.other] = int(with_state(second, self.organ, given))

    def __str__(self) -> str:
        """Name both organs: ``transplant heart of player 0 and bone of player 1``."""
        mine, theirs = ORGAN_NAMES[self.organ], ORGAN_NAMES[self.other_organ]
        return f"transplant {mine} of player {self.one} and {theirs} of player {self.other}"


class StealOrgan(Action[VirusState]):
    """Take another player's organ, with what lies on it, unless it is immunised or one has that organ already."""

    def __init__(self, target: i64, organ: i64) -> None:
        self.target = target
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Move the organ."""
        player = state.current_player
        state.discard(player, ORGAN_THIEF)
        bodies = state.bodies
        stolen = state_of(bodies[self.target], self.organ)
        bodies[self.target] = int(with_state(bodies[self.target], self.organ, ABSENT))
        bodies[player] = int(with_state(bodies[player], self.organ, stolen))

    def __str__(self) -> str:
        """Name the organ: ``steal heart of player 2``."""
        return f"steal {ORGAN_NAMES[self.organ]} of player {self.target}"


class PlaySpreading(Action[VirusState]):
    """Move as many viruses as possible from one's own organs to free organs of others; where to is decided next."""

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Begin with the first virus."""
        player = state.current_player
        state.discard(player, SPREADING)
        sequence = SpreadingSequence(player)
        sequence.begin(state)
        state.start_sequence(sequence)

    def __str__(self) -> str:
        return "spreading"


class PlayLatexGlove(Action[VirusState]):
    """Make all others discard their hands."""

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Empty the hands of the others, who draw new ones in their next turns and do nothing else in them."""
        player = state.current_player
        state.discard(player, LATEX_GLOVE)
        for other in range(state.n_players):
            if other != player:
                state.discard_hand(other)

    def __str__(self) -> str:
        return "latex glove"


class SwapBodies(Action[VirusState]):
    """Play a medical error: swap one's whole body with another player's, immunised organs included."""

    def __init__(self, target: i64) -> None:
        self.target = target

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Swap the bodies."""
        player = state.current_player
        state.discard(player, MEDICAL_ERROR)
        bodies = state.bodies
        bodies[player], bodies[self.target] = bodies[self.target], bodies[player]

    def __str__(self) -> str:
        return f"medical error: swap bodies with player {self.target}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Discard(Action[VirusState]):
    """Discard cards instead of playing one; without cards in hand, nothing, and only draw."""

    def __init__(self, *cards: int) -> None:
        """Name the cards, sorted."""
        self.cards: tuple[int, ...] = cards

    def key(self) -> tuple[object, ...]:
        """Return the cards."""
        return self.cards

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Lay the cards on the discard pile, for all to see."""
        player = state.current_player
        for card in self.cards:
            state.discard(player, card)

    def __str__(self) -> str:
        return f"discard {', '.join([NAMES[card] for card in self.cards])}" if self.cards else "draw a new hand"


#: What is played on an organ or a player, by the numbers of both.
ORGAN_PLAYS: Final[list[AnyAction]] = [interned(PlayOrgan(organ)) for organ in range(N_COLOURS)]
MEDICINE_PLAYS: Final[list[list[AnyAction]]] = [
    [interned(PlayMedicine(medicine, organ)) for organ in range(N_COLOURS)] for medicine in range(N_COLOURS)
]
VIRUS_PLAYS: Final[list[list[list[AnyAction]]]] = [
    [[interned(PlayVirus(virus, target, organ)) for organ in range(N_COLOURS)] for target in range(MOST_PLAYERS)]
    for virus in range(N_COLOURS)
]
THEFTS: Final[list[list[AnyAction]]] = [
    [interned(StealOrgan(target, organ)) for organ in range(N_COLOURS)] for target in range(MOST_PLAYERS)
]
#: By both players and then by ``organ * N_COLOURS + other_organ``.
TRANSPLANTS: Final[list[list[list[AnyAction]]]] = [
    [
        [
            interned(Transplant(one, organ, other, other_organ))
            for organ in range(N_COLOURS)
            for other_organ in range(N_COLOURS)
        ]
        if one < other
        else []
        for other in range(MOST_PLAYERS)
    ]
    for one in range(MOST_PLAYERS)
]
ERRORS: Final[list[AnyAction]] = [interned(SwapBodies(target)) for target in range(MOST_PLAYERS)]
SPREAD: Final[AnyAction] = interned(PlaySpreading())
GLOVE: Final[AnyAction] = interned(PlayLatexGlove())
DRAW_ONLY: Final[list[AnyAction]] = [interned(Discard())]

_DISCARDS: Final[dict[int, list[AnyAction]]] = {}


def discards_of(packed: i64, size: i64) -> list[AnyAction]:
    """Return the ways to discard cards of a hand; the list must not be changed.

    Args:
        packed: the most cards that may be discarded, followed by the places of the hand, five bits each.
        size: the places of the hand.
    """
    key = int(packed)
    found = _DISCARDS.get(key)
    if found is None:
        found = _all_discards(key, int(size))
        _DISCARDS[key] = found
    return found


def _all_discards(packed: int, size: int) -> list[AnyAction]:
    """Return what `discards_of` does: the fewest cards first, then in order; equal choices are one."""
    most = packed >> 5 * size
    chosen: set[tuple[int, ...]] = {()}
    for place in range(size - 1, -1, -1):
        card = packed >> 5 * place & 31
        if card != NO_CARD:
            chosen |= {(*cards, card) for cards in chosen if len(cards) < most}
    return [interned(Discard(*cards)) for cards in sorted(chosen, key=_shortest_first) if cards]


def _shortest_first(cards: tuple[int, ...]) -> tuple[object, ...]:
    return (len(cards), cards)
