"""All submissions of a player's list, the differences between two of them, and whether it can be
changed now.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from decks.decklists.selectors import decklist_row, short_fingerprint, stored_deck
from decks.labels import short_verdict, zone_label
from decks.stored_formats import base_format
from rules.deckbuilding.deck import ZoneDifference, compare_decks
from tournaments.models import DeckDraft, DeckSubmission, Entry, Event


def decklists_locked(event: Event, now: datetime | None = None) -> bool:
    """Return whether decklists are locked: deadline passed or event started; no query."""
    if event.plan is not None:
        return True
    deadline = event.decklist_deadline
    return deadline is not None and (now or timezone.now()) >= deadline


def can_submit_decklist(event: Event, entry: Entry, now: datetime | None = None) -> bool:
    """Return whether a player may submit a decklist now: not locked, or opened by a judge."""
    now = now or timezone.now()
    if event.decklists == Event.Decklists.OFF:
        return False
    return not decklists_locked(event, now) or is_opened_by_judge(event, entry, now)


def is_opened_by_judge(event: Event, entry: Entry, now: datetime | None = None) -> bool:
    """Return whether a judge has opened this player's decklist and the time has not passed."""
    until = entry.deck_open_until
    running = event.state != Event.State.FINISHED
    return running and until is not None and (now or timezone.now()) < until


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckWindow:
    """The time in which a player can change the decklist.

    ``until``: end of the time, None if closed or unlimited; ``since``: when it was locked.
    ``started``: whether the event has. ``grace``: open for this player although ``locked``.
    ``left``: remaining time as text. ``draft``: there is an unsubmitted draft.
    """

    open: bool
    locked: bool
    grace: bool
    started: bool
    until: datetime | None
    since: datetime | None
    left: str
    draft: bool = False

    @property
    def shown(self) -> tuple[bool, datetime | None, bool]:
        """Return what the player's own page depends on."""
        return self.open, self.until, self.draft


def deck_window(event: Event, entry: Entry, now: datetime | None = None) -> DeckWindow:
    """Return when a player can change the decklist, without ``draft``; no query."""
    now = now or timezone.now()
    locked, grace = decklists_locked(event, now), is_opened_by_judge(event, entry, now)
    can_change = can_submit_decklist(event, entry, now)
    until = entry.deck_open_until if grace else event.decklist_deadline
    if grace and not locked and event.decklist_deadline and entry.deck_open_until:
        until = max(event.decklist_deadline, entry.deck_open_until)
    return DeckWindow(
        open=can_change,
        locked=locked,
        grace=grace and locked,
        started=event.plan is not None,
        until=until if can_change else None,
        since=_locked_since(event) if locked else None,
        left=time_left(until, now) if can_change and until else "",
    )


def deck_window_with_draft(event: Event, entry: Entry) -> DeckWindow:
    """Return when a player can change the decklist, with ``draft``; at most one query."""
    window = deck_window(event, entry)
    draft = window.open and DeckDraft.objects.filter(entry=entry).exists()
    return replace(window, draft=draft)


def time_left(until: datetime, now: datetime) -> str:
    """Return the time between two moments as text, correct across daylight saving changes."""
    if (until - now).total_seconds() < 60:
        return _("less than a minute")
    return timeuntil(until.astimezone(UTC), now.astimezone(UTC)).replace("\xa0", " ")


def _locked_since(event: Event) -> datetime | None:
    moments = (event.started_at, event.decklist_deadline)
    return min((moment for moment in moments if moment is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """A submitted version of a decklist for display, numbered from 1; ``who`` submitted it.

    ``counts``: it is the valid one. ``aside``: stored but not valid, as it was sent from an
    outdated page.
    """

    number: int
    submission: DeckSubmission
    who: str
    fingerprint: str
    legal: bool
    counts: bool
    aside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two versions of a decklist, the earlier first; ``zones``: {zone label: differences}."""

    before: VersionRow
    after: VersionRow
    zones: Mapping[str, ZoneDifference]

    @property
    def both(self) -> tuple[VersionRow, VersionRow]:
        """Return the two versions."""
        return self.before, self.after


def versions_context(entry: Entry, *, first: str = "", second: str = "") -> dict[str, Any]:
    """Return the template context of an entry's decklist versions.

    Keys: ``rows``, latest first, and the ``comparison`` of two. ``first`` and ``second``: version
    numbers to compare; if invalid, the valid version and the one before it. At most two queries.
    """
    rows = version_rows(entry)
    chosen = sorted(row.number for row in rows if str(row.number) in (first, second))
    if len(chosen) != 2 and len(rows) > 1:
        at = next((row.number for row in rows if row.counts), len(rows))
        chosen = [at - 1, at] if at > 1 else [1, 2]
    comparison = _comparison(rows[chosen[0] - 1], rows[chosen[1] - 1]) if len(chosen) == 2 else None
    return {"rows": tuple(reversed(rows)), "comparison": comparison}


def version_rows(entry: Entry) -> list[VersionRow]:
    """Return the versions of an entry's decklist, earliest first; one query."""
    found = entry.submissions.select_related("decklist", "by").order_by("pk")
    return [version_row(entry, each, number) for number, each in enumerate(found, start=1)]


def version_row(entry: Entry, submission: DeckSubmission, number: int) -> VersionRow:
    """Return a version of a decklist for display; ``number`` is its number, from 1.

    No query if decklist and sender are loaded.
    """
    return VersionRow(
        number=number,
        submission=submission,
        who=submitter_text(entry, submission),
        fingerprint=short_fingerprint(submission.decklist.fingerprint),
        legal=submission.decklist.legal,
        counts=submission.pk == entry.submission_id,
        aside=entry.submission_id is not None and submission.pk > entry.submission_id,
    )


def submitter_text(entry: Entry, submission: DeckSubmission) -> str:
    """Return who submitted a version: the player's name, or "Name (staff)"."""
    own = submission.by_id is not None and submission.by_id == entry.user_id
    if own or not submission.who:
        return entry.display_name
    return _("%(name)s (staff)") % {"name": submission.who}


def _comparison(before: VersionRow, after: VersionRow) -> Comparison:
    decks = [stored_deck(row.submission.decklist) for row in (before, after)]
    shape = base_format(after.submission.decklist.format)
    return Comparison(
        before=before,
        after=after,
        zones={zone_label(each.zone, shape): each for each in compare_decks(*decks)},
    )


def valid_submission(entry: Entry) -> DeckSubmission | None:
    """Return the valid submission of an entry, None without one; one query."""
    return DeckSubmission.objects.select_related("decklist").filter(current_of=entry).first()


def player_deck_context(event: Event, entry: Entry, *, own: bool = True) -> dict[str, Any]:
    """Return the template context of an entry's decklist; at most four queries.

    ``own``: include the player's draft. ``versions``: number of submissions; ``expected``: primary
    key of the valid one, 0 for none. ``handed``: its text; ``text``: the draft's, else that.
    """
    submission = valid_submission(entry)
    entry.submission = submission
    draft = DeckDraft.objects.filter(entry=entry).first() if own else None
    numbers = list(entry.submissions.order_by("pk").values_list("pk", flat=True))
    at = numbers.index(submission.pk) + 1 if submission else 0
    window = deck_window(event, entry)
    written = submission.decklist.raw or submission.decklist.text if submission else ""
    state, tone = _list_state(window, submission, begun=draft is not None)
    return {
        "window": window,
        "state": state,
        "tone": tone,
        "receipt": version_row(entry, submission, at) if submission else None,
        "decklist": decklist_row(submission.decklist) if submission else None,
        "draft": draft,
        "expected": submission.pk if submission else 0,
        "versions": len(numbers),
        "text": draft.text if draft and window.open else written,
        "handed": written,
    }


def _list_state(
    window: DeckWindow, submission: DeckSubmission | None, *, begun: bool
) -> tuple[str, str]:
    """Return the state of a player's list in words, and the tone in which to show it."""
    if submission is None:
        words = _("Not submitted") if window.open else _("Locked, not submitted")
        return (_("Draft, not submitted") if begun and window.open else words), "warn"
    if begun and window.open:
        return _("Submitted, newer draft saved"), "warn"
    if not submission.decklist.legal:
        return _("illegal"), "bad"
    return short_verdict(
        base_format(submission.decklist.format)
    ), "good" if window.open else "neutral"
