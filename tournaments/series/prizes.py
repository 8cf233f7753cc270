"""Prizes of a series: by place, with winners once it is closed, and what was handed out."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from config import transaction
from rules.errors import RuleError
from rules.events.prizes import PLACE, PrizeTable, PrizeWinner, prize_winners, read_prizes
from rules.json_reader import WrongValue, read_document
from tournaments.core.labels import format_rank
from tournaments.core.permissions import Actor
from tournaments.models import Series, SeriesPrize
from tournaments.prizes.selectors import PrizesWon, prize_table_rows
from tournaments.series.people import Person
from tournaments.series.selectors import (
    SeriesFacts,
    SeriesTable,
    compute_series_table,
    load_series_facts,
)
from tournaments.series.services import lock_series, save_and_log_series


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesWinner(PrizesWon):
    """A person who has won prizes of a series."""

    person: Person


# --- Read -----------------------------------------------------------------------------------
def series_prizes(series: Series) -> PrizeTable:
    """Return the prizes of a series, empty if there are none; no query."""
    return read_prizes(series.prizes)


def can_see_prizes(facts: SeriesFacts) -> bool:
    """Return whether the reader may see the prizes: the staff, or all once published.

    No query.
    """
    return bool(facts.role or facts.series.prizes.get("published"))


def series_winners(
    series: Series, table: SeriesTable | None, *, noted: bool = True
) -> tuple[SeriesWinner, ...]:
    """Return the winners of a closed series in the order of its standings, else ().

    With ``noted`` it tells which prizes were handed out: one query, else none.
    """
    if series.closed_at is None or table is None or not series.prizes.get("rows"):
        return ()
    people = table.people.of_entry
    given = SeriesPrize.objects.filter(series=series) if noted else SeriesPrize.objects.none()
    entries = given.values_list("entry", flat=True)
    handed = {people[entry].key for entry in entries if entry in people}
    tied = {person for level in table.standings.tied for person in level}
    return tuple(
        SeriesWinner(
            person=table.person(one.player),
            rank=format_rank(table.by_person[one.player].rank, shared=one.player in tied),
            prize=", ".join(one.prizes),
            cents=one.cents,
            sharing=one.sharing,
            given=one.player in handed,
        )
        for one in _award(series, table)
    )


def published_prizes(facts: SeriesFacts, table: SeriesTable | None) -> dict[str, Any] | None:
    """Return {"rows", "winners"} of the published prizes for a page, else None; no query."""
    prizes = series_prizes(facts.series)
    if not (prizes.published and prizes.rows):
        return None
    winners = series_winners(facts.series, table, noted=False)
    return {"rows": prize_table_rows(prizes), "winners": winners}


def _award(series: Series, table: SeriesTable) -> tuple[PrizeWinner, ...]:
    """Return who wins what; people with too few events win nothing."""
    rows = table.standings.rows
    ranking = [[row.player for row in level] for _rank, level in groupby(rows, attrgetter("rank"))]
    short = {row.player for row in rows if table.is_short(row.player)}
    return prize_winners(series_prizes(series), ranking, {}, short)


# --- Write ----------------------------------------------------------------------------------
@transaction.atomic
def set_series_prizes(
    *, series: Series, prizes: object, version: int | None = None, by: Actor
) -> Series:
    """Store the prizes of a series, by place, and return the series.

    ``prizes`` is JSON of ``rules.events.prizes``; ``available`` and ``published`` keep their value
    if left out. Allowed in a closed series. Raises BadInput ``invalid_prizes`` with ``path``, and
    the errors of ``lock_series``.
    """
    series = lock_series(series, by=by, version=version, closed=True)
    now = series_prizes(series).as_json()
    if isinstance(prizes, dict):
        prizes = {key: now[key] for key in ("available", "published")} | prizes
    stored = read_document("invalid_prizes", _by_place, prizes).as_json()
    if stored != now:
        series.prizes = stored
        save_and_log_series(series, "series.prizes", by=by)
    return series


def _by_place(value: object) -> PrizeTable:
    table = read_prizes(value)
    if table.by != PLACE:
        raise WrongValue("Choose one of the options.", at="by")
    return table


@transaction.atomic
def mark_series_prize(*, series: Series, person: int, given: bool, by: Actor) -> None:
    """Record that a person's prizes were handed out (``given``), or undo that.

    ``person`` is the key of any of their entries. Raises RuleError ``series_open``, ``no_prize``,
    ``prize_noted`` if it is so already, and the errors of ``lock_series``.
    """
    series = lock_series(series, by=by, closed=True)
    if series.closed_at is None:
        raise RuleError("series_open", "Close the series first.")
    facts = load_series_facts(series, "organiser")
    table = None if series.points is None else compute_series_table(series, facts.finished)
    found = table.people.of_entry.get(person) if table is not None else None
    if table is None or found is None:
        raise RuleError("no_prize")
    if given and found.key not in {one.player for one in _award(series, table)}:
        raise RuleError("no_prize")
    own = SeriesPrize.objects.filter(series=series, entry__in=[one.pk for one in found.entries])
    if own.exists() == given:
        raise RuleError("prize_noted")
    if given:
        SeriesPrize.objects.create(series=series, entry_id=found.key)
    else:
        own.delete()
    slugs = {event.pk: event.slug for event in facts.events}
    latest = found.entries[-1]
    save_and_log_series(
        series,
        "series.prize_given" if given else "series.prize_taken_back",
        by=by,
        players=[[slugs[latest.event_id], latest.number]],
    )
