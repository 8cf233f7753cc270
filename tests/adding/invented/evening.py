"""What a new event of Stones begins with: a group on a Monday evening."""

from rules.deckbuilding.data.files import USUAL, Usual

USUAL["stones"] = Usual(formula="single-group", minutes=20)
