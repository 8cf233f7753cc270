"""Which tables wait for a judge."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Event, JudgeCall, Match


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """An open call: where, whose, why, since when, and who goes there."""

    call: JudgeCall
    match: Match
    table: int
    who: str
    reason: str
    at: datetime
    taken_by: str

    @property
    def is_taken(self) -> bool:
        """Say whether a judge is on the way."""
        return self.call.taken_at is not None


def open_calls(event: Event) -> tuple[CallRow, ...]:
    """Return the open calls of an event, the oldest first; one query."""
    found = JudgeCall.objects.filter(match__round__event=event, closed_at__isnull=True)
    return tuple(
        CallRow(
            call=call,
            match=call.match,
            table=call.match.table or call.match.number,
            who=str(call.entry),
            reason=call.reason,
            at=call.at,
            taken_by=call.taken_by_whom or "?",
        )
        for call in found.select_related("match", "entry", "taken_by").order_by("pk")
    )


def call_at(match: Match) -> JudgeCall | None:
    """Return the open call of a table; one query."""
    return match.calls.filter(closed_at__isnull=True).select_related("entry").first()
