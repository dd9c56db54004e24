"""Pandemic, by Matt Leacock: the second edition for 2-4 players (Z-Man Games, 2013), in which all win or lose together.

Rules. Four diseases spread over 48 cities, twelve of each colour. At the start nine cities get three, two or one
cubes of their colour, every player gets a role and cards, and the rest of the player cards is stacked in piles with an
Epidemic each. A turn: (1) up to four actions; (2) draw two player cards, and discard down to seven; (3) draw as many
infection cards as the infection rate (2, 2, 2, 3, 3, 4, 4) says, each of which puts a cube into its city. A city with
three cubes of a colour that should get another one breaks out instead: all cities connected to it get one, and may
break out in turn, each city once per card. An Epidemic raises the rate, puts three cubes into the city of the bottom
infection card, and puts the infection discards, shuffled, back on top. All four diseases cured is a win, at once; the
eighth outbreak, a cube that is needed and not there, and fewer player cards than are to be drawn are losses.

Actions: drive (or take a ferry), fly to a city for its card, charter a flight from a city for its card, shuttle
between research stations, build a research station for the city's card (the seventh is moved from elsewhere), treat a
disease (a cube; all, if it is cured), give or take the card of the city where both players are, cure a disease for
five cards of its colour at a research station. A cured disease without cubes is eradicated, and comes back no more.
The roles:

- Contingency Planner: as an action, stores an event from the discards; once played it goes out of the game.
- Dispatcher: moves any pawn like the own one, with the own cards, or, as an action, any pawn to a city with another
  pawn.
- Medic: treats all cubes of a colour; cubes of cured diseases leave, and stay out of, the city where the Medic is.
- Operations Expert: builds without a card; once a turn flies from a research station anywhere, for any city card.
- Quarantine Specialist: no cubes and no outbreaks where the pawn is, or in connected cities (the start excepted).
- Researcher: gives any city card.
- Scientist: cures with four cards.

The events take no action: Airlift (any pawn to any city), Forecast (rearrange the top six infection cards),
Government Grant (a station in any city), One Quiet Night (skip the next infections), Resilient Population (an
infection discard out of the game).

Events at any time. The player with the event plays it. Its holder finds it among the actions of the own turn, and
where cards have to be discarded; at other times holders, and only they, are asked, in turn order from the player
whose turn it is: before the first action of another player's turn, before cards are drawn, between two Epidemics drawn
together, before infecting, and, for Resilient Population, before an Epidemic intensifies. ``ask_always`` asks before
each action and after each infection card, too.

Decisions. What is chosen in steps: the pawn and then the city of an Airlift, the cards of a Forecast one by one from
the first to be drawn, the city and then the card of the Expert's flight, the cards kept when a cure takes fewer than
there are. Ways to move a pawn to a city for no card (drive, shuttle, Dispatcher) are one action.

Where the printed rules are silent, or ask players to agree: who moves another's pawn, gives or takes a card has the
other's consent, as all play for the same end. Of equal populations the lower seat begins; without a city card in any
hand seat 0. One Quiet Night is not offered while one is in force, Forecast and Resilient Population not without
cards. With few Epidemics the infection deck may run out: its discards are shuffled into a new one. With fewer cubes
than the start needs, as many as there are are placed.

What a player knows, for observations: everything but the order of the decks. Hands are open. In the player deck each
Epidemic is somewhere in its pile, and how far the piles have been drawn is known. In the infection deck the cards
that an Epidemic put back are known to lie on top of the others, in unknown order; what a Forecast has arranged is
known to all.

Score: the diseases cured.

Variants (`PandemicParameters`): 0-6 Epidemics (4 introductory, 5 standard, 6 heroic), each
number of the rules, the roles by seat, the cards dealt, and four rules of TAG's Java version of 2022, off by default:

- ``outbreaks_to_pawns``: an outbreak reaches a connected city only if a pawn is there, so outbreaks hardly spread. (In
  TAG the city gets a cube for each pawn in it, and chain reactions end after the first city's neighbours.)
- ``cure_takes_all``: a cure takes all cards of its colour in the hand, not only those needed.
- ``endless_cubes``: cubes never run out. (TAG's counter stops at 0; here it goes below, so that it says what is on the
  board.)
- ``empty_deck_loses``: the players lose by drawing the last card, not when they cannot draw.

Otherwise unlike TAG's Java version: roles have all of their abilities, and events cost no action and can be played out
of turn; observations keep what is known of the decks. TAG's ``survivalRules`` has no counterpart.
"""

from tag.games.boards.pandemic.data import PandemicParameters
from tag.games.boards.pandemic.rules import Pandemic
from tag.games.boards.pandemic.state import PandemicState
from tag.games.boards.pandemic.values import (
    PandemicFeatures,
    PandemicHeuristic,
    PandemicHeuristicParameters,
    PandemicMetric,
)

__all__ = [
    "Pandemic",
    "PandemicFeatures",
    "PandemicHeuristic",
    "PandemicHeuristicParameters",
    "PandemicMetric",
    "PandemicParameters",
    "PandemicState",
]
