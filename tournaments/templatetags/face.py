"""Template tags for drawings of public pages: emblems, people, discs of results, kinds of decks."""

from functools import lru_cache
from zlib import crc32

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from config.looks import drawing
from rules.deckbuilding.formats import Look
from tournaments.decklists.selectors.played import DeckKind
from tournaments.models import Event
from tournaments.public.games import INKS, initials, look_of

register = template.Library()


register.filter("look_of", look_of)


@register.filter
def look(event: Event) -> Look:
    """Return the colours and the emblem of an event's game."""
    return look_of(event.format_key)


@register.simple_tag
@lru_cache(maxsize=64)
def emblem_box(look: Look, small: bool = False) -> SafeString:
    """Return the emblem of a game in a rounded square, for sighted readers only."""
    size = "small " if small else ""
    emblem = drawing(look.emblem)
    return format_html('<span class="emblem-box {}g-{}">{}</span>', size, look.palette, emblem)


@register.simple_tag
def face(name: object) -> SafeString:
    """Return the disc with a person's initials, hidden from screen readers."""
    words = str(name)
    colour = crc32(words.encode()) % len(INKS)
    return format_html(
        '<span class="face-disc c{}" aria-hidden="true">{}</span>', colour, initials(words)
    )


@register.simple_tag
def form(marks: tuple[str, ...], to_play: int = 0) -> SafeString:
    """Return results as discs, the oldest first, then ``to_play`` discs for matches to be played.

    ``marks`` are won, drawn, lost, bye or to play.
    """
    return _discs(tuple(marks), to_play, get_language() or "")


@lru_cache(maxsize=4096)
def _discs(marks: tuple[str, ...], to_play: int, language: str) -> SafeString:
    """Return some results in the active language; kept, as few of them differ."""
    letters = _letters(language)
    discs = format_html_join(
        "",
        '<i class="disc {}" title="{}">{}</i>',
        ((mark, *letters[mark]) for mark in (*marks, *["to-play"] * to_play)),
    )
    words = ", ".join(letters[mark][0] for mark in marks)
    hidden = format_html('<span class="visually-hidden">{}</span>', words) if words else ""
    return format_html('{}<span class="form" aria-hidden="true">{}</span>', hidden, discs)


def result_letters() -> dict[str, str]:
    """Return the letter of each kind of result in the active language."""
    return {kind: letter for kind, (_word, letter) in _letters(get_language() or "").items()}


@lru_cache(maxsize=8)
def _letters(language: str) -> dict[str, tuple[str, str]]:
    """Return (word, letter) for each kind of result in the active language."""
    return {
        "won": (_("win"), _("W")),
        "drawn": (_("draw"), _("D")),
        "lost": (_("loss"), _("L")),
        "bye": (_("bye"), pgettext("letter of a bye", "B")),
        "to-play": (_("to play"), ""),
    }


@register.simple_tag
def kind_name(kind: object) -> SafeString:
    """Return the name of a kind of deck in its colour; "" for none."""
    if not isinstance(kind, DeckKind):
        return SafeString("")
    return format_html('<b class="kind {}"><bdi>{}</bdi></b>', kind.tone, kind.name)


@register.simple_tag
def kind_sign(kind: DeckKind) -> SafeString:
    """Return the letters of a kind of deck on its colour, hidden from screen readers."""
    return format_html('<span class="sign {}" aria-hidden="true">{}</span>', kind.tone, kind.sign)
