"""``tag inspect``: what agents think of each action, the same at each look, and as in the game that they would play."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import run_tag

from tag import Rng, make_game
from tag.catalogue.registry import game_class, game_names, make_agent
from tag.check.agents import agents_of_any_game, with_budget
from tag.cli.inspection.inspection import Inspection
from tag.cli.inspection.screen import InspectionScreen
from tag.cli.inspection.text import inspection_text
from tag.cli.screens.keys import keys_in
from tag.engine.snapshot import state_hash
from tag.orders import GameOrder, play_order
from tag.playing.inspection import InspectedGame
from tag.table.game import Adviser, Start

FLAT = str(Path(__file__).parents[3] / "examples" / "flat_monte_carlo.py") + ":FlatMonteCarlo:budget=30"
SEARCHERS = [
    "mcts:budget=60,reuse_tree=true",
    "rhea:budget=40,shift_buffer=true",
    "osla:samples=2",
    "random",
    FLAT,
]
#: Agents whose figures have a value for each action that they looked at.
WITH_FIGURES = [name for name in agents_of_any_game() if name not in ("random", "restricted")]


def run(*arguments):
    return run_tag("inspect", *arguments)


def inspection(game="tic_tac_toe", agents=("mcts:budget=60",), players=2, seed=7, since=0, viewer=None):
    start = Start(game, players, seed)
    found = Inspection(start, viewer)
    found.agents = [Adviser(start, spec, since) for spec in agents]
    return found


def press(screen, text):
    keys, _rest = keys_in(text)
    return all([screen.press(key) for key in keys])


def thoughts(inspected):
    """Return all decisions in a position but their times."""
    return [(spec, decision.choice, decision.by_action, decision.figures) for spec, decision in inspected.decisions()]


# --- figures --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_names())
def test_figures_are_those_of_the_available_actions_in_every_game(game):
    kind = game_class(game).game_type
    spec = ":".join(filter(None, (game, kind.check_parameters)))
    for name in WITH_FIGURES:
        for budget in (2, 100):
            # In Hex its preset plays what a bot advises, seen by the search or not.
            agent = with_budget("mcts:preset=none" if name == "mcts" else name, budget)
            table = InspectedGame(make_game(spec), [make_agent(agent) for _seat in range(kind.min_players)], 3)
            rng = Rng(3)
            asked = 0
            while asked < 3 and not table.state.is_terminal:
                actions = table.model.available_actions(table.state)
                decision = table.decide()
                if len(actions) > 1:
                    asked += 1
                    told = table.agents[table.state.current_player].statistics()["actions"]
                    assert sorted(row["action"] for row in told) == sorted(map(str, actions)), agent
                    assert len(decision.by_action) == len(actions)
                    assert all(row["value"] is None or isinstance(row["value"], float) for row in decision.by_action)
                    values = [row["value"] for row in decision.by_action]
                    assert set(values) == {None} or values[decision.choice] is not None, agent
                    unpaid = budget == 2 or name == "mccfr" or (name == "expectimax" and kind.chance)
                    assert set(values) != {None} or unpaid, agent
                table.take(int(rng.below(len(actions))))


def test_restricted_agents_tell_the_figures_of_the_agent_inside_and_none_for_what_they_never_play():
    inspected = inspection("love_letter", ["restricted:agent=osla,without=Guard", "osla"])
    seen = set()
    while inspected.actions:
        kinds = [type(action).__name__ for action in inspected.actions]
        (_spec, restricted), _osla = inspected.decisions()
        if any(restricted.by_action):
            withheld = "Guard" if set(kinds) != {"Guard"} else ""  # who has nothing else plays it
            assert [row["value"] is None for row in restricted.by_action] == [kind == withheld for kind in kinds]
            seen.add(withheld in kinds)
        inspected.play(len(inspected.actions) // 2)
    assert seen == {True, False}


def test_values_of_max_n_are_those_of_brute_force():
    """In all positions of some lines of tic-tac-toe; where the search cut an action off, its value may only be less."""
    model = make_game("tic_tac_toe")

    def value(state, player):
        if state.is_terminal:
            return state.result_value(player)
        values = [value(model.afterstate(state, action), player) for action in model.available_actions(state)]
        return max(values) if state.current_player == player else min(values)

    budget = "budget=1000000"
    exact = 0
    for seed in range(4):
        specs = [f"max_n:{budget}", f"max_n:opponents=max_n,{budget}", f"expectimax:{budget}"]
        inspected = inspection(agents=specs, since=2)
        rng = Rng(seed)
        for _move in range(2):
            inspected.play(int(rng.below(len(inspected.actions))))
        while inspected.actions:
            state = inspected.state
            player = int(state.current_player)
            values = [value(model.afterstate(state, action), player) for action in inspected.actions]
            for spec, decision in inspected.decisions():
                if len(values) == 1:
                    continue
                assert values[decision.choice] == max(values)
                for row, true in zip(decision.by_action, values, strict=True):
                    assert row["value"] >= true
                    if not row.get("is_bound"):
                        assert row["value"] == true
                        exact += 1
                assert "opponents=max_n" not in spec or not any("is_bound" in row for row in decision.by_action)
            inspected.play(int(rng.below(len(values))))
    assert exact > 50


def test_figures_say_why_an_agent_chooses():
    """With pooling, plans of earlier generations can have a greater estimate at the end than the one that is played."""
    alone = "budget=300,pooling=0"
    agents = ["mcts:budget=300", f"rhea:{alone}", f"rmhc:{alone}", "osla", "learned:episodes=20"]
    inspected = inspection(agents=agents)
    while inspected.actions:
        (_spec, mcts), *others = inspected.decisions()
        if len(inspected.actions) > 1:
            visits = [row["visits"] for row in mcts.by_action]
            assert visits[mcts.choice] == max(visits)
            assert sum(visits) == mcts.figures["iterations"]
            for spec, decision in others:
                values = [row["value"] for row in decision.by_action if row["value"] is not None]
                assert decision.by_action[decision.choice]["value"] == max(values), spec
                if "budget" in spec:  # which may cut the last plan
                    evaluations = decision.figures["evaluations"]
                    assert sum(row["visits"] for row in decision.by_action) in (evaluations - 1, evaluations), spec
        inspected.play(0)


# --- streams --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tic_tac_toe", "love_letter", "exploding_kittens"])
@pytest.mark.parametrize("agent", SEARCHERS)
def test_the_marked_choice_is_what_tag_play_plays(game, agent):
    choices = play_order(GameOrder("play", game, (agent, agent), 5, record_actions=True)).choices
    inspected = inspection(game, [agent], seed=5)
    for choice in choices[:60]:
        assert inspected.decisions()[0][1].choice == choice
        inspected.play(choice)
    moves = min(len(choices), 60) - 3
    shown = json.loads(run(game, "--agent", agent, "--players", 2, "--seed", 5, "--moves", moves, "--json").output)
    assert shown["agents"][0]["choice"] == choices[moves]


@pytest.mark.parametrize("game", ["connect_four", "love_letter"])
def test_undo_leads_back_to_the_same_position_and_the_same_thoughts(game):
    """A decision follows from the line of actions alone: not from what was looked at before, and taken back."""
    agents = SEARCHERS[:4]
    straight, wandering = (inspection(game, agents, since=2) for _time in range(2))
    seen = []
    for tick in range(6):
        seen.append((state_hash(straight.state), thoughts(straight)))
        straight.play(tick % len(straight.actions))
    for tick in range(6):
        hash_before = state_hash(wandering.state)
        for number in (len(wandering.actions) - 1, 0):
            wandering.play(number)
            if wandering.actions:
                wandering.decisions()
                wandering.play(0)
                wandering.undo()
            wandering.undo()
            assert state_hash(wandering.state) == hash_before
        assert (state_hash(wandering.state), thoughts(wandering)) == seen[tick]
        wandering.play(tick % len(wandering.actions))
    wandering.undo(99)
    assert (wandering.line, state_hash(wandering.state)) == ((), seen[0][0])


def test_agents_are_first_asked_in_the_position_that_is_shown():
    """An agent that draws from its stream once per decision shows how often it was asked."""
    plain = inspection(agents=["random"], since=3)
    for _action in range(3):
        plain.play(0)
    first = InspectedGame(make_game("tic_tac_toe"), [make_agent("random"), make_agent("random")], 7)
    for _action in range(3):
        first.take(0)
    assert plain.decisions()[0][1].choice == first.decide().choice


# --- the text -------------------------------------------------------------------------------------------------------------


def test_one_position_is_printed_where_there_is_no_terminal():
    result = run("tic_tac_toe", "--actions", "b2,A1", "--agent", "mcts:budget=50", "--agent", "random", "--seed", 3)
    assert result.exit_code == 0
    assert result.output.startswith("after 2 actions, player 0 to move\nlast: player 1: a1\n\n")
    heading, *rows = result.output.split("\n\n")[2].splitlines()
    assert heading.split() == ["action", "mcts", "value", "visits", "random"]
    assert [row.split()[:2] for row in rows] == [
        [str(n), text] for n, text in enumerate(["b1", "c1", "a2", "c2", "a3", "b3", "c3"])
    ]
    assert result.output.count("►") == 2
    assert re.search(r"^mcts:budget=50: \w\d \(iterations \d+; .*; \d+\.\d ms\)$", result.output, re.MULTILINE)
    with pytest.raises(json.JSONDecodeError):
        json.loads(result.output)


def test_agents_of_the_same_name_are_numbered():
    output = run("tic_tac_toe", "--agent", "mcts:budget=9", "--agent", "mcts:budget=8", "--agent", FLAT).output
    assert "mcts 1" in output
    assert "\nmcts 2, mcts:budget=8: " in output
    assert f"\nFlatMonteCarlo, {FLAT}: " in output


def test_the_tree_is_shown_to_the_depth_that_is_asked_for():
    arguments = ["tic_tac_toe", "--actions", "b2,a1", "--agent", "mcts:budget=3000", "--agent", "random"]
    plain = run(*arguments).output
    shown = run(*arguments, "--tree", 2).output
    assert shown.partition("mcts expects")[0].count("\n") == plain.count("\n") + 1
    assert shown.endswith("\n\nrandom has no search tree\n")
    heading, *rows = shown.split("\n\n")[-2].splitlines()
    assert heading.split() == ["tree", "player", "visits", "value", "own", "value"]
    first, *_more = [row for row in rows if not row.startswith(" ")]
    assert re.search(rf"mcts expects: player 0: {first.split()[0]}, player 1: {rows[1].split()[0]}", shown)
    assert len([row for row in rows if not row.startswith(" ")]) == 7
    assert all(int(row.split()[2]) >= 2 for row in rows if "more" not in row)
    assert any(re.fullmatch(r"  … \d+ more", row) for row in rows)


def test_json_has_the_line_and_the_tree():
    agents = ["--agent", "mcts:budget=300", "--agent", "max_n:budget=300", "--agent", "random"]
    arguments = ["tic_tac_toe", "--actions", "b2,a1", *agents, "--json"]
    without = json.loads(run(*arguments).output)["agents"]
    mcts, max_n, random = json.loads(run(*arguments, "--tree", 2).output)["agents"]
    assert all("tree" not in agent for agent in [*without, random])
    assert "action" not in mcts["tree"]
    for agent in (mcts, max_n):
        first = agent["tree"]["children"][0]
        assert agent["line"][0]["action"] == first["action"]
        assert len(agent["tree"]["children"]) == 7
        assert first["children"]
        assert all("children" not in node for node in first["children"])
    assert mcts["tree"]["visits"] == mcts["figures"]["iterations"]
    assert len(mcts["tree"]["values"]) == 2


def test_trees_of_other_players_are_not_shown():
    shown = json.loads(run("love_letter", "--tree", 2, "--view", 1, "--json").output)
    assert shown["agents"] == []
    assert "tree" not in run("love_letter", "--tree", 2, "--view", 1).output


@pytest.mark.parametrize("game", ["virus", "love_letter", "tic_tac_toe", "pandemic"])
def test_json_round_trips_by_the_texts_of_what_was_played(game):
    shown = ("--agent", "osla", "--view", -1, "--json")
    result = json.loads(run(game, "--moves", 6, "--by", "random", *shown).output)
    again = json.loads(run(game, "--actions", ", ".join(result["played"]), *shown).output)
    for one in (result, again):
        for agent in one["agents"]:
            assert len(agent["actions"]) == len(one["actions"])
            assert 0 <= agent["choice"] < len(one["actions"])
            del agent["seconds"]
    assert again == result


def test_the_end_has_the_results():
    result = run("tic_tac_toe", "--agent", "random", "--moves", 99)
    assert ", the game is over\n" in result.output
    assert re.search(r"^player 1: \w+, place \d, score ", result.output, re.MULTILINE)
    ended = json.loads(run("tic_tac_toe", "--agent", "random", "--moves", 99, "--json").output)
    assert (ended["player"], ended["actions"], ended["agents"], len(ended["results"])) == (None, [], [], 2)


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_nothing_that_a_player_does_not_see_is_shown(as_json):
    """Player 0 looks at positions of player 1: no hand, no actions, no figures. And each looks at their own only."""
    for moves in range(8):
        arguments = ["love_letter", "--agent", "osla", "--moves", moves, *as_json]
        everything = inspection("love_letter", ["osla"], seed=1)
        for _move in range(moves):
            everything.play(everything.agents[0].choice(everything.line))
        state = everything.state
        player = int(state.current_player)
        other = run(*arguments, "--view", 1 - player).output
        mine = run(*arguments).output
        for text, viewer in ((other, 1 - player), (mine, player)):
            position = json.loads(text)["position"] if as_json else text
            assert state.text(viewer) in position
            assert state.text(-1) not in position or state.text(-1) == state.text(viewer)
        assert all(action.text(state, player) in mine for action in everything.actions)
        if as_json:
            assert (json.loads(other)["actions"], json.loads(other)["agents"]) == ([], [])
        else:
            hidden = f"player {1 - player} does not see the actions of player {player}\n"
            assert other.endswith(f"\n\n{state.text(1 - player)}\n\n{hidden}")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["tic_tac_toe", "--actions", "0,zz"],
            "action 2 cannot be 'zz', which is not available to player 1; there are: ",
        ),
        (["tic_tac_toe", "--actions", "9"], "action 1 cannot be number 9; there are 0 to 8"),
        (["tic_tac_toe", "--actions", ","], "action 1 cannot be ''"),
        (["tic_tac_toe", "--actions", "0,3,0,3,0,0"], "action 6 cannot be '0'; the game is over after 5 actions"),
        (["tic_tac_toe", "--moves", "-1"], "--moves cannot be -1; the least is 0"),
        (["tic_tac_toe", "--by", "random"], "--by cannot be 'random' without --moves, which it plays"),
        (["tic_tac_toe", "--view", "2"], "--view cannot be 2; the players are 0 to 1"),
        (["tic_tac_toe", "--players", "3"], "Tic-tac-toe is for 2 players, not 3"),
        (["tic_tac_toe", "--agent", "mtcs"], "no agent named 'mtcs'; did you mean 'mcts'?"),
        (["tic_tac_toe", "--moves", "1", "--by", "mtcs"], "no agent named 'mtcs'"),
        (["tictactoe"], "no game named 'tictactoe'"),
        (["tic_tac_toe", "--step"], "--step needs a terminal"),
        (["tic_tac_toe", "--tree", "101"], "--tree cannot be 101; the most is 100"),
    ],
)
def test_mistakes_are_one_sentence(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"tag: {sentence}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_an_action_with_the_text_of_another_is_named_by_its_number():
    rng = Rng(1)
    for seed in range(40):
        inspected = inspection("colt_express", [], seed=seed, players=6)
        while inspected.actions:
            texts = inspected.texts()
            twice = next((text for text in texts if texts.count(text) > 1), None)
            if twice is not None:
                line = ",".join(map(str, inspected.line))
                result = run("colt_express", "--players", 6, "--seed", seed, "--actions", f"{line},{twice}")
                assert "name one by number" in result.stderr
                return
            inspected.play(int(rng.below(len(texts))))
    raise AssertionError("no such position was met")


def test_an_agent_that_fails_is_told_and_not_followed(tmp_path):
    file = tmp_path / "faulty.py"
    file.write_text(
        "from tag import Agent\n\n\nclass Faulty(Agent):\n    def act(self, observation, actions):\n"
        "        raise ValueError('out of ideas')\n"
    )
    result = run("tic_tac_toe", "--agent", f"{file}:Faulty")
    assert result.exit_code == 0
    assert f"{file}:Faulty: exception: ValueError: out of ideas" in result.output
    assert "►" not in result.output
    moved = run("tic_tac_toe", "--agent", f"{file}:Faulty", "--moves", 1)
    assert moved.exit_code == 2
    assert "cannot play action 1: exception: ValueError: out of ideas" in moved.stderr


# --- keys -----------------------------------------------------------------------------------------------------------------


def screen(one, columns=120, lines=40):
    return re.sub(r"\x1b\[[0-9;]*m", "", one.screen(columns, lines))


def test_keys_play_and_take_back():
    inspected = inspection(agents=["osla", "random"])
    one = InspectionScreen("tic_tac_toe", inspected)
    start = screen(one)
    assert start.startswith("tic_tac_toe   after 0 actions, player 0 to move   (view of the player to move)\n")
    assert start.splitlines()[-1].startswith("Enter agent's choice")
    choice = inspected.decisions()[0][1].choice
    assert press(one, "\r")
    assert inspected.line == (choice,)
    press(one, "3")
    assert screen(one).splitlines()[-1] == "play action 3"
    press(one, "\r12\x7f\r ")
    assert inspected.line[:3] == (choice, 3, 1)
    assert len(inspected.line) == 4
    press(one, "u\x1b[D\x7f")
    assert inspected.line == (choice,)
    press(one, "\x1b[H")
    assert screen(one) == start
    press(one, "9\r")
    assert inspected.line == ()
    assert screen(one).splitlines()[-1] == "there is no action 9; they are 0 to 8"
    press(one, "?")
    assert "take the last action back" in screen(one)
    press(one, "u\r" * 3 + "\r" * 9)
    assert ", the game is over" in screen(one)
    press(one, "\r")
    assert screen(one).splitlines()[-1] == "the game is over"
    assert not press(one, "q")


def test_the_view_changes_and_hides_actions():
    inspected = inspection("love_letter", ["osla"], viewer=1)
    one = InspectionScreen("love_letter", inspected)
    assert "player 1 does not see the actions of player 0" in screen(one)
    press(one, "0\r")
    assert inspected.line == ()
    assert "player 1 does not see" in screen(one).splitlines()[-1]
    press(one, "\r")  # the agent may play unseen
    assert len(inspected.line) == 1
    views = []
    for _key in range(4):
        views.append(re.search(r"\(view (.*)\)", screen(one))[1])
        press(one, "v")
    assert views == ["of player 1", "of the player to move", "of everything", "of player 0"]
    assert inspected.viewer == 1


def test_a_long_table_fits_the_screen_around_the_choice():
    inspected = inspection("hex", ["mcts:budget=30"], seed=2)
    one = InspectionScreen("hex", inspected)
    text = screen(one, 100, 50)
    assert len(text.splitlines()) <= 50
    assert "►" in text
    assert "more" in text
    assert len(inspection_text(inspected).splitlines()) > 121


def test_a_position_can_be_set_up_by_hand_and_is_printed_as_it_is_read():
    told = run("tic_tac_toe", "--position", "210/010/001", "--to-move", 1, "--agent", "max_n", "--json")
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    assert found["cells"] == [2, 1, 0, 0, 1, 0, 0, 0, 1]
    assert found["actions"][found["agents"][0]["choice"]] == "b3"  # where player 0 would win
    for options, sentence in [
        (("--position", "21"), "has 9 cells here, not 2"),
        (("--position", "2 1 ?"), "a cell cannot be '?'"),
        (("--position", "210010001", "--to-move", 2), "player 2 cannot be to move; the players are 0 to 1"),
    ]:
        refused = run("tic_tac_toe", *options)
        assert refused.exit_code == 2
        assert sentence in refused.stderr
