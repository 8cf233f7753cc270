"""Formulas: the stages of an event, and who advances from where to where.

``base`` defines ``Formula``, its options and the registry ``FORMULAS``; each formula is a module
that registers itself and builds a ``FormulaPlan`` for a number of players. ``describe_plan`` turns
a plan into sentences, ``adviser`` names the formulas and options that fit the time available, or
what would make one fit, ``forecast`` when an event ends. ``custom`` reads, checks and lays out
formulas defined by organisers; ``starting_points`` gives definitions to start from.
"""

from rules.formulas import elimination as elimination
from rules.formulas import groups_knockout as groups_knockout
from rules.formulas import mutant_chronicles as mutant_chronicles
from rules.formulas import single_group as single_group
from rules.formulas import swiss_cut as swiss_cut
from rules.formulas.base import FORMULAS as FORMULAS
from rules.formulas.base import TABLE_FORMULAS as TABLE_FORMULAS
from rules.formulas.base import shipped_formula as shipped_formula
from rules.formulas.describe import describe_plan as describe_plan
from rules.registry import import_submodules

import_submodules(__name__, __path__)
