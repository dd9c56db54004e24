"""Events of Colt Express: round cards, cards, moves, bullets, loot, the prize. Made only while somebody listens.

Each function returns an event; its places are those of `ColtExpressState.components`. A ``who`` is a bandit in words
(`tag.games.boards.colt_express.state.who_text`), ``player`` its owner.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Event
from tag.games.boards.colt_express.data import (
    ANGRY_MARSHAL,
    BRAKING,
    EVENT_NAMES,
    HOSTAGE,
    NO_EVENT,
    PICKPOCKETING,
    REBELLION,
    REVENGE,
    SWIVEL_ARM,
    TAKE_IT_ALL,
    TURN_NAMES,
    car_name,
)

#: What the event of a round card does.
_EVENTS: Final = {
    ANGRY_MARSHAL: "the Angry Marshal hits all on the roof of his car and moves towards the caboose",
    SWIVEL_ARM: "the Swivel Arm sweeps all roofs",
    BRAKING: "Braking moves all on roofs a car towards the locomotive",
    TAKE_IT_ALL: "Take It All: the Marshal drops a strongbox",
    REBELLION: "the Passengers' Rebellion hits all inside cars",
    PICKPOCKETING: "Pickpocketing: who is alone with a purse takes one",
    REVENGE: "Marshal's Revenge: all on the roof of his car lose their least valuable purses",
    HOSTAGE: "Hostage-Taking of the Conductor: all in or on the locomotive get a ransom",
}


def boarding(n_bandits: int) -> Event:
    """Return that teams are about to be placed."""
    spots = tuple([spot_place(bandit) for bandit in range(n_bandits)])
    return Event("boarding", -1, places=spots, words="each team places its bandits in secret")


def boarded(who: str, player: i64, bandit: i64, car: str) -> Event:
    """Return where a bandit starts."""
    return Event("boarded", player, places=(spot_place(bandit),), words=f"{who} starts in {car}")


def placed(player: i64) -> Event:
    """Return that a player has placed the team, which only the player sees."""
    spots = (spot_place(2 * player), spot_place(2 * player + 1))
    return Event("placed", player, places=spots, told_to=1 << player)


def round_begins(number: i64, title: str, turns: bytes, event: i64, first: i64) -> Event:
    """Return the round card: its turns, the event at the end, and who begins."""
    shown = ", ".join([TURN_NAMES[turn] for turn in turns])
    ends = "" if event == NO_EVENT else f", then {EVENT_NAMES[event]}"
    words = f"round {number} is {{items}} ({shown}{ends}); player {first} begins"
    return Event("round begun", -1, float(number), (title,), ("round", "pile"), words=words)


def reserved(player: i64) -> Event:
    """Return that a card of choice goes from deck to hand, as the action says."""
    return Event("placed", player, places=_own(player))


def dealt(player: i64, cards: tuple[str, ...]) -> Event:
    """Return the cards that a player draws at the start of a round."""
    return Event("dealt", player, 0.0, cards, _own(player), seen_by=1 << player)


def drawn(player: i64, cards: tuple[str, ...]) -> Event:
    """Return the cards that a player draws instead of playing one."""
    words = "" if cards else "{player} has no card left to draw"
    return Event("drawn", player, 0.0, cards, _own(player), words=words, seen_by=1 << player)


def played(player: i64, card: str, is_down: bool) -> Event:
    """Return that a card is on the pile, as the action says."""
    seen: i64 = 1 << player if is_down else -1
    return Event("played", player, 0.0, (card,), ("pile", f"hand of {player}"), seen_by=seen)


def planned(n_players: i64) -> Event:
    """Return that hands go back, and the pile is turned over."""
    places = ["pile"]
    for player in range(n_players):
        places += _own(player)
    return Event("planned", -1, places=tuple(places), words="all hands go back to the decks; now the pile is played")


def turned_up(who: str, player: i64, card: str) -> Event:
    """Return a card that was played face down, and is due."""
    return Event("turned up", player, 0.0, (card,), ("pile",), words=f"{{items}} of {who} is turned up")


def done(player: i64) -> Event:
    """Return that a card of the pile is back in the deck, as it has been carried out."""
    return Event("played", player, places=("pile", f"deck of {player}"))


def no_effect(who: str, player: i64, card: str, reason: str) -> Event:
    """Return a card that goes back to the deck without effect, and why."""
    places = ("pile", f"deck of {player}")
    return Event("no effect", player, 0.0, (card,), places, reason, f"{{items}} of {who} has no effect")


def moved(who: str, player: i64, bandit: i64, how: str, spot: str) -> Event:
    """Return that a bandit has moved to a spot; without ``how`` the action says so."""
    if not how:
        return Event("placed", player, places=(spot_place(bandit),))
    return Event("moved", player, places=(spot_place(bandit),), words=f"{who} {how} {spot}")


def marshal_moved(player: i64) -> Event:
    """Return that a player has moved the Marshal, as the action says."""
    return Event("placed", player, places=("marshal",))


def marshal_driven(car: str) -> Event:
    """Return where an event moves the Marshal."""
    return Event("marshal", -1, places=("marshal",), words=f"the Marshal moves to {car}")


def hit(who: str, player: i64, shooter: str) -> Event:
    """Return that a bandit gets a bullet; a neutral one without a ``shooter``."""
    place = f"deck of {player}"
    if not shooter:
        return Event("hit", player, 1.0, places=(place, "neutral bullets"), words=f"{who} gets a neutral bullet")
    return Event("hit", player, 1.0, places=(place,), words=f"{who} gets a bullet of {shooter}")


def fired(player: i64, bandit: i64) -> Event:
    """Return that a bandit has a bullet less, as the action says."""
    return Event("placed", player, places=(f"bullets of bandit {bandit}",))


def no_bullets(left: i64, needed: i64) -> Event:
    """Return that no neutral bullets are given out, since there are too few."""
    words = "no neutral bullet is left" if left == 0 else f"no neutral bullets for {needed} bandits: only {left} left"
    return Event("no bullets", -1, float(left), words=words)


def taken(player: i64, bandit: i64, place: str) -> Event:
    """Return that a piece of loot is a bandit's, as the action says."""
    return Event("placed", player, places=(loot_place(bandit), place))


def opened(player: i64, value: i64) -> Event:
    """Return the content of a purse, for the player who has not looked into it before."""
    words = f"{{player}} finds ${value} in the purse"
    return Event("opened", player, float(value), words=words, told_to=1 << player)


def lost(who: str, player: i64, bandit: i64, loot: str, seen: i64, where: tuple[str, str]) -> Event:
    """Return loot that a bandit drops at a place (component and words); the players of ``seen`` know its value."""
    words = f"{who} drops {{items}} {where[1]}"
    places = (loot_place(bandit), where[0])
    return Event("lost", player, 0.0, (loot,), places, words=words, back="purse", seen_by=seen)


def robbed(who: str, player: i64, loot: str, seen: i64, by: str, places: tuple[str, ...]) -> Event:
    """Return a purse that a bandit loses to the one who punches."""
    return Event(
        "lost", player, 0.0, (loot,), places, words=f"{by} takes {{items}} of {who}", back="purse", seen_by=seen
    )


def event_comes(event: i64) -> Event:
    """Return the event at the end of a round."""
    return Event("event", -1, 0.0, (EVENT_NAMES[event],), words=_EVENTS[event])


def strongbox(place: str, car: str) -> Event:
    """Return where the Marshal has dropped a strongbox; with no place, that there is none left."""
    words = f"a strongbox lies in {car}" if place else "there is no strongbox left to drop"
    return Event("strongbox", -1, places=(place,) if place else (), words=words)


def ransom(who: str, player: i64, money: i64) -> Event:
    """Return the ransom that a bandit gets for hostages."""
    return Event("received", player, float(money), words=f"{who} gets ${money}")


def gunslinger(player: i64, shots: i64, prize: i64) -> Event:
    """Return who has fired most; the value is how many shots."""
    bullets = f"{shots} bullet{'' if shots == 1 else 's'}"
    words = f"{{player}} gets ${prize} as Gunslinger"
    return Event("gunslinger", player, float(shots), reason=f"{bullets} fired, the most", words=words)


def loot_shown(places: tuple[str, ...]) -> Event:
    """Return that all loot is shown, on the train and in hands."""
    return Event("loot shown", -1, places=places, words="the robbery is over, and all loot is shown")


def wealth(player: i64, loot: tuple[str, ...], beside: i64, total: float) -> Event:
    """Return the possessions of a player in the end."""
    owned = "{items}" if loot else "no loot"
    prizes = f" and ${beside} beside" if beside else ""
    return Event("revealed", player, total, loot, words=f"{{player}} has {owned}{prizes}: ${total:.0f} in all")


def richest(winners: tuple[int, ...], n_equal: i64, total: float, wounds: i64) -> Event:
    """Return who wins, and why: the richest, of ``n_equal`` equally rich ones those hit least often."""
    names = " and ".join([f"player {winner}" for winner in winners])
    words = f"{names} {'is' if len(winners) == 1 else 'are'} the richest with ${total:.0f}"
    of_equals = "of equally rich players"
    reason = f"{of_equals} with the fewest bullet cards, {wounds}" if n_equal > 1 else ""
    return Event("richest", winners[0] if len(winners) == 1 else -1, total, reason=reason, words=words)


def spot_place(bandit: i64) -> str:
    """Return the component that says where a bandit is."""
    return f"spot of bandit {bandit}"


def loot_place(bandit: i64) -> str:
    """Return the component of a bandit's loot."""
    return f"loot of bandit {bandit}"


def floor_place(spot: i64) -> str:
    """Return the component of the loot at a spot."""
    return f"{'roof' if spot & 1 else 'inside'} of car {spot >> 1}"


def spot_text(spot: i64, cars: i64) -> str:
    """Return a spot in words."""
    return f"{'on the roof of' if spot & 1 else 'inside'} {car_text(spot >> 1, cars)}"


def goal_text(spot: i64, cars: i64) -> str:
    """Return a spot in words, as where a bandit arrives."""
    return f"{'to the roof of ' if spot & 1 else 'to '}{car_text(spot >> 1, cars)}"


def car_text(car: i64, cars: i64) -> str:
    """Return a car in words."""
    name = car_name(car, cars)
    return name if name.startswith("car ") else f"the {name}"


def _own(player: i64) -> tuple[str, ...]:
    return (f"hand of {player}", f"deck of {player}")
