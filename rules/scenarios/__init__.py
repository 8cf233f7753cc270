"""Prospects: who is certain to advance, who is out, and what the next match must bring.

``status`` is the entry point. Every combination of results of a group's open matches is enumerated
(``status``, with ``fast_enumeration`` for the usual criteria); scores are unknown, so from the
first score-based criterion on, everything not yet fixed counts as possible either way
(``verdict_evaluation``). Statements therefore hold whatever the scores will be, provided that every
match is won or drawn and nobody leaves. ``margins`` finds sufficient scores of a last match,
``bounds`` uses points alone for groups with too many combinations and Swiss rounds to come, and at
multiplayer tables, and ``status`` handles groups without open matches. ``verdict_evaluation``
turns outcomes into the ``verdicts`` that pages show, ``verdicts`` says whether a player has
anything left to play, ``final_places`` which places are left to who has not.
"""

from rules.scenarios.remaining import MOST_WAYS as MOST_WAYS
from rules.scenarios.status import is_enumerated as is_enumerated
from rules.scenarios.status import prospects as prospects
from rules.scenarios.verdicts import Bound as Bound
from rules.scenarios.verdicts import DecidingResult as DecidingResult
from rules.scenarios.verdicts import Margin as Margin
from rules.scenarios.verdicts import MarginMeasure as MarginMeasure
from rules.scenarios.verdicts import Prospect as Prospect
from rules.scenarios.verdicts import Verdict as Verdict
from rules.scenarios.verdicts import VerdictDependency as VerdictDependency
