"""Colt Express, by Christophe Raimbault (Ludonaute, 2014): bandits rob a train for 2-6 players; the base game.

Rules. The train is a locomotive and as many cars, drawn from six, as there are players, with the purses and jewels
printed on their floors; a strongbox and the Marshal are in the locomotive. Each player chooses a bandit, gets a purse
of $250, six bullets and ten cards (2 Move, 2 Floor Change, 2 Fire, 2 Robbery, 1 Marshal, 1 Punch), and starts, by
turns, in the caboose or in the car next to it. There are five rounds: four of seven round cards (others with five and
six players), then one of three stations. In a round every player shuffles all cards and draws six. Planning: for each
turn printed on the round card, the players in order put a card on the common pile or draw three more; face down in
tunnels, two turns at once when speeding up, in reversed order when switching. Hands go back; then the pile is turned
over and everybody must do, in that order, what is still possible, with all choices made only now. At last comes the
event of the round card, and the next player becomes the first.

Move: to the next car, or up to three cars on the roofs. Floor Change: to the roof or back. Robbery: take a piece of
loot and look at it in secret. Fire: give a bullet card to a bandit in the next car, or on the roofs to the nearest
one either way (any of several on the same roof), never to one in the same car. Punch: a bandit at the same spot loses
a piece of loot of the puncher's choice, which stays there, and is moved to a next car of the puncher's choice.
Marshal: he moves to a next car. A bandit inside his car, also after he moved there, gets a neutral bullet card and
flees to the roof. Bullet cards clutter the deck and do nothing.

Belle cannot be the target of Fire or Punch if another bandit can. Cheyenne takes the purse that her victim loses.
Django's victims are moved on by a car. Doc draws seven cards. Ghost may play the card of the first turn face down.
Tuco may fire through the roof. In the end the Gunslinger's $1000
go to each player who has fired most, in full; the richest wins, and of equals the one with the fewest
bullet cards.

The events:

* Angry Marshal: he hits all on the roof of his car with a neutral bullet each, and moves a car towards the caboose.
* Swivel Arm: all on roofs are swept to the roof of the caboose.
* Braking: all on roofs move a car towards the locomotive.
* Take It All: the second strongbox is put into the Marshal's car.
* Passengers' Rebellion: all inside cars get a neutral bullet.
* Pickpocketing (station): who is alone at a spot with purses takes one.
* Marshal's Revenge (station): all on the roof of his car lose their least valuable purses.
* Hostage-Taking of the Conductor (station): all in or on the locomotive get $250.

With two players each has a team: Ghost, Doc and Belle are paired at random with Tuco, Django and Cheyenne, and the
players choose a pair. There are three cars and the locomotive. Each bandit has one purse, six bullets and one Move,
Floor Change, Fire, Robbery and Punch, and the team one Marshal; in secret one of them is put into the caboose, the
other one into the next car. At the start of a round a team puts a card of its choice into its hand before it draws.
After a Fire face up on a standard turn it may add a card of the other bandit (but no Marshal). Money is added up;
shots at the own partner do not count for the Gunslinger.

Where the rules that we could consult are silent: players choose bandits in seat order, and seat 0 starts. Ghost's
first card is that of the round's first turn. A player who can play a card cannot draw from an empty deck; with no card to
play that is how to pass. Neutral bullets that do not suffice for all who are hit at once are not given out.
Cheyenne always takes the purse, and who may pick up a purse does, since both can only gain. A bandit pushed or
punched into the Marshal's car meets him. A team reserves an action card, and its shots and punches may hit each
other. Players equal in money and bullets draw.

Variants (`ColtExpressParameters`): every number above, bandits chosen, dealt or without abilities (as the box advises
for a first game), a game of two with a bandit each, the two special rules of teams. Cars, loot and round cards are
read from ``train.json`` and ``round_cards.json`` beside this module.

What a player knows, for observations: the own hand and deck (no player knows the order of a deck), what lies
open, and the value of every purse ever held, wherever it is now; all players remember who held what. Hidden are hands,
cards planned face down, the values of other purses, and round cards to come. The value of a purse is drawn when a player
first looks into it, each as likely as with purses shuffled at the start. Until the end `score` counts purses whose value
is not known to all with the average.

Unlike TAG's Java version, the Marshal shoots every bandit who moves into his car, Django's victims can be pushed in every
direction and never off the train, roof moves go three cars and not four, one car has three purses and a jewel where
TAG has two purses, players choose their bandits, two players have teams, the round card is known while it is played,
and own purses keep their values.
"""

from tag.games.boards.colt_express.data import ColtExpressParameters
from tag.games.boards.colt_express.rules import ColtExpress
from tag.games.boards.colt_express.state import ColtExpressState
from tag.games.boards.colt_express.values import (
    ColtExpressFeatures,
    ColtExpressHeuristic,
    ColtExpressHeuristicParameters,
    ColtExpressMetric,
)

__all__ = [
    "ColtExpress",
    "ColtExpressFeatures",
    "ColtExpressHeuristic",
    "ColtExpressHeuristicParameters",
    "ColtExpressMetric",
    "ColtExpressParameters",
    "ColtExpressState",
]
