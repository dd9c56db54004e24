"""The features, the heuristic and the metric of Colt Express."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from mypy_extensions import i64

from tag import (
    WIN,
    Agent,
    AnyAction,
    Event,
    Features,
    ForwardModel,
    GameState,
    Parameters,
    PlayerHeuristic,
    Rng,
    bit_count,
    integer,
    real,
)
from tag.engine.values import short_of_results
from tag.games.boards.colt_express.actions import Cover, Fire, Play, Punch
from tag.games.boards.colt_express.data import (
    BITS,
    BULLET,
    CARD_NAMES,
    COVER,
    KIND_BITS,
    N_ACTIONS,
    NOWHERE,
    PLAN,
    PLAYER_SHIFT,
    RESERVE,
    STEAL,
    TURN_NAMES,
    ColtExpressParameters,
    count,
    size,
)
from tag.games.boards.colt_express.state import ColtExpressState
from tag.playing.metrics import Metric, share


class ColtExpressFeatures(Features):
    """The round, the own cards, and where each bandit is and what it has."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players and bandits 0 are the own ones, and others follow by seat."""
        rules = cast("ColtExpressParameters", self.parameters)
        per = rules.bandits_per_player(n_players)
        found = ["round", "phase", "event", "slot", "slots", "my_turn", "marshal", "neutral", "pile", "deck"]
        found += [name.replace(" ", "_") for name in TURN_NAMES]
        cards = [CARD_NAMES[kind].lower().replace(" ", "_") for kind in range(N_ACTIONS * per)]
        found += [f"hand_{name}" for name in (*cards, "bullet")]
        for offset in range(n_players):
            found += [f"{name}_{offset}" for name in ("loot", "wounds", "shots", "cards")]
        for offset in range(n_players * per):
            found += [
                f"{name}_{offset}"
                for name in ("car", "roof", "character", "bullets", "pieces", "acting", "with_marshal")
            ]
        for spot in range(2 * rules.cars(n_players)):
            found += [f"purses_{spot}", f"valuables_{spot}"]
        found += [f"planned_{name}" for name in cards]
        return (*found, "planned_by_others", "loot_here", "lead")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features.

        Among them are the own cards in the pile that are still to be played, the known value of the loot where the own
        bandits are, and the lead in loot over the richest rival.
        """
        table = cast("ColtExpressState", state)
        found = [
            float(table.round),
            float(table.phase),
            float(table.event),
            float(table.slot),
            float(len(table.turns)),
            1.0 if table.current_player == player else 0.0,
            float(table.marshal),
            float(table.neutral),
            float(len(table.pile)),
            float(size(table.cards[player].deck)),
        ]
        is_planning = table.phase == PLAN or table.phase == COVER
        turn: i64 = table.turns[table.slot] if is_planning else -1
        for kind in range(len(TURN_NAMES)):
            found.append(1.0 if kind == turn else 0.0)
        hand = table.cards[player].hand
        for kind in range(N_ACTIONS * table.per):
            found.append(float(count(hand, kind)))
        found.append(float(count(hand, BULLET)))
        lead = _add_players(found, table, player)
        here: i64 = 0
        bandits: i64 = len(table.spots)
        for offset in range(bandits):
            bandit = (player * table.per + offset) % bandits
            spot: i64 = table.seen_spot(bandit, player)
            _add_bandit(found, table, bandit, spot)
            if offset < table.per and spot != NOWHERE:
                here |= table.floor[spot]
        for place in range(len(table.floor)):
            loot: i64 = table.floor[place]
            found.append(float(bit_count(loot & table.purses)))
            found.append(float(bit_count(loot & ~table.purses)))
        _add_plans(found, table, player)
        found.append(table.with_loot(0.0, here, table.known[player]))
        found.append(lead)
        return found


def _add_players(found: list[float], state: ColtExpressState, player: i64) -> float:
    """Add the features of each player, and return the lead in loot over the richest rival."""
    n = state.n_players
    known: i64 = state.known[player]
    mine = 0.0
    best = 0.0
    for offset in range(n):
        seat = (player + offset) % n
        loot = state.loot_of(seat, known)
        if offset == 0:
            mine = loot
        elif loot > best:
            best = loot
        found.append(loot)
        found.append(float(state.wounds[seat]))
        found.append(float(state.shots[seat]))
        found.append(float(size(state.cards[seat].hand)) if state.phase >= RESERVE else 0.0)
    return mine - best


def _add_bandit(found: list[float], state: ColtExpressState, bandit: i64, spot: i64) -> None:
    is_there = spot != NOWHERE
    found.append(float(spot >> 1) if is_there else -1.0)
    found.append(float(spot & 1) if is_there else 0.0)
    found.append(float(state.characters[bandit]))
    found.append(float(state.bullets[bandit]))
    found.append(float(bit_count(state.held[bandit])))
    found.append(1.0 if state.phase >= STEAL and state.acting == bandit else 0.0)
    found.append(1.0 if is_there and spot >> 1 == state.marshal else 0.0)


def _add_plans(found: list[float], state: ColtExpressState, player: i64) -> None:
    """Add the own cards of each kind that are still to be played, and how many those of other players are."""
    planned = [0] * (N_ACTIONS * state.per)
    others: i64 = 0
    for index in range(max(0, state.done), len(state.pile)):
        card: i64 = state.pile[index]
        if card >> PLAYER_SHIFT == player:
            planned[card & KIND_BITS] += 1
        else:
            others += 1
    for number in planned:
        found.append(float(number))
    found.append(float(others))


@dataclass
class ColtExpressHeuristicParameters(Parameters):
    """The weights of `ColtExpressHeuristic`; the defaults are TAG's, and the lead over the richest rival."""

    loot: float = real(0.5, -1.0, 1.0, "weight of the loot, as a share of max_loot")
    max_loot: int = integer(5000, 500, 20_000, "loot that counts in full", step=100)
    bullet_cards: float = real(-0.3, -1.0, 1.0, "weight of the Bullet cards received, as a share of the own cards")
    bullets_left: float = real(-0.2, -1.0, 1.0, "weight of the own bullets not fired yet, as a share")
    bullets_enemy: float = real(0.1, -1.0, 1.0, "weight of the bullets that rivals have not fired yet, as a share")
    lead: float = real(0.2, -1.0, 1.0, "weight of the lead in loot over the richest rival, as a share of max_loot")


class ColtExpressHeuristic(PlayerHeuristic):
    """Loot and bullets, weighed as in TAG, and the lead over the richest rival; 1 for a win and -1 for a loss.

    Own purses count what they hold, and those of others their average until their value is known. TAG divides whole
    numbers, so that its shares are mostly 0; here they are shares.
    """

    parameters_class = ColtExpressHeuristicParameters

    def __init__(self, parameters: ColtExpressHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("ColtExpressHeuristicParameters", self.parameters)
        self.loot = self.weights.loot / self.weights.max_loot  # per dollar, as the next one
        self.lead = self.weights.lead / self.weights.max_loot

    def _value_player(self, state: GameState, player: i64) -> float:
        """Weigh loot and bullets of ``player``; what is hidden from the player does not count."""
        table = cast("ColtExpressState", state)
        loot = table.loot(table.known[player])
        return self._weigh(table, player, loot, _total(table.bullets), _total(table.shots))

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Weigh loot and bullets for each player; players who know the same purses count the loot once."""
        table = cast("ColtExpressState", state)
        if table.is_terminal:
            super().value_all(state, values)
            return
        left, fired = _total(table.bullets), _total(table.shots)
        known: i64 = -1
        loot: list[float] = []
        for player in range(table.n_players):
            if table.known[player] != known:
                known = table.known[player]
                loot = table.loot(known)
            values[player] = short_of_results(self._weigh(table, player, loot, left, fired))

    def _weigh(self, table: ColtExpressState, player: i64, loot: list[float], left: i64, fired: i64) -> float:
        """Weigh the ``loot`` of each player and the bullets, of which all have so many ``left`` and ``fired``."""
        weights = self.weights
        mine = loot[player]
        wounds = float(table.wounds[player])
        value = self.loot * mine + weights.bullet_cards * wounds / (wounds + 10.0)
        own: i64 = 0
        first = player * table.per
        for bandit in range(first, first + table.per):
            own += table.bullets[bandit]
        full = float(max(1, left + fired))
        share = float(table.n_players)
        value += weights.bullets_left * float(own) * share / full
        value += weights.bullets_enemy * float(left - own) * share / (full * (share - 1.0))
        if self.lead != 0.0:
            best = 0.0
            for rival in range(table.n_players):
                if rival != player and loot[rival] > best:
                    best = loot[rival]
            value += self.lead * (mine - best)
        return value


def _total(numbers: tuple[int, ...]) -> i64:
    total: i64 = 0
    for number in numbers:
        total += number
    return total


class ColtExpressMetric(Metric):
    """Counts plans without effect, bullets, punches and the loot taken."""

    measures: ClassVar[dict[str, str]] = {
        "idle_cards": "share of the cards planned that could do nothing when they were due",
        "shots": "Bullet cards fired by bandits in a game",
        "punches": "punches in a game",
        "neutral_bullets": "neutral Bullet cards given to bandits in a game, by the Marshal and by events",
        "loot_taken": "share of the value of all loot that bandits have at the end; the rest is left on the train",
        "gunslinger_wins": "share of games that a Gunslinger won",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._gunslingers: list[i64] = []
        self._has_won = False

    def on_start(self, state: GameState) -> None:
        self.counts["neutral"] = cast("ColtExpressState", state).neutral

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count cards planned, and cards that do something, by what they do."""
        if isinstance(action, (Play, Cover)):
            self.counts["planned"] += 1
        elif state.phase == STEAL:
            self.counts["done"] += 1
            if isinstance(action, Fire):
                self.counts["shots"] += 1
            elif isinstance(action, Punch):
                self.counts["punches"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "gunslinger":
            self._gunslingers.append(event.player)

    def on_end(self, state: GameState) -> None:
        table = cast("ColtExpressState", state)
        self.counts["neutral"] -= table.neutral
        self.counts["taken"] = _value(table, table.held)
        self.counts["loot"] = self.counts["taken"] + _value(table, table.floor)
        self._has_won = any([state.result(player) == WIN for player in self._gunslingers])

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "idle_cards": share(counts["planned"] - counts["done"], counts["planned"]),
            "shots": [float(counts["shots"])],
            "punches": [float(counts["punches"])],
            "neutral_bullets": [float(counts["neutral"])],
            "loot_taken": share(counts["taken"], counts["loot"]),
            "gunslinger_wins": [float(self._has_won)],
        }


def _value(table: ColtExpressState, places: list[int]) -> i64:
    total: i64 = 0
    for loot in places:
        for token in range(len(table.values)):
            if loot & BITS[token]:
                total += table.values[token] or round(table.purse_mean)  # unopened in games that a fault has ended
    return total
