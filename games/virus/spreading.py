"""The treatment "spreading": one virus after the other moves to another player's organ."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from games.virus.bodies import FREE, INFECTED, VACCINATED, state_of, with_state
from games.virus.cards import MOST_PLAYERS, N_COLOURS, ORGAN_NAMES, WILD
from games.virus.state import VirusState
from tag.action import Action, AnyAction, interned
from tag.rng import Rng
from tag.sequence import ExtendedSequence
from tag.state import GameState


class MoveVirus(Action[VirusState]):
    """Move the virus on one's own organ to a free organ of another player."""

    def __init__(self, organ: i64, target: i64, target_organ: i64) -> None:
        """Name one's own ``organ``, the player, and the organ of that player."""
        self.organ = organ
        self.target = target
        self.target_organ = target_organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Move the card."""
        bodies = state.bodies
        player = state.current_player
        moved = state_of(bodies[player], self.organ)
        bodies[player] = int(with_state(bodies[player], self.organ, FREE))
        bodies[self.target] = int(with_state(bodies[self.target], self.target_organ, moved))

    def __str__(self) -> str:
        """Name the organs: ``virus on heart to heart of player 2``."""
        return f"virus on {ORGAN_NAMES[self.organ]} to {ORGAN_NAMES[self.target_organ]} of player {self.target}"


class KeepVirus(Action[VirusState]):
    """Keep the virus on one's own organ, so that another one can move instead."""

    def __init__(self, organ: i64) -> None:
        self.organ = organ

    def execute(self, state: VirusState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        """Name the organ: ``keep virus on heart``."""
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
class SpreadingSequence(ExtendedSequence):
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

    def current_player(self, state: GameState) -> i64:
        """Return who spreads."""
        return self.player

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return where the virus can move, and keeping it, as far as the most viruses then move."""
        table = cast("VirusState", state)
        organ = self.next_organ
        body: i64 = table.bodies[self.player]
        virus = virus_on(body, organ)
        free = free_organs(table, self.player)
        later = viruses_from(body, organ + 1)
        most = most_moves(viruses_from(body, organ), free)
        found: list[AnyAction] = []
        for target in range(table.n_players):
            if target == self.player:
                continue
            for target_organ in range(N_COLOURS):
                if not _fits(virus, target_organ) or state_of(table.bodies[target], target_organ) != FREE:
                    continue
                free[target_organ] -= 1
                if most_moves(later, free) + 1 == most:
                    found.append(_MOVES[organ][target][target_organ])
                free[target_organ] += 1
        if most_moves(later, free) == most:
            found.append(_KEEPS[organ])
        return found

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next virus that can move."""
        self.next_organ += 1
        self.begin(cast("VirusState", state))

    def is_complete(self, state: GameState) -> bool:
        """Say whether no virus is left that can move."""
        return self.next_organ >= N_COLOURS

    def copy(self) -> SpreadingSequence:
        """Copy both numbers."""
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
    return most_moves(viruses_from(state.bodies[player], 0), free_organs(state, player)) > 0


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


def _fits(virus: i64, organ: i64) -> bool:
    """Say whether ``virus`` can infect ``organ``."""
    return virus == organ or virus == WILD or organ == WILD
