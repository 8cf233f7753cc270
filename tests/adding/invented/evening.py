"""What a new event of Stones begins with: a group on a Monday evening."""

from rules.deckbuilding.data.files import USUAL, EventDefaults

USUAL["stones"] = EventDefaults(formula="single-group", minutes=20)
