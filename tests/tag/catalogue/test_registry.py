"""Finding games, agents and heuristics by name and by path."""

import pytest

from tag import make_agent, make_game
from tag.catalogue.registry import (
    agent_class,
    agent_names,
    canonical,
    dimensions_of,
    game_class,
    game_names,
    heuristic_class,
    metric_class,
    metrics_for,
)
from tag.catalogue.user_code import load_class, provide_source, source_of
from tag.engine.parameters import Parameters
from tag.errors import ParameterError, TagError, UnknownNameError, UserCodeError
from tag.playing.metrics import METRICS

AGENT = """
from tag import Agent

class Last(Agent):
    def act(self, observation, actions):
        return actions[-1]
"""


def test_names_are_those_of_the_files():
    assert {"tic_tac_toe"} <= set(game_names())
    assert {"random"} <= set(agent_names())
    for name in game_names():
        assert game_class(name).game_type.title
    for name in agent_names():
        assert issubclass(agent_class(name).parameters_class, Parameters)


@pytest.mark.parametrize(
    ("make", "spec", "kind", "sentence"),
    [
        (make_game, "tic_tac_to", UnknownNameError, "no game named 'tic_tac_to'; did you mean 'tic_tac_toe'?"),
        (make_agent, "randm", UnknownNameError, "no agent named 'randm'; did you mean 'random'?"),
        (
            make_game,
            "tic_tac_toe:sise=3",
            UnknownNameError,
            "tic_tac_toe: no parameter named 'sise'; did you mean 'size'?",
        ),
        (
            make_game,
            "tic_tac_toe:size=1",
            ParameterError,
            "tic_tac_toe: size cannot be 1; the range is 2..10, the nearest value 2",
        ),
        (make_agent, "nowhere.py:Mine", UserCodeError, "cannot read 'nowhere.py': No such file or directory"),
    ],
)
def test_mistakes_are_one_sentence(make, spec, kind, sentence):
    with pytest.raises(kind) as caught:
        make(spec)
    assert str(caught.value) == sentence


def test_canonical_specs_name_what_differs_from_the_defaults():
    parameters = game_class("tic_tac_toe").game_type.parameters
    assert canonical("tic_tac_toe:size=3", parameters) == "tic_tac_toe"
    assert canonical(" tic_tac_toe:size=04", parameters) == "tic_tac_toe:size=4"


def test_agents_by_path(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(AGENT)
    for spec in (f"{file}:Last", str(file)):
        assert type(make_agent(spec)).__name__ == "Last"


GAME = """
from tag import ForwardModel, GameType, Metric

class Bids(Metric):
    pass

class Mine(ForwardModel):
    game_type = GameType("Mine", 1, 2, metric=Bids)

class Other(ForwardModel):
    pass

class OtherMetric(Metric):
    pass
"""


def test_metrics_are_those_that_games_declare(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(GAME)
    assert metrics_for("love_letter") == [*METRICS, "love_letter"]
    assert metrics_for("tic_tac_toe") == [*METRICS]
    assert metrics_for(f"{file}:Mine") == [*METRICS, f"{file}:Bids"]
    assert metrics_for(f"{file}:Other") == [*METRICS]
    assert metric_class("love_letter").__name__ == "LoveLetterMetric"
    assert metric_class(f"{file}:Bids").__name__ == "Bids"


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        (AGENT, "Lost", "no Agent in .* named 'Lost'; did you mean 'Last'"),
        ("import nothing_like_it", "Last", "cannot import .*: ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("class Last:", "Last", "cannot import .*: IndentationError"),
        ("", "", "has 0 classes of kind Agent; name one as"),
        (AGENT.replace("Agent)", "object)"), "Last", "Last in .* is no subclass of Agent"),
    ],
)
def test_files_that_do_not_work(tmp_path, text, name, sentence):
    file = tmp_path / "broken.py"
    file.write_text(text)
    with pytest.raises(TagError, match=sentence):
        make_agent(f"{file}:{name}" if name else str(file))


def test_a_provided_source_stands_for_the_file():
    provide_source("elsewhere/mine.py", AGENT)
    assert source_of("elsewhere/mine.py:Last") == ("elsewhere/mine.py", AGENT)
    first = load_class("elsewhere/mine.py:Last", object)
    assert load_class("elsewhere/mine.py", object) is first
    provide_source("elsewhere/mine.py", AGENT + "\n# changed")
    assert load_class("elsewhere/mine.py", object) is not first


def test_what_can_be_tuned_includes_the_specs_inside():
    spec = "rhea:heuristic=(score_win:bonus=3),opponent=(mcts:heuristic=love_letter)"
    names = [dimension.name for dimension in dimensions_of(spec, agent_class("rhea").parameters_class)]
    assert {"horizon", "heuristic", "heuristic.bonus", "opponent.k", "opponent.heuristic.affection"} <= set(names)
    assert len(set(names)) == len(names)
    tuned = make_agent(f"{spec},heuristic.bonus=7")
    assert tuned.parameters.heuristic == "score_win:bonus=7"
    with pytest.raises(ParameterError, match="score_win: bonus cannot be -1.0; the range is 0..10000"):
        make_agent("rhea:heuristic=score_win,heuristic.bonus=-1")


def test_dimensions_of_what_is_in_a_spec_keep_their_own_names_there():
    whole = dimensions_of("mcts:heuristic=love_letter", agent_class("mcts").parameters_class)
    own = heuristic_class("love_letter").parameters_class.dimensions()
    assert own
    assert [f"heuristic.{one.name}" for one in own] == [d.name for d in whole if d.name.startswith("heuristic.")]
