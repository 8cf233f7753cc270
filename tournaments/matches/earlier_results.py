"""What was told of a match before the result that counts now."""

from collections.abc import Iterable

from tournaments.core.mapping import is_of_table
from tournaments.core.rows import AnyMatch
from tournaments.models import Report

COUNTED = (Report.Kind.CONFIRMATION, Report.Kind.DECISION, Report.Kind.AUTOMATIC)
"""The kinds of reports of which each was the result that counts."""


def may_have_earlier(match: AnyMatch, version: int) -> bool:
    """Return whether those who play a match had a report before that of a version; no query."""
    return version > match.version_before + 1


def result_before(match: AnyMatch, version: int, reports: Iterable[Report]) -> Report | None:
    """Return what had been told of a match when its report of a version was stored.

    That is the result that counted (its kind is one of `COUNTED`), or one that was reported and not
    denied; of players who sat there before a correction it is nothing. None if nothing was told.
    ``reports`` are those of the match, oldest first.
    """
    own = [each for each in reports if match.version_before < each.version < version]
    last = own[-1] if own else None
    if last is None or last.kind in COUNTED:
        return last
    told = [each for each in own if each.kind == Report.Kind.REPORT]
    disputed = len({each.by_entry_id or each.by_id for each in told}) > 1
    return None if disputed or is_of_table(last) else last
