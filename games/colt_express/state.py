"""The state of Colt Express: the table with its values, features and words."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from games.colt_express.cards import BULLET, N_ACTIONS, NAMES, count, size
from games.colt_express.data import TURN_NAMES
from games.colt_express.table import BITS, COVER, NOWHERE, PLAN, RESERVE, STEAL
from games.colt_express.train import ColtExpressTrain
from games.colt_express.weights import DEFAULT_WEIGHTS, Weights
from games.colt_express.words import table_components, table_text
from tag.components import Component


@mypyc_attr(allow_interpreted_subclasses=True)
class ColtExpressState(ColtExpressTrain):
    """One position; its fields are those of `games.colt_express.table.ColtExpressTable`."""

    def copy(self) -> ColtExpressState:
        """Copy the lists; the rest is immutable."""
        other = ColtExpressState(
            self.n_players,
            self.spots[:],
            self.floor[:],
            self.held[:],
            self.hands[:],
            self.decks[:],
            self.values[:],
        )
        self.copy_table(other)
        return other

    # --- values ----------------------------------------------------------------------------------------------------

    def score(self, player: i64) -> float:
        """Return the money; purses whose value is not known to all count their average until the end."""
        public: i64 = -1
        for other in range(self.n_players):
            public &= self.known[other]
        return self.loot_of(player, public)

    def loot_of(self, player: i64, known: i64) -> float:
        """Return the money of ``player``; purses that are not in the mask ``known`` count their average."""
        total = float(self.money[player])
        first = player * self.per
        for bandit in range(first, first + self.per):
            loot: i64 = self.held[bandit]
            token: i64 = 0
            while loot:
                if loot & 1:
                    total += float(self.values[token]) if known & BITS[token] else self.purse_mean
                loot >>= 1
                token += 1
        return total

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the Bullet cards received, the fewest being best."""
        return -float(self.wounds[player])

    def tiebreak_tiers(self) -> i64:
        """Return that there is one."""
        return 1

    def heuristic(self, player: i64) -> float:
        """Return the TAG report's heuristic."""
        return self.weighted(player, DEFAULT_WEIGHTS)

    def weighted(self, player: i64, weights: Weights) -> float:
        """Weigh loot and bullets of ``player``, in [-1, 1]; what is hidden from the player does not count."""
        if self.is_terminal:
            return self.result_value(player)
        known: i64 = self.known[player]
        mine = self.loot_of(player, known)
        wounds = float(self.wounds[player])
        value = weights.loot * mine + weights.bullet_cards * wounds / (wounds + 10.0)
        own: i64 = 0
        total: i64 = 0
        first = player * self.per
        for bandit in range(len(self.bullets)):
            left = self.bullets[bandit]
            total += left
            if first <= bandit < first + self.per:
                own += left
        full = float(max(1, total + self.shots_fired()))
        share = float(self.n_players)
        value += weights.bullets_left * float(own) * share / full
        value += weights.bullets_enemy * float(total - own) * share / (full * (share - 1.0))
        if weights.lead != 0.0:
            best = 0.0
            for rival in range(self.n_players):
                if rival != player:
                    best = max(best, self.loot_of(rival, known))
            value += weights.lead * (mine - best)
        return max(-1.0, min(1.0, value))

    def shots_fired(self) -> i64:
        """Return how many Bullet cards all bandits have fired, at their partners excepted."""
        total: i64 = 0
        for shots in self.shots:
            total += shots
        return total

    # --- for people and analysis -----------------------------------------------------------------------------------

    def features(self, player: i64) -> dict[str, float]:
        """Return the round, the own cards, and of each bandit (from the own ones on) where it is and what it has."""
        found = {
            "round": float(self.round),
            "phase": float(self.phase),
            "event": float(self.event),
            "slot": float(self.slot),
            "slots": float(len(self.turns)),
            "my_turn": float(self.current_player == player),
            "marshal": float(self.marshal),
            "neutral": float(self.neutral),
            "pile": float(len(self.pile)),
            "deck": float(size(self.decks[player])),
        }
        is_planning = self.phase == PLAN or self.phase == COVER
        for turn, name in enumerate(TURN_NAMES):
            found[name.replace(" ", "_")] = float(is_planning and self.turns[self.slot] == turn)
        for kind in range(N_ACTIONS * self.per):
            found[f"hand_{_name(kind)}"] = float(count(self.hands[player], kind))
        found["hand_bullet"] = float(count(self.hands[player], BULLET))
        known = self.known[player]
        for offset in range(self.n_players):
            seat = (player + offset) % self.n_players
            found[f"loot_{offset}"] = self.loot_of(seat, known)
            found[f"wounds_{offset}"] = float(self.wounds[seat])
            found[f"shots_{offset}"] = float(self.shots[seat])
            found[f"cards_{offset}"] = float(size(self.hands[seat])) if self.phase >= RESERVE else 0.0
        for offset in range(len(self.spots)):
            self._bandit_features(found, offset, player)
        for spot in range(len(self.floor)):
            found[f"purses_{spot}"] = float(_number(self.floor[spot] & self.purses))
            found[f"valuables_{spot}"] = float(_number(self.floor[spot] & ~self.purses))
        return found

    def _bandit_features(self, found: dict[str, float], offset: i64, player: i64) -> None:
        """Add those of one bandit, counted from the own ones on."""
        bandit = (player * self.per + offset) % len(self.spots)
        spot = self.seen_spot(bandit, player)
        found[f"car_{offset}"] = float(spot >> 1) if spot != NOWHERE else -1.0
        found[f"roof_{offset}"] = float(spot & 1) if spot != NOWHERE else 0.0
        found[f"character_{offset}"] = float(self.characters[bandit])
        found[f"bullets_{offset}"] = float(self.bullets[bandit])
        found[f"pieces_{offset}"] = float(_number(self.held[bandit]))
        found[f"acting_{offset}"] = float(self.phase >= STEAL and self.acting == bandit)

    def components(self) -> list[Component]:
        """Return the train, the bandits, the loot and the cards."""
        return table_components(self)

    def text(self, viewer: i64) -> str:
        """Return the table as ``viewer`` sees it."""
        return table_text(self, viewer)

    def __str__(self) -> str:
        return self.text(-1)


def _name(kind: i64) -> str:
    return NAMES[kind].lower().replace(" ", "_")


def _number(loot: i64) -> i64:
    """Return how many pieces of loot there are."""
    found: i64 = 0
    while loot:
        loot &= loot - 1
        found += 1
    return found
