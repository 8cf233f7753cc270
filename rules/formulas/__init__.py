"""Formulas: the stages of an event, and who advances from where to where.

``base`` defines ``Formula``, its options and the registry ``FORMULAS``; each formula is a module
that registers itself and builds a ``FormulaPlan`` for a number of players. ``describe`` turns a
plan into sentences, ``adviser`` estimates which formulas fit the time available. ``custom``
reads, checks and lays out formulas defined by organisers; ``starting_points`` and ``examples``
give definitions to start from.
"""

from rules.formulas import (
    double_elimination,
    groups_knockout,
    mutant_chronicles,
    single_elimination,
    single_group,
    swiss_cut,
)
from rules.formulas.base import FORMULAS
from rules.formulas.describe import describe
from rules.registry import import_all

__all__ = [
    "FORMULAS",
    "describe",
    "double_elimination",
    "groups_knockout",
    "mutant_chronicles",
    "single_elimination",
    "single_group",
    "swiss_cut",
]

import_all(__name__, __path__)
