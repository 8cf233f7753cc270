"""Custom formulas, defined by organisers as JSON.

``definition`` reads and writes a ``FormulaDefinition``; ``docs/formulas.md`` describes the format.
``checks`` finds everything that would keep it from being played: groups, settings, sizes, origins
of players, better places that lead less far. ``layout`` builds the plan for a number of players.

Source: tournament rules, Other formulas to ship (Custom).
"""

from rules.formulas.custom.checks import formula_faults as formula_faults
from rules.formulas.custom.definition import FormulaDefinition as FormulaDefinition
from rules.formulas.custom.definition import GroupDefinition as GroupDefinition
from rules.formulas.custom.definition import StageDefinition as StageDefinition
from rules.formulas.custom.definition import definition_to_json as definition_to_json
from rules.formulas.custom.definition import read_definition as read_definition
from rules.formulas.custom.layout import custom_formula as custom_formula
