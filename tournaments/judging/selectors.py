"""Public rulings, staff notes, and open calls."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.models import Event, JudgeCall, Match, Ruling, StaffNote

Rulings = Mapping[int, tuple[str, ...]]
"""The texts of the rulings on each match, by its primary key."""


def event_rulings(event: Event) -> Rulings:
    """Return {match primary key: texts of its rulings} of an event; one query."""
    return _by_match(Ruling.objects.filter(match__round__event=event))


def rulings_on_match(match: int) -> tuple[Ruling, ...]:
    """Return the rulings on a match, oldest first; one query."""
    return tuple(Ruling.objects.filter(match=match).select_related("by").order_by("pk"))


def staff_notes(match: Match) -> tuple[StaffNote, ...]:
    """Return the staff notes on a match, oldest first, for staff only; one query."""
    return tuple(match.staffnotes.select_related("by").order_by("pk"))


def _by_match(found: Iterable[Ruling]) -> Rulings:
    words: dict[int, list[str]] = defaultdict(list)
    for ruling in found:
        words[ruling.match_id].append(ruling.text)
    return {key: tuple(texts) for key, texts in words.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """An open judge call.

    ``table`` is the table number, ``who`` the calling player's name, "" if the staff called;
    ``taken_by`` the judge's name, "?" if unknown.
    """

    call: JudgeCall
    match: Match
    table: int
    who: str
    reason: str
    taken_by: str

    @property
    def is_taken(self) -> bool:
        return self.call.taken_at is not None


def open_calls(event: Event, marks: Mapping[int, str] | None = None) -> tuple[CallRow, ...]:
    """Return an event's open judge calls, oldest first.

    Calls from matches with a final result are left out. ``marks`` are name marks by player number
    (``core.names.load_name_marks``). One query with them, else two.
    """
    open_ones = JudgeCall.objects.filter(match__round__event=event, closed_at__isnull=True)
    open_ones = open_ones.exclude(match__state=Match.State.FINAL)
    found = tuple(open_ones.select_related("match", "entry", "taken_by").order_by("pk"))
    if callers := [call.entry for call in found if call.entry]:
        attach_name_marks(callers, load_name_marks(event) if marks is None else marks)
    return tuple(
        CallRow(
            call=call,
            match=call.match,
            table=call.match.plays_at or call.match.number,
            who=call.entry.display_name if call.entry else "",
            reason=call.reason,
            taken_by=call.taken_by_whom or "?",
        )
        for call in found
    )
