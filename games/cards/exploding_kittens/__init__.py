"""Exploding Kittens, by Elan Lee, Matthew Inman and Shane Small: the Original Edition for 2-5 players (Ad Magic, 2015).

Rules. The box has 56 cards: 4 Exploding Kittens, 6 Defuses, 4 Attacks, 4 Skips, 4 Favors, 4 Shuffles, 5 See the
Futures, 5 Nopes and 4 of each of five cats. Every player gets a Defuse and 7 cards. Into the draw pile go one kitten fewer
than there are players, and the Defuses left over (with two players two of them; the other two are removed). In a turn
play any number of cards, one after the other, and end it by drawing. Who draws a kitten shows it, and explodes unless a
Defuse is played: then that player puts the kitten back wherever, in secret. Who explodes discards all cards. The last
player left wins.

Attack ends the turn without drawing, and the next player takes two; a victim's own Attack ends all turns still to
take, and the next player takes two. Skip ends one turn without drawing. Favor makes another player give a card of
that player's choice. Shuffle shuffles the draw pile. See the Future shows its top three cards. Cats do nothing alone.
Any two equal cards take a random card from another player; three equal cards one that is named, if
that player has it; five different cards take any card from the discard pile. Nope stops any of these, and can be
noped; what was stopped is lost. A kitten and a Defuse cannot be noped.

Reactions. After each play all others are asked in turn, from the left of who played, whether they nope it; after a
Nope again, from the left of who noped. Players without a Nope are asked too, having one answer only, so that nothing
is given away.

Where the printed rules are silent: seat 0 starts; players without cards cannot be chosen as victims; the card is
named when three of a kind are played, before any Nope; the card taken with five different ones can be one of
these five, but not a kitten; who holds a Defuse may explode all the same; turns that an exploded victim of an Attack
had still to take are not taken. No player can nope a card of their own. The places of a game are in the order of
explosion. Random play always ends, so there is no limit of rounds.

Variants (`ExplodingKittensParameters`): the first paper leaflets dealt 4 cards, which the publisher corrected to 7:
``hand_cards=4``. In later ones Attacks add up, the next player taking the turns still to take and two more:
``attacks_stack=true``. The publisher's rules of 2024 also shuffle in two spare Defuses at most, and before the deal,
leave the dead their cards face down, and know no five different cards:
``spare_defuses=2,early_defuses=true,keep_dead_hands=true,five_different=false``. Their faster game for two or three
players, without a third of the deck, is not offered. The rules before "read this after your first game" are
``special_combos=false``. Noping oneself and all numbers of cards are parameters as well.

What a player knows, for observations: the own hand; the Defuse that every player starts with; cards seen in the future,
until they are drawn (then: in whose hand they are) or shuffled; where the own kittens were put back; cards given,
taken or stolen. A kitten that another player has put back can be anywhere, except among cards looked at since, and
leaves the order of all other cards as it was (`tag.games.cards.exploding_kittens.pile`). A card known in a hand is unknown
again once an equal one is played, and one card of each kind is when a card leaves that hand in secret. What the
others know of each other's hands is drawn in each observation between the bounds that are public. A kitten looked at
is recognised as one put back or not.

Forgotten on purpose: that the victim of a failed demand does not hold the card that was named. It is certain only until
the next card is gained in secret, and of random players' observations 0.09 % with two players and 0.24 % with five deal
such a card. That no hand starts with a second Defuse (unless they are dealt early) is forgotten, too. What follows from not
noping is left to the agents.

Unlike TAG's Java version: any number of cards can be played before drawing; there are threes, fives and pairs of all
cards; the Defuse can be withheld; Nopes are asked for from all players, and can be answered; Attacks do not add up
unless told to.
"""

from tag.games.cards.exploding_kittens.data import ExplodingKittensParameters
from tag.games.cards.exploding_kittens.rules import ExplodingKittens
from tag.games.cards.exploding_kittens.state import ExplodingKittensState
from tag.games.cards.exploding_kittens.values import (
    ExplodingKittensFeatures,
    ExplodingKittensHeuristic,
    ExplodingKittensHeuristicParameters,
    ExplodingKittensMetric,
)

__all__ = [
    "ExplodingKittens",
    "ExplodingKittensFeatures",
    "ExplodingKittensHeuristic",
    "ExplodingKittensHeuristicParameters",
    "ExplodingKittensMetric",
    "ExplodingKittensParameters",
    "ExplodingKittensState",
]
