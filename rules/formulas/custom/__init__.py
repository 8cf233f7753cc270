"""Formulas that organisers make themselves: read from JSON, checked, laid out.

Tournament rules, Other formulas to ship (Custom).
"""

from rules.formulas.custom.checks import faults
from rules.formulas.custom.definition import Definition, GroupDefinition, StageDefinition
from rules.formulas.custom.json import read_definition, write_definition
from rules.formulas.custom.layout import custom_formula

__all__ = [
    "Definition",
    "GroupDefinition",
    "StageDefinition",
    "custom_formula",
    "faults",
    "read_definition",
    "write_definition",
]
