"""Transcripts: a seeded random game per game type as golden text, what metrics measure in it, and every agent's trace."""

import json
from pathlib import Path

from tag import Listener, Rng, make_game
from tag.catalogue.registry import game_names, metric_class, metrics_for
from tag.check.agents import agents_of_any_game, with_budget
from tag.check.evidence.traces import digest, trace
from tag.engine.results import result_name
from tag.engine.snapshot import state_hash
from tag.orders import GameOrder, new_game

FOLDER = Path(__file__).parents[1] / "transcripts"
TRACES = FOLDER / "traces.json"
MEASURES = FOLDER / "measures.json"
VOCABULARIES = FOLDER / "vocabularies.json"
SEED = 7
BUDGET = 40

#: A learner that learns a little before its first game, in games that declare cells.
LEARNED = "learned:learner=(td_ntuple:n_tuples=6,length=3,n_values=8,learns={}),episodes=5"
#: Short games of three kinds, and parameters with which MCTS searches otherwise.
VARIED = (("tic_tac_toe", 2), ("love_letter", 2), ("twenty_forty_eight:target=32,play_on=false", 1))
VARIANTS = (
    "mcts:information=chance_nodes,rollout_length=0",
    "mcts:solver=true,reuse_tree=true",
    "mcts:tree_policy=ucb_tuned",
    "mcts:tree_policy=puct,priors=game,rollout_share=0.5",
    "mcts:tree_policy=exp3,selection=average_policy",
    "mcts:tree_policy=regret_matching,trees=by_player,reuse_tree=true",
)

#: Actions of a game that are written down; the traces cover the rest.
WRITTEN = 2_000


def tables():
    """Return every game with the fewest and the most players."""
    kinds = {game: make_game(game).game_type for game in game_names()}
    return [(game, n) for game, kind in kinds.items() for n in sorted({kind.min_players, kind.max_players})]


def players_of(game, n_players):
    """Return the agents that play the game for a trace, by name."""
    agents = {name: name for name in agents_of_any_game()}
    if make_game(game).cells(n_players) is not None:
        agents |= {f"learned {what}": LEARNED.format(what) for what in ("afterstates", "sarsa")}
    return agents


def traced():
    """Return every game, number of players, and agent of which there is a trace."""
    everywhere = [(*table, name) for table in tables() for name in players_of(*table)]
    return everywhere + [(*table, spec) for table in VARIED for spec in VARIANTS]


def path(game, n_players):
    return FOLDER / f"{game}-{n_players}.txt"


class Scribe(Listener):
    """Writes down the actions with the key numbers, the position after each turn, and the end."""

    def __init__(self, lines, model):
        self.lines = lines
        self.heuristic = model.heuristic()
        self.text = ""

    def on_start(self, state):
        self._position(state)

    def on_action_chosen(self, state, player, action, actions, agent):
        self.text = f"player {player}, {action.text(state, -1)} (of {len(actions)})"

    def on_action_taken(self, state, player, action):
        if state.tick > WRITTEN:
            return
        scores = " ".join(f"{state.score(seat):g}" for seat in range(state.n_players))
        values = " ".join(f"{self.heuristic.value(state, seat):.3f}" for seat in range(state.n_players))
        counters = f"round {state.round} turn {state.turn}"
        self.lines.append(
            f"{state.tick}. {self.text}; {counters}; scores {scores}; heuristics {values}; {state_hash(state)}"
        )

    def on_turn_over(self, state):
        if not state.is_terminal and state.tick <= WRITTEN:
            self._position(state)

    def on_game_event(self, state, event):
        if state.tick <= WRITTEN:
            self.lines.append(f"{event!r}")

    def on_end(self, state):
        self._position(state)
        for seat in range(state.n_players):
            result = result_name(state.result(seat))
            self.lines.append(f"player {seat}: {result}, place {state.ordinal(seat)}, score {state.score(seat):g}")

    def _position(self, state):
        self.lines += [f"    {line}".rstrip() for line in state.text(-1).splitlines()]


def transcript(game, n_players):
    """Return the random game as lines."""
    version = make_game(game).game_type.version
    lines = [f"{game}, version {version}, {n_players} players, random agents, seed {SEED}"]
    new_game(GameOrder("transcript", game, ("random",) * n_players, SEED), [Scribe(lines, make_game(game))]).play()
    return lines


def trace_name(game, n_players, who):
    """Return the key of an agent's trace, or of a metric's values."""
    return f"{game} {n_players} {who}"


def trace_hash(game, n_players, agent):
    """Return the digest of the trace of a game with the agent of that name in every seat, on a small budget."""
    spec = (
        with_budget(agent, 5 * BUDGET) if agent in VARIANTS else with_budget(players_of(game, n_players)[agent], BUDGET)
    )
    return digest(trace(GameOrder("trace", game, (spec,) * n_players, SEED)))


def measures(game, n_players):
    """Return by metric, those for any game and the game's own, what it measures in the random game."""
    model = make_game(game)
    metrics = {name: metric_class(name)(model, Rng(SEED)) for name in metrics_for(game)}
    new_game(GameOrder("measures", game, ("random",) * n_players, SEED), list(metrics.values())).play()
    return {name: metric.values() for name, metric in metrics.items()}


def measure_hashes(game, n_players):
    """Return the digests of `measures`, by game, players and metric."""
    found = measures(game, n_players)
    return {trace_name(game, n_players, name): digest([json.dumps(values)]) for name, values in found.items()}


def vocabulary_hash(game, n_players):
    """Return the digest of all actions in the order of their indices."""
    vocabulary = make_game(game).vocabulary(n_players)
    return digest([repr(vocabulary.action(index)) for index in range(len(vocabulary))])


def write():
    """Write everything anew and return the paths that are different now."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {path(game, n): "\n".join(transcript(game, n)) + "\n" for game, n in tables()}
    hashes = {trace_name(*one): trace_hash(*one) for one in traced()}
    wanted[TRACES] = json.dumps(hashes, indent=1, sort_keys=True) + "\n"
    measured = {name: value for table in tables() for name, value in measure_hashes(*table).items()}
    wanted[MEASURES] = json.dumps(measured, indent=1, sort_keys=True) + "\n"
    numbered = {trace_name(*table, "vocabulary"): vocabulary_hash(*table) for table in tables()}
    wanted[VOCABULARIES] = json.dumps(numbered, indent=1, sort_keys=True) + "\n"
    before = {file: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}
    for file in before.keys() - wanted.keys():
        file.unlink()
    for file, text in wanted.items():
        file.write_text(text, encoding="utf-8")
    return sorted(file for file in before.keys() | wanted.keys() if before.get(file) != wanted.get(file))
