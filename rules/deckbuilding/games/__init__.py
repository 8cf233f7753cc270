"""One module per game: its zones, kinds and numbers (``checks=``).

Importing the package registers all formats.
"""

from rules.deckbuilding.games import creatures_of_exo as creatures_of_exo
from rules.deckbuilding.games import doomtrooper as doomtrooper
from rules.deckbuilding.games import saint_seiya as saint_seiya
from rules.deckbuilding.games import thoom as thoom
from rules.deckbuilding.games import yugioh as yugioh
from rules.registry import import_all

import_all(__name__, __path__)
