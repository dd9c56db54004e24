"""Files of learned models: they hold what was learned, exactly, and nothing in them is trusted."""

import json
from array import array
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from tag import Knowledge, Rng, Simulator, make_agent, make_game, make_heuristic
from tag.catalogue import models, user_code
from tag.catalogue.models import Model, from_bytes, read_model, rules_of, to_bytes
from tag.catalogue.registry import check_game, make_learner, sources_in
from tag.errors import DataError, ParameterError, TagError

pytestmark = pytest.mark.flow

SPEC = "td_ntuple:tuples=lines,rates=constant"
ARRAYS = st.one_of(
    st.lists(st.floats(allow_nan=False)).map(lambda values: array("d", values)),
    st.lists(st.integers(-(1 << 63), (1 << 63) - 1)).map(lambda values: array("q", values)),
    st.binary().map(lambda values: array("B", values)),
)
NAMES = st.text("abcdefgh_", min_size=1, max_size=8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def trained(spec=SPEC, game="tic_tac_toe", players=2, episodes=30, seed=1):
    learner = make_learner(spec, make_game(game), players, episodes, seed)
    while learner.episodes < episodes:
        learner.play_episode()
    return learner


def model_of(learner, spec=SPEC, game="tic_tac_toe", to_go_on=False):
    episodes = int(learner.n_episodes)
    rules = rules_of(learner.model)
    found = learner.knowledge(to_go_on)
    done, moves = int(learner.episodes), int(learner.moves)
    return Model(spec, game, rules, int(learner.n_players), episodes, done, moves, int(learner.seed), "1", found)


@pytest.fixture
def file(tmp_path):
    """Return the name of the file of a model of tic-tac-toe."""
    path = tmp_path / "model.safetensors"
    path.write_bytes(to_bytes(model_of(trained())))
    return str(path)


@given(st.dictionaries(st.text(), PLAIN, max_size=3), st.dictionaries(NAMES, ARRAYS, max_size=3))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_what_is_written_is_read(facts, arrays):
    model = Model("a", "b", {}, 2, 5, 3, 7, 1, "1", Knowledge(facts, arrays))
    content = to_bytes(model)
    assert from_bytes(content, "it") == model
    assert to_bytes(from_bytes(content, "it")) == content


@given(st.data())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_a_damaged_file_is_refused_or_differs_in_values_only(data):
    content = bytearray(
        to_bytes(Model("a", "b", {}, 2, 5, 3, 7, 1, "1", Knowledge({"x": 1}, {"w": array("d", [1, 2])})))
    )
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= data.draw(st.integers(1, 255))
    with suppress(DataError):
        assert len(from_bytes(bytes(content), "it").knowledge.arrays) == 1


@given(st.binary(max_size=400))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_any_other_file_is_refused(content):
    with pytest.raises(DataError, match="is no model"):
        from_bytes(content, "it")


def test_a_header_cannot_claim_more_than_there_is():
    for about in (
        {"dtype": "F64", "shape": [1 << 60], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [1], "data_offsets": [-8, 0]},
        {"dtype": "BF16", "shape": [1], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": "many", "data_offsets": [0, 8]},
    ):
        text = json.dumps({"__metadata__": {"tag": "{}"}, "w": about}).encode()
        with pytest.raises(DataError, match="is no model"):
            from_bytes(len(text).to_bytes(8, "little") + text + bytes(8), "it")


def test_values_are_the_same_from_the_file(file):
    learner = trained()
    there = make_heuristic(f"learned:file={file}")
    state = learner.model.setup(2, Rng(0))
    seen = 0
    stack = [state]
    while stack:
        state = stack.pop()
        values = [0.0, 0.0]
        there.value_all(state, values)
        assert values == [learner.values().value(state, player) for player in (0, 1)]
        assert values[0] == -values[1]
        seen += 1
        if not state.is_terminal and state.tick < 3:
            stack += [learner.model.afterstate(state, action) for action in learner.model.available_actions(state)]
    assert seen > 500


def test_the_same_arrays_can_be_read_by_others(file):
    arrays = read_model(file).knowledge.arrays
    others = load_file(file)
    assert {name: list(values) for name, values in others.items()} == {n: list(v) for n, v in arrays.items()}


@pytest.mark.parametrize(
    ("game", "players", "message"),
    [
        ("connect_four", 2, "it has learned Tic-tac-toe, not Connect Four"),
        ("tic_tac_toe:size=4", 2, "it has learned tic_tac_toe, whose parameters differ"),
    ],
)
def test_another_game_is_refused(file, game, players, message):
    for agent in (f"learned:file={file}", f"osla:heuristic=(learned:file={file})"):
        with pytest.raises(ParameterError, match=message):
            check_game(agent, make_game(game), players)
        check_game(agent, make_game("tic_tac_toe"), 2)


def test_no_agent_plays_that_has_not_learned():
    with pytest.raises(TagError, match="learned has not learned anything"):
        make_agent("learned")


@pytest.mark.parametrize("kind", [make_agent, make_heuristic])
def test_a_model_that_is_not_there_is_named(kind):
    with pytest.raises(DataError, match="cannot read the model 'nowhere'"):
        kind("learned:file=nowhere")


@pytest.mark.parametrize(
    "change",
    [
        {"weights": array("d", [1.0, 2.0])},
        {"places": array("q", [-1])},
        {"places": array("q", [1 << 40])},
        {"places": array("d", [0.0])},
        {"weights": array("d", [float("nan")])},
        {"steps": array("d", [0.0])},
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path, change):
    model = model_of(trained())
    model.knowledge.arrays = {"places": array("q", [0]), "weights": array("d", [0.5]), **change}
    path = tmp_path / "model"
    path.write_bytes(to_bytes(model))
    with pytest.raises(DataError, match="the model has"):
        make_agent(f"learned:file={path}")


@pytest.mark.parametrize("part", ["game", "learner"])
def test_a_model_cannot_have_code_run(tmp_path, part):
    code = tmp_path / "evil.py"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    model = model_of(trained())
    setattr(model, part, f"{code}:Any" if part == "game" else f"td_ntuple:tuples=({code}:Any)")
    path = tmp_path / "model"
    path.write_bytes(to_bytes(model))
    with pytest.raises(DataError, match="needs the code in"):
        make_agent(f"learned:file={path}")
    assert not (tmp_path / "ran").exists()


def test_nor_by_the_file_of_an_agent_that_it_names(tmp_path):
    code, agent = tmp_path / "evil.py", tmp_path / "agent.json"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    agent.write_text(json.dumps({"name": "restricted", "parameters": {"agent": f"{code}:Any"}}))
    model = model_of(trained())
    model.learner = f"regression:agent={agent}"
    path = tmp_path / "model"
    path.write_bytes(to_bytes(model))
    with pytest.raises(DataError, match="needs the code in .*evil.py"):
        make_agent(f"learned:file={path}")
    assert not (tmp_path / "ran").exists()


def test_a_file_that_has_changed_is_refused(tmp_path, file, monkeypatch):
    spec = f"osla:heuristic=(learned:file={file})"
    found = sources_in("agent", spec)
    assert list(found) == [file]
    monkeypatch.setattr(user_code, "_sources", dict(found))
    make_agent(spec)
    other = to_bytes(model_of(trained(seed=2)))
    (tmp_path / "model.safetensors").write_bytes(other)
    with pytest.raises(DataError, match="has changed since"):
        make_agent(spec)


@pytest.mark.parametrize("option", ["episodes=5", "seed=2"])
def test_what_a_file_has_decided_is_refused_beside_it(file, option):
    with pytest.raises(ParameterError, match=f"{option.replace('=', ' cannot be ')} beside a file"):
        make_agent(f"learned:file={file},{option}")


def test_a_node_without_the_file_gets_its_content(tmp_path, file, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    ((name, digest),) = models.models_in(sources_in("heuristic", f"learned:file={file}")).items()
    content = models.content_of(name)
    assert models.is_here(name, digest)
    (tmp_path / "model.safetensors").unlink()
    assert not models.is_here(name, digest)
    models.keep(digest, content)
    assert models.is_here(name, digest)
    monkeypatch.setattr(user_code, "_sources", {name: digest})
    make_agent(f"learned:file={file}")


@pytest.mark.parametrize(
    ("game", "players", "spec"),
    [
        ("tic_tac_toe", 2, f"{SPEC},trace=0.6,horizon=3"),
        ("tic_tac_toe", 2, "td_ntuple:tuples=lines,replay=20,replay_batch=5"),
        ("tic_tac_toe", 2, f"{SPEC},learns=sarsa,replay=15"),
        ("hex:size=3", 2, "td_ntuple:n_tuples=4,length=3,learns=q,rates=tc"),
        ("tic_tac_toe", 2, "td_ntuple:tuples=lines,learns=q,replay=15,trace=0.5"),
        ("nim", 3, "td_ntuple:n_tuples=4,length=2,random_start=0.5"),
        ("twenty_forty_eight:target=32", 1, "td_ntuple:n_tuples=3,length=3,n_values=6,learns=states,reward=score"),
    ],
)
@pytest.mark.parametrize("stops", [(11,), (1, 2, 23)])
def test_a_learner_goes_on_from_its_knowledge_bit_for_bit(game, players, spec, stops):
    wanted = to_bytes(model_of(trained(spec, game, players), spec, game, to_go_on=True))
    learner = make_learner(spec, make_game(game), players, 30, 1)
    for stop in (*stops, 30):
        while learner.episodes < stop:
            learner.play_episode()
        content = to_bytes(model_of(learner, spec, game, to_go_on=True))
        learner = make_learner(spec, make_game(game), players, 30, 1)
        learner.restore(from_bytes(content, "it").knowledge)
    assert content == wanted


def test_expectimax_asks_for_values_before_chance(tmp_path):
    """One step deep, it values actions as the learned agent does, which looks at the position before the tile."""
    spec, game = "td_ntuple:n_tuples=5,length=3,n_values=6,reward=score,epsilon=0", "twenty_forty_eight"
    path = tmp_path / "model"
    path.write_bytes(to_bytes(model_of(trained(spec, game, 1, episodes=3), spec, game)))
    heuristic = f"(learned:file={path})"
    specs = [f"learned:file={path}", f"expectimax:heuristic={heuristic},depth=1,table=0"]
    found = [decisions(spec, make_game(game)) for spec in specs]
    assert len(found[0]) == len(found[1]) > 20
    for mine, others in zip(*found, strict=True):
        assert mine == {action: pytest.approx(value) for action, value in others.items()}


def decisions(spec, model):
    """Return the values of the actions in the positions of a random game."""
    rng, agent = Rng(3), make_agent(spec)
    state = model.setup(1, rng)
    agent.sim = Simulator(model, Rng(4), agent.new_budget())
    agent.start_game(state)
    found = []
    while not state.is_terminal:
        actions = model.available_actions(state)
        agent.sim.budget.start()
        agent.act(state.copy(), list(actions))
        found.append({one["action"]: one["value"] for one in agent.statistics()["actions"]})
        model.next(state, model.random_action(state, rng), rng)
    return found
