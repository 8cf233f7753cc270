"""Names that lead to the players' pages, what these pages ask, ranks and records as HTML, long
lists in parts; drawings of public pages: people, discs of results, kinds of decks.

A rank that several share is seen as =5, and heard as shared.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape
from zlib import crc32

from django import template
from django.template.context import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from config.looks import INKS, initials
from rules.standings.table import Marks, ResultMark
from tournaments.core.facts_cache import read_name_marks
from tournaments.core.labels import SHARED, HasRank, format_rank, format_record
from tournaments.core.names import attach_name_marks, listed_name
from tournaments.core.permissions import Actor
from tournaments.core.rows import AnyEntry
from tournaments.core.visibility import visible_decklists
from tournaments.decklists.selectors.played import ArchetypeRow
from tournaments.models import Entry, Event
from tournaments.pages.long_lists import FULL, ListPart, ListRow, RequestedPart, select_part

register = template.Library()
Link = Callable[..., str]


def player_linker(context: Context) -> Link:
    """Return a function that renders a player's name as a link to their page.

    Its arguments are the entry, the HTML attributes of the name (``kind``), and ``by_surname``:
    whether the surname comes first. Needs ``event`` in the context.
    """
    start = context["event"].players_address

    def link(entry: AnyEntry, kind: str = ' class="person"', *, by_surname: bool = False) -> str:
        shown = _by_surname(entry) if by_surname else escape(entry.display_name)
        name = f"<bdi{kind}>{shown}</bdi>"
        return f'<a class="player" href="{start}{entry.number}/">{name}</a>'

    return link


@register.simple_tag(takes_context=True, name="player")
def player_link(context: Context, entry: AnyEntry, *, by_surname: bool = False) -> SafeString:
    """Template tag: a player's name as a link to their page; needs ``event`` in the context.

    by_surname: whether the surname comes first.
    """
    return SafeString(player_linker(context)(entry, by_surname=by_surname))


@register.simple_tag
def surname_first(entry: AnyEntry) -> SafeString:
    """Template tag: a player's name with the surname first, isolated from the text around."""
    return SafeString(f'<bdi class="person">{_by_surname(entry)}</bdi>')


def _by_surname(entry: AnyEntry) -> str:
    shown = listed_name(entry)
    given = f' <span class="given">{escape(shown.rest)}</span>' if shown.rest else ""
    return f"{escape(shown.surname)}{given}"


@register.simple_tag
def reader_name(entry: Entry) -> str:
    """Template tag: the name of the player who reads, with what distinguishes namesakes.

    One query, none if the event's facts are cached.
    """
    if "mark" not in vars(entry):
        attach_name_marks([entry], read_name_marks(entry.event))
    return entry.display_name


@register.simple_tag
def may_read_list(event: Event, actor: Actor, entry: AnyEntry) -> bool:
    """Template tag: whether the actor may see a player's decklist; at most 5 queries."""
    return bool(entry.submission_id) and visible_decklists(actor, event).reads(entry)


@register.simple_tag
def readable_lists(event: Event, actor: Actor, entries: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Template tag: the players whose decklists the actor may see; at most 5 queries."""
    sight = visible_decklists(actor, event)
    return tuple(entry for entry in entries if entry.submission_id and sight.reads(entry))


@register.simple_tag
def latest_results(marks: Iterable[ResultMark], most: int = 5) -> Marks:
    """Template tag: the last ``most`` results of a player, latest last."""
    return tuple(marks)[-most:]


@register.simple_tag(name="in_parts")
def list_part(
    rows: Sequence[ListRow], wanted: RequestedPart | str, own: int | str = 0, size: int = FULL
) -> ListPart:
    """Template tag: the requested part of a long list; all rows unless it is a RequestedPart.

    own: the reader's player number. size: rows of a part.
    """
    if not isinstance(wanted, RequestedPart):
        return ListPart(rows=tuple(rows), total=len(rows))
    return select_part(rows, wanted, int(own or 0), size)


register.filter("record", format_record)


@register.simple_tag(name="rank")
def rank_label(row: HasRank) -> SafeString:
    """Template tag: the rank of a row: "5", "=5" if shared, "5–8" while open."""
    return SafeString(rank_html(row, shared_mark()))


def rank_html(row: HasRank, mark: str) -> str:
    """Return the rank of a row as HTML.

    mark: from ``shared_mark``, computed once per table.
    """
    figure = format_rank(row.rank, getattr(row, "last", 0), shared=row.shared)
    return f"<span>{mark}{figure[1:]}</span>" if figure.startswith(SHARED) else figure


def shared_mark() -> str:
    """Return the HTML of "=" for a shared rank, with a word for screen readers."""
    words = escape(_("shared"))
    sign = f'<span aria-hidden="true">{SHARED}</span>'
    return f'{sign}<span class="visually-hidden">{words} </span>'


@register.simple_tag(name="face")
def initials_disc(name: object) -> SafeString:
    """Template tag: a disc with a person's initials, hidden from screen readers."""
    words = str(name)
    colour = crc32(words.encode()) % len(INKS)
    return format_html(
        '<span class="face-disc c{}" aria-hidden="true">{}</span>', colour, initials(words)
    )


@register.simple_tag(name="form")
def result_discs(marks: tuple[str, ...], to_play: int = 0) -> SafeString:
    """Template tag: a player's results as discs, oldest first.

    marks: "won", "drawn", "lost", "bye" or "to-play". to_play: number of empty discs to add.
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
    """Return the letter of each kind of result ("won", "drawn" …) in the active language."""
    return {kind: letter for kind, (_word, letter) in _letters(get_language() or "").items()}


@lru_cache(maxsize=8)
def _letters(language: str) -> dict[str, tuple[str, str]]:
    """Return (word, letter) for each kind of result in the active language."""
    return {
        "won": (_("Win"), pgettext("one letter", "W")),
        "drawn": (_("A draw"), pgettext("one letter", "D")),
        "lost": (_("Loss"), pgettext("one letter", "L")),
        "bye": (_("Bye"), pgettext("letter of a bye", "B")),
        "to-play": (_("to play"), ""),
    }


@register.simple_tag(name="kind_name")
def deck_kind_name(kind: object) -> SafeString:
    """Template tag: the name of a deck archetype in its colour; "" unless it is a ArchetypeRow."""
    if not isinstance(kind, ArchetypeRow):
        return SafeString("")
    return format_html('<b class="kind {}"><bdi>{}</bdi></b>', kind.tone, kind.name)


@register.simple_tag(name="kind_sign")
def deck_kind_sign(kind: ArchetypeRow) -> SafeString:
    """Template tag: the letters of a deck archetype on its colour, hidden from screen readers."""
    return format_html('<span class="sign {}" aria-hidden="true">{}</span>', kind.tone, kind.sign)
