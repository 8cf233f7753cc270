"""Public rulings on matches, announcements, and staff notes.

The log records that something was written; the text stays with the match, as it may name cards.
"""

from datetime import timedelta

from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from rules.people.person_names import check_words
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor
from tournaments.judging.acts import ANNOUNCEMENT_ENDED, ANNOUNCEMENT_MADE, MATCH_NOTED, MATCH_RULED
from tournaments.log.services import begin, check_allowed, record
from tournaments.matches.services import locked_match, subject_of
from tournaments.models import Announcement, Event, Match, Ruling, StaffNote
from tournaments.undo.services.row_diff import undoable

LONGEST = 500


@transaction.atomic
def note_match(*, match: Match, text: str, by: Actor) -> StaffNote:
    """Store a note on a match, visible only to the staff; permitted to all staff.

    Raises BadInput ``note_empty``, ``hidden_signs``.
    """
    match = locked_match(match)
    check_allowed(match.round.event, MATCH_NOTED, by=by)
    with undoable(match.round.event, MATCH_NOTED, (StaffNote,), by=by, subject=subject_of(match)):
        return StaffNote.objects.create(match=match, text=_checked_text(text), by=by.user)


@transaction.atomic
def rule_match(*, match: Match, text: str, by: Actor) -> Ruling:
    """Store a public ruling on a match; permitted to judges.

    Raises BadInput ``note_empty``, ``hidden_signs``.
    """
    match = locked_match(match)
    check_allowed(match.round.event, MATCH_RULED, by=by)
    with undoable(match.round.event, MATCH_RULED, (Ruling,), by=by, subject=subject_of(match)):
        return Ruling.objects.create(match=match, text=_checked_text(text), by=by.user)


def _checked_text(text: str) -> str:
    if not text.strip():
        raise BadInput("note_empty", _("The text is empty. Nothing was stored: write it."))
    check_words(text)
    return text.strip()[:LONGEST]


MOST_MINUTES = 600


@transaction.atomic
def announce(*, event: Event, text: str, minutes: int, by: Actor) -> Announcement:
    """Show an announcement to everybody for ``minutes``, from 1 to 600.

    Raises BadInput ``announcement_empty``, ``hidden_signs``, ``impossible_minutes``.
    """
    event = begin(event, ANNOUNCEMENT_MADE, by=by)
    if not text.strip():
        raise BadInput(
            "announcement_empty", _("An announcement needs words. Nothing was stored: write them.")
        )
    check_words(text)
    if not 1 <= minutes <= MOST_MINUTES:
        raise BadInput(
            "impossible_minutes",
            _("An announcement is shown for 1 to %(most)s minutes. Nothing was stored."),
            most=MOST_MINUTES,
        )
    made = Announcement.objects.create(
        event=event,
        text=text.strip()[:300],
        until=timezone.now() + timedelta(minutes=minutes),
        by=by.user,
    )
    after = {"text": made.text, "minutes": minutes}
    record(event, ANNOUNCEMENT_MADE, by=by, after=after)
    return made


@transaction.atomic
def end_announcement(*, event: Event, announcement_id: int, by: Actor) -> Announcement:
    """End an announcement. Raises RuleError ``announcement_ended``."""
    event = begin(event, ANNOUNCEMENT_ENDED, by=by)
    found = event.announcements.filter(pk=announcement_id, ended_at__isnull=True).first()
    if found is None:
        raise RuleError(
            "announcement_ended",
            _("This announcement was taken down already. Nothing was changed."),
        )
    after = {"text": found.text}
    with undoable(event, ANNOUNCEMENT_ENDED, (Announcement,), by=by, before=after):
        found.ended_at = timezone.now()
        found.save(update_fields=["ended_at"])
    return found
