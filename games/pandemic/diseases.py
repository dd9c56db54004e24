"""How diseases spread and are fought: cubes that are placed, break out, and go back to the supply."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.pandemic.board import BIT, NEAR, NEIGHBOURS
from games.pandemic.cards import BITS, FULL, N_COLOURS, NONE
from games.pandemic.table import ALL_CURED, OUT_OF_CUBES, OUTBREAKS, PandemicTable
from tag.event import Event

_ALL_CURED: Final = 15


@mypyc_attr(allow_interpreted_subclasses=True)
class PandemicDiseases(PandemicTable):
    """The table, on which cubes move."""

    __slots__ = ()

    def count(self, city: i64, colour: i64) -> i64:
        """Return how many cubes of ``colour`` are in ``city``."""
        packed: i64 = self.cubes[city]
        return packed >> (BITS * colour) & FULL

    def is_protected(self, city: i64, colour: i64) -> bool:
        """Say whether a player's role keeps cubes of ``colour`` out of ``city``."""
        if self.specialist != NONE:
            near: i64 = NEAR[self.pawns[self.specialist]]
            if near >> city & 1:
                return True
        return self.medic != NONE and self.cured >> colour & 1 != 0 and self.pawns[self.medic] == city

    def infect(self, city: i64, colour: i64, cubes: i64) -> None:
        """Place ``cubes`` of ``colour`` in ``city``, which breaks out where they are too many."""
        if self.eradicated >> colour & 1 or self.is_protected(city, colour):
            return
        room = self.rules.cubes_per_city - self.count(city, colour)
        if cubes <= room:
            self.place(city, colour, cubes)
            return
        if room:
            self.place(city, colour, room)
        if not self.is_terminal:
            self._break_out(city, colour)

    def place(self, city: i64, colour: i64, cubes: i64) -> None:
        """Move cubes from the supply, which may run out, to ``city``."""
        if self.supply[colour] < cubes:
            self.end(OUT_OF_CUBES)
            return
        self.supply[colour] -= int(cubes)
        packed: i64 = self.cubes[city]
        self.cubes[city] = int(packed + (cubes << (BITS * colour)))

    def _break_out(self, city: i64, colour: i64) -> None:
        """Resolve an outbreak and its chain reactions; no city breaks out twice."""
        waiting = [int(city)]
        broken: i64 = BIT[city]
        most: i64 = self.rules.cubes_per_city
        index: i64 = 0
        while index < len(waiting):
            self.outbreaks += 1
            if self.recording:
                self.announce(Event("outbreak", -1, float(waiting[index])))
            if self.outbreaks >= self.rules.outbreaks:
                self.end(OUTBREAKS)
                return
            for near in NEIGHBOURS[waiting[index]]:
                if broken >> near & 1 or self.is_protected(near, colour):
                    continue
                if self.count(near, colour) >= most:
                    broken |= BIT[near]
                    waiting.append(near)
                else:
                    self.place(near, colour, 1)
                    if self.is_terminal:
                        return
            index += 1

    def remove(self, city: i64, colour: i64, cubes: i64) -> None:
        """Move cubes from ``city`` to the supply; the last of a cured disease eradicates it."""
        packed: i64 = self.cubes[city]
        self.cubes[city] = int(packed - (cubes << (BITS * colour)))
        self.supply[colour] += int(cubes)
        self._check_eradicated(colour)

    def _check_eradicated(self, colour: i64) -> None:
        if self.cured >> colour & 1 and self.supply[colour] == self.rules.cubes:
            self.eradicated |= BIT[colour]

    def clean(self, city: i64) -> None:
        """Let the Medic, who is in ``city``, remove all cubes of cured diseases."""
        if self.cured and self.cubes[city]:
            for colour in range(N_COLOURS):
                if self.cured >> colour & 1:
                    cubes = self.count(city, colour)
                    if cubes:
                        self.remove(city, colour, cubes)

    def treat(self, seat: i64, colour: i64) -> None:
        """Let the player of ``seat`` treat a disease where the pawn is."""
        city = self.pawns[seat]
        whole = self.cured >> colour & 1 or seat == self.medic
        self.remove(city, colour, self.count(city, colour) if whole else 1)

    def cure(self, colour: i64) -> None:
        """Mark a disease as cured; with the last one the game is won."""
        self.cured |= BIT[colour]
        if self.medic != NONE:
            self.clean(self.pawns[self.medic])
        self._check_eradicated(colour)
        if self.recording:
            self.announce(Event("cure", -1, float(colour)))
        if self.cured == _ALL_CURED:
            self.end(ALL_CURED)

    def move_pawn(self, seat: i64, city: i64) -> None:
        """Put a pawn into ``city``."""
        self.pawns[seat] = int(city)
        if seat == self.medic:
            self.clean(city)
