"""Nothing changes unnoticed: transcripts of random games, what is measured in them, and every agent's traces.

The same files are compared interpreted and compiled. ``python tests/contract/write_transcripts.py`` writes them anew.
"""

import json

import pytest
from transcripts import (
    FOLDER,
    MEASURES,
    TRACES,
    VOCABULARIES,
    measure_hashes,
    path,
    players_of,
    tables,
    trace_hash,
    trace_name,
    traced,
    transcript,
    vocabulary_hash,
)

from tag.catalogue.registry import game_names, metrics_for
from tag.catalogue.version import is_compiled

pytestmark = pytest.mark.flow

AGAIN = "run: python tests/contract/write_transcripts.py"
TABLES = tables()
#: Traces of seconds: these agents play hundreds of turns of two players at random; they play ten players in every run.
LONGEST = [("uno", 2, "expectimax"), ("uno", 2, "mccfr")]


def marks_of(game, n_players, agent):
    """Uno takes hundreds of turns, up to 6 s interpreted, learning Sim up to 2 s, bots of Pandemic and Stratego minutes."""
    if (game, n_players, agent) in LONGEST:
        return [pytest.mark.slow]
    if (
        (game == "uno" and agent not in ("mcts", "osla"))
        or (game == "sim" and agent.startswith("learned"))
        or (game in ("pandemic", "stratego") and agent == "mcts")
    ):
        return [pytest.mark.heavy]
    return [] if is_compiled() or is_in_each_run(game, n_players, agent) else [pytest.mark.slow]


def is_in_each_run(game, n_players, agent):
    """Interpreted, each game is traced with every second agent and each agent in every second game; the rest is slow.

    Compiled, all are compared with the same file in each run.
    """
    agents = list(players_of(game, n_players))
    return agent not in agents or (TABLES.index((game, n_players)) + agents.index(agent)) % 2 == 0


#: The games and agents that make traces.
TRACED = [pytest.param(*one, marks=marks_of(*one)) for one in traced()]


@pytest.mark.parametrize(("game", "n_players"), TABLES)
def test_transcript_is_unchanged(game, n_players):
    file = path(game, n_players)
    assert file.exists(), f"{game} has no transcript; {AGAIN}"
    assert transcript(game, n_players) == file.read_text(encoding="utf-8").splitlines(), AGAIN


@pytest.mark.parametrize(("game", "n_players", "agent"), TRACED)
def test_traces_are_the_same_in_every_build(game, n_players, agent):
    known = json.loads(TRACES.read_text(encoding="utf-8"))
    assert known.get(trace_name(game, n_players, agent)) == trace_hash(game, n_players, agent), AGAIN


@pytest.mark.parametrize(("game", "n_players"), TABLES)
def test_measures_are_the_same_in_every_build(game, n_players):
    known = json.loads(MEASURES.read_text(encoding="utf-8"))
    hashes = measure_hashes(game, n_players)
    assert {name: known.get(name) for name in hashes} == hashes, AGAIN


@pytest.mark.parametrize(("game", "n_players"), TABLES)
def test_actions_keep_their_numbers(game, n_players):
    """Learned tables and recorded actions are by number: another numbering needs a new version of the game."""
    known = json.loads(VOCABULARIES.read_text(encoding="utf-8"))
    assert known.get(trace_name(game, n_players, "vocabulary")) == vocabulary_hash(game, n_players), AGAIN


def test_there_is_nothing_else():
    names = {path(game, n).name for game, n in tables()}
    assert {file.name for file in FOLDER.iterdir()} == {*names, TRACES.name, MEASURES.name, VOCABULARIES.name}
    known = json.loads(TRACES.read_text(encoding="utf-8"))
    assert known.keys() == {trace_name(*one) for one in traced()}
    assert len(set(known.values())) > len(game_names())
    numbered = json.loads(VOCABULARIES.read_text(encoding="utf-8"))
    assert numbered.keys() == {trace_name(*table, "vocabulary") for table in tables()}
    measured = json.loads(MEASURES.read_text(encoding="utf-8"))
    assert measured.keys() == {trace_name(*table, metric) for table in tables() for metric in metrics_for(table[0])}
