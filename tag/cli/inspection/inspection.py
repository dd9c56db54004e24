"""A game in which any action can be played and taken back, with the decisions of agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tag.cli.inspection.plain_trees import plain_line, plain_tree
from tag.engine.results import result_name
from tag.engine.state import AnyAction
from tag.playing.inspection import InspectedDecision
from tag.table.events import event_texts, event_views
from tag.table.game import EVERYTHING, Adviser, Start, TableGame
from tag.table.view import plain_figures


class Inspection(TableGame):
    """A game in which any action can be played and taken back, with the decisions of agents in each position.

    Attributes:
        viewer: the player whose view is shown, -1 for everything, None for that of the player to move.
        tree_depth: how deep search trees are shown; 0 for none.
        agents: the agents that decide; the first is the one that plays.
    """

    def __init__(self, start: Start, viewer: int | None = None, tree_depth: int = 0) -> None:
        """Start at the set-up of the game, without agents."""
        super().__init__(start)
        self.viewer = viewer
        self.tree_depth = tree_depth
        self.agents: Sequence[Adviser] = ()

    @property
    def looks_from(self) -> int:
        """The player whose view is shown, -1 for everything."""
        return int(self.state.current_player) if self.viewer is None else self.viewer

    @property
    def shows_actions(self) -> bool:
        """True if the viewer may know the actions of the player to move."""
        return self.looks_from in (EVERYTHING, self.state.current_player)

    def undo(self, count: int = 1) -> None:
        """Take so many actions back, or all: the game is played again up to there."""
        self.go(self.line[: max(len(self.line) - count, 0)])

    def is_undecided(self) -> bool:
        """Say whether an agent has to decide before this position can be shown."""
        return bool(self.actions) and not all(agent.has_decided(self.line) for agent in self.agents)

    def decisions(self) -> list[tuple[str, InspectedDecision]]:
        """Return each agent's spec and decision; none at the end, or where the viewer may not know them."""
        if not self.actions or not self.shows_actions:
            return []
        return [(agent.spec, agent.decision(self.line)) for agent in self.agents]

    def texts(self) -> list[str]:
        """Return the available actions in words; none where the viewer may not know them."""
        return [action.text(self.state, self.looks_from) for action in self.actions] if self.shows_actions else []

    def action_texts(self) -> dict[AnyAction, str]:
        """Return the available actions, each with its words."""
        return dict(zip(self.actions, self.texts(), strict=False))

    def played(self) -> list[tuple[int, str]]:
        """Return the actions that have been played: the player of each, and the words for the viewer."""
        return [(action.player, action.texts[self.looks_from]) for action in self.taken]

    def followed(self) -> list[str]:
        """Return the events after the last action, or of the set-up, as the viewer is told of them."""
        return event_texts(self.taken[-1].events if self.taken else self.set_up, self.looks_from)

    def _cells(self) -> list[int]:
        """Return the values of the cells as ``--position`` takes them; none where the game declares no cells."""
        return [] if self.model.cells(self.start.players) is None else list(self.state.cell_values())

    def to_json(self) -> dict[str, Any]:
        """Return all that is shown as plain values."""
        state, viewer = self.state, self.looks_from
        seats = range(self.start.players)
        return {
            "players": self.start.players,
            "seed": self.start.seed,
            "played": [text for _player, text in self.played()],
            "set_up": event_views(self.set_up, viewer),
            "events": [event_views(taken.events, viewer) for taken in self.taken],
            "view": viewer,
            "player": None if state.is_terminal else int(state.current_player),
            "position": state.text(viewer),
            "cells": self._cells(),
            "actions": self.texts(),
            "agents": [
                {**_decision_json(spec, decision), **self._tree_json(decision)} for spec, decision in self.decisions()
            ],
            "results": [result_name(state.result(seat)) for seat in seats] if state.is_terminal else [],
        }

    def _tree_json(self, decision: InspectedDecision) -> dict[str, Any]:
        """Return the expected line of play and the search tree, if they are shown and there is one."""
        if decision.tree is None:
            return {}
        texts = self.action_texts()
        return {
            "line": plain_figures(plain_line(decision.tree, texts)),
            "tree": plain_figures(plain_tree(decision.tree, texts, self.tree_depth)),
        }


def _decision_json(spec: str, decision: InspectedDecision) -> dict[str, Any]:
    return {
        "agent": spec,
        "choice": decision.choice,
        "seconds": decision.seconds,
        "fault": decision.fault,
        "figures": plain_figures(decision.figures),
        "actions": plain_figures(decision.by_action),
    }
