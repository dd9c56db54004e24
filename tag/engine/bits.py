"""Small sets as machine integers: a bit for each member, or four bits that count the cards of each kind.

Sets have at most 62 bits and are never negative: compiled, larger constants are slow.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

_EVEN_BITS: Final = 0x1555555555555555
_EVEN_PAIRS: Final = 0x3333333333333333
_EVEN_FOURS: Final = 0x0F0F0F0F0F0F0F0F
_ONES: Final = 0x0101010101010101


def bit_count(members: i64) -> i64:
    """Return how many bits are set, as ``int.bit_count`` does, which compiled code would call as a method of an object.

    Examples:
        >>> bit_count(0b1011)
        3
    """
    pairs = members - (members >> 1 & _EVEN_BITS)
    fours = (pairs & _EVEN_PAIRS) + (pairs >> 2 & _EVEN_PAIRS)
    return ((fours + (fours >> 4) & _EVEN_FOURS) * _ONES) >> 56 & 0xFF


def bit_place(members: i64, skipped: i64, step: i64) -> i64:
    """Return the place of the lowest set bit after ``skipped`` others, where places are ``step`` bits apart.

    There have to be more bits than are skipped, in such places: it is not checked.

    Examples:
        >>> bit_place(0b10110, 0, 1), bit_place(0b10110, 1, 1)
        (1, 2)
        >>> bit_place(0b1_0000_0001, 1, 4)
        2
    """
    while skipped > 0:
        members &= members - 1
        skipped -= 1
    place: i64 = 0
    while members & 1 == 0:
        members >>= step
        place += 1
    return place


def packed_size(counts: i64) -> i64:
    """Return how many cards a set has that counts each kind in four bits.

    Examples:
        >>> packed_size(0x302)
        5
    """
    return ((counts & _EVEN_FOURS) + (counts >> 4 & _EVEN_FOURS)) * _ONES >> 56 & 0xFF
