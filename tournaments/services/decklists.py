"""Decklists handed in for an entry, and when they lock."""

from django.db import transaction
from django.utils import timezone

from decks.services import store_decklist
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.permissions import Actor, can_see_decks, require
from tournaments.selectors.deck_rules import rules_of_event
from tournaments.services.log import locked, record


@transaction.atomic
def submit_decklist(*, entry: Entry, text: str, reason: str = "", by: Actor) -> DeckSubmission:
    """Hand in a list for an entry, legal or not; the former one is kept.

    The player may until the lists lock; a judge at any time, afterwards with a reason.
    Raises RuleError ``deck_locked``, ``decklists_off``; BadInput for a text that can't be kept.
    """
    event = locked(entry.event)
    entry = event.entries.select_related("submission__decklist").get(pk=entry.pk)
    judge = can_see_decks(by, event)
    require(judge or by.is_entry(entry))
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", _("This event collects no decklists. Nothing was stored."))
    is_locked = decklists_locked(event)
    if is_locked and not judge:
        raise RuleError(
            "deck_locked",
            _("Decklists are locked. Nothing was stored: a judge can still change yours."),
        )
    if is_locked and not reason.strip():
        raise BadInput(
            "reason_missing",
            _("Decklists are locked, so a change needs a reason. Nothing was stored: give one."),
        )
    before = entry.submission
    decklist = store_decklist(rules=rules_of_event(event), text=text)
    submission = DeckSubmission.objects.create(
        entry=entry,
        decklist=decklist,
        by=by.user,
        reason=reason.strip()[:300],
        locked_at=timezone.now() if event.plan is not None else None,
    )
    entry.submission = submission
    entry.save(update_fields=["submission"])
    record(
        event,
        "deck.submitted",
        by=by,
        subject=entry.name,
        before={"fingerprint": before.decklist.fingerprint} if before else {},
        after={"fingerprint": decklist.fingerprint, "legal": decklist.legal},
        reason=reason,
    )
    return submission


def decklists_locked(event: Event) -> bool:
    """Say whether players can't change their lists any more: past the deadline or the start."""
    if event.plan is not None:
        return True
    return event.decklist_deadline is not None and timezone.now() >= event.decklist_deadline
