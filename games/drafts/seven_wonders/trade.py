"""Payments for resources: which are made, which are bought of whom, and what is paid.

A raw material is made by cards that make it each turn and by cards that make one of several materials. The latter are
counted by subset of the four materials (`tag.games.drafts.seven_wonders.data.SUBSETS`): how many cards can make one of the
subset. By Hall's theorem cards suffice if no subset of the materials is needed more often than it has cards. Goods are
treated alike, as three materials of which only the own city can have a free choice.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.games.drafts.seven_wonders.data import BITS, HIGH, PAY_MASK, RAW_BITS, choice_of

#: Purchases: by the number of units that are bought on the left, up to seven, the fewest on the right, seven bits each.
_FOUND_BITS: Final = 7
_FOUND_MASK: Final = 127
_FOUND_AT: Final[list[int]] = [_FOUND_MASK << (_FOUND_BITS * units) for units in range(8)]
_NONE_FOUND: Final = 0xFFFFFFFFFFFFFF
_LAST_FOUND: Final = 0xFE000000000000
_NO_UNITS: Final = 0xFFFFFFFFFFFF80
#: Where cards are counted that can make one material, by material.
_SINGLES: Final[list[int]] = [0, 4, 12, 28]
_RAW_MASK: Final = 0xFFFF
_NIBBLE: Final = 15
#: Where cards are counted that can make any of the four materials.
_ALL_RAW: Final = 56
#: Nothing can be paid; nothing has to be paid.
NO_WAY: Final = 0
NOTHING_PAID: Final = 0x1000000000000
_WAY_BITS: Final = 16
_PAIR: Final = 0xFFFF
_NO_RANK: Final = 0x10000000000
_IS_WAY: Final[list[int]] = [1 << 48, 1 << 49, 1 << 50]


def missing(cost: i64, made: i64) -> i64:
    """Return the resources of ``cost`` that are not made.

    Examples:
        >>> hex(missing(0x0032, 0x1011))
        '0x21'
    """
    left = (cost | HIGH) - made
    return left & ((left & HIGH) >> 3) * 7


def fits(need: i64, touched: i64) -> bool:
    """Say whether cards that make one of several materials can make all of ``need``, up to four materials."""
    wood = need & _NIBBLE
    stone = need >> 4 & _NIBBLE
    clay = need >> 8 & _NIBBLE
    ore = need >> 12 & _NIBBLE
    if wood + stone + clay + ore > touched >> 56 & _NIBBLE:
        return False
    return (
        wood <= touched & _NIBBLE
        and stone <= touched >> 4 & _NIBBLE
        and wood + stone <= touched >> 8 & _NIBBLE
        and clay <= touched >> 12 & _NIBBLE
        and wood + clay <= touched >> 16 & _NIBBLE
        and stone + clay <= touched >> 20 & _NIBBLE
        and wood + stone + clay <= touched >> 24 & _NIBBLE
        and ore <= touched >> 28 & _NIBBLE
        and wood + ore <= touched >> 32 & _NIBBLE
        and stone + ore <= touched >> 36 & _NIBBLE
        and wood + stone + ore <= touched >> 40 & _NIBBLE
        and clay + ore <= touched >> 44 & _NIBBLE
        and wood + clay + ore <= touched >> 48 & _NIBBLE
        and stone + clay + ore <= touched >> 52 & _NIBBLE
    )


def _units(resources: i64) -> i64:
    """Return how many units of four materials there are."""
    return (resources & _NIBBLE) + (resources >> 4 & _NIBBLE) + (resources >> 8 & _NIBBLE) + (resources >> 12)


class Market:
    """The cities of a player and the two neighbours, for one purchase after another.

    Attributes:
        made: what each city makes in every turn: the own one, the left one, the right one.
        touched: cards of each city that make one of several materials.
        goods: how many manufactured goods of any kind the own city makes.
        raw_left: the price of a raw material of the left neighbour, and so on.
        purse: the coins of the player.
    """

    def __init__(self) -> None:
        """Begin with cities that make nothing."""
        self.made: i64 = 0
        self.made_left: i64 = 0
        self.made_right: i64 = 0
        self.touched: i64 = 0
        self.touched_left: i64 = 0
        self.touched_right: i64 = 0
        self.goods: i64 = 0
        self.raw_left: i64 = 0
        self.raw_right: i64 = 0
        self.goods_price: i64 = 0
        self.purse: i64 = 0
        self._splits = True
        self._found: i64 = _NONE_FOUND

    def set_choice(self, splits: bool) -> None:
        """Say whether all ways to pay are found, or the cheapest one only."""
        self._splits = splits

    def ways(self, cost: i64, coins: i64) -> i64:
        """Return the ways to pay for resources: coins to the left and to the right, and whether there is such a way.

        The first is the cheapest one, of several the most even one. The second pays the right neighbour as little as can be,
        the third the left one; they are left out where they are the same as one before.

        Args:
            cost: the resources.
            coins: coins that have to be left for the bank.
        """
        purse = self.purse - coins
        if purse < 0:
            return NO_WAY
        need = missing(cost, self.made)
        if need == 0:
            return NOTHING_PAID
        raw = need & _RAW_MASK
        goods = need >> RAW_BITS
        own_goods = self.goods * 0x111111111111111
        if (raw == 0 or fits(raw, self.touched)) and (goods == 0 or fits(goods, own_goods)):
            return NOTHING_PAID
        lacking = _units(raw) - (self.touched >> _ALL_RAW & _NIBBLE)
        if lacking > 0 and lacking * min(self.raw_left, self.raw_right) > purse:
            return NO_WAY
        self._found = _NONE_FOUND
        if raw:
            self._spread(raw, 0, 0, 0, self.touched, False)
        raw_units = self._found if raw else _NO_UNITS
        if raw_units == _NONE_FOUND:
            return NO_WAY
        if goods:
            self._found = _NONE_FOUND
            self._spread(goods, 0, 0, 0, own_goods, True)
        return self._chosen(raw_units, self._found if goods else _NO_UNITS, purse)

    def _spread(self, need: i64, shift: i64, left: i64, right: i64, own: i64, is_goods: bool) -> None:
        """Buy each number of a material, and of those after it, of both neighbours; note the fewest units of the right one.

        Noted is, by the number of units bought of the left neighbour, how few of the right one suffice.
        """
        while need >> shift & _NIBBLE == 0:
            if need >> shift == 0:
                self._note(need, left, right, own, is_goods)
                return
            shift += BITS
        number = need >> shift & _NIBBLE
        if is_goods:
            most_left = self.made_left >> RAW_BITS + shift & _NIBBLE
            most_right = self.made_right >> RAW_BITS + shift & _NIBBLE
        else:
            single = _SINGLES[shift >> 2]
            most_left = (self.made_left >> shift & _NIBBLE) + (self.touched_left >> single & _NIBBLE)
            most_right = (self.made_right >> shift & _NIBBLE) + (self.touched_right >> single & _NIBBLE)
        for one in range(min(number, most_left) + 1):
            for other in range(min(number - one, most_right) + 1):
                self._spread(need, shift + BITS, left + (one << shift), right + (other << shift), own, is_goods)

    def _note(self, need: i64, left: i64, right: i64, own: i64, is_goods: bool) -> None:
        """Note a purchase if the neighbours have what is bought, and the own city makes the rest."""
        units = _units(left)
        bought = _FOUND_BITS * units
        other = _units(right)
        if other >= self._found >> bought & _FOUND_MASK or not fits(need - left - right, own):
            return
        if not is_goods:
            over = missing(left, self.made_left & _RAW_MASK)
            if over and not fits(over, self.touched_left):
                return
            over = missing(right, self.made_right & _RAW_MASK)
            if over and not fits(over, self.touched_right):
                return
        self._found = self._found & ~_FOUND_AT[units] | other << bought

    def _chosen(self, raw_units: i64, goods_units: i64, purse: i64) -> i64:
        """Return up to three ways to pay, of all pairs of purchases."""
        cheapest: i64 = _NO_RANK
        leftmost: i64 = _NO_RANK
        rightmost: i64 = _NO_RANK
        raw_left: i64 = 0
        while raw_units != _NONE_FOUND:
            raw_right = raw_units & _FOUND_MASK
            found = goods_units
            left = raw_left
            while raw_right != _FOUND_MASK and found != _NONE_FOUND:
                if found & _FOUND_MASK != _FOUND_MASK:
                    right = raw_right * self.raw_right + (found & _FOUND_MASK) * self.goods_price
                    if left + right <= purse:
                        uneven = left - right if left > right else right - left
                        cheapest = min(cheapest, (left + right) << 24 | uneven << 16 | right << 8 | left)
                        leftmost = min(leftmost, right << 8 | left)
                        rightmost = min(rightmost, left << 8 | right)
                left += self.goods_price
                found = found >> _FOUND_BITS | _LAST_FOUND
            raw_left += self.raw_left
            raw_units = raw_units >> _FOUND_BITS | _LAST_FOUND
        if cheapest == _NO_RANK:
            return NO_WAY
        best = cheapest & _PAIR
        ways = best | _IS_WAY[0]
        if self._splits:
            swapped = (rightmost & PAY_MASK) << 8 | rightmost >> 8
            if leftmost != best:
                ways |= leftmost << _WAY_BITS | _IS_WAY[1]
            if swapped != best and swapped != leftmost:
                ways |= swapped << 2 * _WAY_BITS | _IS_WAY[2]
        return ways


def has_way(ways: i64, number: i64) -> bool:
    """Say whether there is a way with this number: 0 the cheapest, 1 to the left, 2 to the right."""
    return ways >> (48 + number) & 1 == 1


def paid_left(ways: i64, number: i64) -> i64:
    """Return the coins that a way pays to the left."""
    return ways >> _WAY_BITS * number & PAY_MASK


def paid_right(ways: i64, number: i64) -> i64:
    """Return the coins that a way pays to the right."""
    return ways >> (_WAY_BITS * number + 8) & PAY_MASK


def add_ways(found: list[int], kind: i64, use: i64, ways: i64) -> None:
    """Add a choice for each way to pay for a use of a card."""
    for way in range(len(_IS_WAY)):
        if has_way(ways, way):
            found.append(int(choice_of(kind, use + way, paid_left(ways, way), paid_right(ways, way))))
