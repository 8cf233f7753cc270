"""The rows of the tables that everybody reads when a round is posted, written without templates.

A template takes some fifty microseconds for each value that it shows; a page of 128 players has two
thousand. Sentences are looked up once a table. Names and everything else that was typed is escaped.
"""

from collections.abc import Iterable
from html import escape

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from config.ui import badge, icon
from tournaments.rounds.selectors.pairings import NameRow, Side, TableRow
from tournaments.standings.selectors.standings import StandingRow
from tournaments.standings.selectors.tie_trace import SetRow, StepRow
from tournaments.templatetags.people import Link, link_in

register = template.Library()


@register.simple_tag(takes_context=True)
def name_rows(context: Context, rows: Iterable[NameRow], own_number: int) -> SafeString:
    """Return the rows of the pairings by name: name, table, opponent."""
    bye, link = escape(_("bye")), link_in(context)
    return _joined(_by_name(row, bye, own_number, link) for row in rows)


def _by_name(row: NameRow, bye: str, own_number: int, link: Link) -> str:
    mine = _mine(row.entry.number == own_number)
    if row.opponent is None:
        against = bye
    else:
        result = "" if row.table else f" <small>{escape(row.result)}</small>"
        leader = _leader(row.opponents_leader)
        against = f"{link(row.opponent, '')}{leader}{result}"
    return (
        f'<tr{mine}><th scope="row">{link(row.entry, by_surname=True)}'
        f'{_leader(row.leader)}</th><td class="number table-number">{row.table or "–"}</td>'
        f"<td>{against}</td></tr>"
    )


def _leader(card: str) -> str:
    return f' <small class="leader"><bdi>{escape(card)}</bdi></small>' if card else ""


@register.simple_tag(takes_context=True)
def match_rows(
    context: Context, rows: Iterable[TableRow], *, groups: bool, points: bool, own_number: int
) -> SafeString:
    """Return the rows of the pairings by table: table, players, result."""
    link = link_in(context)
    won, playing = escape(_("won")), escape(_("playing"))
    won = f' <span class="visually-hidden">({won})</span>'
    playing = f'<span class="muted">{playing}</span>'
    return _joined(
        _by_table(row, won, playing, link, groups=groups, points=points, own_number=own_number)
        for row in rows
    )


def _by_table(
    row: TableRow,
    won: str,
    playing: str,
    link: Link,
    *,
    groups: bool,
    points: bool,
    own_number: int,
) -> str:
    sides = [row.a, row.b] if row.b else [row.a]
    mine = _mine(own_number in [side.entry.number for side in sides])
    players = "".join(_side(side, won, link, points=points) for side in sides)
    where = row.name or (row.group if groups else "")
    group = f'<small class="group">{escape(where)}</small>' if where or groups else ""
    return (
        f'<tr{mine}><td class="number table-number">{row.table or "–"}</td>'
        f'<td class="sides">{players}{group}</td>'
        f"<td>{_result(row) or playing}{_beside(row)}</td></tr>"
    )


def _side(side: Side, won: str, link: Link, *, points: bool) -> str:
    name = link(side.entry, "")
    if side.won:
        name = f"<b>{name}</b>{won}"
    before = f" <small>({side.points})</small>" if points else ""
    return f"<span>{name}{before}{_leader(side.leader)}</span>"


def _result(row: TableRow) -> str:
    return badge(row.result, row.tone) if row.tone else escape(row.result)


def _beside(row: TableRow) -> str:
    """Return the extra minutes of a table and the rulings on it."""
    extra = ""
    if row.extra:
        words = badge(_("+%(minutes)s min") % {"minutes": row.extra}, "warn", icon="timer")
        extra = f' {words} <span class="clock-own" data-own="{row.extra}" hidden></span>'
    label = escape(_("Ruling:"))
    rulings = (
        f'<small class="ruling">{icon("gavel", 14)} {label} <bdi>{escape(words)}</bdi></small>'
        for words in row.rulings
    )
    return extra + "".join(rulings)


@register.simple_tag(takes_context=True)
def standing_rows(context: Context, rows: Iterable[StandingRow], own_number: int) -> SafeString:
    """Return the rows of a table of standings: rank, player, criteria, matches."""
    shared, link = _shared(), link_in(context)
    return _joined(_standing(row, shared, own_number, link) for row in rows)


def _standing(row: StandingRow, shared: str, own_number: int, link: Link) -> str:
    marks = ["gone" if row.left else "", "through" if row.through else ""]
    marks += ["mine" if row.entry.number == own_number else ""]
    group = f" <small>{escape(row.group)}</small>" if row.group else ""
    through = f" {badge(row.through, 'good', icon='arrow-right')}" if row.through else ""
    left = f" {badge(row.left)}" if row.left else ""
    values = "".join(f'<td class="number">{escape(value)}</td>' for value in row.values)
    return (
        f'<tr class="{" ".join(filter(None, marks))}">'
        f'<td class="number rank">{shared if row.shared else ""}{row.rank}</td>'
        f'<th scope="row">{link(row.entry)}'
        f'{group}{through}{left}</th>{values}<td class="number">{row.played}</td>'
        f'<td class="number">{row.won}–{row.drawn}–{row.lost}</td></tr>'
    )


def _shared() -> str:
    """Return the sign of a shared rank, and the word for who hears the page."""
    words = escape(_("shared"))
    return f'<span aria-hidden="true">=</span><span class="visually-hidden">{words} </span>'


@register.simple_tag(takes_context=True)
def rank_rows(context: Context, rows: Iterable[StandingRow], own_number: int) -> SafeString:
    """Return the rows of a short table of standings: rank, player, first criterion."""
    link = link_in(context)
    return _joined(
        f'<tr{_mine(row.entry.number == own_number)}><td class="number">{row.rank}</td>'
        f'<th scope="row">{link(row.entry, "")}</th>'
        f'<td class="number">{escape(row.values[0]) if row.values else ""}</td></tr>'
        for row in rows
    )


@register.simple_tag
def reason_rows(rows: Iterable[StandingRow]) -> SafeString:
    """Return the list of why each player has their rank."""
    words = escape(_("Nothing has been played yet."))  # gettext does not look into f-strings
    nothing = f'<span class="muted">{words}</span>'
    return _joined(
        f'<li><span class="rank">{"=" if row.shared else ""}{row.rank}</span> '
        f'<span><bdi class="person">{escape(row.entry.name)}</bdi>'
        f"<br>{escape(row.why) if row.why else nothing}</span></li>"
        for row in rows
    )


@register.simple_tag
def tie_sets(ties: Iterable[SetRow]) -> SafeString:
    """Return sets of level players, criterion by criterion."""
    separates = badge(_("separates"), "good", icon="check")
    nobody = badge(_("separates nobody"))
    return _joined(
        f'<div class="ties"><p class="ties-set">{escape(tied.heading)}</p><ol>'
        + "".join(_step(step, separates if step.separates else nobody) for step in tied.steps)
        + "</ol></div>"
        for tied in ties
    )


def _step(step: StepRow, effect: str) -> str:
    figures = f"<br><span>{escape(step.figures)}</span>" if step.figures else ""
    order = f"<br><strong>{escape(step.order)}</strong>" if step.order else ""
    note = f'<br><span class="muted">{escape(step.note)}</span>' if step.note else ""
    criterion = escape(step.criterion)
    return f'<li><span class="ties-step">{criterion} {effect}</span>{figures}{order}{note}</li>'


def _mine(own: bool) -> str:
    return ' class="mine"' if own else ""


def _joined(rows: Iterable[str]) -> SafeString:
    """Return rows that are HTML already as one."""
    return SafeString("".join(rows))
