"""Kinds of stages: the pairings of each round.

``kind`` defines ``StageKind``, its capabilities and the registry ``STAGE_KINDS``; ``round_robin``,
``swiss``, ``knockout`` and ``double_elimination`` register one kind each. ``base`` holds
``StageState``, the input of every kind, and the settings of kinds as data. ``knockout``
also derives who advances in a bracket, ``tables`` the table of each pairing. A new module in this
package is imported by itself.
"""

from rules.registry import import_submodules
from rules.stages.kind import STAGE_KINDS, custom_stage_kinds, stage_kind

__all__ = ["STAGE_KINDS", "custom_stage_kinds", "stage_kind"]

import_submodules(__name__, __path__)
