"""Texts for the players whose lists are missing or illegal, to be copied into any messenger.

They name no card: such a text may end in a group of people.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.ui_dates import in_words
from tournaments.models import Event
from tournaments.selectors.deck_overview import ListState


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A text for one player."""

    row: ListState
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """A text for each player whose list is wanting, and one for all of them."""

    each: tuple[Message, ...]
    everybody: str


def messages_for(
    event: Event, rows: Sequence[ListState], *, link: str, language: str, locked: bool
) -> Messages:
    """Return the texts in a language; ``link`` leads a player to the own list. No query."""
    with override(language):
        each = [Message(row=row, text=_for_one(event, row, link, locked=locked)) for row in rows]
        return Messages(
            each=tuple(each), everybody=_for_all(event, rows, link, locked=locked) if rows else ""
        )


def _for_one(event: Event, row: ListState, link: str, *, locked: bool) -> str:
    values = {"name": row.entry.name, "event": event.name}
    if row.missing:
        first = _("Hello %(name)s, your decklist for “%(event)s” is still missing.") % values
    else:
        first = _("Hello %(name)s, your decklist for “%(event)s” is not legal yet.") % values
    return "\n".join([first, _what_to_do(event, locked=locked, row=row), link])


def _for_all(event: Event, rows: Sequence[ListState], link: str, *, locked: bool) -> str:
    missing = ", ".join(row.entry.name for row in rows if row.missing)
    illegal = ", ".join(row.entry.name for row in rows if row.illegal)
    lines = [_("Decklists for “%(event)s”:") % {"event": event.name}]
    if missing:
        lines.append(_("Still missing: %(names)s.") % {"names": missing})
    if illegal:
        lines.append(_("Not legal yet: %(names)s.") % {"names": illegal})
    return "\n".join([*lines, _what_to_do(event, locked=locked), link])


def _what_to_do(event: Event, *, locked: bool, row: ListState | None = None) -> str:
    until = row.open_until if row else None
    if until is None and not locked:
        until = event.decklist_deadline
    if until is not None:
        local = timezone.localtime(until, event.zone)
        moment = {"moment": in_words(local, "all"), "zone": event.time_zone}
        return _("Please hand it in by %(moment)s (%(zone)s) on your page:") % moment
    if locked:
        return _("Lists are locked: please talk to a judge, who can open yours. Your page:")
    return _("Please hand it in before the event starts, on your page:")
