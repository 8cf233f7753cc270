"""Whether the result of a match that counts is a correction, and of what: for everybody.

The reason, and who corrected it, are for the staff alone.
"""

from collections.abc import Sequence

from tournaments.core.rows import EntryRow, MatchRow, RoundRow
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.matches.earlier_results import COUNTED, may_have_earlier, result_before
from tournaments.matches.words import with_names
from tournaments.models import Event, Report
from tournaments.results.acts import CORRECTED
from tournaments.undo.acts import REDONE

CORRECTIONS = (CORRECTED.key, FOLLOWED.key, TAKEN_BACK.key)
"""The acts that put another result in place of one that counted."""


def corrected_from(
    event: Event, item: RoundRow, match: MatchRow, decided: Report, players: Sequence[EntryRow]
) -> str:
    """Return the result that counted before the one that does, in words; "" unless corrected.

    ``decided`` is the report that counts. Two queries where it may be a correction, two more where
    it may be one that was undone and done again.
    """
    if decided.kind != Report.Kind.DECISION or not may_have_earlier(match, decided.version):
        return ""
    reports = Report.objects.filter(match=match.pk).order_by("version")
    was = result_before(match, decided.version, reports)
    if was is None or was.kind not in COUNTED or not _is_correction(event, item, match, decided):
        return ""
    return with_names(was, *(player.display_name for player in players))


def _is_correction(event: Event, item: RoundRow, match: MatchRow, decided: Report) -> bool:
    """Return whether a result was stored by a correction, also by one that was done again."""
    lines = event.log.filter(subject__startswith=f"{item.ordinal}/")
    made = lines.filter(action__in=CORRECTIONS, after__match=match.number)
    if made.filter(after__version=decided.version).exists():
        return True
    # What is done again is stored as another version, and then told by a line of its own.
    again = lines.filter(action=REDONE.key, at__gte=decided.at).order_by("number").first()
    return again is not None and made.filter(number=again.after["line"]).exists()
