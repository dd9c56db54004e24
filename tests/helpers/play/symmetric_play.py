"""Games played side by side with their images under the symmetries that they declare as `Cells`."""

from tag import Rng

#: Up to so many symmetries all pairs are composed, and all are played; of more, a random part.
MANY = 24


def some(symmetries, rng):
    """Return the numbers of the symmetries to look at."""
    numbers = list(range(len(symmetries)))
    return numbers if len(numbers) <= MANY else [0, *[1 + rng.below(len(numbers) - 1) for _one in range(MANY)]]


def composed(first, second):
    """Return the permutation that does ``first`` and then ``second``."""
    return tuple(second[place] for place in first)


def assert_group(cells, n_actions):
    """The symmetries are distinct and closed under composition and inversion, and actions move along with cells."""
    assert len(set(cells.symmetries)) == len(cells.symmetries)
    assert all(sorted(actions) == list(range(n_actions)) for actions in cells.actions)
    numbers = {symmetry: number for number, symmetry in enumerate(cells.symmetries)}
    chosen = some(cells.symmetries, Rng(1))
    for first in chosen:
        following = [numbers[composed(cells.symmetries[first], cells.symmetries[second])] for second in chosen]
        for second, both in zip(chosen, following, strict=True):
            assert cells.actions[both] == composed(cells.actions[first], cells.actions[second])
        inverse = sorted(range(cells.number), key=cells.symmetries[first].__getitem__)
        assert tuple(inverse) in numbers


def assert_symmetric(model, n_players=2, games=1, image=None):
    """Random games and their images have the same actions, positions, heuristics and results.

    Args:
        model: the game, without chance.
        n_players: the number of players.
        games: the number of games for each symmetry.
        image: a function of the first position and a symmetry of cells, which returns the first position of the image; if
            omitted, both games begin alike.
    """
    cells, vocabulary = model.cells(n_players), model.vocabulary(n_players)
    assert_group(cells, len(vocabulary))
    rng = Rng(5)
    for number in some(cells.symmetries, rng):
        moved, heuristic = cells.actions[number], model.heuristic()
        for _game in range(games):
            state = model.setup(n_players, rng)
            other = image(state, cells.symmetries[number]) if image else state.copy()
            while not state.is_terminal:
                assert cells.moved(state.cell_values(), number) == other.cell_values()
                assert max(other.cell_values()) < cells.n_values
                actions = model.available_actions(state)
                images = {vocabulary.action(moved[vocabulary.index(action)]): action for action in actions}
                assert set(model.available_actions(other)) == set(images)
                action = rng.choice(list(images))
                model.next(other, action, rng)
                model.next(state, images[action], rng)
                assert other.current_player == state.current_player
                for player in range(n_players):
                    assert abs(heuristic.value(other, player) - heuristic.value(state, player)) < 1e-9
            assert cells.moved(state.cell_values(), number) == other.cell_values()
            assert other.results == state.results
