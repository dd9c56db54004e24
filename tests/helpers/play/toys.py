"""Small games and agents for the tests of the engine."""

from mypy_extensions import i64

from tag import Action, Agent, AnyAction, Event, ForwardModel, GameState, GameType, Rng, interned


class PigState(GameState):
    """Totals of a race in which each player adds 1 to 3 per turn, plus a die."""

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.totals = [0] * n_players

    def copy(self) -> "PigState":
        other = PigState(self.n_players)
        self.copy_to(other)
        other.totals = self.totals[:]
        return other

    def score(self, player: i64) -> float:
        return float(self.totals[player])

    def __str__(self) -> str:
        return " ".join(str(total) for total in self.totals)


class Add(Action[PigState]):
    """Add a number and the roll of a die."""

    def __init__(self, number: int) -> None:
        self.number = number

    def key(self) -> tuple[object, ...]:
        return (self.number,)

    def execute(self, state: PigState, rng: Rng) -> None:
        state.totals[state.current_player] += self.number + int(rng.below(6))
        state.announce(Event("added", state.current_player, self.number))


ADDS: list[AnyAction] = [interned(Add(number)) for number in (1, 2, 3)]


class Race(ForwardModel[PigState]):
    """Three turns each; the highest total wins."""

    game_type = GameType("Race", 1, 4)
    rounds = 3

    def _setup(self, n_players: i64, rng: Rng) -> PigState:
        state = PigState(n_players)
        self.max_rounds = self.rounds
        return state

    def _available_actions(self, state: PigState) -> list[AnyAction]:
        return ADDS[:]

    def _after_action(self, state: PigState, action: AnyAction, rng: Rng) -> None:
        if state.current_player == state.n_players - 1:
            self.end_round(state, 0, rng)
        else:
            self.end_player_turn(state)


class First(Agent):
    """Takes the first action."""

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        return actions[0]


class Thirsty(First):
    """Takes the first action, having drawn a thousand numbers."""

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        for _ in range(1000):
            self.sim.rng.next32()
        return actions[0]
