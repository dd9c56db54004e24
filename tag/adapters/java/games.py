"""Parameters of games in TAG's JSON, as specs of games: with TAG's defaults where an entry is left out.

    {"class": "games.pandemic.PandemicParameters", "nEpidemicCards": 5, "player0Role": "Medic", …}

Where TAG's rules depart from the printed ones, its game is a spec of ours, such as ``diamant:treasures=tag``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tag.adapters.java.entries import Entries, Entry, changed
from tag.engine.parameters import Spec
from tag.engine.text_files import read_json
from tag.errors import DataError, UnknownNameError

_CLASS: Final = "class"
#: Players of a game whose parameters depend on their number, where that is not given.
_USUAL_PLAYERS: Final = 2
_MANY_HANDS: Final = 1000
_FATAL: Final = 2


@dataclass(frozen=True)
class JavaGame:
    """A game of TAG's with its parameters.

    Attributes:
        spec: the game here.
        entries: what the file's entries have become.
    """

    spec: Spec
    entries: tuple[Entry, ...]

    @property
    def differences(self) -> tuple[Entry, ...]:
        """The entries that mean something else here, or nothing."""
        return changed(self.entries)


@dataclass(frozen=True)
class _Rules:
    """How the parameters of a game of TAG's are those of one here.

    Attributes:
        game: the game's name here.
        names: TAG's names, with those here and TAG's defaults.
        fixed: parameters here that make TAG's rules.
        only: entries that have one value here.
        silent: entries that mean nothing here.
        more: translates what is not a value for a value, for so many players.
    """

    game: str
    names: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    only: Mapping[str, Any] = field(default_factory=dict)
    silent: tuple[str, ...] = ()
    more: Callable[[Entries, int], None] | None = None


def read_game(path: Path, players: int = _USUAL_PLAYERS) -> JavaGame:
    """Read the parameters of a game of TAG's, for so many players, from a JSON file.

    Raises:
        TagError: the file cannot be read, or is of a game that is not here.
    """
    content = read_json(path, "game of TAG's")
    if not isinstance(content, dict) or not isinstance(content.get(_CLASS), str):
        raise DataError(f"the game of TAG's {str(path)!r} has no 'class'")
    if not is_game(content):
        raise UnknownNameError.of(f"counterpart of the class in {str(path)!r}", content[_CLASS], CLASSES)
    return game_of(content, players)


def game_of(content: Mapping[str, Any], players: int = _USUAL_PLAYERS) -> JavaGame:
    """Return the game with the parameters in ``content``, for which `is_game` is true."""
    rules = CLASSES[_class_of(content)]
    return _translated(rules, {key: value for key, value in content.items() if key != _CLASS}, players)


def is_game(content: object) -> bool:
    """Say whether the content of a JSON file is the parameters of a game that is here."""
    return isinstance(content, dict) and _class_of(content) in CLASSES


def _class_of(content: Mapping[str, Any]) -> str:
    return str(content.get(_CLASS)).rpartition(".")[2]


def game_named(name: str, players: int = _USUAL_PLAYERS) -> JavaGame:
    """Return the game that TAG calls ``name``, such as ``Connect4``, with TAG's parameters.

    Raises:
        UnknownNameError: it is not here.

    Examples:
        >>> str(game_named("Connect4").spec)
        'connect_four:length=4,width=8,height=8'
    """
    if name not in GAMES:
        raise UnknownNameError.of("counterpart of TAG's game", name, GAMES)
    return _translated(GAMES[name], {}, players)


def _translated(rules: _Rules, given: Mapping[str, Any], players: int) -> JavaGame:
    entries = Entries(given)
    entries.values.update(rules.fixed)
    for theirs, (ours, default) in rules.names.items():
        entries.same(theirs, ours, default)
    if rules.more is not None:
        rules.more(entries, players)
    entries.only(**rules.only)
    entries.silent(*rules.silent, "randomSeed")
    entries.close()
    return JavaGame(entries.spec(rules.game), tuple(entries.read))


# What is not a value for a value.


def _grid(entries: Entries, _players: int) -> None:
    size = entries.take("gridSize", 8)
    entries.exact("gridSize", width=size, height=size)


def _uno(entries: Entries, _players: int) -> None:
    wilds = entries.take("nWildCards", 4)
    entries.exact("nWildCards", wilds=wilds, wild_draw_fours=wilds)
    entries.chosen(
        "scoringMethod", "scoring", "INCREMENTAL", INCREMENTAL="lowest", CLASSIC="winner", CHALLENGE="elimination"
    )
    _equal(entries, "action_points", 20, ("nReversePoints", "nDraw2Points", "nSkipPoints"))
    _equal(entries, "wild_points", 50, ("nWildPoints", "nWildDrawPoints"))


def _kittens(entries: Entries, _players: int) -> None:
    cats = ("BEARDCAT", "CATTERMELON", "FURRYCAT", "RAINBOWCAT", "TACOCAT")
    _equal(entries, "cats", 4, tuple([f"{cat}_count" for cat in cats]))


def _equal(entries: Entries, ours: str, default: int, names: tuple[str, ...]) -> None:
    """Translate entries that are one parameter here; where they differ, the first counts."""
    values = [entries.take(name, default) for name in names]
    entries.values[ours] = values[0]
    for name, value in zip(names, values, strict=True):
        if value != values[0]:
            entries.lost(name, f"is {ours} here, with one value for all of them", **{ours: values[0]})
        else:
            entries.exact(name, **{ours: value})


def _diamant(entries: Entries, _players: int) -> None:
    fatal = entries.take("nHazardsToDead", _FATAL)
    if fatal < _FATAL:
        entries.lost("nHazardsToDead", "the least here is 2", fatal=_FATAL)
    else:
        entries.exact("nHazardsToDead", fatal=fatal)
    entries.exact("relicVariant", relics="numbered" if entries.take("relicVariant", True) else "none")


def _poker(entries: Entries, _players: int) -> None:
    hands, target = entries.take("maxRounds", 10), entries.take("nWinMoney", 80)
    if entries.take("endMinMoney", False):
        entries.exact("endMinMoney", target=target, hands=_MANY_HANDS)
    else:
        entries.exact("maxRounds", hands=hands)


def _copper(entries: Entries, players: int) -> None:
    supply = entries.take("COPPER_SUPPLY", 32)
    entries.exact("COPPER_SUPPLY", copper=supply + 7 * players)


def _roles(entries: Entries, _players: int) -> None:
    for seat in range(4):
        role = str(entries.take(f"player{seat}Role", "Any"))
        entries.exact(f"player{seat}Role", **{f"role_{seat}": role.lower().replace(" ", "_")})
    if entries.take("survivalRules", False):
        entries.lost("survivalRules", "the survival rules are not here")


def _dominion(kingdom: str) -> _Rules:
    return _Rules(
        "dominion",
        {
            "HAND_SIZE": ("hand_size", 5),
            "PILES_EXHAUSTED_FOR_GAME_END": ("piles", 3),
            "KINGDOM_CARDS_OF_EACH_TYPE": ("kingdom_cards", 10),
            "CURSE_CARDS_PER_PLAYER": ("curses", 10),
            "STARTING_COPPER": ("start_copper", 7),
            "STARTING_ESTATES": ("start_estates", 3),
            "SILVER_SUPPLY": ("silver", 40),
            "GOLD_SUPPLY": ("gold", 30),
        },
        {"kingdom": kingdom},
        silent=("initialShuffleSeed",),
        more=_copper,
    )


_COLUMNS: Final = {
    f"{name}_MAX": (f"column_{number}", 12 - 2 * abs(number - 7))
    for number, name in enumerate(
        ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE"), 2
    )
}

#: The games by TAG's names.
GAMES: Final[dict[str, _Rules]] = {
    "Battlelore": _Rules("battlelore"),
    "Blackjack": _Rules(
        "blackjack",
        fixed={"rounds": 1},
        only={
            "nCardsPerPlayer": 2,
            "jackCard": 10,
            "queenCard": 10,
            "kingCard": 10,
            "aceCardBelowThreshold": 1,
            "aceCardAboveThreshold": 11,
            "pointThreshold": 10,
            "winScore": 21,
            "dealerStand": 17,
            "nDealerCardsHidden": 1,
        },
    ),
    "CantStop": _Rules("cant_stop", {"COLUMNS_TO_WIN": ("columns", 3), "MARKERS": ("markers", 3), **_COLUMNS}),
    "ColtExpress": _Rules(
        "colt_express",
        {
            "nCardsInHand": ("hand", 6),
            "nCardsInHandExtraDoc": ("doc_extra", 1),
            "nBulletsPerPlayer": ("bullets", 6),
            "nMaxRounds": ("rounds", 5),
            "shooterReward": ("gunslinger", 1000),
            "nCardsDraw": ("draw", 3),
            "nRoofMove": ("roof_move", 4),
            "nCardHostageReward": ("ransom", 250),
            "MoveSideways count": ("moves", 2),
            "MoveVertical count": ("floor_changes", 2),
            "Shoot count": ("shots", 2),
            "CollectMoney count": ("robberies", 2),
            "MoveMarshal count": ("marshals", 1),
            "Punch count": ("punches", 1),
        },
        {"two_bandits": False},
        {"nCardTakeItAllReward": 1000},
        ("initialCharacterShuffleSeed", "roundDeckShuffleSeed", "trainShuffleSeed", "playerHandShuffleSeed"),
    ),
    "Connect4": _Rules("connect_four", {"winCount": ("length", 4)}, more=_grid),
    "Diamant": _Rules(
        "diamant",
        {"nCaves": ("caves", 5), "nHazardCardsPerType": ("hazards", 3)},
        {"treasures": "tag", "sharing": "path"},
        more=_diamant,
    ),
    "Dominion": _dominion("first_game"),
    "DominionFG": _dominion("first_game"),
    "DominionImprovements": _dominion("improvements"),
    "DominionSizeDistortion": _dominion("size_distortion"),
    "DotsAndBoxes": _Rules(
        "dots_and_boxes",
        {
            "gridWidth": ("width", 7),
            "gridHeight": ("height", 5),
            "disallowThreeBoxCreationUntilMove": ("third_sides_after", 0),
        },
    ),
    "ExplodingKittens": _Rules(
        "exploding_kittens",
        {
            "nCardsPerPlayer": ("hand_cards", 7),
            "nopeOwnCards": ("nope_own", True),
            "ATTACK_count": ("attacks", 4),
            "SKIP_count": ("skips", 4),
            "FAVOR_count": ("favors", 4),
            "SHUFFLE_count": ("shuffles", 4),
            "SEETHEFUTURE_count": ("see_the_futures", 5),
            "NOPE_count": ("nopes", 5),
            "DEFUSE_count": ("defuses", 6),
        },
        {"attacks_stack": True},
        silent=("EXPLODING_KITTEN_count", "dataPath"),
        more=_kittens,
    ),
    "LoveLetter": _Rules(
        "love_letter",
        {
            "nTokensWin2": ("tokens_2", 7),
            "nTokensWin3": ("tokens_3", 5),
            "nTokensWin4": ("tokens_4", 4),
            "nCardsVisibleReserve": ("face_up", 3),
            "Guard count": ("guards", 5),
            "Priest count": ("priests", 2),
            "Baron count": ("barons", 2),
            "Handmaid count": ("handmaids", 2),
            "Prince count": ("princes", 2),
            "King count": ("kings", 1),
            "Countess count": ("countesses", 1),
            "Princess count": ("princesses", 1),
        },
        only={"nCardsPerPlayer": 1},
    ),
    "Pandemic": _Rules(
        "pandemic",
        {
            "loseMaxOutbreak": ("outbreaks", 8),
            "maxCubesPerCity": ("cubes_per_city", 3),
            "nEpidemicCards": ("epidemics", 4),
            "nCubesEpidemic": ("epidemic_cubes", 3),
            "nInfectionCardsSetup": ("setup_cards", 3),
            "nInfectionsSetup": ("setup_levels", 3),
            "nCubesInfection": ("infection_cubes", 1),
            "nInitialDiseaseCubes": ("cubes", 24),
            "nCardsForCure": ("cards_for_cure", 5),
            "nCardsForCureReducedBy": ("scientist_saves", 1),
            "nForecastCards": ("forecast_cards", 6),
            "maxCardsPerPlayer": ("hand_limit", 7),
            "nCardsDraw": ("cards_drawn", 2),
            "nActionsPerTurn": ("actions", 4),
            "nResearchStations": ("stations", 6),
        },
        more=_roles,
    ),
    "Poker": _Rules(
        "poker",
        {"nStartingMoney": ("stack", 50), "smallBlind": ("small_blind", 5), "bigBlind": ("big_blind", 10)},
        only={"nFlopCards": 3, "nTurnCards": 1, "nRiverCards": 1, "nCardsPerPlayer": 2},
        silent=("bet",),
        more=_poker,
    ),
    "SushiGo": _Rules("sushi_go"),
    "TicTacToe": _Rules("tic_tac_toe", {"gridSize": ("size", 3)}),
    "Uno": _Rules(
        "uno",
        {
            "nCardsPerPlayer": ("hand_size", 7),
            "nSkipCards": ("skips", 2),
            "nReverseCards": ("reverses", 2),
            "nDrawCards": ("draw_twos", 2),
            "nWinPoints": ("goal", 500),
        },
        {"max_turns": 300},
        {"nNumberCards": 10},
        more=_uno,
    ),
    "Virus": _Rules(
        "virus",
        {
            "nCardsPlayerHand": ("hand_size", 3),
            "maxCardsDiscard": ("max_discards", 3),
            "nCardsPerOrgan": ("organs", 5),
            "nCardsPerVirus": ("viruses", 4),
            "nCardsPerMedicine": ("medicines", 4),
            "nCardsPerWildOrgan": ("wild_organs", 1),
            "nCardsPerWildVirus": ("wild_viruses", 1),
            "nCardsPerWildMedicine": ("wild_medicines", 4),
            "nCardsPerTreatmentSpreading": ("spreadings", 2),
            "nCardsPerTreatmentTransplant": ("transplants", 3),
            "nCardsPerTreatmentOrganThief": ("organ_thieves", 3),
            "nCardsPerTreatmentLatexGlove": ("latex_gloves", 1),
            "nCardsPerTreatmentMedicalError": ("medical_errors", 1),
        },
        only={"nCardsDiscardLatexGlove": 3},
    ),
}
#: The games by the last part of the names of the classes of their parameters.
CLASSES: Final = {
    "BlackjackParameters": GAMES["Blackjack"],
    "CantStopParameters": GAMES["CantStop"],
    "ColtExpressParameters": GAMES["ColtExpress"],
    "Connect4GameParameters": GAMES["Connect4"],
    "DBParameters": GAMES["DotsAndBoxes"],
    "DiamantParameters": GAMES["Diamant"],
    "DominionFGParameters": GAMES["DominionFG"],
    "DominionIParameters": GAMES["DominionImprovements"],
    "DominionParameters": GAMES["Dominion"],
    "DominionSDParameters": GAMES["DominionSizeDistortion"],
    "ExplodingKittensParameters": GAMES["ExplodingKittens"],
    "LoveLetterParameters": GAMES["LoveLetter"],
    "PandemicParameters": GAMES["Pandemic"],
    "PokerGameParameters": GAMES["Poker"],
    "TicTacToeGameParameters": GAMES["TicTacToe"],
    "UnoGameParameters": GAMES["Uno"],
    "VirusGameParameters": GAMES["Virus"],
}
