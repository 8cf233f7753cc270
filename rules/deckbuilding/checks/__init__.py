"""Checks from which formats are composed.

Each function takes a format's numbers and returns a ``Check``: the rule in words, and a generator
of violations.
"""

from rules.deckbuilding.checks.copies import copies as copies
from rules.deckbuilding.checks.copies import excluded_together as excluded_together
from rules.deckbuilding.checks.copies import listed as listed
from rules.deckbuilding.checks.kinds import at_least as at_least
from rules.deckbuilding.checks.kinds import kinds_in_zones as kinds_in_zones
from rules.deckbuilding.checks.kinds import kinds_known as kinds_known
from rules.deckbuilding.checks.printing import expansions as expansions
from rules.deckbuilding.checks.printing import one_language as one_language
from rules.deckbuilding.checks.sizes import zone_sizes as zone_sizes
