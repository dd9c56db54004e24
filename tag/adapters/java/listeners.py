"""Listeners in TAG's JSON: which of their metrics a ledger has anyway, and which are options of a tournament.

    {"class": "evaluation.listeners.MetricsGameListener", "args": [{"enum": …}, [{"enum": …}], [{"class": …}, …]]}

Source: TAG as of May 2026, evaluation/listeners/ and evaluation/metrics/GameMetrics.java.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tag.adapters.java.entries import EXACT, LOST, NEAR, UNKNOWN, Entry

_LISTENER: Final = "MetricsGameListener"
_COLLECTION: Final = "GameMetrics"
#: Metrics of TAG's that every ledger has, and where.
_RECORDED: Final = {
    "FinalScore": "scores",
    "OrdinalPosition": "ordinals",
    "PlayerType": "agents",
    "Winner": "results",
}
#: Metrics with something like them here: the options, and what differs.
_NEAR: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "Actions": ({"record_actions": True}, "tag export writes the actions of each game"),
    "ActionsReduced": ({"record_actions": True}, "tag export writes the actions of each game"),
    "ComputationTimes": (
        {},
        "the ledger has the time of each agent in each game; tag analyse measures the game itself",
    ),
    "CurrentPlayerVisibility": ({"metrics": ("table",)}, "the share that is hidden, at one action of eight"),
    "Decisions": (
        {"metrics": ("action_space", "turns")},
        "the share of actions without an alternative, and actions per turn",
    ),
    "StateSpace": ({"metrics": ("table",)}, "at one action of eight"),
}
_LOST: Final = {"GameScore": "scores are recorded at the end of a game"}


@dataclass(frozen=True)
class JavaListener:
    """A listener of TAG's as options of a tournament.

    Attributes:
        metrics: the names of metrics here.
        record_actions: whether the actions of each game are kept.
        entries: what each of its metrics has become.
    """

    metrics: tuple[str, ...]
    record_actions: bool
    entries: tuple[Entry, ...]


def listener_of(content: object) -> JavaListener:
    """Return the listener with the content of a file, or of the class of that name."""
    entries = []
    metrics: dict[str, None] = {}
    keeps_actions = False
    for name in _metrics(content):
        collection, _dollar, metric = name.rpartition(".")[2].rpartition("$")
        ours, note = _NEAR.get(metric, ({}, "")) if collection == _COLLECTION else ({}, "")
        entries.append(_entry(collection, metric, ours, note))
        metrics |= dict.fromkeys(ours.get("metrics", ()))
        keeps_actions = keeps_actions or "record_actions" in ours
    if not entries:
        given = content.get("class") if isinstance(content, Mapping) else content
        name = str(given).rpartition(".")[2]
        entries.append(Entry("listener", name, "", LOST, "has no counterpart"))
    return JavaListener(tuple(metrics), keeps_actions, tuple(entries))


def _entry(collection: str, metric: str, ours: Mapping[str, Any], note: str) -> Entry:
    """Return the translation of a metric."""
    name = f"{collection}${metric}"
    if collection != _COLLECTION:
        return Entry("listener", name, "", LOST, "has no counterpart")
    if metric in _RECORDED:
        return Entry("listener", name, _RECORDED[metric], EXACT)
    if metric in _LOST:
        return Entry("listener", name, "", LOST, _LOST[metric])
    if not note:
        return Entry("listener", name, "", UNKNOWN, "is unknown to TAG, too")
    text = ",".join(ours.get("metrics", ("record_actions",) if ours else ()))
    return Entry("listener", name, text, NEAR, note)


def _metrics(content: object) -> Iterator[str]:
    """Yield the classes of the metrics of a listener; none where it is of another class."""
    if not isinstance(content, Mapping) or str(content.get("class")).rpartition(".")[2] != _LISTENER:
        return
    for argument in content.get("args", ()):
        for one in argument if isinstance(argument, list) else ():
            if isinstance(one, Mapping) and "class" in one:
                yield str(one["class"])
