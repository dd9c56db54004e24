"""BattleLore: what players are told of dice, losses, retreats, cards and points."""

from battlelore_positions import COMMAND, attack, battle, do
from play.telling import told

from tag.table.events import event_texts


def told_of(model, state, start, end, *faces, lot=None):
    """Return the sentences about an attack with these faces of the dice."""
    state.recording = True
    state.announced = ()
    attack(model, state, start, end, *faces, lot=lot)
    return event_texts(state.announced, 0)


def test_told_of_hits_and_of_the_unit_that_is_eliminated():
    model, state = battle("h3 E5", "G2 F5", "G3 L9")
    assert told_of(model, state, "E5", "F5", "strike", "cleave", "lore") == [
        "player 0 rolls strike, cleave, lore",
        "the Citadel Guard unit loses 2 figures",
        "player 0 eliminates the Citadel Guard unit and scores 1",
    ]
    assert told(model, state, "advance")[0] == "the Blood Harvesters unit advances to F5"


def test_told_that_the_last_unit_is_eliminated():
    model, state = battle("h3 E5", "G1 F5")
    assert told_of(model, state, "E5", "F5", "strike", "lore", "lore")[-1] == "player 1 has no unit left"


def test_told_of_retreats_that_are_free_blocked_and_supported():
    model, state = battle("v3 A5", "A3 C5", "G3 L9")
    assert told_of(model, state, "A5", "C5", "morale", "lore")[1:3] == [
        "the Yeoman Archers unit retreats from C5 to D5",
        "the Yeoman Archers unit loses no figure",
    ]
    model, state = battle("h3 K5", "G3 L5", "G3 A9")
    assert "the Citadel Guard unit loses 2 figures: 1 for lack of a hex to retreat to" in told_of(
        model, state, "K5", "L5", "strike", "morale", "lore"
    )
    model, state = battle("h3 E5", "G3 F5", "G3 G5")
    assert told_of(model, state, "E5", "F5", "morale", "lore", "lore")[1:] == [
        "the Citadel Guard unit is supported and retreats no farther",
        "the Citadel Guard unit loses no figure",
    ]


def test_told_which_card_is_drawn_only_to_the_player_who_draws_it():
    model, state = battle("h3 E5", "G3 L9", phase=COMMAND, hands=(("Wedge",), ()))
    do(model, state, "play Wedge")
    assert told(model, state, "end moves", 0) == ["player 0 draws Patrol Left"]
    assert told(model, state, "end moves", 1) == ["player 0 draws a card"]
    state.deck = 0
    shuffled = "the discards are shuffled, so both hands are known by counting"
    assert told(model, state, "end moves", 1) == [shuffled, "player 0 draws a card"]


def test_told_of_banners_and_of_the_goal():
    hands = ((), ("Wedge",))
    model, state = battle("h3 A1", "G3 C5", turn=1, phase=COMMAND, hands=hands, points=(0, 15), scenario="banners")
    do(model, state, "play Wedge")
    assert told(model, state, "end moves", 0) == [
        "player 1 scores 1 for the banner at C5",
        "player 1 draws a card",
        "the battle ends with 0 to 16 victory points",
    ]
