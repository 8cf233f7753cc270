"""The matches of a bracket, written without templates: one of 128 has 127 of them."""

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.core.names import width_of, with_initial
from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.drawn_paths import LIT, FollowedPlayer, Path
from tournaments.diagrams.selectors.drawn_slots import (
    DONE,
    Drawing,
    Fold,
    Middle,
    Pair,
    Row,
    Slot,
)

register = template.Library()
NARROWEST, WIDEST = 4, 16
"""Widths in em between which a page decides whether a name fits; narrower ones always do."""
NOWHERE: Path = ("", "")


class _Tiles:
    """The tiles of one drawing, as one reader sees them; sentences are looked up once."""

    def __init__(
        self, context: Context, drawing: Drawing, followed: FollowedPlayer | None, small: bool
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
        won = escape(_("won"))
        self.won = f' <span class="visually-hidden">({won})</span>'

    def classes(self, slot: Slot) -> str:
        """Return the CSS classes of a slot, which draw the lines to and from it."""
        path, onwards = self.paths.get(slot.number, NOWHERE)
        kinds = ("fed" if slot.fed else "", path, f"out-{onwards}" if onwards else "")
        return " ".join(filter(None, kinds))

    def tile(self, slot: Slot) -> str:
        """Return the tile of a match; small ones have words above them only while it is open."""
        path, _onwards = self.paths.get(slot.number, NOWHERE)
        state = "over" if slot.state == DONE else slot.state
        head = ""
        if slot.is_open or not self.small:
            words = escape(slot.words)
            head = f'<p class="tile-head"><b>{escape(slot.heading)}</b> <span>{words}</span></p>'
        rows = "".join(map(self._row, slot.rows))
        return f'<div class="match-tile {state} {path}">{head}{rows}{self._match_link(slot)}</div>'

    def _match_link(self, slot: Slot) -> str:
        if slot.at is None:
            return ""
        ordinal, number = slot.at
        href = f"{self.matches}{ordinal}/{number}/"
        return f'<a class="to-match" href="{href}" aria-label="{escape(slot.name)}"></a>'

    def _row(self, row: Row) -> str:
        if row.entry is None:
            return f'<p class="side">{self._unknown(row)}</p>'
        kinds = " won" * row.won + " followed" * (row.entry.number == self.follow)
        seed = f'<small class="seed">{escape(row.seed)}</small>' if row.seed else ""
        won = self.won if row.won else ""
        score = f'<b class="score">{escape(row.score)}</b>' if row.score else ""
        return f'<p class="side{kinds}">{seed}{self._name(row.entry, row.won)}{won}{score}</p>'

    def _unknown(self, row: Row) -> str:
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
        wide = ceil(width_of(name, bold=bold))
        if wide <= NARROWEST:
            return "", ""
        short = f'<bdi class="short" aria-hidden="true">{escape(other)}</bdi>'
        return f" w{min(wide, WIDEST)}", short

    def _name(self, entry: EntryRow, bold: bool) -> str:
        name = entry.display_name
        kind, short = self._short(name, with_initial(entry), bold=bold)
        return (
            f'<a class="player{kind}" href="{self.start}{entry.number}{self.end}"{self.kept}>'
            f'<bdi class="person">{escape(name)}</bdi>{short}</a>'
        )


@register.filter
def has_path(fold: Fold | Middle, followed: FollowedPlayer | None) -> bool:
    return followed is not None and any(
        path == LIT and number in fold.numbers for number, (path, _on) in followed.paths.items()
    )


@register.filter
def is_first_open(fold: Fold, followed: FollowedPlayer | None) -> bool:
    """Return whether phones unfold a fold at first: the followed player's, else by ``opens``."""
    return fold.opens if followed is None else has_path(fold, followed)


@register.simple_tag(takes_context=True)
def bracket_slots(
    context: Context,
    slots: Iterable[Slot],
    drawing: Drawing,
    followed: FollowedPlayer | None,
) -> SafeString:
    """Return the slots of a round of a small bracket or of a half as list items."""
    tiles = _Tiles(context, drawing, followed, small=True)
    found = []
    for slot in slots:
        if not slot.state:
            kind = "passes" if slot.passes else "void"
            found.append(f'<li class="slot {kind}" aria-hidden="true"></li>')
            continue
        goes = ""
        if slot.goes and slot.state != DONE:
            words = escape(_("who wins goes to: %(match)s") % {"match": slot.goes})
            goes = f'<p class="bk-goes">{words}</p>'
        found.append(f'<li class="slot {tiles.classes(slot)}">{tiles.tile(slot)}{goes}</li>')
    return SafeString("".join(found))


@register.simple_tag(takes_context=True)
def bracket_pairs(
    context: Context, pairs: Sequence[Pair], drawing: Drawing, followed: FollowedPlayer | None
) -> SafeString:
    """Return the slots of a round of a fold as list items: those that lead to one together."""
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
    slot: Slot,
    drawing: Drawing,
    followed: FollowedPlayer | None,
    small: bool = False,
) -> SafeString:
    tiles = _Tiles(context, drawing, followed, small=small)
    return SafeString(f'<div class="slot {tiles.classes(slot)}">{tiles.tile(slot)}</div>')
