"""Positions of backgammon, and all plays of a turn found man by man, without sets of points."""

from tag import Rng
from tag.games.boards.backgammon.data import BAR, MEN, PLAY, VARIANTS
from tag.games.boards.backgammon.rules import Backgammon, BackgammonParameters


def men_of(places, variant):
    """Return the men of a player by point; those without a place are off."""
    men = [0] * (BAR[variant] + 1)
    for point, number in places.items():
        men[BAR[variant] if point == "bar" else point] = number
    men[0] = MEN[variant] - sum(men[1:])
    return men


def position(white, black, dice=(6, 5), player=0, **rules):
    """Return the model and the position with these men, in which ``player`` has rolled these dice."""
    model = Backgammon(BackgammonParameters(**rules))
    state = model.setup(2, Rng(1))
    variant = VARIANTS.index(model.parameters.variant)
    state.white, state.black = men_of(white, variant), men_of(black, variant)
    state.current_player = state.turn_player = player
    lay(state, *dice)
    return model, state


def lay(state, one, other=0):
    """Let the dice lie for the player whose turn it is."""
    state.high, state.low = max(one, other), min(one, other)
    state.left = 1 if not other else 4 if one == other else 2
    state.moved = state.moved_too = 0
    state.phase = PLAY


def texts(model, state):
    """Return the texts of all actions."""
    return {action.text(state, 0) for action in model.available_actions(state)}


def play(model, state, text, seed=1):
    """Play the action with this text."""
    (action,) = [one for one in model.available_actions(state) if one.text(state, 0) == text]
    model.next(state, action, Rng(seed))


def men(state):
    """Return the men of both players."""
    return tuple(state.white), tuple(state.black)


# --- all plays of a turn, man by man -------------------------------------------------------------------------------------


class Turn:
    """One order of a turn so far: where each man is, as pairs of a point and whether it has moved."""

    def __init__(self, variant, own, others):
        self.variant, self.bar, self.others = variant, BAR[variant], others
        self.own = own

    def is_free(self, point):
        if self.variant == 2:
            mine = [place for place, _moved in self.own if place == point]
            return point in (0, 5) or not (mine or self.others.get((point + 5) % 10, 0))
        return point <= 0 or self.others.get(25 - point if self.variant == 0 else point, 0) < 2

    def targets(self, man, die):
        """Yield where a man may go: the printed rules, one after another."""
        point, has_moved = man
        if self.variant == 2:
            if self.is_free((point - die) % 10):
                yield (point - die) % 10
            return
        if point == 0 or not self.is_free(point - die):
            return
        waiting = any(place == self.bar for place, _moved in self.own)
        if waiting and point != self.bar and not (self.variant == 1 and has_moved and point - die > 24):
            return
        if point - die <= 0:
            board = [place for place, _moved in self.own if place]
            if max(board) > 6 or (point < die and max(board) > point):
                return
        yield max(point - die, 0)

    def after(self, man, die, target):
        own, others = list(self.own), dict(self.others)
        own.remove(man)
        own.append((target, True))
        place = 25 - target if self.variant == 0 else target
        if self.variant < 2 and target and others.get(place, 0) == 1:
            others[place] = 0
            others[self.bar] = others.get(self.bar, 0) + 1
        return Turn(self.variant, sorted(own), others)

    def key(self):
        places = [point for point, _moved in self.own]
        others = tuple(sorted((point, number) for point, number in self.others.items() if number))
        return tuple(sorted(places)), others

    def ends(self, dice):
        """Yield the number of dice used, the dice used and the end of each order; also of those that could go on."""
        yield (), self
        for number, die in enumerate(dice):
            if die in dice[:number]:
                continue
            for man in set(self.own):
                for target in self.targets(man, die):
                    rest = dice[:number] + dice[number + 1 :]
                    for used, end in self.after(man, die, target).ends(rest):
                        yield (die, *used), end


def turns(state):
    """Return the ends of all turns that the printed rules allow with the dice that lie."""
    own = [(point, False) for point, number in enumerate(state.men(state.turn_player)) for _man in range(number)]
    others = dict(enumerate(state.men(1 - state.turn_player)))
    dice = [state.high] * 4 if state.high == state.low else [die for die in (state.high, state.low) if die]
    ends = list(Turn(state.variant, own, others).ends(tuple(dice)))
    most = max(len(used) for used, _end in ends)
    longest = [(used, end) for used, end in ends if len(used) == most]
    if most == 1 and len(set(dice)) == 2:
        highest = max(used for used, _end in longest)
        longest = [(used, end) for used, end in longest if used == highest]
    return {end.key() for _used, end in longest}


def key_of(state, player):
    """Return a position after the turn of ``player`` in the form of `Turn.key`."""
    places = [point for point, number in enumerate(state.men(player)) for _man in range(number)]
    others = tuple((point, number) for point, number in enumerate(state.men(1 - player)) if number)
    return tuple(places), others


def our_turns(model, state):
    """Return the ends of all turns that the game offers, and the number of ways to them."""
    found = []
    for action in model.available_actions(state):
        after = model.afterstate(state, action)
        if after.phase == PLAY and not after.is_terminal:
            found += our_turns(model, after)
        else:
            found.append(key_of(after, state.turn_player))
    return found
