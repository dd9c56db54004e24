"""The actions of Dominion: one card at a time, or a choice against all."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Rng, Vocabulary, bit_count, bit_place, interned
from tag.games.cards.dominion.data import (
    ACTION,
    ALL_TREASURES,
    ALL_VICTORY,
    BASIC_AFFORDABLE,
    BASIC_FROM,
    BITS,
    BUY,
    DISCARD_FOR_CELLAR,
    DISCARD_FOR_MILITIA,
    DISCARDS,
    GAIN_FOR_ARTISAN,
    GAIN_FOR_MINE,
    GARDENS,
    HAND,
    HIGHEST_COST,
    KINGDOM_FROM,
    MASK,
    MOAT,
    N_BASIC,
    N_KINDS,
    N_PHASES,
    N_SLOTS,
    NAMES,
    PLAY_FOR_VASSAL,
    PLAY_TWICE,
    PUT_FOR_ARTISAN,
    PUT_FOR_BUREAUCRAT,
    PUT_FOR_HARBINGER,
    PUT_FOR_SENTRY,
    REVEAL_MOAT,
    SET_ASIDE_FOR_LIBRARY,
    SHIFT,
    SPAN,
    TRASH_FOR_BANDIT,
    TRASH_FOR_CHAPEL,
    TRASH_FOR_MINE,
    TRASH_FOR_MONEYLENDER,
    TRASH_FOR_REMODEL,
    UNIT,
    WAY_BITS,
    WORD,
    present,
)
from tag.games.cards.dominion.state import DominionState


@mypyc_attr(allow_interpreted_subclasses=True)
class _CardAction(Action[DominionState]):
    """Choose a card; the phase says what becomes of it, and the rules carry it out.

    Several cards are chosen in the order of their slots: four cards for a Chapel could be chosen in 24 orders.
    """

    def __init__(self, card: i64) -> None:
        """Name the card by its kind."""
        self.card = card

    def execute(self, state: DominionState, rng: Rng) -> None:
        state.chosen = state.slots[self.card]


class Play(_CardAction):
    """Play an action card."""

    def __str__(self) -> str:
        return f"play {NAMES[self.card]}"


class Buy(_CardAction):
    """Buy a card."""

    def __str__(self) -> str:
        return f"buy {NAMES[self.card]}"


class Gain(_CardAction):
    """Gain a card of the supply."""

    def __str__(self) -> str:
        return f"gain {NAMES[self.card]}"


class Discard(_CardAction):
    """Discard a card."""

    def __str__(self) -> str:
        return f"discard {NAMES[self.card]}"


class Trash(_CardAction):
    """Trash a card."""

    def __str__(self) -> str:
        return f"trash {NAMES[self.card]}"


class PutBack(_CardAction):
    """Put a card on the own deck."""

    def text(self, state: DominionState, viewer: i64) -> str:
        """Name a card that is not shown only to the player who puts it back."""
        is_hidden = state.phase in {PUT_FOR_ARTISAN, PUT_FOR_SENTRY}
        return "put a card on the deck" if is_hidden and viewer not in {-1, state.current_player} else str(self)

    def __str__(self) -> str:
        return f"put {NAMES[self.card]} on the deck"


class SetAside(_CardAction):
    """Set an action card aside that was drawn for a Library."""

    def __str__(self) -> str:
        return f"set {NAMES[self.card]} aside"


class RevealMoat(_CardAction):
    """Reveal a Moat from the hand, and be unaffected by the attack."""

    def __str__(self) -> str:
        return f"reveal {NAMES[self.card]}"


@mypyc_attr(allow_interpreted_subclasses=True)
class _Refusal(Action[DominionState]):
    """Choose none of the cards."""

    def execute(self, state: DominionState, rng: Rng) -> None:
        state.chosen = -1


class EndActions(_Refusal):
    """End the action phase, and play all treasures."""

    def __str__(self) -> str:
        return "end the action phase"


class EndTurn(_Refusal):
    """Buy no more."""

    def __str__(self) -> str:
        return "end the turn"


class Keep(_Refusal):
    """Keep a card that was drawn for a Library."""

    def __str__(self) -> str:
        return "keep the card"


class Decline(_Refusal):
    """Choose no card, or no further one."""

    def __str__(self) -> str:
        return "choose no card"


class ShowHand(_Refusal):
    """Show a hand without victory cards."""

    def __str__(self) -> str:
        return "show a hand without victory cards"


#: The class of the actions with a card in each phase, in the order of the phases; and that of the choice against all.
_WITH_CARD: Final[tuple[type[_CardAction], ...]] = (
    *(Play, Buy, Discard, Trash, Trash, Discard, Trash, Play, Trash, PutBack),
    *(Gain, Gain, Gain, Gain, PutBack, Play, SetAside, Trash, Discard, PutBack),
    *(RevealMoat, PutBack, Discard, Trash),
)
_WITHOUT: Final[dict[int, type[_Refusal]]] = {
    ACTION: EndActions,
    BUY: EndTurn,
    SET_ASIDE_FOR_LIBRARY: Keep,
    PUT_FOR_BUREAUCRAT: ShowHand,
}


def _with_card() -> list[list[AnyAction]]:
    return [[interned(one(kind)) for kind in range(N_KINDS)] for one in _WITH_CARD]


def _without() -> list[AnyAction]:
    return [interned(_WITHOUT.get(phase, Decline)()) for phase in range(N_PHASES)]


#: The action of each phase and kind of card, and that of each phase without a card.
ACTIONS: Final[list[list[AnyAction]]] = _with_card()
REFUSALS: Final[list[AnyAction]] = _without()


def vocabulary() -> Vocabulary:
    """Return all actions of a game, with all cards, whatever the kingdom is."""
    cards = range(N_KINDS)
    actions = [kind for kind in range(N_BASIC, N_KINDS) if kind != GARDENS]
    return Vocabulary(
        Actions(Play, card=actions),
        Actions(Buy, card=cards),
        Actions(Gain, card=cards),
        Actions(Discard, card=cards),
        Actions(Trash, card=cards),
        Actions(PutBack, card=cards),
        Actions(SetAside, card=actions),
        Actions(RevealMoat, card=(MOAT,)),
        *[Actions(one) for one in (EndActions, EndTurn, Keep, Decline, ShowHand)],
    )


def offers(state: DominionState) -> tuple[i64, i64, bool]:
    """Return the cards to choose from as flags in two words, and whether none may be chosen."""
    phase = state.phase
    if phase == BUY:
        coins = min(state.coins, HIGHEST_COST)
        basic: i64 = BASIC_AFFORDABLE[coins]
        kingdom: i64 = state.affordable[coins]
        return present(state.supply_basic) & basic, present(state.supply_kingdom) & kingdom, True
    at = SPAN * state.current_player
    if phase == ACTION or phase == PLAY_TWICE:
        return 0, present(state.cards[at + HAND + 1] & state.action_mask), True
    if phase <= PUT_FOR_ARTISAN or phase == DISCARD_FOR_MILITIA:
        return _offers_of_hand(state, at)
    if phase <= GAIN_FOR_ARTISAN:
        basic, kingdom = gainable(state, phase)
        return basic, kingdom, False
    if phase == PUT_FOR_HARBINGER:
        return present(state.cards[at + DISCARDS]), present(state.cards[at + DISCARDS + 1]), True
    if phase == PLAY_FOR_VASSAL:
        return 0, UNIT[state.floor], True
    if phase == REVEAL_MOAT:
        has_moat = state.count(state.current_player, HAND, state.moat) > 0
        return 0, UNIT[state.moat] if has_moat else 0, True
    if phase == PUT_FOR_BUREAUCRAT:
        basic = present(state.cards[at + HAND] & ALL_VICTORY)
        kingdom = present(state.cards[at + HAND + 1] & ~state.action_mask)
        return basic, kingdom, basic | kingdom == 0
    return _offers_of_looked(state)


def _offers_of_hand(state: DominionState, at: i64) -> tuple[i64, i64, bool]:
    """Return the cards of the hand to choose from."""
    phase = state.phase
    basic: i64 = state.cards[at + HAND]
    kingdom: i64 = state.cards[at + HAND + 1]
    if phase == TRASH_FOR_MONEYLENDER:
        return present(basic & MASK), 0, True
    if phase == TRASH_FOR_MINE:
        return present(basic & ALL_TREASURES), 0, True
    if phase == TRASH_FOR_REMODEL or phase == PUT_FOR_ARTISAN:
        return present(basic), present(kingdom), False
    basic &= BASIC_FROM[state.floor]
    kingdom &= KINGDOM_FROM[state.floor]
    if phase == DISCARD_FOR_CELLAR or phase == TRASH_FOR_CHAPEL:
        return present(basic), present(kingdom), True
    last = _last_leaving(basic, kingdom, state.left)
    return present(basic & ~BASIC_FROM[last + 1]), present(kingdom & ~KINGDOM_FROM[last + 1]), False


def _last_leaving(basic: i64, kingdom: i64, number: i64) -> i64:
    """Return the last slot from which on a set has ``number`` cards."""
    slot: i64 = N_SLOTS
    found: i64 = 0
    while found < number:
        slot -= 1
        word = kingdom if slot >= N_BASIC else basic
        found += word >> SHIFT[slot] & MASK
    return slot


def gainable(state: DominionState, phase: i64) -> tuple[i64, i64]:
    """Return the flags of the cards of the supply that cost no more than the limit; for a Mine only treasures."""
    limit = min(state.limit, HIGHEST_COST)
    basic: i64 = present(state.supply_basic) & BASIC_AFFORDABLE[limit]
    if phase == GAIN_FOR_MINE:
        return basic & ALL_TREASURES, 0
    return basic, present(state.supply_kingdom) & state.affordable[limit]


def _offers_of_looked(state: DominionState) -> tuple[i64, i64, bool]:
    """Return the cards looked at, or revealed, to choose from."""
    phase = state.phase
    basic: i64 = 0
    kingdom: i64 = 0
    for entry in state.looked:
        slot = entry >> WAY_BITS
        if WORD[slot]:
            kingdom |= UNIT[slot]
        else:
            basic |= UNIT[slot]
    if phase == SET_ASIDE_FOR_LIBRARY:
        return 0, kingdom & state.action_mask, True
    if phase == PUT_FOR_SENTRY or phase == TRASH_FOR_BANDIT:
        return basic, kingdom, False
    return basic & BASIC_FROM[state.floor], kingdom & KINGDOM_FROM[state.floor], True


def random_choice(state: DominionState, rng: Rng) -> i64:
    """Return the slot of one of the offers, or -1 for the choice against all, each as likely."""
    basic, kingdom, may_refuse = offers(state)
    in_basic = bit_count(basic)
    in_all = in_basic + bit_count(kingdom)
    place = rng.below(in_all + 1 if may_refuse else in_all)
    if place < in_basic:
        return bit_place(basic, place, BITS)
    if place < in_all:
        return N_BASIC + bit_place(kingdom, place - in_basic, BITS)
    return -1
