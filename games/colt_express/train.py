"""The train of Colt Express: what bandits and Marshal can do, and what becomes of it."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from games.colt_express.bandits import BELLE, CHEYENNE, DJANGO, TUCO
from games.colt_express.cards import BULLET, UNITS
from games.colt_express.table import BITS, ColtExpressTable, plus


@mypyc_attr(allow_interpreted_subclasses=True)
class ColtExpressTrain(ColtExpressTable):
    """The table with what can happen on it."""

    # --- who can do what -------------------------------------------------------------------------------------------

    def has(self, bandit: i64, character: i64) -> bool:
        """Say whether ``bandit`` is ``character``."""
        return self.characters[bandit] == character

    def plays(self, player: i64, character: i64) -> bool:
        """Say whether a bandit of ``player`` is ``character``."""
        first = player * self.per
        return self.characters[first] == character or (self.per == 2 and self.characters[first + 1] == character)

    def fire_targets(self, bandit: i64) -> list[int]:
        """Return whom ``bandit`` sees: inside, those in the next cars; on a roof, the nearest ones either way."""
        spot: i64 = self.spots[bandit]
        behind: i64 = -1
        ahead: i64 = 1 << 30
        if spot & 1:
            for there in self.spots:
                if there & 1 and there < spot:
                    behind = max(behind, there)
                elif there & 1 and there > spot:
                    ahead = min(ahead, there)
        else:
            behind, ahead = spot - 2, spot + 2
        through: i64 = spot ^ 1 if self.has(bandit, TUCO) else -2
        found: list[int] = []
        for other in range(len(self.spots)):
            there = self.spots[other]
            if there >= 0 and (there == behind or there == ahead or there == through):
                found.append(other)
        return self._without_belle(found) if len(found) > 1 else found

    def punch_targets(self, bandit: i64) -> list[int]:
        """Return who is at the same spot."""
        spot = self.spots[bandit]
        found = [other for other in range(len(self.spots)) if self.spots[other] == spot and other != bandit]
        return self._without_belle(found) if len(found) > 1 else found

    def _without_belle(self, found: list[int]) -> list[int]:
        """Leave Belle out, since somebody else can be the target."""
        return [bandit for bandit in found if self.characters[bandit] != BELLE]

    def distinct_loot(self, loot: i64, player: i64) -> list[int]:
        """Return one of each pieces of ``loot`` that look the same to ``player``: equal kind, value and former owners."""
        found: list[int] = []
        looks: list[int] = []
        token: i64 = 0
        while loot:
            if loot & 1:
                look = self._look(token, player)
                if look not in looks:
                    looks.append(look)
                    found.append(int(token))
            loot >>= 1
            token += 1
        return found

    def _look(self, token: i64, player: i64) -> int:
        bit = BITS[token]
        if not self.purses & bit:
            return -1 if self.jewels & bit else -2
        knowers: i64 = 0
        for other in range(self.n_players):
            if self.known[other] & bit:
                knowers |= 1 << other
        value: i64 = self.values[token] if self.known[player] & bit else 0
        return int(value * 64 + knowers)

    # --- what happens ----------------------------------------------------------------------------------------------

    def go_to(self, bandit: i64, car: i64) -> None:
        """Put ``bandit`` into or onto another car, on the same floor."""
        self.spots[bandit] = int(2 * car + (self.spots[bandit] & 1))
        self.meet_marshal(bandit)

    def change_floor(self, bandit: i64) -> None:
        """Climb out or in."""
        self.spots[bandit] ^= 1
        self.meet_marshal(bandit)

    def meet_marshal(self, bandit: i64) -> None:
        """Let a bandit inside the Marshal's car get a neutral bullet and flee to the roof."""
        if self.spots[bandit] == 2 * self.marshal:
            self.spots[bandit] += 1
            self.hand_out([int(bandit)])

    def move_marshal(self, car: i64) -> None:
        """Move the Marshal, from whom all bandits in the car flee."""
        self.marshal = car
        found = [bandit for bandit in range(len(self.spots)) if self.spots[bandit] == 2 * car]
        for bandit in found:
            self.spots[bandit] += 1
        self.hand_out(found)

    def hand_out(self, bandits: list[int]) -> None:
        """Give a neutral Bullet card to each of ``bandits``, to none of them if there are not enough."""
        if len(bandits) > self.neutral:
            return
        self.neutral -= len(bandits)
        for bandit in bandits:
            self.wound(bandit // self.per)

    def wound(self, player: i64) -> None:
        """Put a Bullet card into the deck of ``player``."""
        self.decks[player] += UNITS[BULLET]
        self.wounds = plus(self.wounds, player, 1)

    def take(self, bandit: i64, token: i64) -> None:
        """Give a piece of loot to ``bandit``, whose player looks at it."""
        bit = BITS[token]
        player = bandit // self.per
        self.held[bandit] |= bit
        if not self.known[player] & bit:
            self.known = plus(self.known, player, bit)

    def shoot(self, bandit: i64, victim: i64) -> None:
        """Fire a bullet; Django's pushes the victim on."""
        player, target = bandit // self.per, victim // self.per
        self.bullets = plus(self.bullets, bandit, -1)
        if target != player:
            self.shots = plus(self.shots, player, 1)
        self.wound(target)
        if self.has(bandit, DJANGO):
            here, there = self.spots[bandit] >> 1, self.spots[victim] >> 1
            car = there + 1 if there > here else there - 1
            if 0 <= car < self.cars:
                self.go_to(victim, car)

    def punch(self, bandit: i64, victim: i64, token: i64, car: i64) -> None:
        """Make ``victim`` lose a piece of loot (-1: has none) and go to ``car``; Cheyenne takes a purse herself."""
        if token >= 0:
            bit = BITS[token]
            self.held[victim] &= ~bit
            if self.purses & bit and self.has(bandit, CHEYENNE):
                self.take(bandit, token)
            else:
                self.floor[self.spots[victim]] |= bit
        self.go_to(victim, car)
