"""Heuristics of states in TAG's files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tag.adapters.java.entries import Entries
from tag.engine.parameters import Spec

_HEURISTIC: Final = "heuristic"
_COARSE: Final = "CoarseTunableHeuristic"
_LEARNED: Final = ("LinearStateHeuristic", "LogisticStateHeuristic", "TunableGLMHeuristic")

#: Heuristics that mean the same here, by the last part of the class's name.
_SAME: Final = {
    "GameDefaultHeuristic": "game",
    "NullHeuristic": "null",
    "OrdinalPosition": "ordinal",
    "OrdinalPositionScaled": "ordinal",
    "LeaderHeuristic": "leader:end_factor=1.5",
    "PureScoreHeuristic": "score",
    "ScoreHeuristic": "score:win_factor=1.5,loss_factor=0.5",
    "WinOnlyHeuristic": "win",
}
#: Those with something like them here, and what differs.
_NEAR: Final = {
    "MultiLeaderHeuristic": ("leader:end_factor=1.5", "TAG adds the margins over all others"),
    "WinPlusHeuristic": ("game", "TAG divides it by a scale and cuts it to .05 to .95 during play"),
}
#: The classes that one parameter of `CoarseTunableHeuristic` chooses from.
_COARSE_TYPES: Final = {
    "HEURISTIC": "GameDefaultHeuristic",
    "LEADER": "LeaderHeuristic",
    "ORDINAL": "OrdinalPosition",
    "SCORE_ONLY": "PureScoreHeuristic",
    "SCORE_PLUS": "ScoreHeuristic",
    "WIN_ONLY": "WinOnlyHeuristic",
    "WIN_PLUS": "WinPlusHeuristic",
}


def add_heuristic(entries: Entries, default: str) -> None:
    """Translate the entry ``heuristic``; where it is not given, TAG takes what is ``default`` here."""
    given = entries.take(_HEURISTIC)
    if given is None:
        entries.values[_HEURISTIC] = default
        return
    content: Mapping[str, Any] = given if isinstance(given, dict) else {"class": str(given)}
    inner = Entries({name: value for name, value in content.items() if name not in ("class", "args")}, "heuristic.")
    name = str(content.get("class", ""))
    _add_class(entries, inner, name if name.endswith(".json") else name.rpartition(".")[2], content)
    inner.close()
    entries.include(inner.read)


def _add_class(entries: Entries, inner: Entries, name: str, content: Mapping[str, Any]) -> None:
    """Set the heuristic to what the class ``name`` means."""
    if name == _COARSE:
        kind = str(inner.take("heuristicType", "WIN_ONLY"))
        if kind not in _COARSE_TYPES:
            inner.lost("heuristicType")
        name = _COARSE_TYPES.get(kind, "GameDefaultHeuristic")
    if name in _SAME:
        entries.exact(_HEURISTIC, heuristic=_SAME[name])
    elif name in _NEAR:
        heuristic, note = _NEAR[name]
        inner.silent("scale")
        entries.near(_HEURISTIC, note, heuristic=heuristic)
    elif name in GAMES:
        heuristic, weights = GAMES[name]
        for theirs, ours in weights.items():
            value = inner.take(theirs)
            if value is not None:
                inner.exact(theirs, **{ours: value})
        spec = Spec(heuristic, {key: str(value) for key, value in inner.values.items()})
        entries.exact(_HEURISTIC, heuristic=str(spec))
    else:
        _add_lost(entries, inner, name, content)


def _add_lost(entries: Entries, inner: Entries, name: str, content: Mapping[str, Any]) -> None:
    """Play by the heuristic that a learned one falls back on, or the game's, where the class ``name`` is not here."""
    fallback = str((content.get("defaultHeuristic") or {}).get("class", "")).rpartition(".")[2]
    ours = _SAME.get(fallback) or _NEAR.get(fallback, ("game", ""))[0]
    note = f"{name or 'the class'} has no counterpart"
    if name in _LEARNED:
        features = str(((content.get("features") or {}).get("underlyingState") or {}).get("class", "features"))
        note = f"{name} is over {features.rpartition('.')[2]}, which is not here"
    inner.silent(*content)
    entries.lost(_HEURISTIC, note, heuristic=ours)


#: Heuristics of games by the last part of the class's name, with the names of their weights here.
GAMES: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "ColtExpressHeuristic": (
        "colt_express",
        {
            "LOOT": "loot",
            "maxLoot": "max_loot",
            "BULLET_CARDS": "bullet_cards",
            "BULLETS_PLAYER": "bullets_left",
            "BULLETS_ENEMY": "bullets_enemy",
        },
    ),
    "ExplodingKittensHeuristic": (
        "exploding_kittens",
        {
            "explodingValue": "exploding",
            "defuseValue": "defuse",
            "attackValue": "attack",
            "skipValue": "skip",
            "favorValue": "favor",
            "shuffleValue": "shuffle",
            "seeFutureValue": "see_the_future",
            "nopeValue": "nope",
            "regularValue": "regular",
        },
    ),
    "LoveLetterHeuristic": (
        "love_letter",
        {
            "FACTOR_CARDS": "cards",
            "FACTOR_AFFECTION": "affection",
            "FACTOR_GUARD": "guard",
            "FACTOR_PRIEST": "priest",
            "FACTOR_BARON": "baron",
            "FACTOR_HANDMAID": "handmaid",
            "FACTOR_PRINCE": "prince",
            "FACTOR_KING": "king",
            "FACTOR_COUNTESS": "countess",
            "FACTOR_PRINCESS": "princess",
            "FACTOR_HIDDEN": "hidden",
            "FACTOR_ADVANTAGE": "advantage",
        },
    ),
    "PandemicHeuristic": (
        "pandemic",
        {
            "FACTOR_CURES": "cures",
            "FACTOR_CUBES": "cubes",
            "FACTOR_CARDS_IN_PILE": "deck",
            "FACTOR_OUTBREAKS": "outbreaks",
            "FACTOR_RS": "stations",
        },
    ),
    "UnoHeuristic": (
        "uno",
        {"FACTOR_PLAYER": "player", "FACTOR_OPPONENT": "opponent", "FACTOR_N_CARDS": "cards"},
    ),
}
