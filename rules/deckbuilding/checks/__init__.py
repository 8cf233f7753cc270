"""Checks from which formats are composed.

Each function takes a format's numbers and returns a ``Check``: the rule in words, and a generator
of violations.
"""

from rules.deckbuilding.checks.copies import card_lists_check as card_lists_check
from rules.deckbuilding.checks.copies import copy_limit_check as copy_limit_check
from rules.deckbuilding.checks.copies import forbidden_pairs_check as forbidden_pairs_check
from rules.deckbuilding.checks.kinds import minimum_check as minimum_check
from rules.deckbuilding.checks.kinds import unknown_kinds_check as unknown_kinds_check
from rules.deckbuilding.checks.kinds import zone_kinds_check as zone_kinds_check
from rules.deckbuilding.checks.printing import expansions_check as expansions_check
from rules.deckbuilding.checks.printing import single_language_check as single_language_check
from rules.deckbuilding.checks.sizes import zone_sizes_check as zone_sizes_check
