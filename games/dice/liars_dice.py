"""Liar's Dice, the traditional game with a common hand, also known as Dudo or Perudo: for 2-6 players with five dice each.

Rules. All players roll their dice and look at them in secret. By turns they bid: so many dice of all players together show a
face, such as five fours. Each bid must be higher than the last one: more dice of any face, or as many of a higher one. Ones
are wild, and count as the face that is bid. Instead of bidding, a player may challenge the last bid. All dice are shown
then. If there are as many as bid, or more, the challenger loses a die, else the last bidder. The players roll again, and who
has lost a die begins, or if it was the last one, the next player who has dice. The last player with dice wins.

Where the printed rules are silent: seat 0 begins, where the rules roll for it. Ones may be bid like other faces, also first.
No bid is for more dice than are in play, so after the highest bid a player can only challenge. Who is out later has a better
place.

Variants (`LiarsDiceParameters`): the dice of each player and their faces; no wild face, or the highest one; ``order=face``:
a higher bid is of a higher face, with any number, or of more dice of the same face; ``order=both``: as in Dudo, neither the
number nor the face may be lower than those of the last bid; ``spot_on=true``: instead of challenging, a player may say that
the bid is exactly right; the bidder loses a die if it is, else the player; ``one_round=true``: who loses the first challenge
loses the game. OpenSpiel's game is ``liars_dice:dice=1,wild=highest,one_round=true``. Left out are Perudo's bids of ones for
half the number, and its rounds of a player with one die (palifico).

What a player knows: the own dice, the number of dice of each player, and all bids since the last roll. The dice of others
are rolled again, as nothing is certain of them; how bids and dice go together is left to the agents.

Unlike TAG, this package has Liar's Dice. Its rules are those of the "common hand" in Wikipedia's article, with the ways to
raise a bid listed there, and of Dudo at dice-play.com.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
    Action,
    Actions,
    Agent,
    AnyAction,
    Event,
    Features,
    ForwardModel,
    GameState,
    GameType,
    JointHeuristic,
    Metric,
    Parameters,
    Rng,
    Vocabulary,
    best_other,
    best_two,
    choice,
    flag,
    integer,
    interned,
    real,
)
from tag.components import VISIBLE_TO_ALL, VISIBLE_TO_OWNER, Component, Counter, Die
from tag.engine.results import LOSE
from tag.playing.metrics import share

_MOST_FACES: Final = 8
_MOST_DICE: Final = 6
_MOST_PLAYERS: Final = 6
#: The dice of a player are packed in one integer: four bits for the number that show each face.
_BITS: Final = 4
_COUNT: Final = 15
_NAMES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight")
#: A bid is one integer: the number of dice, and in the lowest four bits the face.
FACE_BITS: Final = 4
FACE: Final = 15


def bid_of(number: i64, face: i64) -> i64:
    """Return a bid as one integer."""
    return number << FACE_BITS | face


def bid_text(bid: i64) -> str:
    """Return a bid in words: ``2 fives``.

    >>> bid_text(bid_of(2, 5)), bid_text(bid_of(1, 6)), bid_text(bid_of(3, 6))
    ('2 fives', '1 six', '3 sixes')
    """
    number = bid >> FACE_BITS
    name = _NAMES[(bid & FACE) - 1]
    return f"{number} {name}" + ("" if number == 1 else "es" if name == "six" else "s")


@dataclass
class LiarsDiceParameters(Parameters):
    """The dice, and how bids are raised and lost."""

    dice: int = integer(5, 1, _MOST_DICE, "dice of each player")
    faces: int = integer(6, 2, _MOST_FACES, "faces of a die")
    wild: str = choice("ones", ("ones", "highest", "none"), "the face that counts as any other one")
    order: str = choice("number", ("number", "face", "both"), "what a higher bid must raise first")
    spot_on: bool = flag(False, "players may say that a bid is exactly right")
    one_round: bool = flag(False, "who loses the first challenge loses the game")


@mypyc_attr(allow_interpreted_subclasses=True)
class LiarsDiceState(GameState):
    """The dice and the bids.

    Attributes:
        faces: the faces of a die.
        wild: the face that counts as any other, 0 for none.
        full: the dice of each player at the beginning.
        dice: the number of dice of each player.
        hands: how many dice of each player show each face, four bits for each face, that of the ones lowest.
        bids: the bids since the last roll, each as one integer (`bid_of`).
        outs: the round in which each player was out, from 1; 0 for players who have dice.
    """

    def __init__(self, n_players: i64, faces: i64, wild: i64, full: i64) -> None:
        """Start before the first roll."""
        super().__init__(n_players)
        self.faces = faces
        self.wild = wild
        self.full = full
        self.dice: tuple[int, ...] = (int(full),) * int(n_players)
        self.hands: tuple[int, ...] = (0,) * int(n_players)
        self.bids: tuple[int, ...] = ()
        self.outs: tuple[int, ...] = (0,) * int(n_players)

    def copy(self) -> LiarsDiceState:
        other = LiarsDiceState(self.n_players, self.faces, self.wild, self.full)
        self.copy_to(other)
        other.dice = self.dice
        other.hands = self.hands
        other.bids = self.bids
        other.outs = self.outs
        return other

    def roll(self, number: i64, rng: Rng) -> i64:
        """Return so many dice that are rolled, packed."""
        hand: i64 = 0
        one: i64 = 1
        for _die in range(number):
            hand += one << _BITS * rng.below(self.faces)
        return hand

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Roll the dice of the others again; at the end all are open."""
        if not self.is_terminal:
            hands = [int(self.roll(number, rng)) for number in self.dice]
            hands[player] = self.hands[player]
            self.hands = tuple(hands)

    def match_chance(self, seen: GameState, player: i64) -> float:
        """Take the dice that ``player`` has rolled in ``seen``."""
        other = cast("LiarsDiceState", seen)
        if not self.bids and self.dice == other.dice:
            self.hands = (*self.hands[:player], other.hands[player], *self.hands[player + 1 :])
        return 1.0

    def knowledge(self, player: i64) -> Hashable:
        """Return the own dice, and all that is open; at the end all dice are."""
        hands = self.hands if self.is_terminal else self.hands[player]
        return (self.basic_knowledge(player), self.dice, hands, self.bids, self.outs)

    def shows(self, player: i64, face: i64) -> i64:
        """Return how many dice of ``player`` count as ``face``, wild ones included."""
        hand: i64 = self.hands[player]
        found = hand >> _BITS * (face - 1) & _COUNT
        if self.wild and face != self.wild:
            found += hand >> _BITS * (self.wild - 1) & _COUNT
        return found

    def in_all(self, face: i64) -> i64:
        """Return how many dice of all players count as ``face``, wild ones included."""
        found: i64 = 0
        for player in range(self.n_players):
            found += self.shows(player, face)
        return found

    def in_play(self) -> i64:
        """Return the number of dice of all players."""
        return sum(self.dice)

    def last_bid(self) -> i64:
        """Return the last bid, 0 for none."""
        return self.bids[-1] if self.bids else 0

    def bidder(self) -> i64:
        """Return the player who has made the last bid; there is one."""
        player = self.current_player
        while True:
            player = (player if player else self.n_players) - 1
            if self.dice[player]:
                return player

    def chance(self, player: i64, bid: i64, is_exact: bool = False) -> float:
        """Return the probability, by the dice of ``player`` alone, that there are as many dice as ``bid`` says, or more.

        Args:
            player: the player whose dice are known.
            bid: the bid.
            is_exact: whether there must be no more.
        """
        face = bid & FACE
        needed = (bid >> FACE_BITS) - self.shows(player, face)
        others = self.in_play() - self.dice[player]
        if needed < 0 or (needed == 0 and not is_exact):
            return 0.0 if is_exact else 1.0
        hits = 2.0 if self.wild and face != self.wild else 1.0
        odds = hits / (float(self.faces) - hits) if float(self.faces) > hits else 0.0
        if odds == 0.0:
            return 1.0 if needed == others or (needed < others and not is_exact) else 0.0
        term = (1.0 - hits / float(self.faces)) ** float(others)
        total = 0.0
        for number in range(others + 1):
            if number == needed or (number > needed and not is_exact):
                total += term
            term *= odds * float(others - number) / float(number + 1)
        return total

    def score(self, player: i64) -> float:
        """Return the number of dice."""
        return float(self.dice[player])

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Prefer the player who was out later."""
        return float(self.outs[player])

    def tiebreak_tiers(self) -> i64:
        return 1

    def lying(self, player: i64) -> list[int]:
        """Return the dice of ``player`` in ascending order."""
        hand = self.hands[player]
        return [face + 1 for face in range(int(self.faces)) for _die in range(hand >> _BITS * face & _COUNT)]

    def components(self) -> list[Component]:
        """Return the last bid, and each player's dice in ascending order."""
        bid = self.last_bid()
        found: list[Component] = [
            Counter("number bid", bid >> FACE_BITS, high=_MOST_DICE * _MOST_PLAYERS),
            Counter("face bid", bid & FACE, high=_MOST_FACES),
        ]
        faces = tuple(range(1, int(self.faces) + 1))
        visibility = VISIBLE_TO_ALL if self.is_terminal else VISIBLE_TO_OWNER
        for player in range(self.n_players):
            for name, value in zip(self.names_of(player), self.lying(player), strict=True):
                die = Die(name, faces, owner=player, visibility=visibility)
                die.value = value
                found.append(die)
        return found

    def names_of(self, player: i64) -> list[str]:
        """Return the names of the dice of ``player``."""
        return [f"die {number + 1} of {player}" for number in range(len(self.lying(player)))]

    def text(self, viewer: i64) -> str:
        """Show the bids and the dice; those of others are hidden until the end."""
        bids = ", ".join([bid_text(bid) for bid in self.bids]) or "none"
        shown = "over" if self.is_terminal else f"player {self.current_player} to decide"
        lines = [f"Round {self.round + 1}, {shown}; {self.in_play()} dice in play; bids: {bids}"]
        for player in range(self.n_players):
            is_seen = viewer < 0 or viewer == player or self.is_terminal
            dice = [str(face) if is_seen else "?" for face in self.lying(player)]
            lines.append(f"player {player}  dice {' '.join(dice) or 'none'}")
        return "\n".join(lines)


class BidDice(Action[LiarsDiceState]):
    """Bid that so many dice of all players show a face."""

    def __init__(self, number: i64, face: i64) -> None:
        """Name the number of dice and the face, both from 1."""
        self.number = number
        self.face = face
        self.bid = bid_of(number, face)

    def execute(self, state: LiarsDiceState, rng: Rng) -> None:
        state.bids = (*state.bids, int(self.bid))
        if state.recording:
            places = ("number bid", "face bid")
            state.announce(Event("placed", state.current_player, float(self.number), (bid_text(self.bid),), places))

    def __str__(self) -> str:
        return f"bid {bid_text(self.bid)}"


class Challenge(Action[LiarsDiceState]):
    """Challenge the last bid."""

    def execute(self, state: LiarsDiceState, rng: Rng) -> None:
        """Change nothing: the rules count the dice."""

    def __str__(self) -> str:
        return "challenge"


class SpotOn(Action[LiarsDiceState]):
    """Say that the last bid is exactly right."""

    def execute(self, state: LiarsDiceState, rng: Rng) -> None:
        """Change nothing: the rules count the dice."""

    def __str__(self) -> str:
        return "spot on"


class LiarsDiceFeatures(Features):
    """The last bid and how likely it is, the own dice by face, and the number of each player's dice."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names; of players 0 is oneself, 1 the next seat, and so on."""
        faces = range(1, cast("LiarsDiceParameters", self.parameters).faces + 1)
        found = ["my_turn", "in_play", "bids", "number", "own", "chance", "mine"]
        found += [*[f"face_{face}" for face in faces], *[f"shows_{face}" for face in faces]]
        return (*found, *[f"dice_{offset}" for offset in range(n_players)])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; of the last bid also how many own dice count, its probability, and whether it is the own."""
        table = cast("LiarsDiceState", state)
        bid = table.last_bid()
        face = bid & FACE
        found = [
            float(table.current_player == player),
            float(table.in_play()),
            float(len(table.bids)),
            float(bid >> FACE_BITS),
            float(table.shows(player, face)) if bid else 0.0,
            table.chance(player, bid) if bid else 0.0,
            float(bid > 0 and table.bidder() == player),
        ]
        for one in range(1, table.faces + 1):
            found.append(float(one == face))
        for one in range(1, table.faces + 1):
            found.append(float(table.shows(player, one)))
        for offset in range(table.n_players):
            found.append(float(table.dice[(player + offset) % table.n_players]))
        return found


@dataclass
class LiarsDiceHeuristicParameters(Parameters):
    """The weights of `LiarsDiceHeuristic`."""

    rivals: float = real(0.5, 0.0, 1.0, "weight of the best rival's dice, subtracted")
    risk: float = real(0.5, 0.0, 1.0, "how likely the own bid is challenged")


class LiarsDiceHeuristic(JointHeuristic):
    """The share of dice that a player has kept, less that of the best rival, and less the die that the own bid may cost.

    Of the last bid the bidder loses a die with the probability that it is wrong, by the own dice, times that of a challenge.
    """

    parameters_class = LiarsDiceHeuristicParameters

    def __init__(self, parameters: LiarsDiceHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("LiarsDiceHeuristicParameters", self.parameters)
        self.rivals = weights.rivals
        self.risk = weights.risk

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("LiarsDiceState", state)
        full = float(table.full)
        for player in range(table.n_players):
            values[player] = float(table.dice[player]) / full
        two = best_two(values)
        for player in range(table.n_players):
            values[player] -= self.rivals * best_other(values[player], two)
        if table.bids:
            bidder = table.bidder()
            values[bidder] -= self.risk * (1.0 - table.chance(bidder, table.last_bid())) / full


#: What comes of a challenge, and of saying that a bid is spot on.
_RIGHT: Final = "the challenge is right"
_WRONG: Final = "the challenge is wrong"
_EXACT: Final = "the bid is spot on"
_INEXACT: Final = "the bid is not spot on"


class LiarsDiceMetric(Metric):
    """Measures bids and challenges."""

    measures: ClassVar[dict[str, str]] = {
        "bids": "bids of a round, the mean of a game",
        "liars": "share of challenges that find fewer dice than bid",
        "spot_on": "share of bids said to be exactly right that are",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count bids."""
        self.counts["bids"] += isinstance(action, BidDice)

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count the ends of rounds by what was said and found."""
        if event.name == "counted":
            self.counts[event.reason] += 1

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        challenges = counts[_RIGHT] + counts[_WRONG]
        said = counts[_EXACT] + counts[_INEXACT]
        return {
            "bids": share(counts["bids"], challenges + said),
            "liars": share(counts[_RIGHT], challenges),
            "spot_on": share(counts[_EXACT], said),
        }


class LiarsDice(ForwardModel[LiarsDiceState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("liars_dice:dice=2")
    >>> state = model.setup(2, Rng(1))
    >>> model.next(state, interned(BidDice(2, 5)), Rng(1))
    >>> [str(action) for action in model.available_actions(state)][:3]
    ['bid 2 sixes', 'bid 3 ones', 'bid 3 twos']
    >>> print(state)
    Round 1, player 1 to decide; 4 dice in play; bids: 2 fives
    player 0  dice 3 3
    player 1  dice 3 3
    """

    game_type = GameType(
        "Liar's Dice",
        2,
        _MOST_PLAYERS,
        LiarsDiceParameters,
        categories=("dice", "bluffing"),
        mechanics=("dice rolling", "auction", "bluffing", "player elimination", "rounds"),
        chance_sources=("dice",),
        check_parameters="dice=2,faces=3",
        heuristic=LiarsDiceHeuristic,
        features=LiarsDiceFeatures,
        metric=LiarsDiceMetric,
    )

    def __init__(self, parameters: LiarsDiceParameters | None = None) -> None:
        """Make the actions once."""
        chosen = LiarsDiceParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.dice: i64 = chosen.dice
        self.faces: i64 = chosen.faces
        self.wild: i64 = 1 if chosen.wild == "ones" else chosen.faces if chosen.wild == "highest" else 0
        self.order = chosen.order
        self.one_round = chosen.one_round
        #: All bids, the fewest dice first, and of these the lowest face.
        self.bids: list[AnyAction] = [
            interned(BidDice(number, face))
            for number in range(1, chosen.dice * _MOST_PLAYERS + 1)
            for face in range(1, chosen.faces + 1)
        ]
        self.challenge: AnyAction = interned(Challenge())
        self.spot_on: AnyAction = interned(SpotOn())
        self.calls: list[AnyAction] = [self.challenge, self.spot_on] if chosen.spot_on else [self.challenge]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return all bids, and what may be said instead."""
        bids = Actions(BidDice, number=range(1, self.dice * n_players + 1), face=range(1, self.faces + 1))
        calls = (Actions(Challenge), Actions(SpotOn)) if len(self.calls) > 1 else (Actions(Challenge),)
        return Vocabulary(bids, *calls)

    def _setup(self, n_players: i64, rng: Rng) -> LiarsDiceState:
        state = LiarsDiceState(n_players, self.faces, self.wild, self.dice)
        self._roll(state, rng)
        return state

    def announce_setup(self, state: LiarsDiceState) -> None:
        """Announce the first roll."""
        self._announce_roll(state, state.hands)

    def _roll(self, state: LiarsDiceState, rng: Rng) -> None:
        """Let all players roll their dice."""
        source = rng.source("dice")
        state.hands = tuple([int(state.roll(number, source)) for number in state.dice])

    def _first(self, state: LiarsDiceState) -> i64:
        """Return the place of the lowest bid in number that may follow."""
        bid = state.last_bid()
        return ((bid >> FACE_BITS) - 1) * self.faces + (bid & FACE) if bid else 0

    def _available_actions(self, state: LiarsDiceState) -> list[AnyAction]:
        most = state.in_play() * self.faces
        bid = state.last_bid()
        if bid == 0:
            return self.bids[:most]
        if self.order == "number":
            return self.bids[self._first(state) : most] + self.calls
        lowest = bid & FACE
        found: list[AnyAction] = []
        for action in self.bids[:most]:
            other = cast("BidDice", action)
            is_more = other.number > bid >> FACE_BITS
            if self.order == "face":
                is_higher = other.face > lowest or (other.face == lowest and is_more)
            else:
                is_higher = other.bid > bid and other.face >= lowest
            if is_higher:
                found.append(action)
        return found + self.calls

    def random_action(self, state: LiarsDiceState, rng: Rng) -> AnyAction:
        """Choose without a list, if bids are ordered by number."""
        if self.order != "number" and state.bids:
            actions = self._available_actions(state)
            return actions[rng.below(len(actions))]
        first = self._first(state)
        bids = state.in_play() * self.faces - first
        place = rng.below(bids + len(self.calls) if state.bids else bids)
        return self.bids[first + place] if place < bids else self.calls[place - bids]

    def _next_player(self, state: LiarsDiceState) -> i64:
        """Return the next player who has dice."""
        return _with_dice(state, state.turn_player + 1)

    def _after_action(self, state: LiarsDiceState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, BidDice):
            self.end_player_turn(state)
            return
        loser = self._loser(state, action is self.spot_on)
        lost = state.dice[loser] if self.one_round else 1
        self._lose(state, loser, lost)
        state.bids = ()
        if self.one_round or len([number for number in state.dice if number]) == 1:
            state.end_by_score()
            return
        self.end_round(state, _with_dice(state, loser), rng)
        before = state.hands
        self._roll(state, rng)
        if state.recording:
            state.announce(Event("round begun", words=f"round {state.round + 1} begins"))
            self._announce_roll(state, before)

    def _loser(self, state: LiarsDiceState, is_exact: bool) -> i64:
        """Count the dice, and return who loses: the last bidder or the current player."""
        bid = state.last_bid()
        found = state.in_all(bid & FACE)
        number = bid >> FACE_BITS
        is_right = found == number if is_exact else found < number
        if state.recording:
            for player in range(state.n_players):
                if state.dice[player]:
                    dice = tuple(state.lying(player))
                    state.announce(Event("revealed", player, float(len(dice)), dice, tuple(state.names_of(player))))
            reason = (_EXACT if is_right else _INEXACT) if is_exact else _RIGHT if is_right else _WRONG
            words = f"the bid was {bid_text(bid)}, and there {'is' if found == 1 else 'are'} {found}"
            places = ("number bid", "face bid")
            state.announce(Event("counted", -1, float(found), (bid_text(bid),), places, reason, words))
        return state.bidder() if is_right else state.current_player

    def _lose(self, state: LiarsDiceState, loser: i64, lost: i64) -> None:
        """Take dice from a player, who is out without any."""
        state.dice = (*state.dice[:loser], state.dice[loser] - int(lost), *state.dice[loser + 1 :])
        is_out = state.dice[loser] == 0
        if is_out:
            state.outs = (*state.outs[:loser], int(state.round) + 1, *state.outs[loser + 1 :])
            state.set_result(loser, LOSE)
        if state.recording:
            words = "{player} loses a die" if lost == 1 else "{player} loses all dice"
            state.announce(Event("die lost", loser, float(lost), words=words))
            if is_out:
                state.announce(Event("eliminated", loser))

    def _announce_roll(self, state: LiarsDiceState, before: tuple[int, ...]) -> None:
        """Announce the dice of each player, to this player alone."""
        for player in range(state.n_players):
            dice = tuple(state.lying(player))
            places = tuple([f"die {place + 1} of {player}" for place in range(_in_hand(before[player]))])
            if places:
                state.announce(
                    Event("rolled", player, 0.0, dice, places, back="hidden number", seen_by=1 << int(player))
                )


def _with_dice(state: LiarsDiceState, player: i64) -> i64:
    """Return ``player`` or the next one who has dice."""
    while True:
        if player == state.n_players:
            player = 0
        if state.dice[player]:
            return player
        player += 1


def _in_hand(hand: i64) -> i64:
    """Return how many dice are packed in ``hand``."""
    found: i64 = 0
    while hand:
        found += hand & _COUNT
        hand >>= _BITS
    return found
