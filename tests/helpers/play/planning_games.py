"""Small games for the tests of the agents that plan with one-step look-ahead and evolution, and ways to run these."""

from typing import cast

from mypy_extensions import i64

from tag import (
    LOSE,
    ONGOING,
    Action,
    Agent,
    AnyAction,
    ForwardModel,
    Game,
    GameState,
    GameType,
    Listener,
    Rng,
    Simulator,
    StateHeuristic,
    derive_seed,
    interned,
    make_agent,
)


class Step(Action[GameState]):
    """A step with a name and a gain; what it does is the forward model's business."""

    def __init__(self, name: str, gain: int = 0) -> None:
        self.name = name
        self.gain = gain

    def key(self) -> tuple[object, ...]:
        return (self.name, self.gain)

    def execute(self, state: GameState, rng: Rng) -> None:
        assert isinstance(state, WalkState)
        state.points += self.gain
        state.path = (*state.path, self.name)

    def __str__(self) -> str:
        return self.name


class WalkState(GameState):
    """One player's points and path."""

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.points = 0
        self.path: tuple[str, ...] = ()

    def copy(self) -> "WalkState":
        other = WalkState(self.n_players)
        self.copy_to(other)
        other.points, other.path = self.points, self.path
        return other

    def score(self, player: i64) -> float:
        return float(self.points)


REST = interned(Step("rest", 1))
CLIMB = interned(Step("climb", -2))


class Mountain(ForwardModel[WalkState]):
    """Five steps: each rest gains a point, the first climb costs two, each further climb gains three.

    Climbing all the way is best (10 points), but with one or two climbs one is worse off (2, 4) than without (5).
    """

    game_type = GameType("Mountain", 1, 1)
    height = 5

    def _setup(self, n_players: i64, rng: Rng) -> WalkState:
        return WalkState(n_players)

    def _available_actions(self, state: WalkState) -> list[AnyAction]:
        return [REST, CLIMB]

    def _after_action(self, state: WalkState, action: AnyAction, rng: Rng) -> None:
        self.end_player_turn(state)
        if action is CLIMB and state.path.count("climb") > 1:
            state.points += 5
        if len(state.path) == self.height:
            state.end_by_score()


DOORS = {"gold": interned(Step("gold", 5)), "stone": interned(Step("stone", 1))}
WALKS = {"gold": interned(Step("into a pit", -9)), "stone": interned(Step("on", 1))}


class Corridor(ForwardModel[WalkState]):
    """The golden door looks better, but of the forced steps behind the doors those behind stone lead up."""

    game_type = GameType("Corridor", 1, 2)

    def __init__(self, steps: int = 4) -> None:
        super().__init__()
        self.steps = steps

    def _setup(self, n_players: i64, rng: Rng) -> WalkState:
        return WalkState(n_players)

    def _available_actions(self, state: WalkState) -> list[AnyAction]:
        return [WALKS[state.path[0]]] if state.path else list(DOORS.values())

    def _after_action(self, state: WalkState, action: AnyAction, rng: Rng) -> None:
        self.end_player_turn(state)
        if len(state.path) > self.steps:
            state.end_by_score()


class RaidState(GameState):
    """A hidden number from 0 to 3 per player, and kills."""

    copies = 0

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.numbers = [0] * n_players
        self.kills = [0] * n_players

    def copy(self) -> "RaidState":
        RaidState.copies += 1
        other = RaidState(self.n_players)
        self.copy_to(other)
        other.numbers, other.kills = self.numbers[:], self.kills[:]
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        self.numbers = [own if seat == player else int(rng.below(4)) for seat, own in enumerate(self.numbers)]

    def score(self, player: i64) -> float:
        return float(self.kills[player])

    def remaining(self) -> list[int]:
        return [seat for seat in range(self.n_players) if self.result(seat) == ONGOING]


class RaidHeuristic(StateHeuristic):
    """Half a point for each kill; -1 for who is out."""

    def value(self, state: GameState, player: i64) -> float:
        raid = cast("RaidState", state)
        return -1.0 if raid.result(player) < 0 else min(0.5 * raid.kills[player], 1.0)


class Hold(Action[RaidState]):
    """Do nothing."""

    def execute(self, state: RaidState, rng: Rng) -> None:
        pass


class Leave(Action[RaidState]):
    """Be out of the game."""

    def execute(self, state: RaidState, rng: Rng) -> None:
        state.set_result(state.current_player, LOSE)


class Raid(Action[RaidState]):
    """Guess another's number: who is guessed right is out, who guesses wrong is out."""

    def __init__(self, target: int, number: int) -> None:
        self.target = target
        self.number = number

    def key(self) -> tuple[object, ...]:
        return (self.target, self.number)

    def execute(self, state: RaidState, rng: Rng) -> None:
        right = state.numbers[self.target] == self.number
        state.set_result(self.target if right else state.current_player, LOSE)
        state.kills[state.current_player] += right


HOLD, LEAVE = interned(Hold()), interned(Leave())


class Raiders(ForwardModel[RaidState]):
    """Hidden numbers, players who drop out, forced steps (a 3 can only hold at first), 2 to 5 players."""

    game_type = GameType("Raiders", 2, 5, heuristic=RaidHeuristic)
    turns = 5

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def next(self, state: RaidState, action: AnyAction, rng: Rng) -> None:
        assert action in self.available_actions(state)
        self.calls += 1
        super().next(state, action, rng)

    def _setup(self, n_players: i64, rng: Rng) -> RaidState:
        state = RaidState(n_players)
        state.numbers = [int(rng.below(4)) for _ in range(n_players)]
        return state

    def _available_actions(self, state: RaidState) -> list[AnyAction]:
        player = state.current_player
        if state.numbers[player] == 3 and state.tick < state.n_players:
            return [HOLD]
        raids = [interned(Raid(seat, n)) for seat in state.remaining() if seat != player for n in range(4)]
        return [HOLD, LEAVE, *raids]

    def _after_action(self, state: RaidState, action: AnyAction, rng: Rng) -> None:
        remaining = state.remaining()
        if len(remaining) < 2 or state.tick >= self.turns * state.n_players:
            state.end_by_score()
            return
        later = [seat for seat in remaining if seat > state.turn_player]
        self.give_turn(state, later[0] if later else remaining[0])


class Trace(Listener):
    """What was played, and what the agents spent."""

    def __init__(self) -> None:
        self.actions: list[AnyAction] = []
        self.costs: list[tuple[int, int, int]] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        self.actions.append(action)
        if agent is not None:
            budget = agent.sim.budget
            self.costs.append((int(budget.forward_model_calls), int(budget.iterations), int(budget.copies)))


def trace(model: ForwardModel, specs: list[str], seed: int) -> Trace:
    """Play a game and return what happened; faults are errors."""
    heard = Trace()
    game = Game(model, [make_agent(spec) for spec in specs], seed, listeners=[heard])
    game.play()
    assert game.faults == []
    return heard


def seated(spec: str | Agent, model: ForwardModel, state: GameState, seed: int = 1) -> Agent:
    """Return the agent (of ``spec``), ready to decide for the current player of ``state``."""
    agent = make_agent(spec) if isinstance(spec, str) else spec
    agent.player = state.current_player
    agent.sim = Simulator(model, Rng(seed), agent.new_budget())
    agent.start_game(state.copy())
    return agent


def decide(agent: Agent, state: GameState) -> AnyAction:
    """Return what a seated agent does in ``state``."""
    agent.sim.budget.start()
    return agent.act(state.copy(), agent.sim.available_actions(state))


def wins_and_draws(model: ForwardModel, spec: str, rival: str, games: int) -> tuple[int, int]:
    """Return how many of ``games`` for two the agent ``spec`` wins and draws, with seats changing."""
    wins = draws = 0
    for index in range(games):
        seat = index % 2
        specs = [spec, rival] if seat == 0 else [rival, spec]
        state = Game(model, [make_agent(text) for text in specs], derive_seed(5, index // 2)).play()
        wins += state.result(seat) == 2
        draws += state.result(seat) == 1
    return wins, draws


class Chances(WalkState):
    """Points, and a hidden card from 0 to 3."""

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.card = 0

    def copy(self) -> "Chances":
        other = Chances(self.n_players)
        self.copy_to(other)
        other.points, other.path, other.card = self.points, self.path, self.card
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        self.card = int(rng.below(4))


class Tenths(StateHeuristic):
    """A tenth for each point."""

    def value(self, state: GameState, player: i64) -> float:
        return cast("WalkState", state).points / 10.0


SURE, GAMBLE = interned(Step("sure", 6)), interned(Step("gamble"))
GUESSES = [interned(Step(f"guess {card}")) for card in range(4)]


class Bandit(ForwardModel[Chances]):
    """One decision: 0.6 for sure, or 1 with probability 0.3."""

    game_type = GameType("Bandit", 1, 1, heuristic=Tenths, hidden_information=False)

    def _setup(self, n_players: i64, rng: Rng) -> Chances:
        return Chances(n_players)

    def _available_actions(self, state: Chances) -> list[AnyAction]:
        return [SURE, GAMBLE]

    def _after_action(self, state: Chances, action: AnyAction, rng: Rng) -> None:
        if action is GAMBLE and rng.below(10) < 3:
            state.points = 10
        state.end_by_score()


class Fusion(ForwardModel[Chances]):
    """One decision: 0.6 for sure, or 1 for the right guess at a hidden card of four; in each deal a guess is best."""

    game_type = GameType("Fusion", 1, 1, heuristic=Tenths, chance=False)

    def _setup(self, n_players: i64, rng: Rng) -> Chances:
        state = Chances(n_players)
        state.card = int(rng.below(4))
        return state

    def _available_actions(self, state: Chances) -> list[AnyAction]:
        return [SURE, *GUESSES]

    def _after_action(self, state: Chances, action: AnyAction, rng: Rng) -> None:
        if action is GUESSES[state.card]:
            state.points = 10
        state.end_by_score()


DICE = [interned(Step(f"die and {more}", more)) for more in range(3)]


class Die(ForwardModel[Chances]):
    """One decision: how much is added to the throw of a die."""

    game_type = GameType("Die", 1, 1, heuristic=Tenths, hidden_information=False)

    def _setup(self, n_players: i64, rng: Rng) -> Chances:
        return Chances(n_players)

    def _available_actions(self, state: Chances) -> list[AnyAction]:
        return list(DICE)

    def _after_action(self, state: Chances, action: AnyAction, rng: Rng) -> None:
        state.points += int(rng.below(6))
        state.end_by_score()


def sure_choices(spec: str, model: ForwardModel, decisions: int) -> int:
    """Return how often an agent takes what is sure, in ``decisions`` with other seeds."""
    chosen = 0
    for seed in range(decisions):
        state = model.setup(1, Rng(seed))
        chosen += decide(seated(spec, model, state, derive_seed(3, seed)), state) is SURE
    return chosen
