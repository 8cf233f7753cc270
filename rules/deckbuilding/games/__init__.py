"""The games: importing the package registers their formats."""

from rules.deckbuilding.games import creatures_of_exo as creatures_of_exo
from rules.deckbuilding.games import doomtrooper as doomtrooper
