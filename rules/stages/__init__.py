"""Kinds of stages: the pairings of each round.

``base`` defines ``StageState``, the input of every kind, ``StageKind``, its capabilities and its
settings as data, and the registry ``STAGE_KINDS``; ``round_robin``, ``swiss``, ``knockout`` and
``double_elimination`` register one kind each. ``knockout`` also derives who advances in a bracket,
``tables`` the table of each pairing. A new module in this package is imported by itself.
"""

from rules.registry import import_submodules
from rules.stages.base import STAGE_KINDS, custom_stage_kinds, stage_kind

__all__ = ["STAGE_KINDS", "custom_stage_kinds", "stage_kind"]

import_submodules(__name__, __path__)
