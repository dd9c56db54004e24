"""The parameters of Pandemic and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tag import ParameterError, Parameters, choice, flag, integer, real
from tag.engine.snapshot import field_values
from tag.games.boards.pandemic.data import NONE, ROLE_NAMES

#: Leaves a seat's role to chance.
ANY: Final = "any"

_SPECS: Final[list[str]] = [name.lower().replace(" ", "_") for name in ROLE_NAMES]
_CHOICES: Final[tuple[str, ...]] = (ANY, *_SPECS)
#: Variants that are younger than recorded games: as long as they are off, positions have the hashes that they had.
_YOUNGER: Final = ("outbreaks_to_pawns", "cure_takes_all", "endless_cubes", "empty_deck_loses")


@dataclass
class PandemicParameters(Parameters):
    """The difficulty, every number of the rules, and the roles; the defaults are the printed introductory game."""

    epidemics: int = integer(4, 0, 6, "Epidemic cards: 4 introductory, 5 standard, 6 heroic")
    outbreaks: int = integer(8, 1, 15, "outbreaks at which the game is lost")
    cubes: int = integer(24, 10, 50, "cubes of each colour")
    cubes_per_city: int = integer(3, 1, 10, "cubes of a colour in a city, beyond which it breaks out")
    epidemic_cubes: int = integer(3, 1, 5, "cubes placed by an epidemic")
    infection_cubes: int = integer(1, 1, 3, "cubes placed by an infection card")
    setup_levels: int = integer(3, 1, 5, "groups of infection cards at the start; the first gets as many cubes each")
    setup_cards: int = integer(3, 1, 5, "infection cards in each of these groups")
    cards_for_cure: int = integer(5, 2, 7, "city cards of a colour that cure a disease")
    scientist_saves: int = integer(1, 0, 3, "how many cards fewer the Scientist needs")
    forecast_cards: int = integer(6, 3, 8, "infection cards that Forecast rearranges")
    hand_limit: int = integer(7, 5, 15, "cards that a player may keep")
    cards_drawn: int = integer(2, 1, 5, "player cards drawn in a turn")
    actions: int = integer(4, 1, 8, "actions in a turn")
    stations: int = integer(6, 1, 8, "research stations")
    hand_2: int = integer(4, 0, 8, "cards dealt to each of two players")
    hand_3: int = integer(3, 0, 8, "cards dealt to each of three players")
    hand_4: int = integer(2, 0, 8, "cards dealt to each of four players")
    role_0: str = choice(ANY, _CHOICES, "role of player 0")
    role_1: str = choice(ANY, _CHOICES, "role of player 1")
    role_2: str = choice(ANY, _CHOICES, "role of player 2")
    role_3: str = choice(ANY, _CHOICES, "role of player 3")
    ask_always: bool = flag(False, "ask holders of events before every action and every infection card too")
    outbreaks_to_pawns: bool = flag(False, "an outbreak reaches only those neighbouring cities where a pawn is")
    cure_takes_all: bool = flag(False, "a cure takes all cards of its colour in the hand")
    endless_cubes: bool = flag(False, "cubes never run out: the supply is counted below zero")
    empty_deck_loses: bool = flag(False, "the players lose by drawing the last player card")

    def check(self) -> None:
        """Refuse what contradicts the rules or can never be won."""
        for name, most, why in (
            ("epidemic_cubes", self.cubes_per_city, "a city takes"),
            ("infection_cubes", self.cubes_per_city, "a city takes"),
            ("setup_levels", self.cubes_per_city, "a city takes"),
            ("cards_for_cure", self.hand_limit, "a hand holds"),
            ("hand_2", self.hand_limit, "a hand holds"),
            ("hand_3", self.hand_limit, "a hand holds"),
            ("hand_4", self.hand_limit, "a hand holds"),
        ):
            value: int = getattr(self, name)
            if value > most:
                raise ParameterError(f"{name} cannot be {value}, more than {why}; the nearest value is {most}")
        if self.scientist_saves >= self.cards_for_cure:
            raise ParameterError(
                f"scientist_saves cannot be {self.scientist_saves} where {self.cards_for_cure} cards cure; "
                f"the nearest value is {self.cards_for_cure - 1}"
            )
        self._check_roles()

    def _check_roles(self) -> None:
        """Refuse a role that two players would have."""
        roles = [self.role_0, self.role_1, self.role_2, self.role_3]
        for seat, role in enumerate(roles):
            if role != ANY and role in roles[:seat]:
                other = roles.index(role)
                raise ParameterError(
                    f"role_{seat} cannot be {role}, which role_{other} is already; the nearest value is {ANY}"
                )

    def key(self) -> tuple[tuple[str, object], ...]:
        """Return what snapshots and hashes of positions have of these."""
        return tuple([(name, value) for name, value in field_values(self).items() if value or name not in _YOUNGER])

    def roles(self) -> list[int]:
        """Return the role of each seat, `NONE` for any."""
        return [
            NONE if role == ANY else _SPECS.index(role) for role in (self.role_0, self.role_1, self.role_2, self.role_3)
        ]

    def hand(self, n_players: int) -> int:
        """Return how many cards each of ``n_players`` is dealt."""
        return self.hand_2 if n_players == 2 else self.hand_3 if n_players == 3 else self.hand_4


@dataclass
class PandemicHeuristicParameters(Parameters):
    """The weights of `PandemicHeuristic`."""

    cures: float = real(0.5, -1.0, 1.0, "weight of the share of diseases cured")
    hands: float = real(0.3, -1.0, 1.0, "weight of how far the best hand is towards each cure, those found included")
    way: float = real(0.1, -1.0, 1.0, "weight of how near a research station is to who has the cards for each cure")
    cubes: float = real(0.2, -1.0, 1.0, "weight of the share of cubes that are not on the board")
    threat: float = real(-1.0, -1.0, 1.0, "weight of the cubes on the board, those on top of others counted more")
    reach: float = real(0.1, 0.0, 1.0, "by what share the threat of a city grows with each drive to the nearest pawn")
    outbreaks: float = real(-0.5, -1.0, 1.0, "weight of the share of the outbreaks that lose")
    stations: float = real(0.0, -1.0, 1.0, "weight of the share of research stations built")
    deck: float = real(0.0, -1.0, 1.0, "weight of the share of player cards that are left")
