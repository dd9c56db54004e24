"""ParameterSearch files of TAG's as studies: defaults, amounts, opponents, budgets, what is named."""

from __future__ import annotations

import json

import pytest
from commands import run_tag

from tag.adapters.java.entries import LOST, UNKNOWN
from tag.catalogue.trust import asking
from tag.engine.parameters import parse_spec
from tag.errors import DataError, TrustError, UnknownNameError
from tag.tuning.commands.settings import StudySettings
from tag.tuning.study.parameter_search import ARGUMENTS, read_parameter_search

RHEA = {
    "class": "players.rhea.RHEAParams",
    "budget": 50,
    "horizon": [3, 5, 10],
    "shiftLeft": [False, True],
    "heuristic": {"class": "players.heuristics.WinOnlyHeuristic"},
}
LATER = {**RHEA, "budget": -999}
#: The defaults of `RunArg.java` (May 2026): the second argument of each of its constants; that of `seed` is the clock.
DEFAULTS = {
    "NTBEAMode": "NTBEA",
    "OSDBudget": 0,
    "OSDConfidence": 0.9,
    "OSDTournament": False,
    "budget": 0,
    "byTeam": True,
    "config": "",
    "discretisation": 10,
    "evalGames": -1,
    "evalMethod": "Win",
    "evalsPerTrial": 1,
    "gameParams": "",
    "iterations": 1000,
    "listener": "metrics/MetricsGameListener.json",
    "matchups": 100,
    "neighbourhood": 50,
    "noiseCombination": 1.0,
    "opponent": "random",
    "quantile": -1,
    "repeats": 1,
    "simpleRegret": False,
    "tuneGame": False,
    "useThreeTuples": False,
    "useTwoTuples": True,
    "verbose": False,
}


@pytest.fixture
def read(tmp_path):
    """Return a function that reads the arguments of a file, beside its search space and others."""

    def read(content, space=None, **others):
        files = {"space": space or RHEA, **others}
        for name, one in files.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(one), encoding="utf-8")
        path = tmp_path / "search.json"
        common = {"game": "TicTacToe", "nPlayers": 2, "searchSpace": "space.json"}
        path.write_text(json.dumps({**common, **content}), encoding="utf-8")
        return read_parameter_search(path)

    return read


def test_what_is_left_out_has_the_defaults_of_tag(read):
    """1,000 iterations of one game against a random player, and a fifth of them at the end (`NTBEAParameters._reset`)."""
    values = dict(read({}).values)
    agent = parse_spec(values.pop("agents")[0])
    assert (agent.name, agent.values["budget"], agent.values["elite_count"]) == ("rhea", "50", "2")
    assert values == {
        "game": "tic_tac_toe:size=3",
        "players": 2,
        "sampler": "ntbea",
        "race": False,
        "search": ["horizon=3,5,10", "shift_buffer=false,true"],
        "versus": ["random"],
        "objective": "points",
        "games": 1000,
        "games_per_trial": 1,
        "validation": 200,
        "equal_time_games": 0,
    }


@pytest.mark.parametrize("name", sorted(DEFAULTS))
def test_each_default_written_out_is_the_same_study(read, name):
    assert read({name: DEFAULTS[name]}) == read({})


def test_every_argument_has_a_default_or_is_needed():
    others = {"destDir", "function", "game", "kExplore", "nPlayers", "searchSpace", "seed", "useNTuples"}
    assert set(ARGUMENTS) - set(DEFAULTS) == others


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        ({"iterations": 60}, {"games": 60, "validation": 20}),
        ({"iterations": 60, "evalsPerTrial": 5}, {"games": 300, "games_per_trial": 5}),
        ({"iterations": 60, "NTBEAMode": "StableNTBEA"}, {"games": 120, "games_per_trial": 2}),
        ({"evalGames": 0}, {"validation": 0}),
        ({"evalGames": 333}, {"validation": 333}),
        ({"evalMethod": "Ordinal"}, {"objective": "ordinal"}),
        ({"game": "LoveLetter", "nPlayers": 3}, {"objective": "points", "players": 3}),
        ({"game": "Pandemic"}, {"objective": "success", "versus": ["random"]}),
        ({"game": "Pandemic", "NTBEAMode": "CoopNTBEA"}, {"objective": "success", "versus": []}),
        ({"game": "LoveLetter", "evalMethod": "Score"}, {"objective": "score", "validation": 200}),
        ({"opponent": "osla"}, {"versus": ["osla:heuristic=game"]}),
        ({"seed": 7}, {"seed": 7}),
        ({"destDir": "a/b"}, {"out": "a/b"}),
    ],
)
def test_arguments_are_options(read, content, ours):
    found = read(content).values
    assert {name: found[name] for name in ours} == ours
    StudySettings.from_values(found, "here").definition()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ({"NTBEAMode": "MultiNTBEA"}, "NTBEAMode"),
        ({"NTBEAMode": "CoopNTBEA"}, "NTBEAMode"),
        ({"evalMethod": "Heuristic"}, "evalMethod"),
        ({"evalMethod": "Win", "game": "LoveLetter", "nPlayers": 4}, "evalMethod"),
        ({"repeats": 3}, "repeats"),
        ({"OSDBudget": 5000}, "OSDBudget"),
        ({"neighbourhood": 20}, "neighbourhood"),
        ({"noiseCombination": 2.0}, "noiseCombination"),
        ({"quantile": 50}, "quantile"),
        ({"simpleRegret": True}, "simpleRegret"),
        ({"useTwoTuples": False}, "useTwoTuples"),
        ({"useThreeTuples": True}, "useThreeTuples"),
        ({"nPlayers": -1}, "nPlayers"),
        ({"evalGames": 5}, "evalGames"),
        ({"destDir": "/elsewhere"}, "destDir"),
    ],
)
def test_each_loss_is_named_once(read, content, name):
    told = [entry.name for entry in read(content).differences if entry not in read({}).differences]
    assert told.count(name) == 1


def test_what_tag_takes_by_default_and_is_not_here_is_named(read):
    """N-tuples over all parameters, and its weight of exploration."""
    assert {"useNTuples", "kExplore"} <= {entry.name for entry in read({}).differences}
    assert "useNTuples" not in {entry.name for entry in read({"useNTuples": False}).differences}


def test_each_unknown_argument_is_named(read):
    found = read({"odd": 1, "tau": 2})
    assert [entry.name for entry in found.entries if entry.kind == UNKNOWN] == ["odd", "tau"]


def test_what_the_search_space_loses_is_named(read):
    found = read({}, {**RHEA, "useMAST": [False, True]})
    assert [entry.note for entry in found.entries if entry.kind == LOST and entry.name == "searchSpace"]


def test_a_budget_is_that_of_the_tuned_agent_and_its_opponents(read):
    found = read({"budget": 9, "opponent": "enemy.json"}, LATER, enemy={"class": "players.rhea.RHEAParams"}).values
    budgets = [parse_spec(text).values["budget"] for text in (*found["agents"], *found["versus"])]
    assert [int(str(one)) for one in budgets] == [9, 9]
    searched = read({"budget": 9}, {**RHEA, "budget": [5, 20]}).values
    assert not [entry for entry in searched["search"] if entry.startswith("budget")]
    with pytest.raises(DataError, match="-999"):
        read({}, LATER)


def test_several_opponents_are_a_pool(read, tmp_path):
    (tmp_path / "pool").mkdir()
    for name in ("osla", "random"):
        (tmp_path / f"pool/{name}.json").write_text(
            json.dumps({"class": f"x.{'OSLA' if name == 'osla' else 'Random'}Player"})
        )
    assert read({"opponent": "pool"}).values["versus"] == ["osla:heuristic=game", "random"]
    told = read({"opponent": "pool", "game": "LoveLetter", "nPlayers": 3}).differences
    assert [entry.name for entry in told if entry.name == "opponent"] == ["opponent"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"tuneGame": True}, "tag balance"),
        ({"searchSpace": ""}, "searchSpace"),
        ({"searchSpace": "players.rhea.RHEAParams"}, "searchSpace"),
        ({"opponent": "nobody"}, "opponent"),
        ({"gameParams": "none.json"}, "no such file"),
        ({"iterations": 1.5}, "whole number"),
    ],
)
def test_wrong_values_are_refused(read, content, message):
    with pytest.raises(DataError, match=message):
        read(content)


def test_a_game_that_is_not_here_is_refused(read):
    with pytest.raises(UnknownNameError, match="Catan"):
        read({"game": "Catan"})
    with pytest.raises(UnknownNameError, match="all"):
        read({"game": "all"})


@pytest.mark.parametrize("entry", ["searchSpace", "opponent"])
def test_paths_leave_the_folders_only_if_typed(read, tmp_path, entry):
    outside = tmp_path.parent / f"outside-{entry}.json"
    outside.write_text(json.dumps(RHEA if entry == "searchSpace" else {"class": "x.OSLAPlayer"}), encoding="utf-8")
    for name in (str(outside), f"../{outside.name}"):
        with asking(["tag", "tune", "search.json"]), pytest.raises(TrustError, match="outside of its folders"):
            read({entry: name})
        assert read({entry: name}) is not None


@pytest.mark.flow
def test_a_study_on_the_command_line(read, tmp_path):
    read({"iterations": 40, "evalGames": 0, "budget": 10, "odd": 1}, LATER)
    path = tmp_path / "search.json"
    result = run_tag("tune", path, "--no-ray", "--no-tracking", "--quiet", "--out", tmp_path / "study", "--json")
    assert result.exit_code == 0, result.stderr
    stored = json.loads((tmp_path / "study/study.json").read_text(encoding="utf-8"))["definition"]
    assert (stored["games"], stored["sampler"], stored["versus"]) == (40, "ntbea", ["random"])
    assert result.stderr.count("does not mean quite the same") == 1
    assert result.stderr.count("odd=1") == 1


def test_options_override_the_file(read, tmp_path):
    read({})
    path = str(tmp_path / "search.json")
    with pytest.warns(UserWarning, match="does not mean quite the same"):
        found = StudySettings.of(path, {"games": 77}, {"agents": (path,)})
    assert (found.games, found.versus) == (77, ("random",))


def test_other_files_are_none_of_these(tmp_path):
    path = tmp_path / "player.json"
    for content in ({"class": "players.rhea.RHEAParams"}, {"name": "rhea", "parameters": {}}, {"other": 1}):
        path.write_text(json.dumps(content), encoding="utf-8")
        assert read_parameter_search(path) is None
