"""Whether the result of a match that counts is a correction, and of what: for everybody.

The reason, and who corrected it, are for the staff alone.
"""

from collections.abc import Sequence

from tournaments.core.rows import EntryRow, MatchRow, RoundRow
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.matches.words import with_names
from tournaments.models import Event, Report
from tournaments.results.acts import CORRECTED

CORRECTIONS = (CORRECTED.key, FOLLOWED.key, TAKEN_BACK.key)
"""The acts that put another result in place of one that counted."""


def corrected_from(
    event: Event, item: RoundRow, match: MatchRow, decided: Report, players: Sequence[EntryRow]
) -> str:
    """Return the result that counted before the one that does, in words; "" unless corrected.

    ``decided`` is the report that counts. Two queries where it may be a correction.
    """
    before = decided.version - 1
    if decided.kind != Report.Kind.DECISION or before <= match.version_before:
        return ""
    lines = event.log.filter(action__in=CORRECTIONS, subject__startswith=f"{item.ordinal}/")
    if not lines.filter(after__match=match.number, after__version=decided.version).exists():
        return ""
    was = Report.objects.filter(match=match.pk, version=before).first()
    return with_names(was, *(player.display_name for player in players)) if was else ""
