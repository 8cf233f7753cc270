"""Sentences for everybody: made by a judge, taken down by any."""

from datetime import timedelta

from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import after
from rules.people.person_names import check_words
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_judge, require
from tournaments.log.services import locked, record
from tournaments.models import Announcement, Event
from tournaments.services.kept import undoable

MOST_MINUTES = 600


@transaction.atomic
def announce(*, event: Event, text: str, minutes: int, by: Actor) -> Announcement:
    """Show a sentence to everybody for so many minutes, from 1 to 600.

    Raises BadInput ``announcement_empty``, ``hidden_signs``, ``impossible_minutes``.
    """
    event = locked(event)
    require(can_judge(by, event))
    after("event", event.state, "play")
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
    said = {"text": made.text, "minutes": minutes}
    record(event, "announcement.made", by=by, after=said)
    return made


@transaction.atomic
def end_announcement(*, event: Event, announcement_id: int, by: Actor) -> Announcement:
    """Take an announcement down. Raises RuleError ``announcement_ended``."""
    event = locked(event)
    require(can_judge(by, event))
    found = event.announcements.filter(pk=announcement_id, ended_at__isnull=True).first()
    if found is None:
        raise RuleError(
            "announcement_ended",
            _("This announcement was taken down already. Nothing was changed."),
        )
    said = {"text": found.text}
    with undoable(event, "announcement.ended", (Announcement,), by=by, before=said):
        found.ended_at = timezone.now()
        found.save(update_fields=["ended_at"])
    return found
