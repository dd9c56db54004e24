"""Colt Express: what players are told of cards, bullets, loot, the events of rounds and the end."""

from colt_express_positions import (
    FLOOR,
    MARSHAL,
    MOVE,
    PLAIN,
    PUNCH,
    ROB,
    SHOOT,
    inside,
    planning,
    play,
    purse,
    roof,
    stealing,
)
from play.telling import told

from tag import Rng
from tag.check.events import played
from tag.games.boards.colt_express import ColtExpress, ColtExpressParameters
from tag.games.boards.colt_express.actions import HIDES, PLACES
from tag.games.boards.colt_express.data import (
    ANGRY_MARSHAL,
    BELLE,
    BRAKING,
    CHEYENNE,
    DJANGO,
    DOC,
    DOWN,
    HOSTAGE,
    NO_EVENT,
    PICKPOCKETING,
    PLAYER_SHIFT,
    REBELLION,
    REVENGE,
    SWIVEL_ARM,
    TAKE_IT_ALL,
    TUNNEL,
)
from tag.table.events import event_texts

BANDITS = [DOC, BELLE, DJANGO]


def of_purses(*numbers):
    """Return the mask of purses on the train, in a game of three."""
    base = PLAIN.setup(3, Rng(1))
    return sum(purse(base, number) for number in numbers)


def told_of_event(spots, event, viewer=0, **position):
    """Return the sentences about the event of a round, which ends with the last player's climb from the first car."""
    state = stealing([*spots, inside(0)], (2, FLOOR), event=event, characters=BANDITS, **position)
    found = told(PLAIN, state, "change floor", viewer)
    return [text for text in found if "is dealt" not in text and not text.startswith("round ")]


def last_round(spots, event=NO_EVENT, **position):
    state = stealing([*spots, inside(0)], (2, FLOOR), event=event, characters=BANDITS, **position)
    state.round = PLAIN.max_rounds - 1
    return state


# --- cards -------------------------------------------------------------------------------------------------------------


def test_told_of_the_round_card_and_of_the_own_cards_only():
    state = stealing([inside(0), inside(1), inside(0)], (0, FLOOR))
    found = told(PLAIN, state, "change floor", 1)
    assert found[0].startswith("round 2 is ")
    assert found[0].endswith("; player 1 begins")
    assert found[1].startswith("player 0 is dealt 6 cards")
    assert found[2].startswith("player 1 is dealt Move, Floor Change, ")
    assert found[3] == "player 2 is dealt 6 cards"


def test_told_what_is_drawn_only_to_the_player_who_draws():
    state = planning()
    assert len(told(PLAIN, state, "draw 3 cards", 0)[0].split(", ")) == 3
    assert told(PLAIN, state, "draw 3 cards", 1) == ["player 0 draws 3 cards"]
    state.cards[0].hand = state.cards[0].deck = 0
    assert told(PLAIN, state, "draw 3 cards", 1) == ["player 0 has no card left to draw"]


def test_a_card_played_face_down_is_in_the_owners_log_only():
    state = planning(turns=(TUNNEL,))
    _after, events = played(PLAIN, state, HIDES[MOVE], Rng(1))
    assert [event.known_to(0).items for event in events] == [("Move",)]
    assert [event.known_to(1).items for event in events] == [(None,)]


def test_told_of_cards_turned_up_and_of_those_without_effect():
    spots = [inside(0), inside(2), roof(2)]
    pile = ((0, MOVE), (1, SHOOT), (0, ROB), (2, PUNCH), (1, FLOOR))
    state = stealing(spots, *pile, characters=BANDITS)
    state.pile[1] |= DOWN
    state.pile[4] |= DOWN
    state.bullets = (6, 0, 6)
    assert told(PLAIN, state, "move to car 1", 0) == [
        "Fire of Belle (player 1) has no effect: there is no bullet left",
        "Robbery of Doc (player 0) has no effect: there is no loot",
        "Punch of Django (player 2) has no effect: there is no other bandit",
        "Floor Change of Belle (player 1) is turned up",
    ]


def test_told_where_bandits_start_also_if_they_are_dealt():
    model = ColtExpress()
    state = model.setup(3, Rng(1))
    for choice in ("choose Doc", "choose Tuco"):
        assert told(model, state, choice) == []
        model.next(state, {str(one): one for one in model.available_actions(state)}[choice], Rng(1))
    assert told(model, state, "choose Belle")[:3] == [
        "Doc (player 0) starts in the caboose",
        "Tuco (player 1) starts in car 1",
        "Belle (player 2) starts in the caboose",
    ]
    model = ColtExpress(ColtExpressParameters(bandits="dealt"))
    state = model.setup(3, Rng(1))
    state.recording = True
    model.announce_setup(state)
    texts = event_texts(state.announced, 0)
    assert texts[0].endswith("(player 0) starts in the caboose")
    assert texts[-1].startswith("player 2 is dealt ")


def test_told_where_the_rivals_team_is_only_when_all_are_placed():
    model = ColtExpress()
    state = model.setup(2, Rng(1))
    model.next(state, model.available_actions(state)[0], Rng(1))
    model.next(state, model.available_actions(state)[0], Rng(1))
    assert told(model, state, "put the first bandit into the caboose", 1) == []
    model.next(state, PLACES[0], Rng(1))
    cars = [
        text.split(" starts in ")[1] for text in told(model, state, "put the second bandit into the caboose", 0)[:4]
    ]
    assert cars == ["the caboose", "car 1", "car 1", "the caboose"]


# --- bullets, moves and loot ---------------------------------------------------------------------------------------------


def test_told_who_is_hit_pushed_and_met_by_the_marshal():
    state = stealing([inside(2), inside(1), inside(0)], (2, SHOOT), (0, MOVE), characters=BANDITS, marshal=2)
    state.spots[0] = inside(3)
    assert told(PLAIN, state, "fire at bandit 1", 0) == [
        "Belle (player 1) gets a bullet of Django (player 2)",
        "Belle (player 1) is pushed to car 2",
        "Belle (player 1) flees from the Marshal to the roof of car 2",
        "Belle (player 1) gets a neutral bullet",
    ]


def test_told_whom_the_marshal_finds_and_that_bullets_do_not_suffice():
    state = stealing([inside(2), inside(2), inside(0)], (2, MARSHAL), (0, MOVE), characters=BANDITS)
    state.neutral = 1
    assert told(PLAIN, state, "move the Marshal to car 2", 2) == [
        "Doc (player 0) flees from the Marshal to the roof of car 2",
        "Belle (player 1) flees from the Marshal to the roof of car 2",
        "no neutral bullets for 2 bandits: only 1 left",
    ]


def test_told_what_a_purse_holds_only_to_who_looks_into_it():
    floor = {inside(0): of_purses(0)}
    state = stealing([inside(0), inside(1), inside(2)], (0, ROB), (0, FLOOR), floor=floor)
    assert told(PLAIN, state, "take loot 3", 1) == []
    assert told(PLAIN, state, "take loot 3", 0)[0].startswith("player 0 finds $")
    play(state, PLAIN.available_actions(state)[0])
    state.floor[inside(1)], state.held[0] = state.held[0], 0
    state.pile, state.done = [1 << PLAYER_SHIFT | ROB, 1 << PLAYER_SHIFT | MOVE], 0
    state.acting = state.current_player = 1
    assert "player 1 finds $" in told(PLAIN, state, "take loot 3", 1)[0]


def test_told_what_a_punch_makes_drop_with_its_value_for_who_knows_it():
    state = stealing([inside(1), inside(1), inside(0)], (0, PUNCH), (0, MOVE), characters=[DOC, BELLE, DJANGO])
    state.held[1] = of_purses(2)
    state.known = (0, of_purses(2), 0)
    state.unopened &= ~of_purses(2)
    action = "punch bandit 1 to car 0, who loses loot 5"
    assert told(PLAIN, state, action, 1) == [
        "Belle (player 1) drops purse $500 inside car 1",
        "Belle (player 1) is punched to the caboose",
    ]
    assert told(PLAIN, state, action, 2)[0] == "Belle (player 1) drops a purse inside car 1"
    state.characters[0] = CHEYENNE
    assert told(PLAIN, state, action, 0) == [
        "Cheyenne (player 0) takes a purse of Belle (player 1)",
        "player 0 finds $500 in the purse",
        "Belle (player 1) is punched to the caboose",
    ]


# --- events of rounds ----------------------------------------------------------------------------------------------------


def test_told_whom_the_events_hit_and_move():
    assert told_of_event([roof(2), inside(1)], ANGRY_MARSHAL, marshal=2)[1:] == [
        "Doc (player 0) gets a neutral bullet",
        "the Marshal moves to car 1",
        "Belle (player 1) flees from the Marshal to the roof of car 1",
        "Belle (player 1) gets a neutral bullet",
    ]
    assert told_of_event([roof(2), inside(1)], SWIVEL_ARM) == [
        "the Swivel Arm sweeps all roofs",
        "Doc (player 0) is swept to the roof of the caboose",
    ]
    assert told_of_event([roof(2), roof(3)], BRAKING)[1:] == [
        "Doc (player 0) slides to the roof of the locomotive",
        "Django (player 2) slides to the roof of car 1",
    ]
    assert told_of_event([inside(2), roof(3)], REBELLION)[1:] == ["Doc (player 0) gets a neutral bullet"]


def test_told_where_the_strongbox_lies_and_that_there_is_none_left():
    assert told_of_event([roof(2), inside(1)], TAKE_IT_ALL)[1:] == ["a strongbox lies in the locomotive"]
    state = stealing([roof(2), inside(1), inside(0)], (2, FLOOR), event=TAKE_IT_ALL)
    state.boxed = 0
    assert "there is no strongbox left to drop" in told(PLAIN, state, "change floor", 0)


def test_told_what_happens_at_stations():
    state = last_round([roof(2), roof(1)], REVENGE, marshal=2)
    assert "Doc (player 0) drops purse $250 on the roof of car 2" in told(PLAIN, state, "change floor", 1)
    state = last_round([roof(3), inside(1)], HOSTAGE)
    assert told(PLAIN, state, "change floor", 1)[1] == "Doc (player 0) gets $250"
    state = last_round([inside(1), inside(2)], PICKPOCKETING, floor={inside(1): of_purses(0)})
    assert told(PLAIN, state, "change floor", 1) == ["Pickpocketing: who is alone with a purse takes one"]


# --- the end -------------------------------------------------------------------------------------------------------------


def test_told_of_the_gunslinger_of_all_loot_and_of_the_richest():
    state = last_round([inside(1), inside(1)])
    state.shots = (0, 1, 0)
    assert told(PLAIN, state, "change floor", 0)[:6] == [
        "player 1 gets $1000 as Gunslinger: 1 bullet fired, the most",
        "the robbery is over, and all loot is shown",
        "player 0 has purse $250: $250 in all",
        "player 1 has purse $250 and $1000 beside: $1250 in all",
        "player 2 has purse $250: $250 in all",
        "player 1 is the richest with $1250",
    ]


def test_told_why_one_of_equally_rich_players_wins():
    state = last_round([inside(1), inside(1)])
    state.wounds = (2, 1, 3)
    reason = "player 1 is the richest with $1250: of equally rich players with the fewest bullet cards, 1"
    assert reason in told(PLAIN, state, "change floor", 0)
    state.wounds = (1, 1, 3)
    state.held[0] = 0
    state.money = (250, 0, 0)
    found = told(PLAIN, state, "change floor", 0)
    assert "player 0 has no loot and $1250 beside: $1250 in all" in found
    assert any(text.startswith("player 0 and player 1 are the richest with $1250: ") for text in found)
