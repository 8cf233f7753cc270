"""The rows of the tables that everybody reads when a round is posted, written without templates.

A template takes some fifty microseconds for each value that it shows; a page of 128 players has two
thousand. Sentences are looked up once a table. Names and everything else that was typed is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import zip_longest
from math import ceil

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.ui import badge, icon
from rules.scenarios import Verdict
from rules.scenarios.verdicts import CutSide
from tournaments.core.labels import format_record
from tournaments.core.names import em_width, initial_and_surname
from tournaments.core.replays import GroupRound
from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.drawn_slots import (
    DONE,
    LIT,
    BracketDrawing,
    FoldedPart,
    MatchSlot,
    MiddleMatches,
    Path,
    PlayerPath,
    SlotPair,
    SlotSide,
)
from tournaments.matches.words import desk_line_templates
from tournaments.prospects.selectors import WORDS
from tournaments.rounds.selectors.pairings import PairingRow, PairingSide
from tournaments.standings.selectors.rank_details import RoundCell, RoundHeader
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import StandingsTable
from tournaments.templatetags.people import (
    Link,
    player_linker,
    rank_html,
    result_letters,
    shared_mark,
)

register = template.Library()
register.simple_tag(desk_line_templates, name="result_sentences")


def _leader(card: str) -> str:
    return f' <small class="leader"><bdi>{escape(card)}</bdi></small>' if card else ""


@register.simple_tag(takes_context=True)
def match_rows(context: Context, rows: Iterable[PairingRow], *, own_number: int) -> SafeString:
    """Template tag: the HTML rows of pairings by table: table, players, result.

    own_number: the reader's player number, whose row is highlighted.
    """
    link, start = (
        player_linker(context),
        reverse("tournaments:pairings", args=[context["event"].slug]),
    )
    won, playing = escape(pgettext("of a player", "won")), escape(_("Playing"))
    won = f' <span class="visually-hidden">({won})</span>'
    playing = f'<span class="muted">{playing}</span>'
    write = partial(_by_table, start, won=won, playing=playing)
    return _join_html(
        write(row, own_number in [each.number for each in row.players], link) for row in rows
    )


@register.simple_tag(takes_context=True, name="coming_rows")
def later_round_rows(
    context: Context, coming: Mapping[str, Sequence[GroupRound]], group: str
) -> SafeString:
    """Template tag: a group's later rounds as an HTML list; "" if there are none.

    coming: rounds by group label. group: a label; "" for an only group.
    """
    link = player_linker(context)
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
    row: PairingRow,
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


def _match_link(row: PairingRow, start: str, words: str) -> str:
    """Return the result or the state of a match as a link to its page."""
    if row.at is None:
        return words
    ordinal, number = row.at
    return f'<a href="{start}{ordinal}/{number}/">{words}</a>'


def _side_html(side: PairingSide, won: str, link: Link, *, seat: int) -> str:
    """Return a player of a match, with the number of the ``seat`` unless that is 0."""
    name = link(side.entry, "")
    if side.won:
        name = f"<b>{name}</b>{won}"
    record = f' <small class="record">{side.record}</small>' if side.record else ""
    at = f'<i class="seat-number">{seat}</i> ' if seat else ""
    return f"<span>{at}{name}{record}{_leader(side.leader)}</span>"


def _result_html(row: PairingRow) -> str:
    return badge(row.result, row.tone) if row.tone else escape(row.result)


def _extra_time(row: PairingRow) -> str:
    """Return the extra minutes of a table."""
    if not row.extra:
        return ""
    words = badge(_("+%(minutes)s min") % {"minutes": row.extra}, "warn", icon="timer")
    own = f'<span class="clock-own" data-own-time="{row.extra}" hidden></span>'
    return f' <span class="extra-time">{words} {own}</span>'


def _rulings(row: PairingRow) -> str:
    """Return the judges' rulings on a table."""
    label = escape(_("Ruling"))
    rulings = (
        f'<small class="ruling">{icon("gavel", 14)} {label}: <bdi>{escape(words)}</bdi></small>'
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
    """Template tag: the HTML rows of standings, with the cut line.

    ``own_number``: the reader's player number, 0 if none. Each player is a table body: a row,
    and details that unfold. main: whether rows get the anchor ``#player-NUMBER``.
    ``match_keys`` of the context are primary keys of matches that the reader may change, by
    (round, number).
    """
    shown = _StandingRowWriter(context, table, main=main)
    through = [row for row in rows if row.zone is CutSide.THROUGH]  # who has left may stand between
    return _join_html(
        shown.body(row, row.entry.number == own_number, after, last=row in through[-1:])
        for row, after in zip_longest(rows, rows[1:])
    )


class _StandingRowWriter:
    """A table of standings being written: its links, and the words that recur, looked up once."""

    def __init__(self, context: Context, table: StandingsTable, *, main: bool) -> None:
        self.link, self.table, self.main = player_linker(context), table, main
        self.slug = context["event"].slug
        self.players = context["event"].players_address
        self.keys: Mapping[tuple[int, int], int] | None = context.get("match_keys")
        self.shared = shared_mark()
        self.words, self.wide = escape(table.cut), len(table.columns) + len(table.heads) + 3
        self.certain = {
            Verdict.THROUGH: f" {badge(escape(str(WORDS[Verdict.THROUGH])), 'good', icon='check')}",
            Verdict.OUT: f" {badge(escape(str(WORDS[Verdict.OUT])))}",
        }
        self.up, self.down = escape(_("up by %(ranks)s")), escape(_("down by %(ranks)s"))
        self.level = escape(_("Tied for the last spots"))
        self.letters = result_letters() | {"missed": "–", "void": "–", "open": "·", "": ""}
        self.labels = [escape(column.label) for column in table.columns]
        self.record = escape(_("Wins – losses – draws"))
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
            f'<td class="number record">{format_record(row)}</td>{"".join(values[1:])}</tr>'
        )

    def _cell(self, head: RoundHeader, cell: RoundCell | None) -> str:
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
        pairs.insert(1, (self.record, format_record(row)))
        values = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in pairs)
        why = f"<p>{escape(row.why)}</p>" if row.why else ""
        acts = f'<a href="{self.players}{row.entry.number}/">{self.matches}</a>'
        if self.keys is not None:
            to = reverse("tournaments:manage-player", args=[self.slug, row.entry.number])
            acts += f' · <a href="{to}">{self.manage}</a>'
        return f"{f'<ol>{met}</ol>' if met else ''}<dl>{values}</dl>{why}<p>{acts}</p>"

    def _met(self, head: RoundHeader, cell: RoundCell) -> str:
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
        """Return the line below the last row of those who advance, if another one follows."""
        if not self.words or after is None or after.zone is None:
            return ""
        level = row.rank == after.rank
        words = f"{self.words} · {self.level}" if level else self.words
        kind = "cut-line level" if level else "cut-line"
        return f'<tr class="{kind}"><td colspan="{self.wide}"><span>{words}</span></td></tr>'


@register.simple_tag(takes_context=True)
def rank_rows(context: Context, rows: Iterable[StandingRow], own_number: int) -> SafeString:
    """Template tag: the HTML rows of short standings: rank, player, first tiebreaker."""
    link, mark = player_linker(context), shared_mark()
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


NARROWEST, WIDEST = 4, 16
"""Widths in em between which a page decides whether a name fits; narrower ones always do."""
NOWHERE: Path = ("", "")


class _Tiles:
    """The tiles of one drawing, as one reader sees them; sentences are looked up once."""

    def __init__(
        self, context: Context, drawing: BracketDrawing, followed: PlayerPath | None, small: bool
    ) -> None:
        slug = context["event"].slug
        self.small, self.paths = small, followed.paths if followed else {}
        self.follow = followed.entry.number if followed else 0
        players = reverse("tournaments:players", args=[slug])
        self.start = (
            f"{reverse('tournaments:bracket', args=[slug])}?p=" if drawing.players else players
        )
        self.end = "" if drawing.players else "/"
        self.kept = " data-follow" if drawing.players else ""
        self.matches = reverse("tournaments:pairings", args=[slug])
        won = escape(pgettext("of a player", "won"))
        self.won = f' <span class="visually-hidden">({won})</span>'

    def classes(self, slot: MatchSlot) -> str:
        """Return the CSS classes of a slot, which draw the lines to and from it."""
        path, onwards = self.paths.get(slot.number, NOWHERE)
        kinds = ("fed" if slot.fed else "", path, f"out-{onwards}" if onwards else "")
        return " ".join(filter(None, kinds))

    def tile(self, slot: MatchSlot) -> str:
        """Return the tile of a match; small ones have words above them only while it is open."""
        path, _onwards = self.paths.get(slot.number, NOWHERE)
        state = "over" if slot.state == DONE else slot.state
        head = ""
        if slot.is_open or not self.small:
            words = escape(slot.words)
            head = f'<p class="tile-head"><b>{escape(slot.heading)}</b> <span>{words}</span></p>'
        rows = "".join(map(self._row, slot.rows))
        return f'<div class="match-tile {state} {path}">{head}{rows}{self._match_link(slot)}</div>'

    def _match_link(self, slot: MatchSlot) -> str:
        if slot.at is None:
            return ""
        ordinal, number = slot.at
        href = f"{self.matches}{ordinal}/{number}/"
        return f'<a class="to-match" href="{href}" aria-label="{escape(slot.name)}"></a>'

    def _row(self, row: SlotSide) -> str:
        if row.entry is None:
            return f'<p class="side">{self._unknown(row)}</p>'
        kinds = " won" * row.won + " followed" * (row.entry.number == self.follow)
        seed = f'<small class="seed">{escape(row.seed)}</small>' if row.seed else ""
        won = self.won if row.won else ""
        score = f'<b class="score">{escape(row.score)}</b>' if row.score else ""
        return f'<p class="side{kinds}">{seed}{self._name(row.entry, row.won)}{won}{score}</p>'

    def _unknown(self, row: SlotSide) -> str:
        kind, short = self._short(row.words, row.short, bold=False)
        if not short:
            return f'<i class="unknown">{escape(row.words)}</i>'
        return (
            f'<i class="unknown{kind}"><span class="person">{escape(row.words)}</span>{short}</i>'
        )

    def _short(self, name: str, other: str, *, bold: bool) -> tuple[str, str]:
        """Return the class of a name's width and the shorter name, "" where it always fits."""
        if not self.small or other in ("", name):
            return "", ""
        wide = ceil(em_width(name, bold=bold))
        if wide <= NARROWEST:
            return "", ""
        short = f'<bdi class="short" aria-hidden="true">{escape(other)}</bdi>'
        return f" w{min(wide, WIDEST)}", short

    def _name(self, entry: EntryRow, bold: bool) -> str:
        name = entry.display_name
        kind, short = self._short(name, initial_and_surname(entry), bold=bold)
        return (
            f'<a class="player{kind}" href="{self.start}{entry.number}{self.end}"{self.kept}>'
            f'<bdi class="person">{escape(name)}</bdi>{short}</a>'
        )


@register.filter
def has_path(fold: FoldedPart | MiddleMatches, followed: PlayerPath | None) -> bool:
    """Template filter: whether the followed player's path leads through a part of a bracket."""
    return followed is not None and any(
        path == LIT and number in fold.numbers for number, (path, _on) in followed.paths.items()
    )


@register.filter
def is_first_open(fold: FoldedPart, followed: PlayerPath | None) -> bool:
    """Template filter: whether a part of a bracket is unfolded at first on phones.

    That is the followed player's part; without one, as the part says.
    """
    return fold.opens if followed is None else has_path(fold, followed)


@register.simple_tag(takes_context=True)
def bracket_slots(
    context: Context,
    slots: Iterable[MatchSlot],
    drawing: BracketDrawing,
    followed: PlayerPath | None,
) -> SafeString:
    """Template tag: the matches of one round of a small bracket, as HTML list items.

    followed: the player whose path is highlighted.
    """
    tiles = _Tiles(context, drawing, followed, small=True)
    found = []
    for slot in slots:
        if not slot.state:
            kind = "passes" if slot.passes else "void"
            found.append(f'<li class="slot {kind}" aria-hidden="true"></li>')
            continue
        goes = ""
        if slot.goes and slot.state != DONE:
            words = escape(_("The winner goes to: %(match)s") % {"match": slot.goes})
            goes = f'<p class="bk-goes">{words}</p>'
        found.append(f'<li class="slot {tiles.classes(slot)}">{tiles.tile(slot)}{goes}</li>')
    return SafeString("".join(found))


@register.simple_tag(takes_context=True)
def bracket_pairs(
    context: Context,
    pairs: Sequence[SlotPair],
    drawing: BracketDrawing,
    followed: PlayerPath | None,
) -> SafeString:
    """Template tag: the matches of one round of a folded bracket, as HTML list items.

    Two matches whose winners meet share an item. followed: the player whose path is highlighted.
    """
    tiles = _Tiles(context, drawing, followed, small=True)
    found = []
    for pair in pairs:
        slots = "".join(
            f'<div class="slot {tiles.classes(slot)}">{tiles.tile(slot)}</div>'
            if slot.state
            else '<div class="slot void"></div>'
            for slot in pair.slots
        )
        then = f'<p class="then">{escape(pair.then)}</p>' if pair.then else ""
        hidden = ' class="void" aria-hidden="true"' if pair.is_empty else ""
        found.append(f"<li{hidden}>{slots}{then}</li>")
    return SafeString("".join(found))


@register.simple_tag(takes_context=True)
def bracket_tile(
    context: Context,
    slot: MatchSlot,
    drawing: BracketDrawing,
    followed: PlayerPath | None,
    small: bool = False,
) -> SafeString:
    """Template tag: one match of a bracket as HTML.

    followed: the player whose path is highlighted. small: names may be shortened.
    """
    tiles = _Tiles(context, drawing, followed, small=small)
    return SafeString(f'<div class="slot {tiles.classes(slot)}">{tiles.tile(slot)}</div>')
