"""Kinds of stages: who meets whom, round after round."""

from rules.stages import double_elimination, knockout, round_robin, swiss
from rules.stages.base import STAGE_KINDS

__all__ = ["STAGE_KINDS", "double_elimination", "knockout", "round_robin", "swiss"]
