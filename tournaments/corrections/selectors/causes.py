"""The words of a correction that depend on what was wrong: a result, lots, seeds, a player."""

from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What the page of a correction says of what was wrong.

    ``unchanged`` is said where nothing made from it changes, ``recorded`` where the rest stays, and
    ``told`` who reads of it where somebody keeps a place that is another's then; ``respects`` is
    what the seats follow once they are given, and ``undo`` says what undo puts back. The others are
    labels: of the button where nothing follows, of that which leaves the rest, of pairings made and
    of those that would be.
    """

    unchanged: Promise
    recorded: Promise
    respects: Promise
    told: Promise
    undo: Promise
    alone: Promise
    leave: Promise
    made: Promise
    instead: Promise


RESULT = Cause(
    unchanged=_("Rounds already paired stay as they are."),
    recorded=_("The new result goes into the record."),
    respects=_("respects the standings"),
    told=_(
        "Record and standings say who is where against the standings, by whose decision and why"
    ),
    undo=_("The organiser’s “Undo” puts everybody back, until there is a new result"),
    alone=_("Correct the result"),
    leave=_("Correct the result and leave the rest"),
    made=_("With the old result"),
    instead=_("With the new result"),
)
IN_STAGE = replace(RESULT, respects=_("respects the result"))
"""Of a result of the stage in progress, whose matches follow from each other."""
LOTS = Cause(
    unchanged=_("Nobody’s seat changes: only the order does."),
    recorded=_("The right order goes into the record."),
    respects=_("respects the standings"),
    told=_(
        "Record and standings say who is where against the standings, by whose decision and why"
    ),
    undo=_(
        "The organiser’s “Undo” puts everybody back, until there is a new result; the order of the "
        "lots stays on record"
    ),
    alone=_("Record the right order"),
    leave=_("Record the right order and leave the rest"),
    made=_("With the old order"),
    instead=_("With the right order"),
)
SEEDS = Cause(
    unchanged=_("Nobody’s seat changes: only the seeds do."),
    recorded=_("The right seeds go into the record."),
    respects=_("respects the seeds"),
    told=_("The record says that seats and seeds differ, by whose decision and why"),
    undo=RESULT.undo,
    alone=_("Record the right seeds"),
    leave=_("Record the right seeds and leave the rest"),
    made=_("With the old seeds"),
    instead=_("With the right seeds"),
)
PLAYER = replace(RESULT, respects=_("all other tables play on"))
