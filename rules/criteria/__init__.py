"""The catalogue of ranking criteria.

Each module registers a family of criteria in ``CRITERIA``; importing the package registers all of
them. ``base`` defines ``Criterion``, ``presets`` the orders of criteria known from other games.
"""

from rules.criteria.base import CRITERIA, Criterion, TiebreakerSplit
from rules.registry import import_submodules

__all__ = ["CRITERIA", "Criterion", "TiebreakerSplit"]

import_submodules(__name__, __path__)
