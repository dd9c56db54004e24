"""RunGames files of TAG's as tournaments: defaults, modes, amounts, players, paths."""

from __future__ import annotations

import json
import warnings
from math import perm

import pytest
from commands import run_tag
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.adapters.java import LOST, UNKNOWN, TranslationWarning, read_run_games
from tag.adapters.java.run_games import ARGUMENTS
from tag.catalogue.trust import asking
from tag.engine.parameters import parse_spec
from tag.errors import DataError, TagError, TrustError, UnknownNameError
from tag.tournaments.commands.settings import Settings, definition_in
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.games import split_name

RANDOM = {"class": "players.simple.RandomPlayer"}
OSLA = {"class": "players.simple.OSLAPlayer"}
MCTS = {"class": "players.mcts.MCTSParams", "rolloutLength": 5}
RHEA = {"class": "players.rhea.RHEAParams"}
BASIC = {"class": "players.basicMCTS.BasicMCTSParams"}
RMHC = {"class": "players.rmhc.RMHCParams"}
FIRST = {"class": "players.simple.FirstActionPlayer"}
#: The defaults of `RunArg.java` (May 2026): the second argument of each of its constants; that of `seed` is the clock.
DEFAULTS = {
    "addTimeStamp": False,
    "budget": 0,
    "byTeam": True,
    "config": "",
    "distinctRandomSeeds": 0,
    "evalMethod": "Win",
    "focusPlayer": "",
    "gameParams": "",
    "listener": "metrics/MetricsGameListener.json",
    "matchups": 100,
    "mode": "random",
    "nPlayers": -1,
    "playerDirectory": "",
    "playerRange": "all",
    "randomGameParams": False,
    "reportPeriod": -1,
    "seedFile": "",
    "verbose": False,
}


def games_of_block(name, agents, players):
    design = make_design(name, agents, players, seed=1)
    return design.n_matchups * design.n_seatings


@pytest.fixture
def file(tmp_path):
    """Return a function that writes an object to a file in a folder of its own, and returns its path."""

    def write(content, name="here/run.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return write


@pytest.fixture
def read(file):
    """Return a function that reads the arguments of a file, with players beside it."""

    def read(content, players=None, **options):
        for name, player in (players or {}).items():
            file(player, f"here/agents/{name}.json")
        more = {"playerDirectory": "agents"} if players else {}
        return read_run_games(file({"game": "TicTacToe", **more, **content}), games_of_block, **options)

    return read


def specs(found):
    """Return the agents by name; those without one by their spec."""
    return {name or spec: parse_spec(spec) for name, spec in map(split_name, found.values["agents"])}


def test_what_is_left_out_has_the_defaults_of_tag(read):
    """100 games of random match-ups between BasicMCTS, Random, RMHC and OSLA (`RunGames.main`), seeds from the clock."""
    found = read({})
    assert found.values.keys() == {"agents", "game", "players", "design", "blocks"}
    assert (found.values["design"], found.values["players"], found.values["blocks"]) == ("balanced", 2, 25)
    assert list(specs(found)) == ["TAG mcts", "random", "TAG rmhc", "TAG osla"]
    basic = specs(found)["TAG mcts"].values
    assert (basic["max_tree_depth"], basic["budget"]) == ("5", "4000")  # BasicMCTSPlayer(), PlayerParameters.budget


@pytest.mark.parametrize("name", sorted(DEFAULTS))
def test_each_default_written_out_is_the_same_tournament(read, name):
    assert read({name: DEFAULTS[name]}) == read({})


def test_every_argument_has_a_default_or_is_needed():
    assert set(ARGUMENTS) - set(DEFAULTS) == {"destDir", "game", "seed"}


@pytest.mark.parametrize(
    ("content", "changed"),
    [
        ({"addTimeStamp": True}, "addTimeStamp"),
        ({"byTeam": False}, "byTeam"),
        ({"randomGameParams": True}, "randomGameParams"),
        ({"seedFile": "seeds.txt"}, "seedFile"),
        ({"destDir": "../elsewhere"}, "destDir"),
        ({"destDir": "/elsewhere"}, "destDir"),
        ({"destDir": "C:\\elsewhere"}, "destDir"),
        ({"listener": "games.Mine"}, "listener"),
        ({"listener": "nowhere.json"}, "listener"),
        ({"distinctRandomSeeds": 7}, "distinctRandomSeeds"),
        ({"mode": "exhaustiveSP"}, "mode"),
        ({"mode": "alphabetical"}, "mode"),
        ({"matchups": 101}, "matchups"),
    ],
)
def test_each_loss_is_named_once(read, content, changed):
    told = [entry.name for entry in read(content).differences if entry not in read({}).differences]
    assert told.count(changed) == 1


@given(
    st.sets(st.text("abcdefghijklmnopqrstuvwxyzABCDEF", min_size=1), min_size=1, max_size=4).filter(
        lambda names: names.isdisjoint([*ARGUMENTS, "class", "name"])
    )
)
@settings(max_examples=20, deadline=None)
def test_each_unknown_argument_is_named(tmp_path_factory, names):
    path = tmp_path_factory.mktemp("unknown") / "run.json"
    path.write_text(json.dumps({"game": "TicTacToe", **dict.fromkeys(names, 1)}), encoding="utf-8")
    found = read_run_games(path, games_of_block)
    assert {entry.name for entry in found.entries if entry.kind == UNKNOWN} == names


@pytest.mark.parametrize(
    ("content", "agents", "design"),
    [
        ({"mode": "random"}, 3, "balanced"),
        ({"mode": "random", "game": "LoveLetter", "nPlayers": 4}, 3, "round_robin"),
        ({"mode": "exhaustive"}, 3, "exhaustive"),
        ({"mode": "EXHAUSTIVE"}, 3, "exhaustive"),
        ({"mode": "exhaustiveSP"}, 3, "self_play"),
        ({"mode": "onevsall"}, 3, "gauntlet"),
        ({"mode": "sequential"}, 3, "grid"),
        ({"mode": "fixed"}, 2, "fixed"),
        ({"mode": "no such"}, 3, "balanced"),
    ],
)
def test_modes_are_designs(read, content, agents, design):
    players = {"a": RANDOM, "b": OSLA, "c": RMHC}
    found = read(content, dict(list(players.items())[:agents]))
    assert found.values["design"] == design
    Settings.from_values(found.values, "here").definition()


@given(
    agents=st.integers(2, 6),
    players=st.integers(2, 4),
    games=st.integers(1, 400),
    mode=st.sampled_from(["random", "exhaustive", "onevsall"]),
)
@settings(max_examples=60, deadline=None)
def test_as_many_games_as_in_tag_in_whole_blocks(tmp_path_factory, agents, players, games, mode):
    """Of `exhaustive` the very number, where TAG has one; of others the next that fills blocks."""
    path = tmp_path_factory.mktemp("amounts") / "run.json"
    for number in range(agents):
        (path.parent / "of").mkdir(exist_ok=True)
        (path.parent / f"of/{number}.json").write_text(json.dumps(OSLA), encoding="utf-8")
    content = {"game": "LoveLetter", "nPlayers": players, "playerDirectory": "of", "mode": mode, "matchups": games}
    path.write_text(json.dumps(content), encoding="utf-8")
    if mode == "exhaustive" and (agents < players or games < perm(agents, players)):
        with pytest.raises(DataError, match="TAG refuses"):
            read_run_games(path, games_of_block)
        return
    values = read_run_games(path, games_of_block).values
    size = games_of_block(values["design"], agents, players)
    unused = {"exhaustive": games % max(perm(agents, players), 1), "onevsall": games % players}.get(mode, 0)
    wanted = games - unused
    assert (values["blocks"] - 1) * size < max(wanted, 1) <= values["blocks"] * size
    if mode == "exhaustive":
        assert values["blocks"] * size == wanted


def test_several_games_and_numbers_of_players_are_events(read):
    found = read({"game": "LoveLetter|TicTacToe|Catan", "playerRange": "2-3|all"})
    assert [(one["game"].partition(":")[0], one["players"]) for one in found.values["events"]] == [
        ("love_letter", 2),
        ("love_letter", 3),
        ("tic_tac_toe", 2),
    ]
    assert any(entry.name == "game" and "Catan" in entry.note for entry in found.differences)


def test_seats_beyond_those_of_the_game_are_capped_as_in_tag(read):
    two = {"a": RANDOM, "b": OSLA}
    assert [one["players"] for one in read({"game": "LoveLetter", "playerRange": "1-9"}, two).values["events"]] == [
        2,
        3,
        4,
    ]
    assert len(read({"game": "Uno"}).values["events"]) == 3  # without players 4 seats at most
    poker = read({"game": "Poker", "playerRange": "8-14"}, two)
    assert [one["players"] for one in poker.values["events"]] == [8, 9]
    assert sum(entry.kind == LOST for entry in poker.entries) == 5  # 10 to 14
    with pytest.raises(DataError, match="no game"):
        read({"nPlayers": 3})


def test_all_games_are_those_that_are_here(read):
    events = read({"game": "all|-Uno|-Poker"}).values["events"]
    names = {one["game"].partition(":")[0] for one in events}
    assert {"love_letter", "dominion", "tic_tac_toe"} <= names
    assert names.isdisjoint({"uno", "poker"})


def test_a_game_that_is_not_here_is_refused(read):
    with pytest.raises(UnknownNameError, match="Terraforming"):
        read({"game": "TerraformingMars"})


def test_parameters_of_the_game(read, file):
    file({"class": "games.tictactoe.TicTacToeGameParameters", "gridSize": 4, "more": 1}, "here/params.json")
    found = read({"gameParams": "params.json"})
    assert found.values["game"] == "tic_tac_toe:size=4"
    assert any(entry.name == "more" for entry in found.differences)
    with pytest.raises(DataError, match="not of connect_four"):
        read({"gameParams": "params.json", "game": "Connect4"})
    with pytest.raises(DataError, match="no such file"):
        read({"gameParams": "other.json"})


def test_the_budget_is_that_of_players_with_a_clock(read):
    """`IAnyTimePlayer` are MCTSPlayer and RHEAPlayer; others keep theirs."""
    found = specs(read({"budget": 77}, {"a": MCTS, "b": RHEA, "c": BASIC, "d": RMHC}))
    assert [found[name].values["budget"] for name in "abcd"] == ["77", "77", "4000", "4000"]


def test_a_budget_that_the_caller_sets_is_needed(read):
    players = {"a": {**MCTS, "budget": -999}, "b": RANDOM}
    with pytest.raises(DataError, match="--budgets"):
        read({}, players)
    assert specs(read({"budget": 9}, players))["a"].values["budget"] == "9"
    found = specs(read({}, players, n_budgets=2))
    assert "budget" not in found["a"].values


def test_budgets_of_the_caller_take_the_place_of_all(read, file):
    for name, player in {"a": MCTS, "b": OSLA, "c": {**RMHC, "budget": 5}}.items():
        file(player, f"here/agents/{name}.json")
    path = str(file({"game": "TicTacToe", "playerDirectory": "agents", "matchups": 40}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TranslationWarning)
        values = definition_in(path, {"budgets": "10,20"})
    found = Settings.from_values({**values, "budgets": "10,20"}, path).definition()
    assert list(found.labels) == ["a 10", "a 20", "b", "c 10", "c 20"]
    assert values["blocks"] == 4  # of 10 games: five agents


def test_players_of_a_folder_have_the_names_of_their_files(read):
    players = {"strong.v2": MCTS, "random": RANDOM, "mcts": RHEA, "a b(c)": OSLA}
    assert list(specs(read({}, players))) == ["a b_c_", "TAG mcts", "random", "strong"]


def test_players_that_are_not_here_are_left_out_and_named(read):
    found = read({}, {"a": RANDOM, "b": FIRST, "c": OSLA, "d": {"no": "player"}})
    assert list(specs(found)) == ["a", "c"]
    assert [entry.value for entry in found.entries if "left out" in entry.note] == ["b.json", "d.json"]
    with pytest.raises(DataError, match="no player"):
        read({"playerDirectory": "alone"}, {"../alone/b": FIRST})


def test_a_folder_above_does_not_hide_the_players_that_tag_has_by_name(read, tmp_path):
    (tmp_path / "osla").mkdir()
    assert list(specs(read({"focusPlayer": "osla", "playerDirectory": "random"}))) == ["TAG osla", "random"]


def test_one_player_meets_itself(read):
    assert read({"playerDirectory": "random"}).values["agents"] == ["random", "random"]


def test_the_player_in_the_focus_comes_first(read, file):
    file(RHEA, "here/mine.json")
    found = read({"focusPlayer": "mine.json", "mode": "sequential"}, {"a": RANDOM, "b": OSLA})
    assert list(specs(found)) == ["mine", "a", "b"]
    assert found.values["design"] == "gauntlet"


def test_agents_of_the_caller_take_the_place_of_the_files(read):
    found = read({"playerDirectory": "nowhere", "matchups": 30}, agents=["random", "osla", "mcts"])
    assert "agents" not in found.values
    assert found.values["blocks"] == 5
    with pytest.raises(DataError, match="nowhere"):
        read({"playerDirectory": "nowhere"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"matchups": "many"}, "is a number"),
        ({"matchups": 2.5}, "whole number"),
        ({"nPlayers": True}, "is a number"),
        ({"game": 3}, "is a text"),
        ({"playerRange": "2-"}, "playerRange"),
        ({"game": "Uno|TicTacToe|Poker", "playerRange": "2|2"}, "2 parts for 3 games"),
        ({"game": "Uno|TicTacToe", "gameParams": "x.json"}, "for one game"),
        ({"mode": "fixed", "game": "LoveLetter", "nPlayers": 3, "playerDirectory": "random"}, "needs 3 players"),
    ],
)
def test_wrong_values_are_refused(read, content, message):
    with pytest.raises(DataError, match=message):
        read(content)


@pytest.mark.parametrize("content", [{"class": "x.Y", "game": "Uno"}, {"name": "uno", "game": 1}, {"other": 1}, [], 3])
def test_other_files_are_none_of_these(file, content):
    assert read_run_games(file(content), games_of_block) is None


METRICS = "evaluation.metrics.GameMetrics$"


@pytest.mark.parametrize(
    ("classes", "ours", "kinds"),
    [
        (["FinalScore", "OrdinalPosition", "PlayerType", "Winner"], {}, ["exact"] * 4),
        (["StateSpace", "CurrentPlayerVisibility"], {"metrics": ["table"]}, ["near"] * 2),
        (["Decisions"], {"metrics": ["action_space", "turns"]}, ["near"]),
        (["Actions"], {"record_actions": True}, ["near"]),
        (["ActionsReduced"], {"record_actions": True}, ["near"]),
        (["ComputationTimes"], {}, ["near"]),
        (["GameScore"], {}, ["lost"]),
        (["NoSuch"], {}, ["unknown"]),
    ],
)
def test_metrics_of_listeners(read, file, classes, ours, kinds):
    content = {
        "class": "evaluation.listeners.MetricsGameListener",
        "args": [[{"class": METRICS + one} for one in classes]],
    }
    file(content, "here/listener.json")
    found = read({"listener": "listener.json"}, {"a": RANDOM, "b": OSLA})
    assert [entry.kind for entry in found.entries if entry.name == "listener"] == kinds
    assert {name: found.values[name] for name in ("metrics", "record_actions") if name in found.values} == ours
    Settings.from_values(found.values, "here").definition()


def test_a_listener_is_given_in_place_of_a_metric(file):
    classes = [{"class": METRICS + one} for one in ("StateSpace", "Decisions", "Actions", "Winner")]
    path = str(file({"class": "evaluation.listeners.MetricsGameListener", "args": [classes]}))
    given = {"game": "tic_tac_toe", "agents": ("random", "osla"), "metrics": ("lead", path, "turns")}
    with pytest.warns(TranslationWarning, match="StateSpace -> table"):
        found = Settings.from_values(given, "here").definition()
    assert (found.metrics, found.record_actions) == (("lead", "table", "action_space", "turns"), True)


def test_other_listeners_are_lost(read, file):
    file({"class": "evaluation.listeners.StateFeatureListener", "args": [{"class": "x.Y"}]}, "here/features.json")
    file({"class": "a.MetricsGameListener", "args": [[{"class": "games.uno.UnoMetrics$Cards"}]]}, "here/own.json")
    found = read({"listener": "features.json|own.json"})
    lost = [entry.value for entry in found.entries if entry.kind == LOST]
    assert lost == ["StateFeatureListener", "UnoMetrics$Cards"]


@pytest.mark.parametrize("entry", ["playerDirectory", "focusPlayer", "gameParams", "listener"])
@pytest.mark.parametrize("how", ["above", "absolute", "link"])
def test_paths_leave_the_folders_only_if_typed(file, tmp_path, entry, how):
    """The folders are those of the file, and above; with trust, or typed, any may be read."""
    outside = tmp_path / "outside"
    outside.mkdir()
    contents = {"gameParams": {"class": "games.tictactoe.TicTacToeGameParameters"}, "listener": {"class": "a.B"}}
    (outside / "it.json").write_text(json.dumps(contents.get(entry, OSLA)), encoding="utf-8")
    path = file({}, "here/run.json")
    (path.parent / "link.json").symlink_to(outside / "it.json")
    name = {"above": "../outside/it.json", "absolute": str(outside / "it.json"), "link": "link.json"}[how]
    path = file({"game": "TicTacToe", entry: name})
    with asking(["tag", "tournament", str(path)]), pytest.raises(TrustError, match="outside of its folders"):
        read_run_games(path, games_of_block)
    with asking(["tag", "tournament", str(path), name]):
        assert read_run_games(path, games_of_block) is not None
    assert read_run_games(path, games_of_block) is not None


def test_a_link_in_a_folder_of_players_leads_nowhere_else(file, tmp_path):
    (tmp_path / "outside.json").write_text(json.dumps(OSLA), encoding="utf-8")
    file(RANDOM, "here/agents/a.json")
    (tmp_path / "here/agents/b.json").symlink_to(tmp_path / "outside.json")
    path = file({"game": "TicTacToe", "playerDirectory": "agents"})
    with asking(["tag"]), pytest.raises(TrustError, match=r"b\.json"):
        read_run_games(path, games_of_block)


@pytest.mark.parametrize(
    "entry", ["playerDirectory", "focusPlayer", "gameParams", "listener", "game", "mode", "destDir"]
)
@pytest.mark.parametrize("form", ["{}", "{}:Mine", "process:command={}"])
def test_no_file_of_tags_runs_code(file, tmp_path, monkeypatch, entry, form):
    monkeypatch.chdir(tmp_path)
    code = tmp_path / "here/evil.py"
    code.parent.mkdir()
    code.write_text("open('ran', 'w')\nclass Mine: pass\n", encoding="utf-8")
    for name in ("here/evil.py", str(code)):
        path = file({"game": "TicTacToe", "matchups": 2, "playerDirectory": "random", entry: form.format(name)})
        run_tag("tournament", path, "--no-ray", "--no-tracking", "--quiet", "--seed", "1", "--out", tmp_path / "out")
        assert not (tmp_path / "ran").exists()


@pytest.mark.flow
def test_a_tournament_on_the_command_line(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, player in {"a": RANDOM, "b": OSLA, "c": FIRST}.items():
        file(player, f"here/agents/{name}.json")
    path = file({"game": "TicTacToe", "playerDirectory": "agents", "mode": "exhaustive", "matchups": 7, "odd": 1})
    result = run_tag("tournament", path, "--no-ray", "--no-tracking", "--quiet", "--seed", 2, "--out", "out", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["games"] == 6
    assert result.stderr.count("does not mean quite the same") == 1
    assert result.stderr.count("c.json: is left out") == 1
    assert result.stderr.count("odd=1: is unknown to TAG, too") == 1


@pytest.mark.flow
def test_several_games_on_the_command_line(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = {
        "game": "TicTacToe|LoveLetter",
        "playerRange": "2",
        "playerDirectory": "random",
        "matchups": 2,
        "seed": 1,
    }
    path = file(content)
    result = run_tag("series", path, "--no-ray", "--no-tracking", "--quiet", "--out", "out")
    assert result.exit_code == 0, result.stderr
    assert sorted(one.name for one in (tmp_path / "out").iterdir() if one.is_dir()) == [
        "love_letter-2p",
        "tic_tac_toe-2p",
    ]


def test_a_definition_is_told_from_a_game(file):
    """A file with a game's parameters stays the spec of a game."""
    path = file({"class": "games.tictactoe.TicTacToeGameParameters"})
    assert definition_in(str(path), {}) is None
    assert definition_in("tic_tac_toe", {}) is None
    with pytest.raises(TagError):
        definition_in(str(path.parent / "missing.toml"), {})
