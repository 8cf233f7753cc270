"""The page that gives a seat to somebody else: their matches, and the standings afterwards."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from rules.corrections.fates import Fate, MatchChange
from rules.results import PlayerId
from rules.standings.table import Standing
from tournaments.core.labels import group_label
from tournaments.core.rows import MatchRow, RoundRow
from tournaments.core.told_ranks import rank_figure, shared_ranks
from tournaments.corrections.selectors.begun import is_running
from tournaments.corrections.selectors.choices import Correction, matches_by_key
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.page import Exchange, exchange_of, outs_of
from tournaments.corrections.selectors.put_up import places_beside
from tournaments.corrections.selectors.wording import (
    fate_words,
    place_of_change,
    what_was_played,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatMatch:
    """A match that changes hands; ``sides`` are its seats as (who left, "" if nobody, who sits).

    ``may_choose``: it was begun, so that somebody says whether it is played again; ``must`` in a
    knock-out, where it has to be. ``of_table``: three or more sit there.
    """

    pk: int
    round: int
    table: int | None
    sides: tuple[tuple[str, str], ...]
    was: str
    running: bool
    of_table: bool
    may_choose: bool
    must: bool
    again: bool
    becomes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAfter:
    """A group afterwards: ranks and rows with whether they are new there, and who loses points."""

    label: str
    rows: tuple[tuple[str, Standing, str, bool], ...]
    losses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPage:
    """The page of a correction that can follow; ``again``: some matches may be played again."""

    found: Correction
    exchange: Exchange
    place: str
    matches: tuple[SeatMatch, ...]
    groups: tuple[GroupAfter, ...]
    again: bool
    concerned: tuple[tuple[str, str], ...]


def seat_page(found: Correction, names: ShortNames) -> SeatPage:
    """Return the page of a correction that can follow; no query."""
    return SeatPage(
        found=found,
        exchange=exchange_of(found, names),
        place=place_of_change(found),
        matches=tuple(_matches(found, names)),
        groups=tuple(_groups_after(found, names)),
        again=any(change.fate in (Fate.AGAIN, Fate.VOID) for change in found.changes),
        concerned=tuple(_concerned(found, names)),
    )


def _changes(found: Correction) -> Iterator[tuple[MatchChange, RoundRow, MatchRow]]:
    if found.target is None:
        return
    rounds, rows = found.target.regular_rounds, matches_by_key(found.target)
    for change in found.changes:
        yield change, rounds[change.round], rows[change.key]


def _matches(found: Correction, names: ShortNames) -> Iterator[SeatMatch]:
    winners = found.target is not None and found.target.kind.needs_winners
    for change, item, row in _changes(found):
        both = zip(change.pairing.seats, change.after, strict=True)
        gone = {out for out, _new in change.exchanged}
        chosen = change.begun and change.fate in (Fate.AGAIN, Fate.VOID)
        yield SeatMatch(
            pk=row.pk,
            round=item.ordinal,
            table=row.table,
            sides=tuple((names.of(old) if old in gone else "", names.of(new)) for old, new in both),
            was=what_was_played(item, row, change.was, names),
            running=is_running(item, row),
            of_table=len(change.after) > 2,
            may_choose=chosen and not winners,
            must=chosen and winners,
            again=change.fate is Fate.AGAIN,
            becomes=fate_words(change, names),
        )


def _groups_after(found: Correction, names: ShortNames) -> Iterator[GroupAfter]:
    """Yield the tables of the groups in which a match changes hands; a knock-out has none."""
    if found.target is None or found.target.kind.needs_winners:
        return
    new = {player for change in found.changes for _out, player in change.exchanged}
    after = next(s for s in found.after.stages if s.stage.pk == found.target.stage.pk)
    for group in {change.pairing.group: None for change in found.changes}:
        if group not in after.outcome.standings:
            continue
        standings = after.outcome.standings[group]
        rows, shared = standings.rows, shared_ranks(standings)
        had = {row.player: row for row in found.target.outcome.standings[group].rows}
        lost = {
            row.player: _points(had[row.player]) - _points(row) for row in rows if row.player in had
        }
        yield GroupAfter(
            label=group_label(after.plan, group),
            rows=tuple(
                (
                    rank_figure(row.rank, shared=row.rank in shared),
                    row,
                    str(found.facts.entries[row.player]),
                    row.player in new,
                )
                for row in rows
            ),
            losses=tuple(
                _("%(name)s loses %(points)s points.")
                % {"name": names.of(player), "points": points}
                for player, points in lost.items()
                if points > 0
            ),
        )


def _points(row: Standing) -> Fraction:
    return row.values.get("points", Fraction(0))


def _concerned(found: Correction, names: ShortNames) -> Iterator[tuple[str, str]]:
    """Yield the players concerned, each with what it means for them."""
    told = set[PlayerId]()
    beside = {}
    if found.target is not None:
        beside = places_beside(found.facts, found.target, found.changes)
    for old, place in outs_of(found, names):
        yield old, _("is out, %(place)s") % {"place": place}
    for change, item, row in _changes(found):
        for player in change.after:
            others = [other for other in change.after if other != player]
            if player in told or change.fate in (Fate.VOID, Fate.FORFEIT) or not others:
                continue
            told.add(player)
            table = beside.get(change.key, {}).get("table", row.table)
            values = {"other": names.together(others), "table": table, "round": item.ordinal}
            if table is None:
                words = _("meets %(other)s in round %(round)s")
            elif change.fate is Fate.AGAIN:
                words = _("plays %(other)s at table %(table)s")
                if change.was.is_played and player in change.pairing.seats:
                    words = _("plays %(other)s again at table %(table)s")
            else:
                words = _("meets %(other)s at table %(table)s in round %(round)s")
            yield names.of(player), words % values
