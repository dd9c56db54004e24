"""The actions of Virus!: playing a card of each group, each treatment, discarding, and where viruses spread."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Event, ExtendedSequence, Rng, Vocabulary, interned
from tag.games.cards.virus.data import (
    ABSENT,
    AFTER_MEDICINE,
    AFTER_VIRUS,
    COLOUR_NAMES,
    FREE,
    IMMUNISED,
    INFECTED,
    LARGEST_HAND,
    LATEX_GLOVE,
    MEDICAL_ERROR,
    MEDICINES,
    MOST_PLAYERS,
    N_COLOURS,
    N_KINDS,
    NAMES,
    NO_CARD,
    ORGAN_NAMES,
    ORGAN_THIEF,
    SPREADING,
    TRANSPLANT,
    VACCINATED,
    VIRUSES,
    WILD,
    cards_on,
    fits,
    is_infected,
    outcome_index,
    state_of,
    with_state,
)
from tag.games.cards.virus.state import VirusState


class PlayOrgan(Action[VirusState]):
    """Put an organ into one's own body, which has none of that colour."""

    def __init__(self, organ: i64) -> None:
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        player = state.current_player
        state.lose(player, self.organ)
        state.bodies[player] = int(with_state(state.bodies[player], self.organ, FREE))
        if state.recording:
            state.announce_moved(f"body of {player}")

    def __str__(self) -> str:
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
        if state.recording:
            state.announce_moved(f"body of {self.target}", "discards")
        if before == FREE:
            return
        discards = state.discards
        discards[card] += 1
        for other in cards_on(before):
            discards[other] += 1
        if after == ABSENT:
            discards[self.organ] += 1
            if state.recording:
                words = f"{{player}} loses the {ORGAN_NAMES[self.organ]}"
                state.announce(Event("organ destroyed", self.target, float(self.organ), words=words))

    def text(self, state: VirusState, viewer: i64) -> str:
        before = state_of(state.bodies[self.target], self.organ)
        deed = "infects" if before == FREE else "destroys" if before < VACCINATED else "neutralises medicine on"
        return f"{COLOUR_NAMES[self.virus]} virus {deed} {ORGAN_NAMES[self.organ]} of player {self.target}"

    def __str__(self) -> str:
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
        if state.recording:
            state.announce_moved(f"body of {player}", "discards")
        if FREE < before < VACCINATED:
            state.discards[card] += 1
            for other in cards_on(before):
                state.discards[other] += 1
        elif after >= IMMUNISED and state.recording:
            words = f"the {ORGAN_NAMES[self.organ]} of {{player}} is immune for good"
            state.announce(Event("organ immunised", player, float(self.organ), words=words))

    def text(self, state: VirusState, viewer: i64) -> str:
        before = state_of(state.bodies[state.current_player], self.organ)
        deed = "vaccinates" if before == FREE else "cures" if before < VACCINATED else "immunises"
        return f"{COLOUR_NAMES[self.medicine]} medicine {deed} {ORGAN_NAMES[self.organ]}"

    def __str__(self) -> str:
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
        if state.recording:
            state.announce_moved(f"body of {self.one}", f"body of {self.other}", "discards")

    def __str__(self) -> str:
        mine, theirs = ORGAN_NAMES[self.organ], ORGAN_NAMES[self.other_organ]
        return f"transplant {mine} of player {self.one} and {theirs} of player {self.other}"


class StealOrgan(Action[VirusState]):
    """Take another player's organ, with what lies on it, unless it is immunised or one has that organ already."""

    def __init__(self, target: i64, organ: i64) -> None:
        self.target = target
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        player = state.current_player
        state.discard(player, ORGAN_THIEF)
        bodies = state.bodies
        stolen = state_of(bodies[self.target], self.organ)
        bodies[self.target] = int(with_state(bodies[self.target], self.organ, ABSENT))
        bodies[player] = int(with_state(bodies[player], self.organ, stolen))
        if state.recording:
            state.announce_moved(f"body of {player}", f"body of {self.target}", "discards")

    def __str__(self) -> str:
        return f"steal {ORGAN_NAMES[self.organ]} of player {self.target}"


class PlaySpreading(Action[VirusState]):
    """Move as many viruses as possible from one's own organs to free organs of others; where to is decided next."""

    def execute(self, state: VirusState, rng: Rng) -> None:
        player = state.current_player
        state.discard(player, SPREADING)
        if state.recording:
            state.announce_moved("discards")
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
        if state.recording:
            state.announce_moved("discards")
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
        player = state.current_player
        state.discard(player, MEDICAL_ERROR)
        bodies = state.bodies
        bodies[player], bodies[self.target] = bodies[self.target], bodies[player]
        if state.recording:
            state.announce_moved(f"body of {player}", f"body of {self.target}", "discards")

    def __str__(self) -> str:
        return f"medical error: swap bodies with player {self.target}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Discard(Action[VirusState]):
    """Discard cards instead of playing one; without cards in hand, nothing, and only draw."""

    def __init__(self, *cards: int) -> None:
        """Name the cards, sorted."""
        self.cards: tuple[int, ...] = cards

    def key(self) -> tuple[object, ...]:
        return self.cards

    def execute(self, state: VirusState, rng: Rng) -> None:
        state.discard_all(state.current_player, self.cards)

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

_DISCARDS: Final[dict[tuple[int, ...], AnyAction]] = {}
_TABLES: Final[dict[tuple[int, int], int]] = {}

#: Tables of the ways to discard, by the number of the hand; no game holds one, as agents reach what games hold.
DISCARDS: Final[list[list[list[AnyAction]]]] = []

#: What a card (second) at a place (first) adds to the number of a sorted hand, in the combinatorial number system.
#: To find a list by number takes some 100 instructions; in a dictionary of hands it took 470, for each random action.
RANKS: Final[list[int]] = [
    comb(card + place, place + 1) for place in range(LARGEST_HAND) for card in range(NO_CARD + 1)
]


def discard_table(size: int, most: int) -> int:
    """Return the place in `DISCARDS` of the ways to discard up to ``most`` cards of a hand of ``size`` places.

    They are filled in by `all_discards` when they are needed first, for all games of the process.
    """
    number = _TABLES.setdefault((size, most), len(DISCARDS))
    if number == len(DISCARDS):
        DISCARDS.append([[] for _hand in range(comb(NO_CARD + size, size))])
    return number


def all_discards(hand: list[int], most: int) -> list[AnyAction]:
    """Return the ways to discard up to ``most`` cards of a sorted ``hand``, the fewest first; equal choices are one."""
    return [_discard(cards) for number in range(1, most + 1) for cards in dict.fromkeys(combinations(hand, number))]


def _discard(cards: tuple[int, ...]) -> AnyAction:
    found = _DISCARDS.get(cards)
    if found is None:
        found = interned(Discard(*cards))
        _DISCARDS[cards] = found
    return found


class MoveVirus(Action[VirusState]):
    """Move the virus on one's own organ to a free organ of another player."""

    def __init__(self, organ: i64, target: i64, target_organ: i64) -> None:
        """Name one's own ``organ``, the player, and the organ of that player."""
        self.organ = organ
        self.target = target
        self.target_organ = target_organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        bodies = state.bodies
        player = state.current_player
        moved = state_of(bodies[player], self.organ)
        bodies[player] = int(with_state(bodies[player], self.organ, FREE))
        bodies[self.target] = int(with_state(bodies[self.target], self.target_organ, moved))
        if state.recording:
            state.announce_moved(f"body of {player}", f"body of {self.target}")

    def __str__(self) -> str:
        return f"virus on {ORGAN_NAMES[self.organ]} to {ORGAN_NAMES[self.target_organ]} of player {self.target}"


class KeepVirus(Action[VirusState]):
    """Keep the virus on one's own organ, so that another one can move instead."""

    def __init__(self, organ: i64) -> None:
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        return f"keep virus on {ORGAN_NAMES[self.organ]}"


#: By own organ, other player, and that player's organ.
_MOVES: Final[list[list[list[AnyAction]]]] = [
    [
        [interned(MoveVirus(organ, target, target_organ)) for target_organ in range(N_COLOURS)]
        for target in range(MOST_PLAYERS)
    ]
    for organ in range(N_COLOURS)
]
_KEEPS: Final[list[AnyAction]] = [interned(KeepVirus(organ)) for organ in range(N_COLOURS)]


@mypyc_attr(allow_interpreted_subclasses=True)
class SpreadingSequence(ExtendedSequence[VirusState]):
    """Asks for each virus, organ by organ, where it moves.

    As many viruses move as can: a choice after which fewer could move in all is not offered. A virus may stay only where
    another one then takes the place that it could have had.

    Attributes:
        player: who spreads.
        next_organ: the own organ whose virus is to be moved, `N_COLOURS` when all is done.
    """

    def __init__(self, player: i64, next_organ: i64 = 0) -> None:
        self.player = player
        self.next_organ = next_organ

    def begin(self, state: VirusState) -> None:
        """Go to the first virus that can move, if there is one from `next_organ` on."""
        body: i64 = state.bodies[self.player]
        free = free_organs(state, self.player)
        while self.next_organ < N_COLOURS:
            virus = virus_on(body, self.next_organ)
            if virus >= 0 and _has_place(virus, free):
                return
            self.next_organ += 1

    def current_player(self, state: VirusState) -> i64:
        return self.player

    def available_actions(self, state: VirusState) -> list[AnyAction]:
        """Return where the virus can move, and keeping it, as far as the most viruses then move."""
        organ = self.next_organ
        body: i64 = state.bodies[self.player]
        virus = virus_on(body, organ)
        free = free_organs(state, self.player)
        later = viruses_from(body, organ + 1)
        most = most_moves(viruses_from(body, organ), free)
        found: list[AnyAction] = []
        for target in range(state.n_players):
            if target == self.player:
                continue
            for target_organ in range(N_COLOURS):
                if not fits(virus, target_organ) or state_of(state.bodies[target], target_organ) != FREE:
                    continue
                free[target_organ] -= 1
                if most_moves(later, free) + 1 == most:
                    found.append(_MOVES[organ][target][target_organ])
                free[target_organ] += 1
        if most_moves(later, free) == most:
            found.append(_KEEPS[organ])
        return found

    def after_action(self, state: VirusState, action: AnyAction, rng: Rng) -> None:
        self.next_organ += 1
        self.begin(state)

    def is_complete(self, state: VirusState) -> bool:
        return self.next_organ >= N_COLOURS

    def copy(self) -> SpreadingSequence:
        return SpreadingSequence(self.player, self.next_organ)


def virus_on(body: i64, organ: i64) -> i64:
    """Return the colour of the virus on ``organ``, -1 where there is none."""
    state = state_of(body, organ)
    return state - INFECTED if INFECTED <= state < VACCINATED else -1


def viruses_from(body: i64, first: i64) -> list[int]:
    """Return how many viruses of each colour lie on the organs from ``first`` on."""
    counts = [0] * N_COLOURS
    for organ in range(first, N_COLOURS):
        virus = virus_on(body, organ)
        if virus >= 0:
            counts[virus] += 1
    return counts


def free_organs(state: VirusState, player: i64) -> list[int]:
    """Return how many free organs of each colour the others of ``player`` have."""
    counts = [0] * N_COLOURS
    for other in range(state.n_players):
        if other != player:
            for organ in range(N_COLOURS):
                if state_of(state.bodies[other], organ) == FREE:
                    counts[organ] += 1
    return counts


def can_spread(state: VirusState, player: i64) -> bool:
    """Say whether a virus of ``player`` can move."""
    body: i64 = state.bodies[player]
    return is_infected(body) and most_moves(viruses_from(body, 0), free_organs(state, player)) > 0


def most_moves(viruses: list[int], free: list[int]) -> i64:
    """Return how many of the ``viruses`` of each colour can move to the ``free`` organs of each colour.

    A coloured virus is best placed on its own colour, which else only multicoloured viruses could take; those take what
    is left, since they fit everywhere.
    """
    moved: i64 = 0
    homeless: i64 = 0
    total: i64 = free[WILD]
    for colour in range(WILD):
        count: i64 = viruses[colour]
        places: i64 = free[colour]
        total += places
        settled = min(count, places)
        moved += settled
        homeless += count - settled
    moved += min(homeless, free[WILD])
    return moved + min(viruses[WILD], total - moved)


def _has_place(virus: i64, free: list[int]) -> bool:
    """Say whether any of the ``free`` organs takes ``virus``."""
    return sum(free) > 0 if virus == WILD else free[virus] + free[WILD] > 0


def vocabulary(n_players: int, max_discards: int) -> Vocabulary:
    """Return all actions of a game in which up to ``max_discards`` cards can be discarded in a turn."""
    players, colours = range(n_players), range(N_COLOURS)
    return Vocabulary(
        Actions(PlayOrgan, organ=colours),
        Actions(PlayVirus, virus=colours, target=players, organ=colours),
        Actions(PlayMedicine, medicine=colours, organ=colours),
        *[
            Actions(Transplant, one=[one], organ=colours, other=range(one + 1, n_players), other_organ=colours)
            for one in range(n_players - 1)
        ],
        Actions(StealOrgan, target=players, organ=colours),
        Actions(PlaySpreading),
        Actions(MoveVirus, organ=colours, target=players, target_organ=colours),
        Actions(KeepVirus, organ=colours),
        Actions(PlayLatexGlove),
        Actions(SwapBodies, target=players),
        *[
            Actions(Discard, cards=combinations_with_replacement(range(N_KINDS), number))
            for number in range(max_discards + 1)
        ],
    )
