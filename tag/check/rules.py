"""Checks of the rules of a game: actions, copies, seeds, results and pickles."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

from tag.catalogue.registry import make_agent, make_game
from tag.check.evidence.states import difference, held_mutable, shared_mutable, value_difference
from tag.check.evidence.traces import (
    HASH_SEEDS,
    LONGEST,
    Tracer,
    check_same,
    identity,
    pickles_elsewhere,
    trace,
    trace_of_views,
    traces_elsewhere,
)
from tag.check.report import shorten
from tag.check.subject import GameCheck, GameSubject, Position
from tag.components import Deck
from tag.engine.encoding import Vocabulary
from tag.engine.forward_model import ForwardModel
from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN, result_name
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.engine.state import Action, AnyAction, GameState
from tag.errors import ContractError, PlayersError
from tag.orders import GameOrder
from tag.playing.agent import Agent
from tag.playing.game import Game
from tag.playing.listener import Listener

_PLAIN = (int, float, str, bytes, type(None))
_FINAL = (WIN, DRAW, LOSE, TIMEOUT, DISQUALIFIED)

#: Available actions tried at a position, and actions that a copy is played on.
_TRIED: Final = 6
_PLAYED_ON: Final = 12
#: Actions of rollouts: short ones, too, as games may be over soon.
_ROLLOUTS: Final = (1, 2, 4, 8, 16, 32, 64)

#: How far the searching agents look ahead.
_DEPTH: Final = 15

#: States and actions sent to another process.
_SENT: Final = 40

#: Modules of users' own files have this prefix (`tag.catalogue.user_code`); workers receive their text, not pickles.
_BY_PATH: Final = "tag_user_"


class Plays(GameCheck):
    """Random games with every number of players end; errors of the game in them are noted here."""

    text = f"random games with every number of players end, within {LONGEST} actions"

    def at(self, position: Position) -> None:
        self.cases += 1

    def finish(self, subject: GameSubject) -> None:
        """Try numbers of players that the game does not seat."""
        kind = subject.model.game_type
        for n_players in (kind.min_players - 1, kind.max_players + 1):
            try:
                subject.model.setup(n_players, Rng(subject.seed))
            except PlayersError:
                continue
            raise ContractError(f"{kind.min_players} to {kind.max_players} play, but {n_players} get a game as well")


# --- actions --------------------------------------------------------------------------------------------------------------


class ActionsWhileItLasts(GameCheck):
    """A player can act while a game goes on, and cannot once it is over."""

    text = "there are actions until the game ends and none afterwards, and the player to move exists"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        count = len(position.model.available_actions(state))
        if state.is_terminal and count:
            raise ContractError(f"{count} actions are available although the game is over")
        if not state.is_terminal and not count:
            raise ContractError(
                f"no action is available to player {state.current_player} although the game is not over"
            )
        if not 0 <= state.current_player < state.n_players:
            raise ContractError(f"the current player is {state.current_player}, of {state.n_players}")


class ActionsDistinct(GameCheck):
    """No action is offered twice: random play and search weigh each offer alike."""

    text = "no action is offered twice"

    def at(self, position: Position) -> None:
        seen = set()
        for action in position.model.available_actions(position.state):
            self.cases += 1
            key = (type(action), action.key())
            if key in seen:
                raise ContractError(f"{action!r} is offered twice")
            seen.add(key)


class ActionsNumbered(GameCheck):
    """Learned tables, masks and recorded actions name actions by their index in the vocabulary."""

    text = "every action has a number in the vocabulary, declared or grown in play"

    def __init__(self) -> None:
        super().__init__()
        self.vocabularies: dict[tuple[ForwardModel[Any], int], tuple[Vocabulary, Vocabulary]] = {}

    def at(self, position: Position) -> None:
        """Number the actions in one vocabulary and, if it is declared, look the numbers up in another one."""
        key = (position.model, int(position.state.n_players))
        if key not in self.vocabularies:
            made = position.model.vocabulary(key[1])
            self.vocabularies[key] = (made, position.model.vocabulary(key[1]) if made.is_declared else made)
        numbered, decoded = self.vocabularies[key]
        actions = position.model.available_actions(position.state)
        for action in actions:
            self.cases += 1
            if decoded.action(numbered.index(action)) is not action:
                raise ContractError(f"{action!r} is not the action with its number, {numbered.index(action)}")
        if sum(numbered.mask(actions)) != len(actions):
            raise ContractError(f"the mask of {len(actions)} available actions has {sum(numbered.mask(actions))}")


class ActionsRandom(GameCheck):
    """Search plays at random most of the time, by `ForwardModel.random_action`."""

    text = "random_action chooses what rng.choice chooses of the available actions, and draws as many numbers"

    def at(self, position: Position) -> None:
        if position.state.is_terminal:
            return
        self.cases += 1
        rng, other = position.rng("random"), position.rng("random")
        action = position.model.random_action(position.state, rng)
        expected = other.choice(position.model.available_actions(position.state))
        if action is not expected:
            raise ContractError(f"random_action returns {action!r}, rng.choice {expected!r}")
        if rng.snapshot() != other.snapshot():
            raise ContractError("random_action draws more or fewer numbers than rng.choice")


class RolloutsEqual(GameCheck):
    """A game's own rollout is a second way through its rules; only games that have one are cases."""

    text = "rollout plays the same as next and random_action, draws the same numbers, and counts the actions"
    untested = "the game has no rollout of its own"

    def at(self, position: Position) -> None:
        model = position.model
        if type(model).rollout is ForwardModel.rollout:
            return
        self.cases += 1
        rng, other = position.rng("rollout"), position.rng("rollout")
        depth = _ROLLOUTS[self.cases % len(_ROLLOUTS)]
        state, expected = position.state.copy(), position.state.copy()
        played, count = model.rollout(state, depth, rng), ForwardModel.rollout(model, expected, depth, other)
        if played != count:
            raise ContractError(f"rollout says that it played {played} actions; next and random_action play {count}")
        if state.snapshot() != expected.snapshot():
            raise ContractError(f"rollout of {depth} actions ends elsewhere than next and random_action")
        if rng.snapshot() != other.snapshot():
            raise ContractError("rollout draws more or fewer numbers than random_action")


class ActionsInterned(GameCheck):
    """Agents compare actions by identity."""

    text = "equal actions are one object (made with interned), have plain values, and can be rebuilt from their keys"

    def at(self, position: Position) -> None:
        for action in position.model.available_actions(position.state):
            self.cases += 1
            for part in action.key():
                _check_plain(action, part)
            held = held_mutable(action)
            if held:
                raise ContractError(f"{action!r} holds something mutable in {held}; keep ids and plain values only")
            if pickle.loads(pickle.dumps(action)) is not action:  # noqa: S301  written here
                raise ContractError(f"{action!r} is not the one object with its key; make it with interned(...)")


def _check_plain(action: AnyAction, part: object) -> None:
    if isinstance(part, tuple):
        for inner in part:
            _check_plain(action, inner)
    elif isinstance(part, Action):  # an action about an action, such as a secret choice of one
        _check_plain(action, part.key())
    elif not isinstance(part, _PLAIN):
        raise ContractError(
            f"the key of {type(action).__name__} holds {shorten(part, 80)}; use numbers, text and tuples of them"
        )


class ActionsRepeatable(GameCheck):
    """Available actions are a function of the position."""

    text = "equal positions offer the same actions in the same order, and computing them changes nothing"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        self.cases += 1
        origin = state.copy()
        before = state_hash(state)
        first = model.available_actions(state)
        second = model.available_actions(state)
        if state_hash(state) != before:
            found = difference(origin, state)
            raise ContractError(f"computing the available actions changes the state: {found or 'it has another hash'}")
        if first is second and first:
            raise ContractError("the list of available actions is the same object each time; return a new one")
        if first != second:
            raise ContractError(f"asked twice, {value_difference('available_actions', tuple(first), tuple(second))}")
        copied = model.available_actions(state.copy())
        if first != copied:
            raise ContractError(f"in a copy, {value_difference('available_actions', tuple(first), tuple(copied))}")


class ActionsPlayable(GameCheck):
    """Every available action can be played."""

    text = "every available action can be played, counts one tick and stays as it is"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        rng = position.rng("playable")
        actions = model.available_actions(state)
        rng.shuffle(actions)
        for action in actions[:_TRIED]:
            self.cases += 1
            key = action.key()
            copy = state.copy()
            model.next(copy, action, rng)
            if copy.tick != state.tick + 1:
                raise ContractError(f"the tick goes from {state.tick} to {copy.tick} with {action!r}")
            if action.key() != key:
                raise ContractError(f"playing {action!r} changes its key from {shorten(key)}")
            if not copy.is_terminal and not model.available_actions(copy):
                raise ContractError(f"after {action!r} no action is available although the game is not over")


# --- copies ---------------------------------------------------------------------------------------------------------------


class CopyEqual(GameCheck):
    """A copy is the same position."""

    text = "a copy equals its origin in every field"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        copy = state.copy()
        if type(copy) is not type(state):
            raise ContractError(f"a copy of {type(state).__name__} is a {type(copy).__name__}")
        found = difference(state, copy)
        if found:
            raise ContractError(f"in a copy {found}")


class CopyIndependent(GameCheck):
    """Search plays in copies."""

    text = "copies and observations share nothing mutable with their origin"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        found = shared_mutable(state, state.copy())
        if found:
            raise ContractError(f"a copy shares {found} with its origin")
        for player in position.players:
            found = shared_mutable(state, position.drawn(player)[0])
            if found:
                raise ContractError(f"an observation of player {player} shares {found} with its origin")


class CopyPlayable(GameCheck):
    """Play in a copy changes nothing outside, and is the same as in the game."""

    text = "playing on in a copy leaves its origin unchanged, and goes as it would there"

    def at(self, position: Position) -> None:
        """Play two copies on with equal streams."""
        model, state = position.model, position.state
        self.cases += 1
        before = state_hash(state)
        one = state.copy()
        other = one.copy()
        if _play_on(model, one, position.rng("on")) != _play_on(model, other, position.rng("on")):
            found = difference(one, other)
            raise ContractError(
                f"a copy and its copy, played on with equal streams, come to different positions: {found or 'on the way'}"
            )
        if state_hash(state) != before:
            raise ContractError("playing on in a copy changes its origin")


def _play_on(model: ForwardModel[Any], state: GameState, rng: Rng) -> list[object]:
    """Play ``state`` on at random and return the available actions at each step, and the final position."""
    course: list[object] = []
    while not state.is_terminal and len(course) < _PLAYED_ON:
        actions = model.available_actions(state)
        course.append(actions)
        model.next(state, rng.choice(actions), rng)
    return [*course, state.snapshot()]


class CardsKept(GameCheck):
    """Nothing is lost in play."""

    text = "no card in a deck of components() vanishes; cards that leave the game lie in a deck, too"
    untested = "components() returns no deck"

    def __init__(self) -> None:
        super().__init__()
        self.at_first: dict[tuple[int, int], Counter[str]] = {}

    def at(self, position: Position) -> None:
        found = Counter(
            [str(item) for deck in position.state.components() if isinstance(deck, Deck) for item in deck.items]
        )
        first = self.at_first.setdefault((position.where.seed, int(position.state.n_players)), found)
        self.cases += bool(first)
        lost = first - found
        if lost:
            card = min(lost)
            raise ContractError(f"there are {found[card]} cards {card} instead of {first[card]} in components()")


# --- seeds ----------------------------------------------------------------------------------------------------------------


class SeedRepeats(GameCheck):
    """A game can be played again."""

    text = "the same seed gives the same game again"

    def finish(self, subject: GameSubject) -> None:
        """Play games twice; several, because randomness from elsewhere may deal the same twice."""
        for order in _orders(subject, subject.games):
            self.where = subject.where(len(order.agents), order.seed)
            check_same(trace(order), trace(order), "played twice with one seed (is there randomness not from rng?)")
            self.cases += 1


class SeedUndisturbed(GameCheck):
    """Look-ahead and random draws of agents change no card of the game."""

    text = "agents that search and draw random numbers change no chance outcome"

    def finish(self, subject: GameSubject) -> None:
        """Play games with agents that repeat the choices of random ones, with and without search."""
        for order in _orders(subject):
            self.where = subject.where(len(order.agents), order.seed)
            quiet, choices = _random_game(order)
            busy = _scripted_game(order, choices)
            check_same(quiet, busy, "with and without agents that search (does the model, or a class, keep a state?)")
            self.cases += 1


class SeedOtherProcess(GameCheck):
    """Workers are other processes."""

    text = "other processes, with other hash seeds, play the same games and see the same in them"

    def finish(self, subject: GameSubject) -> None:
        """Compare traces: of the first games with every hash seed, of each other game with one."""
        first = _orders(subject)
        others = [order for order in _orders(subject, subject.games) if order not in first]
        here = {(len(order.agents), order.seed): trace_of_views(order) for order in [*first, *others]}
        for number, hash_seed in enumerate(HASH_SEEDS):
            orders = [*first, *others[number :: len(HASH_SEEDS)]]
            for order, theirs in zip(orders, traces_elsewhere(orders, hash_seed), strict=True):
                self.where = subject.where(len(order.agents), order.seed)
                self.cases += 1
                if here[len(order.agents), order.seed] != theirs:
                    raise ContractError(
                        f"a process with PYTHONHASHSEED={hash_seed} plays another game, or observes it otherwise "
                        "(does an order come from a set, or from id()?)"
                    )


def _orders(subject: GameSubject, games: int = 1) -> list[GameOrder]:
    """Return ``games`` games each for the fewest and for the most players."""
    counts = sorted({subject.counts[0], subject.counts[-1]})
    seeds = range(subject.seed, subject.seed + games)
    return [GameOrder("check", subject.spec, ("random",) * count, seed) for count in counts for seed in seeds]


class _Choices(Listener):
    """Keeps the index of each action that was chosen."""

    def __init__(self) -> None:
        self.indices: list[int] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        self.indices.append(actions.index(action))


class _Scripted(Agent):
    """Searches a little without using the result, then repeats a choice."""

    wants_single_actions = True

    def __init__(self, choices: Sequence[int]) -> None:
        super().__init__()
        self.choices = choices

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Roll out from the observation and from a copy, then follow the script."""
        choice = self.choices[observation.tick]
        for start in (self.sim.copy(observation), self.sim.observation(observation, self.player), observation):
            self.sim.rollout(start, _DEPTH)
        return actions[choice % len(actions)]


def _random_game(order: GameOrder) -> tuple[list[str], list[int]]:
    tracer, choices = Tracer(), _Choices()
    agents = [make_agent(text) for text in order.agents]
    Game(make_game(order.game), agents, order.seed, listeners=[tracer, choices]).play()
    return tracer.hashes, choices.indices


def _scripted_game(order: GameOrder, choices: list[int]) -> list[str]:
    tracer = Tracer()
    agents = [_Scripted(choices) for _seat in order.agents]
    game = Game(make_game(order.game), agents, order.seed, listeners=[tracer])
    game.play()
    if game.faults:
        raise ContractError(f"an agent that searches fails: {game.faults[0].message}")
    return tracer.hashes


class ChanceDeclared(GameCheck):
    """Games declared without chance draw no random numbers: search then keeps the states that it has reached."""

    text = "if the game type declares that there is no chance, next draws no random number"
    untested = "the game type declares chance"

    def at(self, position: Position) -> None:
        if position.model.game_type.chance:
            return
        for action in position.model.available_actions(position.state):
            self.cases += 1
            rng = position.rng("declared")
            before = rng.snapshot()
            position.model.next(position.state.copy(), action, rng)
            if rng.snapshot() != before:
                raise ContractError(f"chance is declared False, but {action} draws random numbers")


# --- results --------------------------------------------------------------------------------------------------------------


class ResultsFinal(GameCheck):
    """Results come at the end, for every player."""

    text = "every player has a result at the end, and none has won or drawn before"
    untested = "no game came to an end"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += state.is_terminal
        for player in range(state.n_players):
            result = state.result(player)
            if state.is_terminal and result not in _FINAL:
                raise ContractError(f"the game is over, but the result of player {player} is {result}")
            if not state.is_terminal and result > ONGOING:
                raise ContractError(f"player {player} has a {result_name(result)} although the game is not over")
        if state.is_terminal and len(state.results) != state.n_players:
            raise ContractError(f"there are {len(state.results)} results for {state.n_players} players")
        if state.is_terminal and state.sequences:
            raise ContractError("the game is over, but a sequence is still open")


class ResultsOrdered(GameCheck):
    """Results, places and scores agree."""

    text = "places go by result, then score; a better result is a better place; ties and teams share a place"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        places = [int(state.ordinal(player)) for player in range(state.n_players)]
        for place in places:
            before = len([other for other in places if other < place])
            if before != place - 1:
                raise ContractError(f"the places are {places}; place {place} needs {place - 1} players before it")
        for player in range(state.n_players):
            if not isfinite(state.score(player)):
                raise ContractError(f"the score of player {player} is {state.score(player)}")
            for other in range(state.n_players):
                _check_pair(state, places, player, other)
        if state.is_terminal:
            _check_draw(state)


def _check_pair(state: GameState, places: list[int], player: int, other: int) -> None:
    mine, theirs = state.result(player), state.result(other)
    if mine > theirs and places[player] >= places[other]:
        raise ContractError(
            f"player {player} has a {result_name(mine)} and place {places[player]}, "
            f"player {other} a {result_name(theirs)} and place {places[other]}"
        )
    score, rival = state.score(player), state.score(other)
    if mine == theirs and score > rival and places[player] > places[other]:
        raise ContractError(
            f"player {player} with score {score:g} has place {places[player]}, "
            f"player {other} with {rival:g} has place {places[other]}"
        )
    if player != other and state.team(player) == state.team(other):
        _check_team(state, places, player, other)


def _check_team(state: GameState, places: list[int], player: int, other: int) -> None:
    """Compare two players of a team; a fault is one player's alone, and so is being out before the end."""
    mine, theirs = int(state.result(player)), int(state.result(other))
    if state.is_terminal and mine != theirs and min(mine, theirs) >= LOSE:
        raise ContractError(
            f"players {player} and {other} are a team, with a {result_name(mine)} and a {result_name(theirs)}"
        )
    if mine == theirs and (places[player] != places[other] or state.score(player) != state.score(other)):
        raise ContractError(
            f"players {player} and {other} are a team, with places {places[player]} and {places[other]} and scores "
            f"{state.score(player):g} and {state.score(other):g}"
        )


def _check_draw(state: GameState) -> None:
    results = [state.result(player) for player in range(state.n_players)]
    if results.count(DRAW) == 1 and state.n_players > 1:
        raise ContractError(f"player {results.index(DRAW)} has a draw with no other player")
    if DRAW in results and WIN in results:
        raise ContractError(f"player {results.index(WIN)} has a win beside the draw of player {results.index(DRAW)}")


class HeuristicInRange(GameCheck):
    """Search compares the values of the game's own heuristic with those of finished games.

    A game for one may value its end by score instead, as search compares it with other games of the same player only.
    """

    text = (
        "the game's heuristic is 1 for a win, -1 for a loss and between them before the end, and value_all gives each "
        "player's"
    )

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        heuristic = position.model.heuristic()
        values = [0.0] * state.n_players
        heuristic.value_all(state, values)
        for player in range(state.n_players):
            value = heuristic.value(state, player)
            if value != values[player]:
                raise ContractError(f"value_all gives player {player} {values[player]}, value {value}")
            if not -1.0 <= value <= 1.0:
                raise ContractError(f"the heuristic of player {player} is {value}")
            wanted = state.result_value(player)
            if not state.is_terminal and state.result(player) == ONGOING and state.n_players > 1 and abs(value) >= 1.0:
                raise ContractError(f"the heuristic of player {player} is {value}, that of a result, before the end")
            if state.is_terminal and state.n_players > 1 and wanted and value != wanted:
                name = result_name(state.result(player))
                raise ContractError(f"the heuristic of player {player} is {value} after a {name}, not {wanted}")


# --- pickles -----------------------------------------------------------------------------------------------


class PickleState(GameCheck):
    """Positions can be kept and sent."""

    text = "a state comes back from a pickle as the same position, and can be played on"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        self.cases += 1
        loaded = pickle.loads(pickle.dumps(state.copy()))  # noqa: S301  written here
        found = difference(state, loaded)
        if found:
            raise ContractError(f"in a state from a pickle {found}")
        if state_hash(loaded) != state_hash(state):
            raise ContractError("a state from a pickle has another hash")
        if model.available_actions(loaded) != model.available_actions(state):
            raise ContractError("in a state from a pickle other actions are available")


class PickleOtherProcess(GameCheck):
    """Pickles are read by other processes as well."""

    text = "another process reads pickled states and actions as the same"

    def __init__(self) -> None:
        super().__init__()
        self.things: list[object] = []

    def at(self, position: Position) -> None:
        if type(position.model).__module__.startswith(_BY_PATH):
            self.untested = "the game is in a file of its own, whose text is sent to other processes instead of pickles"
        elif len(self.things) < _SENT:
            self.things.append(position.state.copy())
            self.things.extend(position.model.available_actions(position.state)[:2])

    def finish(self, subject: GameSubject) -> None:
        if not self.things:
            return
        for thing, there in zip(self.things, pickles_elsewhere(self.things), strict=True):
            self.cases += 1
            if identity(thing) != there:
                raise ContractError(f"another process reads a pickled {type(thing).__name__} as another one")
