"""Kinds of stages: who meets whom, round after round."""

from rules.stages import knockout, round_robin, swiss
from rules.stages.base import STAGE_KINDS

__all__ = ["STAGE_KINDS", "knockout", "round_robin", "swiss"]
