"""BattleLore: Second Edition, by Robert A. Kouba after Richard Borg (Fantasy Flight Games, 2013): its learning scenario.

Rules. A part of the boxed game for 2 players is included: the map, two kinds of units of each army, and section cards. The
map has nine rows of hexes, twelve and eleven by turns, and three sections of four columns. A hex that the line between two
sections cuts belongs to both. Each army has nine units of three figures. A turn has these steps:

* Command and order: play a command card and order the units that it names, in the sections as the player sees them. Or
  ignore its text and order any one unit.
* Move: each ordered unit moves up to two hexes, one after the other, not over hexes with units.
* Attack: each ordered unit attacks once. Melee units attack beside them; ranged units within their reach, in line of sight.
* Victory points, draw: score 1 point for each banner held, and draw a card. Discards are shuffled if the deck is empty.

The units of the Uthuk Y'llan (seat 0) and of the Daqan Lords (seat 1):

* Blood Harvesters, five units of seat 0: melee, 3 dice. Rage: another die for each figure lost.
* Viper Legion, four units of seat 0: ranged, 2 dice.
* Citadel Guard, five units of seat 1: melee, 3 dice. Pursue: after an advance one more attack, once in a turn.
* Yeoman Archers, four units of seat 1: ranged, 2 dice. Double Shot: two attacks if the unit has not moved.

A die has six faces. A strike hits in melee; so does a cleave, unless the unit that rolls is down to its last figure (weak).
A pierce hits for ranged units, beside them too. A morale makes the target retreat. Heroic and lore do nothing here. Each
hit removes a figure. Then the target retreats one hex for each morale, straight away from the attack: for ranged attacks
away from the edge over which the line of sight enters. At the edge of the map and before enemies each step that is left
costs a figure. A unit that would retreat into a friendly one is supported: it stops, at no cost.

A target beside the attacker that stands where it stood may counter: it attacks back, with no advance and no other counter.
If it is gone, the attacker may advance to its hex. A line of sight goes from centre to centre; units between block it. A
line along edges is blocked only if it is blocked on both sides.

An eliminated unit is worth 1 victory point. A player without units loses at once. Otherwise the game ends after a
round, a turn of each, in which a player has as many victory points as the scenario says; more points win.

Where the printed rules are silent:

* A player orders as many units as the card can. An ordered unit need not move or attack, so this costs nothing.
* A line that enters through a corner may be drawn on either side of it: by lot if both are free, which decides the retreat.
* Hexes off the map block no line. Archers that advance have moved.
* Of equal victory points the most figures left win, then it is a draw. After 100 rounds the most victory points win.

Variants (`BattleloreParameters`): the scenario, its goal, figures and dice of units, reach, abilities, the deck and hands.
In the learning scenario 4 points win. The scenario with banners is not printed: the same armies, banners on C5 and J5, and
16 points win, as in the full game.

What a player knows: all but the opponent's hand and the deck. When the discards are shuffled, the deck is empty, so each
player can tell the other's hand by counting; these cards stay known until they are played. All other cards are dealt again,
each deal from the unseen ones as likely. The deck has no order: each card is drawn when it is taken.

Unlike TAG's Java version, cards are drawn, and dice, retreats, counters and advances are the printed ones. TAG's is another
game, which is not rebuilt: three fixed commands for all units of a section, three dice of three faces for all units, a
point for each figure, and none of retreats, counters, advances and abilities.

Sources: the rule books themselves were not available. The rules are taken from five kinds of accounts: the publisher's
previews, answers to players' questions, players' reports and reviews, a comparison made for a derived game, and TAG's Java
version. Left out are lore tokens and cards, tactic cards (such as Onslaught, Darken the Skies, Battle March), scenario and
deployment cards, mustering, cavalry, elite units and legends, and the abilities of heroic results (Poison, Frenzy).

The learning scenario has no terrain: a player reports a blank board, and TAG's version has none. Scenario cards lay out the
terrain of other games. No account shows these cards, so terrain is left out rather than guessed.

Not verified is what fewer than two of the accounts tell:

* Only TAG's version tells where units stand, how far they move, the reach of 5 hexes, the 4 points that win (6 in an older
  version of it), and that seat 0 is Uthuk Y'llan. The places and the sections fit a map of rows of twelve and eleven hexes,
  and the player's report of equal sides.
* Only the comparison tells of orders to any one unit, of lines along edges, of the edge that sets the direction of retreats
  from ranged attacks, and that the end is seen after a round. That an eliminated unit brings points is told by the previews;
  that it brings one is the derived game's.
* No account tells how often a card is in the deck, how many are in hand in this scenario, how far guards pursue, and
  whether ranged units beside an enemy may attack others. Here patrols, attacks and Line Advance have the copies of the first
  edition (2006), Wedge as many as Line Advance; the hand is that of the full game, in which players keep four of six cards;
  guards pursue one hex; and ranged units may.
"""

from tag.games.boards.battlelore.data import BattleloreParameters
from tag.games.boards.battlelore.rules import Battlelore
from tag.games.boards.battlelore.state import BattleloreState
from tag.games.boards.battlelore.values import (
    BattleloreFeatures,
    BattleloreHeuristic,
    BattleloreHeuristicParameters,
    BattleloreMetric,
)

__all__ = [
    "Battlelore",
    "BattleloreFeatures",
    "BattleloreHeuristic",
    "BattleloreHeuristicParameters",
    "BattleloreMetric",
    "BattleloreParameters",
    "BattleloreState",
]
