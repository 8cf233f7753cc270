"""Lists handed in, opened, corrected and published, and the acts of the log that tell it."""

from datetime import datetime
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from decks.checking import require_storable_text
from decks.decklists.services import store_decklist, store_decklist_file
from decks.models import Decklist
from decks.rulebook import DeckRules
from rules.errors import BadInput, RuleError
from tournaments.core.acts import Act, CacheEffect, NoUndo, RowUndo, UndoTiming
from tournaments.core.permissions import Actor, can_manage, can_see_decks, require_permission
from tournaments.core.visibility import (
    are_lists_withheld,
    no_withheld_lists_error,
    store_withheld_lists_stage,
)
from tournaments.decklists.selectors.rules import event_deck_rules
from tournaments.decklists.selectors.versions import (
    can_submit_decklist,
    decklists_locked,
    is_opened_by_judge,
)
from tournaments.log.services import begin_act, lock_event, record
from tournaments.models import DeckDraft, DeckSubmission, Entry, Event, Stage
from tournaments.undo.services import undoable

HANDED_IN = NoUndo()

act = partial(
    Act, may=can_see_decks, undo=RowUndo(), order=UndoTiming.BESIDE, shows=CacheEffect.ADDS
)
DECK_SUBMITTED = act(
    key="deck.submitted", words=_("Decklist submitted"), player_may=True, undo=HANDED_IN
)
DECK_KEPT_ASIDE = act(
    key="deck.kept_aside",
    words=_("Decklist kept but not used"),
    player_may=True,
    undo=HANDED_IN,
)
DECK_OPENED = act(key="deck.opened", words=_("Decklist unlocked for one player"))
DECK_CLOSED = act(key="deck.closed", words=_("Decklist locked again"))
LISTS_PUBLISHED = act(
    key="lists.published",
    words=_("Decklists published"),
    may=can_manage,
    ask_undo=_("Hide the decklists again?"),
    ask_redo=_("Publish the decklists of everyone who played?"),
)
LISTS_RELEASED = act(
    key="lists.released",
    words=_("Stage decklists shown"),
    may=can_manage,
    state="play",
    undo=NoUndo(),
)
LISTS_HIDDEN = act(
    key="lists.hidden",
    words=_("Decklists hidden"),
    may=can_manage,
    shows=CacheEffect.TAKES_AWAY,
    ask_redo=_("Hide the decklists again?"),
)


@transaction.atomic
def unlock_decklist(*, entry: Entry, until: datetime, reason: str, by: Actor) -> Entry:
    """Let one player change the decklist until a moment, despite deadline and start.

    Raises RuleError ``decklists_off``, ``event_finished``; BadInput ``reason_missing``,
    ``until_past``.
    """
    event = begin_act(entry.event, DECK_OPENED, by=by)
    entry = event.entries.get(pk=entry.pk)
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", "This event does not use decklists.")
    if event.state == Event.State.FINISHED:
        raise RuleError("event_finished")
    if not reason.strip():
        raise BadInput("reason_missing", "Give a reason.")
    if until <= timezone.now():
        raise BadInput("until_past", "Choose a later time.")
    with undoable(
        event,
        DECK_OPENED,
        (Entry,),
        by=by,
        subject=entry.name,
        before={"until": event_time_text(event, entry.deck_open_until)},
        after={"number": entry.number, "until": event_time_text(event, until)},
        reason=reason.strip(),
    ):
        entry.deck_open_until = until
        entry.save(update_fields=["deck_open_until"])
    return entry


@transaction.atomic
def lock_decklist(*, entry: Entry, by: Actor) -> Entry:
    """Lock a decklist again that was opened for one player; return the entry.

    Raises RuleError ``list_not_open``.
    """
    event = begin_act(entry.event, DECK_CLOSED, by=by)
    entry = event.entries.get(pk=entry.pk)
    if not is_opened_by_judge(event, entry):
        raise RuleError("list_not_open")
    before = {"until": event_time_text(event, entry.deck_open_until)}
    with undoable(event, DECK_CLOSED, (Entry,), by=by, subject=entry.name, before=before):
        entry.deck_open_until = None
        entry.save(update_fields=["deck_open_until"])
    return entry


def submission_reason(
    event: Event, entry: Entry, reason: str, now: datetime, *, staff: bool
) -> str:
    """Return the reason to store with a submission, checking that it is allowed now.

    For a player after the lock that is the judge's reason for opening; else ``reason``. Raises
    RuleError ``decklists_off``, ``deck_locked``; BadInput ``reason_missing``.
    """
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", "This event does not use decklists.")
    if not decklists_locked(event, now):
        return reason
    if staff:
        if not reason:
            raise BadInput(
                "reason_missing",
                "Decklists are locked. Give a reason.",
            )
        return reason
    if not is_opened_by_judge(event, entry, now):
        raise RuleError(
            "deck_locked",
            "Decklists are locked. A judge can still change yours.",
        )
    return _opening_reason(event, entry)


def _opening_reason(event: Event, entry: Entry) -> str:
    """Return the reason of the last opening of an entry's list; one query."""
    lines = event.log.filter(action="deck.opened", after__number=entry.number)
    line = lines.order_by("-number").first()
    return line.reason if line else ""


def event_time_text(event: Event, moment: datetime | None) -> str | None:
    """Return a moment in the log's format: the event's local time with its UTC offset."""
    return moment.astimezone(event.zone).isoformat(timespec="minutes") if moment else None


LONGEST_REASON = 300
Upload = tuple[bytes, str]
"""The content and name of an uploaded file."""


def submit_decklist(
    *,
    entry: Entry,
    text: str = "",
    upload: Upload | None = None,
    reason: str = "",
    expected: int | None = None,
    by: Actor,
) -> DeckSubmission:
    """Submit a decklist, legal or not, as ``text`` or ``upload``; older versions are kept.

    ``upload``: (content, file name). A player may submit before the lock or while a judge has
    opened the decklist; judges and organisers always, after the lock with a ``reason``, which also
    locks an opened decklist again. ``expected``: primary key of the version on the sender's page
    (0: none; None: unchecked).

    Raises RuleError ``deck_locked``, ``decklists_off``; ``stale`` if another version was submitted
    meanwhile: that one is valid, and this one is stored beside it. BadInput for content that can't
    be stored.
    """
    submission, counts = _store_submission(
        entry, text, upload, reason=reason, expected=expected, by=by
    )
    if not counts:
        raise RuleError(
            "stale",
            "Another decklist was submitted in the meantime. Compare them and submit yours "
            "again if it should count.",
        )
    return submission


@transaction.atomic
def _store_submission(
    entry: Entry,
    text: str,
    upload: Upload | None,
    *,
    reason: str,
    expected: int | None,
    by: Actor,
) -> tuple[DeckSubmission, bool]:
    """Store a submission; return it and whether it counts."""
    event = lock_event(entry.event)
    entry = event.entries.select_related("submission__decklist").get(pk=entry.pk)
    now, own = timezone.now(), by.is_entry(entry)
    staff = can_see_decks(by, event) and not (own and not reason.strip())
    require_permission(staff or own)
    reason = submission_reason(event, entry, reason.strip(), now, staff=staff)
    before = entry.submission
    stale = expected is not None and expected != (before.pk if before else 0)
    if stale and before and text and before.decklist.raw == text and before.by == by.user:
        return before, True  # the same form submitted twice
    submission = DeckSubmission.objects.create(
        entry=entry,
        decklist=_store_list(event_deck_rules(event), text, upload),
        by=by.user,
        reason=reason[:LONGEST_REASON],
        locked_at=now if event.plan is not None else None,
    )
    if not stale:
        entry.submission = submission
        if staff and decklists_locked(event, now):
            entry.deck_open_until = None
        entry.save(update_fields=["submission", "deck_open_until"])
        if own:
            DeckDraft.objects.filter(entry=entry).delete()
    decklist = submission.decklist
    record(
        event,
        DECK_KEPT_ASIDE if stale else DECK_SUBMITTED,
        by=by,
        subject=entry.name,
        before={"fingerprint": before.decklist.fingerprint} if before and not stale else {},
        after={"fingerprint": decklist.fingerprint, "legal": decklist.legal},
        reason=submission.reason,
    )
    return submission, not stale


def _store_list(rules: DeckRules, text: str, upload: Upload | None) -> Decklist:
    if upload is None:
        return store_decklist(rules=rules, text=text)
    content, filename = upload
    stored = store_decklist_file(rules=rules, content=content, filename=filename)
    if not stored.raw.strip():
        raise BadInput("empty_list", "The file has no cards.")
    return stored


@transaction.atomic
def store_draft(*, entry: Entry, text: str, by: Actor) -> DeckDraft:
    """Store a player's draft, replacing the previous one.

    Raises RuleError ``deck_locked``; BadInput for a text that can't be stored.
    """
    event = lock_event(entry.event)
    require_permission(by.is_entry(entry))
    require_storable_text(text)
    if not can_submit_decklist(event, event.entries.get(pk=entry.pk)):
        raise RuleError(
            "deck_locked",
            "Decklists are locked. A judge can still change yours.",
        )
    draft, _made = DeckDraft.objects.update_or_create(entry=entry, defaults={"text": text})
    return draft


@transaction.atomic
def delete_draft(*, entry: Entry, by: Actor) -> None:
    """Delete a player's draft."""
    require_permission(by.is_entry(entry))
    DeckDraft.objects.filter(entry=entry).delete()


@transaction.atomic
def publish_decklists(*, event: Event, by: Actor) -> Event:
    """Publish the decklists of all players of a finished event.

    Raises RuleError ``event_not_finished``, ``decklists_off``, ``lists_published``.
    """
    event = begin_act(event, LISTS_PUBLISHED, by=by)
    if event.state != Event.State.FINISHED:
        raise RuleError(
            "event_not_finished",
            "Finish the event first.",
        )
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", "This event does not use decklists.")
    if event.lists_published_at is not None:
        raise RuleError("lists_published")
    return _shown_since(event, timezone.now(), LISTS_PUBLISHED, by=by)


@transaction.atomic
def hide_decklists(*, event: Event, by: Actor) -> Event:
    """Hide published decklists again from all but their players, judges and organisers.

    Raises RuleError ``lists_hidden`` if they are not public.
    """
    event = begin_act(event, LISTS_HIDDEN, by=by)
    if event.lists_published_at is None:
        raise RuleError("lists_hidden")
    return _shown_since(event, None, LISTS_HIDDEN, by=by)


@transaction.atomic
def release_decklists(*, event: Event, expected_stage: int, by: Actor) -> Event:
    """Show the open stage's withheld decklists to its players, as the setting says.

    Raises RuleError ``event_not_running``, ``no_lists_held``; ``stale`` if the open stage is
    not ``expected_stage``.
    """
    event = begin_act(event, LISTS_RELEASED, by=by)
    stage = event.stages.filter(state=Stage.State.OPEN).first()
    if stage is None or not are_lists_withheld(event, stage):
        raise no_withheld_lists_error()
    if stage.number != expected_stage:
        raise RuleError(
            "stale",
        )
    store_withheld_lists_stage(event, None)
    record(event, LISTS_RELEASED, by=by, subject=stage.key)
    return event


def _shown_since(event: Event, moment: datetime | None, act: Act, *, by: Actor) -> Event:
    """Store the moment since which lists are public; None hides them."""
    with undoable(event, act, (Event,), by=by):
        event.lists_published_at = moment
        event.save(update_fields=["lists_published_at"])
    return event
