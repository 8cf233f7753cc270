"""Kinds of stages: who meets whom, round after round."""

from rules.registry import import_all
from rules.stages import double_elimination, knockout, round_robin, swiss
from rules.stages.kind import STAGE_KINDS, kind_of, ordered_kinds

__all__ = [
    "STAGE_KINDS",
    "double_elimination",
    "kind_of",
    "knockout",
    "ordered_kinds",
    "round_robin",
    "swiss",
]

import_all(__name__, __path__)
