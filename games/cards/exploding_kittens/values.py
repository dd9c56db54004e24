"""The features, the heuristic and the metric of Exploding Kittens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from mypy_extensions import i64

from tag import (
    Agent,
    AnyAction,
    Event,
    Features,
    ForwardModel,
    GameState,
    Parameters,
    PlayerHeuristic,
    Rng,
    real,
)
from tag.games.cards.exploding_kittens.actions import Attack, Demand, Favor, Giving, Naming, Pair, Reinsert, Skip
from tag.games.cards.exploding_kittens.data import (
    ATTACK,
    DEFUSE,
    EXPLODING_KITTEN,
    FAVOR,
    N_KINDS,
    NAMES,
    NOPE,
    SEE_THE_FUTURE,
    SHUFFLE,
    SKIP,
    TACOCAT,
    count,
    n_cats,
    size,
)
from tag.games.cards.exploding_kittens.state import ExplodingKittensState
from tag.playing.metrics import Metric, share

#: Cards at the top of the pile that are looked at.
_TOP: Final = 3


class ExplodingKittensFeatures(Features):
    """Own cards, discards, the pile, and what can be seen of the other players."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next, and so on."""
        found = ["deck", "kittens", "my_turn", "due", "exploding"]
        for name in NAMES[DEFUSE:]:
            kind = name.lower().replace(" ", "_")
            found += [f"hand_{kind}", f"discarded_{kind}"]
        for depth in range(_TOP):
            found += [f"top_{depth}_seen", f"top_{depth}_kitten"]
        for offset in range(n_players):
            found += [f"alive_{offset}", f"cards_{offset}"]
            if offset:
                found += [f"known_{offset}", f"known_defuses_{offset}"]
        return (*found, "risk", "turns_at_risk", "pairs", "has_defuse")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features.

        The risk is that of drawing a kitten next, as far as ``player`` knows; it counts as often as turns are due to the
        player.
        """
        table = cast("ExplodingKittensState", state)
        n = table.n_players
        pile: i64 = len(table.deck)
        kittens = n - len(table.out) - 1 - (1 if table.exploding >= 0 else 0)
        found = [
            float(pile),
            float(kittens),
            1.0 if table.turn_player == player else 0.0,
            float(table.due),
            1.0 if table.exploding == player else 0.0,
        ]
        hand = table.hand(player)
        pairs: i64 = 0
        for kind in range(DEFUSE, N_KINDS):
            held = count(hand, kind)
            found.append(float(held))
            found.append(float(count(table.discards, kind)))
            if kind >= TACOCAT and held > 1:
                pairs += 1
        for depth in range(_TOP):
            place = pile - 1 - depth
            card: i64 = table.seen_card(place, player) if place >= 0 else -1
            found.append(1.0 if card >= 0 else 0.0)
            found.append(1.0 if card == EXPLODING_KITTEN else 0.0)
        for offset in range(n):
            seat = (player + offset) % n
            found.append(float(table.alive >> seat & 1))
            found.append(float(table.size(seat)))
            if offset:
                known: i64 = table.known[player * n + seat]
                found.append(float(size(known)))
                found.append(float(count(known, DEFUSE)))
        risk = risk_of_next_card(table, player)
        found.append(risk)
        found.append(risk * float(table.due) if table.turn_player == player else 0.0)
        found.append(float(pairs))
        found.append(1.0 if count(hand, DEFUSE) > 0 else 0.0)
        return found


@dataclass
class ExplodingKittensHeuristicParameters(Parameters):
    """The weights of `ExplodingKittensHeuristic`."""

    danger: float = real(0.8, 0.0, 2.0, "cost of the risk to explode in the turns that are due, without a Defuse")
    guarded_danger: float = real(0.3, 0.0, 2.0, "cost of the same risk with a Defuse in hand")
    rivals_danger: float = real(0.4, 0.0, 2.0, "weight of the rivals' risk in the turns that are due to one")
    survival: float = real(0.4, -1.0, 1.0, "weight of the share of rivals who have exploded")
    exploding: float = real(0.0, -1.0, 1.0, "value of an Exploding Kitten drawn and not yet put back")
    defuse: float = real(0.6, -1.0, 1.0, "value of the first Defuse")
    spare_defuse: float = real(0.2, -1.0, 1.0, "value of each further Defuse")
    attack: float = real(0.1, -1.0, 1.0, "value of an Attack")
    skip: float = real(0.08, -1.0, 1.0, "value of a Skip")
    favor: float = real(0.02, -1.0, 1.0, "value of a Favor")
    shuffle: float = real(0.03, -1.0, 1.0, "value of a Shuffle")
    see_the_future: float = real(0.03, -1.0, 1.0, "value of a See the Future")
    nope: float = real(0.06, -1.0, 1.0, "value of a Nope")
    regular: float = real(0.03, -1.0, 1.0, "value of a cat")
    taking: float = real(0.15, -1.0, 1.0, "value of a card that a play is about to take from another player")
    rivals_cards: float = real(-0.03, -1.0, 1.0, "weight of the cards that a rival holds, the mean of them")


class ExplodingKittensHeuristic(PlayerHeuristic):
    """The risk of the turns that are due, and the worth of the cards in hand; 1 for a win and -1 for an explosion.

    The risk is that of drawing a kitten, as far as the player knows the pile. An Attack or a Skip that can still be noped
    counts as if it had happened, and a card that is about to be taken has a worth for both. TAG's heuristic sees no risk:
    it is the mean worth of the cards in hand.
    """

    parameters_class = ExplodingKittensHeuristicParameters

    def __init__(self, parameters: ExplodingKittensHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("ExplodingKittensHeuristicParameters", self.parameters)

    def _value_player(self, state: GameState, player: i64) -> float:
        table = cast("ExplodingKittensState", state)
        weights = self.weights
        hand = table.hand(player)
        defuses = count(hand, DEFUSE)
        value = 0.0
        if table.exploding == player:
            value += weights.exploding
            defuses -= 1
        if defuses > 0:
            value += weights.defuse + weights.spare_defuse * float(defuses - 1)
        value += weights.attack * float(count(hand, ATTACK))
        value += weights.skip * float(count(hand, SKIP))
        value += weights.favor * float(count(hand, FAVOR))
        value += weights.shuffle * float(count(hand, SHUFFLE))
        value += weights.see_the_future * float(count(hand, SEE_THE_FUTURE))
        value += weights.nope * float(count(hand, NOPE))
        value += weights.regular * float(n_cats(hand))
        value += weights.taking * _cards_to_come(table, player)
        value += weights.survival * float(len(table.out)) / float(table.n_players - 1)
        rivals = float(table.n_players - len(table.out) - 1)
        theirs: i64 = 0
        for rival in range(table.n_players):
            if rival != player and table.alive >> rival & 1:
                theirs += table.size(rival)
        value += weights.rivals_cards * float(theirs) / rivals
        if table.exploding >= 0:
            return value
        mover, due = _turns_due(table)
        safe = 1.0 - risk_of_next_card(table, player)
        danger: float = 1.0 - safe ** float(due)
        if mover == player:
            return value - danger * (weights.guarded_danger if defuses > 0 else weights.danger)
        return value + weights.rivals_danger * danger / rivals


def _turns_due(state: ExplodingKittensState) -> tuple[i64, i64]:
    """Return whose turn it is and how many are due, once the play that can be noped has taken effect."""
    mover = state.turn_player
    play = state.play
    if play is not None and state.nopes & 1 == 0:
        if isinstance(play, Attack):
            return state.next_alive(mover), 2
        if isinstance(play, Skip):
            return (mover, state.due - 1) if state.due > 1 else (state.next_alive(mover), 1)
    return mover, state.due


def _cards_to_come(state: ExplodingKittensState, player: i64) -> float:
    """Return 1 if ``player`` is about to take a card from another, -1 if about to lose one, else 0."""
    play = state.play
    if play is not None:
        if state.nopes & 1 or not isinstance(play, (Favor, Pair, Demand)):
            return 0.0
        taker, victim = state.turn_player, play.victim
    elif state.sequences:
        choice = state.sequences[-1]
        if isinstance(choice, Giving):
            taker, victim = choice.taker, choice.player
        elif isinstance(choice, Naming):
            taker, victim = choice.player, choice.victim
        else:
            return 0.0
    else:
        return 0.0
    return 1.0 if taker == player else -1.0 if victim == player else 0.0


def risk_of_next_card(state: ExplodingKittensState, player: i64) -> float:
    """Return the probability that the next card drawn is an Exploding Kitten, as far as ``player`` knows."""
    pile: i64 = len(state.deck)
    card: i64 = state.seen_card(pile - 1, player) if pile else -1
    if card >= 0:
        return 1.0 if card == EXPLODING_KITTEN else 0.0
    kittens = state.n_players - len(state.out) - 1 - (1 if state.exploding >= 0 else 0)
    return min(1.0, float(kittens) / float(max(pile, 1)))


class ExplodingKittensMetric(Metric):
    """Counts kittens, explosions, and the plays and Nopes that Nopes stop."""

    measures: ClassVar[dict[str, str]] = {
        "kittens": "Exploding Kittens drawn in a game",
        "defused": "share of them that were defused",
        "out_at": "share of a game's turns after which each player but the last one exploded",
        "pile_left": "cards in the draw pile at the end",
        "noped": "share of the plays that Nopes stopped",
        "nopes_noped": "share of the Nopes that were noped in turn",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._explosions: list[i64] = []
        self._nopes: i64 = -1

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Note how many Nopes lie on the play that can be noped, -1 without one."""
        table = cast("ExplodingKittensState", state)
        self._nopes = table.nopes if table.play is not None else -1

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count defused kittens, and the Nopes for a play once all have passed."""
        if isinstance(action, Reinsert):
            self.counts["defused"] += 1
        if self._nopes >= 0 and cast("ExplodingKittensState", state).play is None:
            self.counts["plays"] += 1
            self.counts["plays noped"] += self._nopes % 2
            self.counts["nopes"] += self._nopes
            self.counts["nopes noped"] += max(self._nopes - 1, 0)

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "explosion":
            self._explosions.append(state.turn)

    def on_end(self, state: GameState) -> None:
        self.counts["turns"] = state.turn
        self.counts["pile"] = len(cast("ExplodingKittensState", state).deck)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        kittens = counts["defused"] + len(self._explosions)
        return {
            "kittens": [float(kittens)],
            "defused": share(counts["defused"], kittens),
            "out_at": [float(turn) / float(counts["turns"]) for turn in self._explosions[:-1]],
            "pile_left": [float(counts["pile"])],
            "noped": share(counts["plays noped"], counts["plays"]),
            "nopes_noped": share(counts["nopes noped"], counts["nopes"]),
        }
