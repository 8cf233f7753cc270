"""What judges write: rulings on the event and on matches, which everybody reads, and staff notes.

The log tells that something was written; the words stay with the match, for they may name cards.
"""

from hashlib import sha256

from config import transaction
from rules.errors import BadInput, RuleError
from rules.people.person_names import check_words
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_judge, can_rule, is_staff, require
from tournaments.events.services.events import change_event
from tournaments.log.services import locked
from tournaments.models import Event, Match, Ruling, StaffNote
from tournaments.services.kept import undoable
from tournaments.services.matches import locked_match

LONGEST = 500


@transaction.atomic
def note_match(*, match: Match, text: str, by: Actor) -> StaffNote:
    """Keep a note on a match for the staff alone; everybody on the staff may.

    Raises BadInput ``note_empty``, ``hidden_signs``.
    """
    match = locked_match(match)
    require(is_staff(by, match.round.event))
    with undoable(match.round.event, "match.noted", (StaffNote,), by=by, subject=_where(match)):
        return StaffNote.objects.create(match=match, text=_words(text), by=by.user)


@transaction.atomic
def rule_match(*, match: Match, text: str, by: Actor) -> Ruling:
    """Keep a ruling on a match, for everybody to read: judges.

    Raises BadInput ``note_empty``, ``hidden_signs``.
    """
    match = locked_match(match)
    require(can_judge(by, match.round.event))
    with undoable(match.round.event, "match.ruled", (Ruling,), by=by, subject=_where(match)):
        return Ruling.objects.create(match=match, text=_words(text), by=by.user)


@transaction.atomic
def rule_event(*, event: Event, rulings: str, seen: str, by: Actor) -> Event:
    """Write the rulings for the whole event: organiser and head judge.

    ``seen`` is the fingerprint of the text that the page showed; raises RuleError ``stale`` when
    somebody has changed it since, BadInput ``hidden_signs``.
    """
    event = locked(event)
    require(can_rule(by, event))
    if seen != fingerprint(event.rulings):
        raise RuleError(
            "stale",
            _("Somebody changed the rulings meanwhile. Nothing was stored: copy your words."),
        )
    check_words(rulings)
    return change_event(event=event, changes={"rulings": rulings.strip()}, by=by)


def fingerprint(text: str) -> str:
    """Return what tells a text from another."""
    return sha256(text.encode()).hexdigest()[:20]


def _words(text: str) -> str:
    if not text.strip():
        raise BadInput("note_empty", _("The text is empty. Nothing was stored: write it."))
    check_words(text)
    return text.strip()[:LONGEST]


def _where(match: Match) -> str:
    return f"{match.round.ordinal}/{match.table or match.number}: {match.a} – {match.b}"
