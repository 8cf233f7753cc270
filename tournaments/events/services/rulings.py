"""The rulings of an event, by the head judge."""

from hashlib import sha256

from config import transaction
from rules.errors import RuleError
from rules.people.person_names import check_words
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_rule, require
from tournaments.events.services.events import change_event
from tournaments.log.services import locked
from tournaments.models import Event


@transaction.atomic
def rule_event(*, event: Event, rulings: str, seen: str, by: Actor) -> Event:
    """Store the rulings of the event; permitted to organiser and head judge.

    ``seen`` is the fingerprint of the text shown on the page. Raises RuleError ``stale`` if it has
    changed since, BadInput ``hidden_signs``.
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
    """Return a fingerprint of a text, to detect changes."""
    return sha256(text.encode()).hexdigest()[:20]
