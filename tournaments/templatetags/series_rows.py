"""The rows of the table of a series, written without templates, as those of standings.

Sixty people of sixty evenings are 3,600 cells.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from config.ui import badge
from rules.scenarios import Verdict
from tournaments.core.labels import ordinal
from tournaments.models import Event
from tournaments.prospects.selectors import WORDS
from tournaments.series.people import Person, SeriesEntry
from tournaments.series.shown_table import WHOLE, EventHead, PersonResult, PersonRow
from tournaments.standings.selectors.proofs import format_value
from tournaments.templatetags.people import rank_html, shared_mark

register = template.Library()


register.filter("signed_points", format_value)


@register.filter(name="verdict_words")
def verdict_label(verdict: Verdict) -> str:
    """Template filter: the translated label of a Verdict."""
    return str(WORDS[verdict])


register.filter("ordinal", ordinal)


@register.filter
def appearances(person: Person, events: Mapping[int, Event]) -> list[tuple[Event, SeriesEntry]]:
    """Template filter: (event, entry) of each event in which a person took part.

    events: by primary key.
    """
    return [(events[entry.event_id], entry) for entry in person.entries]


@register.simple_tag(takes_context=True)
def series_rows(
    context: Context, rows: Iterable[PersonRow], heads: Sequence[EventHead]
) -> SafeString:
    """Template tag: the HTML rows of the table of a series.

    Each person is a table body: a row, and details that unfold. heads: (event, whether it is old)
    of each column. The context has ``own``, the reader's number; ``top``, the label of the
    verdicts; ``query``, appended to links.
    """
    writer = _RowWriter(context, heads)
    return SafeString("".join(map(writer.body, rows)))


class _RowWriter:
    """A table being written: what recurs in its rows is looked up once."""

    def __init__(self, context: Context, heads: Sequence[EventHead]) -> None:
        self.heads, self.own, self.points = heads, context["own"], cache(format_value)
        self.people = f"{context['facts'].series.get_absolute_url()}players/"
        self.query = context["query"]
        self.names = [escape(event.name) for event, _old in heads]
        self.players = [reverse("tournaments:players", args=[event.slug]) for event, _old in heads]
        self.shared, self.wide = shared_mark(), len(heads) + 4
        self.apart = escape(_("doesn’t count"))
        self.results, self.top = escape(_("Results")), escape(context["top"])
        self.words = {verdict: escape(str(words)) for verdict, words in WORDS.items()}
        self.badges = {
            Verdict.THROUGH: f" {badge(self.words[Verdict.THROUGH], 'good', icon='check')}",
            Verdict.OUT: f" {badge(self.words[Verdict.OUT])}",
        }
        self.short = " " + badge(_("Too few events"))

    def body(self, row: PersonRow) -> str:
        """Return a person's row and what opens beneath it."""
        kinds = ["gone"] * row.short + ["mine"] * (row.number == self.own)
        name = escape(row.person.display_name)
        return (
            f'<tbody id="player-{row.number}" class="{" ".join(kinds)}" data-row '
            f'data-called="{name}">{self._row(row, name)}'
            f'<tr class="more"><td colspan="{self.wide}"><details><summary aria-label="{name}">'
            f"</summary><div>{self._beneath(row)}</div></details></td></tr></tbody>"
        )

    def _row(self, row: PersonRow, name: str) -> str:
        club = f' <small class="club">{escape(row.person.club)}</small>' if row.person.club else ""
        says = self.short if row.short else self.badges.get(row.verdict, "") if row.verdict else ""
        cells = "".join(
            self._cell(cell, " old" if old else "")
            for (_event, old), cell in zip(self.heads, row.cells, strict=True)
        )
        return (
            f'<tr><td class="rank"><b>{rank_html(row, self.shared)}</b></td>'
            f'<th scope="row"><a class="player" href="{self.people}{row.number}/{self.query}">'
            f'<bdi class="person">{name}</bdi></a>{says}{club}</th>{cells}'
            f'<td class="number points">{self.points(row.points)}</td>'
            f'<td class="number record">{len(row.results)}</td></tr>'
        )

    def _cell(self, cell: PersonResult | None, old: str) -> str:
        if cell is None:
            return f'<td class="c rest{old}"><i>–</i></td>'
        points = self.points(cell.points)
        if not cell.counts:
            return f'<td class="c missed{old}"><i>({points})</i></td>'
        return f'<td class="c{" won" if cell.place == 1 else ""}{old}"><i>{points}</i></td>'

    def _beneath(self, row: PersonRow) -> str:
        """Return results by event, values by criterion, the reason, and what is possible."""
        results = "".join(
            f'<li value="{at}">{self._result(cell, at - 1)}</li>'
            for at, cell in enumerate(row.cells, start=1)
            if cell is not None
        )
        given = "".join(
            f"<p>{self.points(one.points)} <bdi>{escape(one.reason)}</bdi></p>"
            for one in row.adjustments
        )
        pairs = list(row.values)
        if row.verdict:
            pairs.append((self.top, self.words[row.verdict]))
        values = "".join(
            f"<div><dt>{escape(label)}</dt><dd>{value}</dd></div>" for label, value in pairs
        )
        why = f"<p>{escape(row.why)}</p>" if row.why else ""
        to = f'<p><a href="{self.people}{row.number}/{self.query}">{self.results}</a></p>'
        return f"<ol>{results}</ol>{given}<dl>{values}</dl>{why}{to}"

    def _result(self, cell: PersonResult, at: int) -> str:
        apart = "" if cell.counts else f" ({self.apart})"
        name = f"<bdi>{self.names[at]}</bdi>"
        if len(self.heads) <= WHOLE:  # of more, the person's page alone has the links
            name = f'<a href="{self.players[at]}{cell.number}/">{name}</a>'
        return f"{name} {ordinal(cell.place)} · <b>{self.points(cell.points)}</b>{apart}"
