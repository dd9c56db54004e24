"""Games played by script, or at random, under a metric."""

from tag import Agent, Game, Listener, Rng, make_agent
from tag.catalogue.registry import metric_class


class Scripted(Agent):
    """Takes the actions with given texts, one after the other, in all seats."""

    wants_single_actions = True

    def __init__(self, texts):
        super().__init__()
        self.texts = iter(texts)

    def act(self, observation, actions):
        text = next(self.texts)
        by_text = {str(action): action for action in actions}
        assert text in by_text, f"{text!r} is not among {sorted(by_text)}"
        return by_text[text]


class Log(Listener):
    """Keeps who has done what, as text, and the events."""

    def __init__(self):
        self.actions = []
        self.events = []

    def on_action_taken(self, state, player, action):
        self.actions.append((int(player), str(action)))

    def on_game_event(self, state, event):
        self.events.append(event)


def metric_of(model, game):
    """Return the metric of ``game`` at the start of a game."""
    return metric_class(game)(model, Rng(1))


def scripted(model, game, state, *texts):
    """Return what the metric of ``game`` measures if the actions with these texts follow on ``state``, and no more."""
    metric = metric_of(model, game)
    agent = Scripted(texts)
    playing = Game(model, [agent] * state.n_players, 1, listeners=[metric])
    state.recording = True
    playing.state = state
    playing._turn, playing._round = state.turn, state.round
    playing.start()
    for _text in texts:
        playing.step()
        assert playing.faults == []
    metric.on_end(state)
    return metric.values()


def random_game(model, game, n_players, seed):
    """Return the end of a random game, what was done in it, and what the metric of ``game`` measured."""
    metric, log = metric_of(model, game), Log()
    agents = [make_agent("random") for _seat in range(n_players)]
    state = Game(model, agents, seed, listeners=[log, metric]).play()
    return state, log, metric.values()
