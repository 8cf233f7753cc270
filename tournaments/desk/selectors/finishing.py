"""What becomes public when an event is finished."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.core.event_state import EventFacts
from tournaments.desk.selectors.closing import Disclosure, still_held
from tournaments.models import Event


def finishing_of(facts: EventFacts) -> tuple[Disclosure, ...]:
    """Return what everybody sees once the event is finished, and what stays as it is; no query."""
    return tuple(_disclosures(facts))


def _disclosures(facts: EventFacts) -> Iterator[Disclosure]:
    event, held = facts.event, still_held(facts)
    if held is not None and held.stage:
        yield Disclosure(
            name=_("Final standings: %(stage)s") % {"stage": held.stage},
            words=_("They are held back now: everybody sees them then."),
        )
    yield Disclosure(
        name=_("Podium and final ranking"),
        words=_("Everybody sees them on the event’s page."),
    )
    yield Disclosure(
        name=_("Transcript"),
        words=_("Everybody can download all results, draws and lines of the log as one file."),
    )
    if event.decklists != Event.Decklists.OFF:
        yield Disclosure(
            name=_("Decklists"),
            words=_("Everybody sees them already.")
            if event.lists_published_at is not None
            else _("They stay hidden: you publish them under “Manage”, when you like."),
        )
