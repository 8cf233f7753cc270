"""The rows of the tables that everybody reads when a round is posted, written without templates.

A template takes some fifty microseconds for each value that it shows; a page of 128 players has two
thousand. Sentences are looked up once a table. Names and everything else that was typed is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import zip_longest

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from config.ui import badge, icon
from rules.scenarios import Verdict
from rules.scenarios.verdicts import Zone
from tournaments.core.labels import shown_record
from tournaments.core.replays import GroupRound
from tournaments.rounds.selectors.pairings import Side, TableRow
from tournaments.standings.selectors.rank_details import RoundCell, RoundHead
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import StandingsTable
from tournaments.templatetags.face import result_letters
from tournaments.templatetags.people import Link, link_in, rank_html, shared_mark

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
    own = f'<span class="clock-own" data-own-time="{row.extra}" hidden></span>'
    return f' <span class="extra-time">{words} {own}</span>'


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

    Each player is a body of the table: their row, and one beneath it that opens. The ``main`` table
    of a player has the address ``#player-NUMBER``. ``match_keys`` of the context are those of the
    matches that the reader may change, by round and number.
    """
    shown = _StandingRowWriter(context, table, main=main)
    through = [row for row in rows if row.zone is Zone.THROUGH]  # who has left may stand between
    return _join_html(
        shown.body(row, row.entry.number == own_number, after, last=row in through[-1:])
        for row, after in zip_longest(rows, rows[1:])
    )


class _StandingRowWriter:
    """A table of standings being written: its links, and the words that recur, looked up once."""

    def __init__(self, context: Context, table: StandingsTable, *, main: bool) -> None:
        self.link, self.table, self.main = link_in(context), table, main
        self.slug = context["event"].slug
        self.players = context["event"].players_address
        self.keys: Mapping[tuple[int, int], int] | None = context.get("match_keys")
        self.shared = shared_mark()
        self.words, self.wide = escape(table.cut), len(table.columns) + len(table.heads) + 3
        through, out = escape(_("through")), escape(_("out"))
        self.certain = {
            Verdict.THROUGH: f" {badge(through, 'good', icon='check')}",
            Verdict.OUT: f" {badge(out)}",
        }
        self.up, self.down = escape(_("up by %(ranks)s")), escape(_("down by %(ranks)s"))
        self.level = escape(_("tied for the last spots"))
        self.letters = result_letters() | {"missed": "–", "void": "–", "open": "·", "": ""}
        self.labels = [escape(column.label) for column in table.columns]
        self.record = escape(_("Won – lost – drawn"))
        self.matches, self.manage = escape(_("All matches")), escape(_("Manage player"))

    def body(self, row: StandingRow, own: bool, after: StandingRow | None, *, last: bool) -> str:
        """Return a player's row, what opens beneath it, and the cut line if they are the last."""
        number = row.entry.number
        kinds = [f"is-{row.zone}"] if row.zone else []
        kinds += ["gone"] * bool(row.left) + ["through"] * bool(row.through)
        kind = " ".join(kinds + ["mine"] * own)
        mark = f' id="player-{number}"' if self.main else ""
        name = escape(row.entry.display_name)
        return (
            f'<tbody{mark} class="{kind}" data-row data-called="{name}">{self._row(row)}'
            f'<tr class="more"><td colspan="{self.wide}"><details><summary aria-label="{name}">'
            f"</summary><div>{self._beneath(row)}</div></details></td></tr>"
            f"{self._cut(row, after) if last else ''}</tbody>"
        )

    def _row(self, row: StandingRow) -> str:
        group = f" <small>{escape(row.group)}</small>" if row.group else ""
        club = (
            f' <small class="club">{escape(row.entry.club_beside)}</small>'
            if row.entry.club_beside
            else ""
        )
        values = [
            f'<td class="number by{" late" if at > 3 else ""}">{escape(value)}</td>'
            for at, value in enumerate(row.values)
        ]
        heads = self.table.heads
        cells = zip_longest(heads, row.cells[: len(heads)])
        return (
            f'<tr><td class="rank"><b>{rank_html(row, self.shared)}</b>{self._moved(row)}</td>'
            f'<th scope="row">{self.link(row.entry)}{group}{self._certain_badges(row)}{club}</th>'
            f"{''.join(self._cell(head, cell) for head, cell in cells)}"
            f'<td class="number points">{escape(row.values[0]) if values else ""}</td>'
            f'<td class="number record">{shown_record(row)}</td>{"".join(values[1:])}</tr>'
        )

    def _cell(self, head: RoundHead, cell: RoundCell | None) -> str:
        old = " old" if head.old else ""
        if cell is None:
            return f'<td class="c next{old}"></td>'
        letter = cell.place or self.letters[cell.kind]
        ranked = any(cell.ranks) and not cell.place and cell.kind != "open"
        beside = f"<small>{cell.ranks[0]}</small>" if ranked else ""
        return f'<td class="c {cell.kind or "rest"}{old}"><i>{letter}{beside}</i></td>'

    def _beneath(self, row: StandingRow) -> str:
        """Return opponents round by round, values by criterion, the reason, and the acts."""
        met = "".join(
            f'<li value="{head.ordinal}">{self._met(head, cell)}</li>'
            for head, cell in zip(self.table.heads, row.cells, strict=False)
            if cell.kind
        )
        pairs = [*zip(self.labels, map(escape, row.values), strict=True)]
        pairs.insert(1, (self.record, shown_record(row)))
        values = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in pairs)
        why = f"<p>{escape(row.why)}</p>" if row.why else ""
        acts = f'<a href="{self.players}{row.entry.number}/">{self.matches}</a>'
        if self.keys is not None:
            to = reverse("tournaments:manage-player", args=[self.slug, row.entry.number])
            acts += f' · <a href="{to}">{self.manage}</a>'
        return f"{f'<ol>{met}</ol>' if met else ''}<dl>{values}</dl>{why}<p>{acts}</p>"

    def _met(self, head: RoundHead, cell: RoundCell) -> str:
        names = ", ".join(f"<bdi>{escape(other.display_name)}</bdi>" for other in cell.others)
        words = f"{names or self.letters[cell.kind]} {cell.score or cell.place}".strip()
        key = (self.keys or {}).get((head.ordinal, cell.number))
        if key is None:
            return words
        return f'<a href="{reverse("tournaments:match", args=[self.slug, key])}">{words}</a>'

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
        kind, arrow = ("up", "▲") if up else ("down", "▼")
        return f'<i class="{kind}" role="img" aria-label="{words}">{arrow}{by}</i>'

    def _cut(self, row: StandingRow, after: StandingRow | None) -> str:
        """Return the line below the last row of those who go on, if another one follows."""
        if not self.words or after is None or after.zone is None:
            return ""
        level = row.rank == after.rank
        words = f"{self.words} · {self.level}" if level else self.words
        kind = "cut-line level" if level else "cut-line"
        return f'<tr class="{kind}"><td colspan="{self.wide}"><span>{words}</span></td></tr>'


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


def _own_row_class(own: bool) -> str:
    return ' class="mine"' if own else ""


def _join_html(rows: Iterable[str]) -> SafeString:
    return SafeString("".join(rows))
