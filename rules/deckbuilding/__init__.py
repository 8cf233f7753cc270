"""What a legal deck is: formats, their checks, and lists in and out.

Importing the package registers every game's formats.
"""

from rules.deckbuilding import games as games
