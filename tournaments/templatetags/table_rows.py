"""The rows of the tables that everybody reads when a round is posted, written without templates.

A template takes some fifty microseconds for each value that it shows; a page of 128 players has two
thousand. Sentences are looked up once a table. Names and everything else that was typed is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import zip_longest
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from config.ui import badge, icon
from rules.scenarios import Verdict
from rules.scenarios.verdicts import Zone
from tournaments.core.group_rounds import GroupRound
from tournaments.core.labels import shown_record
from tournaments.rounds.selectors.pairings import Side, TableRow
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import StandingsTable
from tournaments.templatetags.face import form
from tournaments.templatetags.people import Link, link_in
from tournaments.templatetags.ranks import rank_html, shared_mark

register = template.Library()


def _leader(card: str) -> str:
    return f' <small class="leader"><bdi>{escape(card)}</bdi></small>' if card else ""


@register.simple_tag(takes_context=True)
def match_rows(context: Context, rows: Iterable[TableRow], *, own_number: int) -> SafeString:
    """Return the rows of the pairings by table: table, players, result."""
    link, start = link_in(context), reverse("tournaments:pairings", args=[context["event"].slug])
    won, playing = escape(_("won")), escape(_("playing"))
    won = f' <span class="visually-hidden">({won})</span>'
    playing = f'<span class="muted">{playing}</span>'
    write = partial(_by_table, start, won=won, playing=playing)
    return _join_html(
        write(row, own_number in [each.number for each in row.players], link) for row in rows
    )


@register.simple_tag(takes_context=True)
def coming_rows(
    context: Context, coming: Mapping[str, Sequence[GroupRound]], group: str
) -> SafeString:
    """Return the rounds to come of a group, a line each; "" where none is known."""
    link = link_in(context)
    rounds = coming.get(group, ()) if group or len(coming) > 1 else next(iter(coming.values()), ())
    lines = "".join(
        f"<li><b>{escape(each.label)}</b> <div>"
        + " ".join(
            f'<span data-row data-called="{escape(one.name)} {escape(other.name)}">'
            f"{link(one, '')} – {link(other, '')}</span>"
            for one, other in each.pairs
        )
        + "</div></li>"
        for each in rounds
    )
    return SafeString(f'<ul class="to-come">{lines}</ul>' if lines else "")


def _by_table(
    start: str,
    row: TableRow,
    own: bool,
    link: Link,
    *,
    won: str,
    playing: str,
) -> str:
    mine = _own_row_class(own)
    players = "".join(
        _side_html(side, won, link, seat=seat if row.has_seats else 0)
        for seat, side in enumerate(row.sides, start=1)
    )
    name = f' <small class="group">{escape(row.name)}</small>' if row.name else ""
    called = " ".join(map(escape, (str(row.table or ""), *(each.name for each in row.players))))
    return (
        f'<tr{mine} data-called="{called}"><td class="number table-number">{row.table or "–"}</td>'
        f'<td class="sides"><div>{players}</div>{name}{_rulings(row)}</td>'
        f"<td>{_match_link(row, start, _result_html(row) or playing)}"
        f"{_extra_time(row)}</td></tr>"
    )


def _match_link(row: TableRow, start: str, words: str) -> str:
    """Return the result or the state of a match as a link to its page."""
    if row.at is None:
        return words
    ordinal, number = row.at
    return f'<a href="{start}{ordinal}/{number}/">{words}</a>'


def _side_html(side: Side, won: str, link: Link, *, seat: int) -> str:
    """Return a player of a match, with the number of the ``seat`` unless that is 0."""
    name = link(side.entry, "")
    if side.won:
        name = f"<b>{name}</b>{won}"
    record = f' <small class="record">{side.record}</small>' if side.record else ""
    at = f'<i class="seat-number">{seat}</i> ' if seat else ""
    return f"<span>{at}{name}{record}{_leader(side.leader)}</span>"


def _result_html(row: TableRow) -> str:
    return badge(row.result, row.tone) if row.tone else escape(row.result)


def _extra_time(row: TableRow) -> str:
    """Return the extra minutes of a table."""
    if not row.extra:
        return ""
    words = badge(_("+%(minutes)s min") % {"minutes": row.extra}, "warn", icon="timer")
    return f' {words} <span class="clock-own" data-own="{row.extra}" hidden></span>'


def _rulings(row: TableRow) -> str:
    """Return the judges' rulings on a table."""
    label = escape(_("Ruling:"))
    rulings = (
        f'<small class="ruling">{icon("gavel", 14)} {label} <bdi>{escape(words)}</bdi></small>'
        for words in row.rulings
    )
    return "".join(rulings)


@register.simple_tag(takes_context=True)
def standing_rows(
    context: Context,
    rows: Sequence[StandingRow],
    own_number: int,
    table: StandingsTable,
    main: bool = False,
) -> SafeString:
    """Return the rows of a table of standings, and the lines between who goes on and who does not.

    The ``main`` table of a player has the address ``#player-NUMBER``.
    """
    shown = _StandingRowWriter(link_in(context), table, main=main)
    through = [row for row in rows if row.zone is Zone.THROUGH]  # who has left may stand between
    return _join_html(
        shown.row(row, row.entry.number == own_number)
        + (shown.cut(row, after) if through and row is through[-1] else "")
        for row, after in zip_longest(rows, rows[1:])
    )


class _StandingRowWriter:
    """A table of standings being written: its links, and the words that recur, looked up once."""

    def __init__(self, link: Link, table: StandingsTable, *, main: bool) -> None:
        self.link, self.main = link, main
        self.shared = shared_mark()
        self.words, self.wide = escape(table.cut), len(table.columns) + 5
        self.marks = any(row.marks for row in table.rows)
        through, out = escape(_("through")), escape(_("out"))
        self.certain = {
            Verdict.THROUGH: f" {badge(through, 'good', icon='check')}",
            Verdict.OUT: f" {badge(out)}",
        }
        self.up, self.down = escape(_("up by %(ranks)s")), escape(_("down by %(ranks)s"))
        self.level = escape(_("tied for the last spots"))

    def row(self, row: StandingRow, own: bool) -> str:
        """Return a player's row."""
        number = row.entry.number
        kinds = [f"is-{row.zone}"] if row.zone else []
        kinds += ["gone"] * bool(row.left) + ["through"] * bool(row.through)
        kind = " ".join(kinds + ["mine"] * own)
        mark = f' id="player-{number}"' if self.main else ""
        group = f" <small>{escape(row.group)}</small>" if row.group else ""
        club = f"<small>{escape(row.entry.club)}</small>" if row.entry.club else ""
        values = [f'<td class="number">{escape(value)}</td>' for value in row.values]
        discs = f'<td class="lately">{form(row.marks)}</td>' if self.marks else ""
        rank = rank_html(row, self.shared)
        return (
            f'<tr{mark} class="{kind}"><td class="number rank"><b>{rank}</b>{self._moved(row)}</td>'
            f'<th scope="row">{self.link(row.entry)}{group}{self._certain_badges(row)}{club}</th>'
            f'{discs}{"".join(values[:1])}<td class="number">{shown_record(row)}</td>'
            f'{"".join(values[1:])}<td class="number">{row.played}</td></tr>'
        )

    def _certain_badges(self, row: StandingRow) -> str:
        """Return as badges what is certain of a player."""
        left = f" {badge(row.left)}" if row.left else ""
        if row.through:
            return f" {badge(row.through, 'good', icon='arrow-right')}{left}"
        return left or (self.certain.get(row.certain, "") if row.certain else "")

    def _moved(self, row: StandingRow) -> str:
        if not row.moved:
            return ""
        up, by = row.moved > 0, abs(row.moved)
        words = (self.up if up else self.down) % {"ranks": by}
        kind, arrow = ("up", "↑") if up else ("down", "↓")
        return f'<i class="{kind}" role="img" aria-label="{words}">{arrow}{by}</i>'

    def cut(self, row: StandingRow, after: StandingRow | None) -> str:
        """Return the line below the last row of those who go on, if another one follows."""
        if not self.words or after is None or after.zone is None:
            return ""
        level = row.rank == after.rank
        words = f"{self.words} · {self.level}" if level else self.words
        kind = "cut-line level" if level else "cut-line"
        wide = self.wide - (not self.marks)
        return f'<tr class="{kind}"><td colspan="{wide}"><span>{words}</span></td></tr>'


@register.simple_tag(takes_context=True)
def rank_rows(context: Context, rows: Iterable[StandingRow], own_number: int) -> SafeString:
    """Return the rows of a short table of standings: rank, player, first criterion."""
    link, mark = link_in(context), shared_mark()
    return _join_html(
        f"<tr{_own_row_class(row.entry.number == own_number)}>"
        f'<td class="number">{rank_html(row, mark)}</td>'
        f'<th scope="row">{link(row.entry, "")}</th>'
        f'<td class="number">{escape(row.values[0]) if row.values else ""}</td></tr>'
        for row in rows
    )


@register.simple_tag
def reason_rows(rows: Iterable[StandingRow]) -> SafeString:
    words = escape(_("Nothing has been played yet."))  # gettext does not look into f-strings
    nothing, mark = f'<span class="muted">{words}</span>', shared_mark()
    return _join_html(
        f'<li data-n="{row.entry.number}">'
        f'<span class="rank">{rank_html(row, mark)}</span> '
        f'<span><bdi class="person">{escape(row.entry.display_name)}</bdi>'
        f"<br>{escape(row.why) if row.why else nothing}</span></li>"
        for row in rows
    )


@register.simple_tag
def tie_sets(ties: Iterable[dict[str, Any]]) -> SafeString:
    """Return sets of level players, criterion by criterion."""
    separates = badge(_("separates"), "good", icon="check")
    nobody = badge(_("separates nobody"))
    return _join_html(
        f'<div class="ties"><p class="ties-set">{escape(tied["heading"])}</p><ol>'
        + "".join(
            _step_html(step, separates if step["separates"] else nobody) for step in tied["steps"]
        )
        + "</ol></div>"
        for tied in ties
    )


def _step_html(step: dict[str, Any], effect: str) -> str:
    figures = f"<br><span>{escape(step['figures'])}</span>" if step["figures"] else ""
    order = f"<br><strong>{escape(step['order'])}</strong>" if step["order"] else ""
    note = f'<br><span class="muted">{escape(step["note"])}</span>' if step["note"] else ""
    criterion = escape(step["criterion"])
    return f'<li><span class="ties-step">{criterion} {effect}</span>{figures}{order}{note}</li>'


def _own_row_class(own: bool) -> str:
    return ' class="mine"' if own else ""


def _join_html(rows: Iterable[str]) -> SafeString:
    return SafeString("".join(rows))
