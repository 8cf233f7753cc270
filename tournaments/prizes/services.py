"""Store the prizes of an event, and note which were handed out."""

import json
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import RuleError
from rules.events.prizes import read_prizes
from rules.json_reader import read_document
from tournaments.core.acts import Act, CacheEffect, RowUndo, UndoTiming
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, can_manage
from tournaments.log.services import begin_act, text_fingerprint
from tournaments.models import Entry, Event
from tournaments.prizes.selectors import event_winners
from tournaments.undo.services import undoable

act = partial(Act, may=can_manage, undo=RowUndo(), order=UndoTiming.BESIDE)
CHANGED = act(key="prizes.changed", words=_("Prizes changed"), shows=CacheEffect.TAKES_AWAY)
GIVEN = act(
    key="prize.given", words=_("Prize handed out"), state="hand_out", shows=CacheEffect.ADDS
)
TAKEN_BACK = act(
    key="prize.taken_back",
    words=_("Prize not handed out"),
    state="hand_out",
    shows=CacheEffect.ADDS,
)


def prizes_fingerprint(event: Event) -> str:
    """Return a digest of the event's table of prizes, to detect outdated pages."""
    return text_fingerprint(json.dumps(event.prizes, sort_keys=True))


@transaction.atomic
def set_prizes(*, event: Event, table: object, seen: str | None = None, by: Actor) -> Event:
    """Store the table of prizes, and return the event; for organisers.

    ``table``: JSON value for ``rules.events.prizes.read_prizes``; its ``available`` and
    ``published`` stay if left out. ``seen``: fingerprint of the table that the page showed, None:
    any. An equal table isn't logged. Raises BadInput ``invalid_prizes`` with the path, RuleError
    ``stale``.
    """
    event = begin_act(event, CHANGED, by=by)
    now = read_prizes(event.prizes).as_json()
    if isinstance(table, dict):
        table = {key: now[key] for key in ("available", "published")} | table
    stored = read_document("invalid_prizes", read_prizes, table).as_json()
    if seen is not None and seen != prizes_fingerprint(event):
        raise RuleError("stale")
    if stored == now:
        return event
    rows, after = ({"prizes": len(shown.rows)} for shown in (read_prizes(now), read_prizes(stored)))
    with undoable(event, CHANGED, (Event,), by=by, before=rows, after=after):
        event.prizes = stored
        event.save(update_fields=["prizes"])
    return event


@transaction.atomic
def mark_prize_handed_out(*, event: Event, number: int, given: bool, by: Actor) -> Entry:
    """Record whether a winner's prize was handed out, and return the player; for organisers.

    ``number``: the player's. Raises RuleError ``event_not_finished``, ``no_prize``, or
    ``prize_noted`` if that is recorded already.
    """
    event = begin_act(event, GIVEN, by=by)
    entry = event.entries.filter(number=number).first()
    winners = {winner.player for winner in event_winners(load_facts(event))}
    if entry is None or (given and number not in winners):
        raise RuleError("no_prize")
    if (entry.prize_given_at is not None) == given:
        raise RuleError("prize_noted")
    done, after = GIVEN if given else TAKEN_BACK, {"number": number}
    with undoable(event, done, (Entry,), by=by, subject=entry.name, after=after):
        entry.prize_given_at = timezone.now() if given else None
        entry.save(update_fields=["prize_given_at"])
    return entry
