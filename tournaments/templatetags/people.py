"""Names that lead to the players' pages, faces, and results as marks."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from html import escape
from zlib import crc32

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext

from rules.standings.recent import Mark, Marks
from tournaments.core.names import listed
from tournaments.core.permissions import Actor
from tournaments.core.rows import AnyEntry
from tournaments.core.visibility import sight_of
from tournaments.models import Event

register = template.Library()
Link = Callable[..., str]
COLOURS = 9


def link_in(context: Context) -> Link:
    """Return what links a player's name to their page of the event of a template.

    It takes the entry, the class of the name if it is not "person", and whether the surname comes
    first, as in lists that are sorted by it.
    """
    start = reverse("tournaments:players", args=[context["event"].slug])

    def link(entry: AnyEntry, kind: str = ' class="person"', *, by_surname: bool = False) -> str:
        shown = _by_surname(entry) if by_surname else escape(entry.name)
        name = f"<bdi{kind}>{shown}</bdi>"
        return f'<a class="player" href="{start}{entry.number}/">{name}</a>'

    return link


@register.simple_tag(takes_context=True)
def player(context: Context, entry: AnyEntry, *, by_surname: bool = False) -> SafeString:
    """Return a player's name as a link to their page; needs ``event`` in the context."""
    return SafeString(link_in(context)(entry, by_surname=by_surname))


@register.simple_tag
def surname_first(entry: AnyEntry) -> SafeString:
    """Return a player's name as lists by surname show it, isolated from the text around it."""
    return SafeString(f'<bdi class="person">{_by_surname(entry)}</bdi>')


def _by_surname(entry: AnyEntry) -> str:
    shown = listed(entry)
    given = f' <span class="given">{escape(shown.given)}</span>' if shown.given else ""
    return f"{escape(shown.surname)}{given}"


@register.simple_tag
@lru_cache(maxsize=1024)
def face(name: str) -> SafeString:
    """Return a disc with a player's initials, hidden from screen readers: the name is beside."""
    words = name.split()
    initials = "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()
    colour = crc32(name.encode()) % COLOURS
    return SafeString(f'<span class="face f{colour}" aria-hidden="true">{escape(initials)}</span>')


@register.simple_tag
def discs(marks: Marks) -> SafeString:
    """Return results as discs, each with its letter and shape; their words for screen readers."""
    return drawn(tuple(marks), get_language() or "")


@lru_cache(maxsize=2048)
def drawn(marks: Marks, _language: str) -> SafeString:
    """Return the discs of some results in the active language; cached, as few differ."""
    if not marks:
        return SafeString("")
    letters, words = _letters(), _words()
    said = escape(", ".join(words[mark] for mark in marks))
    shown = "".join(f'<i class="{mark}">{escape(letters[mark])}</i>' for mark in marks)
    return SafeString(f'<span class="discs" role="img" aria-label="{said}">{shown}</span>')


def _letters() -> Mapping[Mark, str]:
    return {
        Mark.WON: pgettext("letter of a match won", "W"),
        Mark.DRAWN: pgettext("letter of a match drawn", "D"),
        Mark.LOST: pgettext("letter of a match lost", "L"),
        Mark.BYE: pgettext("letter of a bye", "B"),
    }


def _words() -> Mapping[Mark, str]:
    return {
        Mark.WON: gettext("won"),
        Mark.DRAWN: gettext("drawn"),
        Mark.LOST: gettext("lost"),
        Mark.BYE: gettext("bye"),
    }


@register.simple_tag
def may_read_list(event: Event, actor: Actor, entry: AnyEntry) -> bool:
    """Say whether the reader may see a player's decklist now; at most five queries."""
    return bool(entry.submission_id) and sight_of(actor, event).reads(entry)


@register.simple_tag
def latest(marks: Iterable[Mark], most: int = 5) -> Marks:
    """Return the last of some marks."""
    return tuple(marks)[-most:]


@register.simple_tag
def one_disc(mark: Mark) -> SafeString:
    """Return one result as a disc."""
    return drawn((mark,), get_language() or "")
