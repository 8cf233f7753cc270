"""Templates of new events: one module each, as data. Importing the package registers all.

``EventTemplate`` stands in ``base``; the order of these imports is that of the tiles.
"""

from rules.registry import import_all

# isort: off
from tournaments.events.event_templates import creatures_of_exo as creatures_of_exo
from tournaments.events.event_templates import mutant_chronicles as mutant_chronicles
from tournaments.events.event_templates import swiss_top_8 as swiss_top_8
from tournaments.events.event_templates import single_group as single_group
from tournaments.events.event_templates import knock_out as knock_out
from tournaments.events.event_templates import thoom as thoom
from tournaments.events.event_templates import commander as commander
from tournaments.events.event_templates import other_game as other_game
from tournaments.events.event_templates import blank as blank

# isort: on
from tournaments.events.event_templates.base import TEMPLATES as TEMPLATES
from tournaments.events.event_templates.base import EventTemplate as EventTemplate

import_all(__name__, __path__)
