"""Hand in decklists and keep drafts; every submission is kept, one counts."""

from django.utils import timezone

from config import transaction
from decks.cards.catalogues import resolver
from decks.checking import require_storable
from decks.decklists.services import store_decklist, store_file
from decks.models import Decklist
from decks.rulebook import DeckRules
from rules.errors import BadInput, RuleError
from tournaments.core.permissions import Actor, can_see_decks, require
from tournaments.decklists.acts import DECK_KEPT_ASIDE, DECK_SUBMITTED
from tournaments.decklists.selectors.locks import decklists_locked, list_open
from tournaments.decklists.selectors.rules import rules_of_event
from tournaments.decklists.services.locks import reason_that_holds
from tournaments.log.services import locked, record
from tournaments.models import DeckDraft, DeckSubmission, Entry

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
    """Hand in a list for an entry, legal or not; earlier ones are kept.

    The list is the ``text`` or the content of an ``upload``. The player may hand in until the lock,
    or while a judge has opened the list; the staff at any time, after the lock with a ``reason``,
    which closes an opened list. ``expected`` is the id of the submission that the sender has seen
    (0: none yet; None: not checked).

    Raises RuleError ``deck_locked``, ``decklists_off``; ``stale`` if another list was handed in
    meanwhile: that one counts, and the new one is stored beside it. BadInput for a text or a file
    that can't be stored.
    """
    submission, counts = _store_submission(
        entry, text, upload, reason=reason, expected=expected, by=by
    )
    if not counts:
        raise RuleError(
            "stale",
            "Another list was handed in meanwhile, and that one counts. Yours is kept among "
            "the versions: compare the two, and hand it in again if it is to count.",
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
    event = locked(entry.event)
    entry = event.entries.select_related("submission__decklist").get(pk=entry.pk)
    now, own = timezone.now(), by.is_entry(entry)
    staff = can_see_decks(by, event) and not (own and not reason.strip())
    require(staff or own)
    reason = reason_that_holds(event, entry, reason.strip(), now, staff=staff)
    before = entry.submission
    stale = expected is not None and expected != (before.pk if before else 0)
    if stale and before and text and before.decklist.raw == text and before.by == by.user:
        return before, True  # the same form submitted twice
    submission = DeckSubmission.objects.create(
        entry=entry,
        decklist=_store_list(rules_of_event(event), text, upload),
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
    resolve = resolver(rules.catalogue)
    stored = store_file(rules=rules, content=content, filename=filename, resolve=resolve)
    if not stored.raw.strip():
        raise BadInput("empty_list", "The file holds no card; nothing was stored.")
    return stored


@transaction.atomic
def keep_draft(*, entry: Entry, text: str, by: Actor) -> DeckDraft:
    """Store a player's draft, replacing the previous one.

    Raises RuleError ``deck_locked``; BadInput for a text that can't be stored.
    """
    event = locked(entry.event)
    require(by.is_entry(entry))
    require_storable(text)
    if not list_open(event, event.entries.get(pk=entry.pk)):
        raise RuleError(
            "deck_locked",
            "Decklists are locked. Nothing was stored: a judge can still change yours.",
        )
    draft, _made = DeckDraft.objects.update_or_create(entry=entry, defaults={"text": text})
    return draft


@transaction.atomic
def drop_draft(*, entry: Entry, by: Actor) -> None:
    """Delete a player's draft, if there is one."""
    require(by.is_entry(entry))
    DeckDraft.objects.filter(entry=entry).delete()
