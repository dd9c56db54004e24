"""Garbage: none is collected in a search, nor right after it, and what searches leave is collected between games."""

from __future__ import annotations

import gc
import weakref
from typing import ClassVar

import pytest

from tag import Agent, Game, make_game
from tag.playing.garbage import CollectionPaused

pytestmark = pytest.mark.flow


class Cycle:
    def __init__(self):
        self.own = self


def test_what_a_search_keeps_is_old_when_it_ends():
    with CollectionPaused():
        assert not gc.isenabled()
        kept = [[] for _item in range(50_000)]
    assert gc.isenabled()
    young = {id(thing) for generation in (0, 1) for thing in gc.get_objects(generation)}
    assert not young & {id(item) for item in kept}


def test_a_pause_leaves_the_collector_as_it_was():
    with CollectionPaused():
        with CollectionPaused():
            pass
        assert not gc.isenabled()
    with pytest.raises(KeyboardInterrupt), CollectionPaused():
        raise KeyboardInterrupt
    assert gc.isenabled()
    gc.disable()
    try:
        with CollectionPaused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


class LeavesCycles(Agent):
    """Leaves many objects in cycles in each search, as a user's heuristic may."""

    left: ClassVar = weakref.WeakSet()

    def act(self, observation, actions):
        with CollectionPaused():
            self.left.add(Cycle())
            for _item in range(300_000):
                Cycle()
        return actions[0]


def test_cycles_that_searches_leave_are_collected():
    made = most = 0
    for seed in range(3):
        game = Game(make_game("tic_tac_toe"), [LeavesCycles(), LeavesCycles()], seed)
        game.play()
        made += sum(game.decisions)
        most = max(most, len(LeavesCycles.left))
    assert made > 2 * len(LeavesCycles.left)
    assert most < made
