"""How an event goes: stages in order, and who goes from where to where."""

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
