"""The table of a series as it is shown outside of its pages: on paper, in a picture, in chats."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import format_moment
from rules.standings.table import Standing
from tournaments.core.labels import format_rank
from tournaments.models import Event, Series
from tournaments.paper.contents.rounds import Content, base_sheet_content
from tournaments.series.people import Person
from tournaments.series.selectors import SeriesFacts, SeriesTable
from tournaments.sharing import views as pictures
from tournaments.sharing.texts import escape_mentions, split_messages
from tournaments.standings.selectors.proofs import format_value

UPRIGHT, ACROSS = 8, 20
"""Columns of events that fit on a sheet in portrait and in landscape."""
ON_PICTURE, IN_CHATS = 5, 10
"""People of the picture and of the text."""


@dataclass(frozen=True, slots=True)
class RankedPerson:
    """A person's row of the standings, with rank and points as displayed texts."""

    row: Standing
    person: Person
    rank: str
    points: str


def ranked_people(table: SeriesTable) -> Iterator[RankedPerson]:
    """Yield the rows of the standings; a shared rank is marked as such."""
    shared = Counter(row.rank for row in table.standings.rows)
    for row in table.standings.rows:
        rank = format_rank(row.rank, shared=shared[row.rank] > 1)
        yield RankedPerson(row, table.person(row.player), rank, format_value(table.points(row)))


def _progress(table: SeriesTable) -> str:
    return " · ".join((_("Standings"), event_count_text(table.events)))


def event_count_text(events: Sequence[Event]) -> str:
    """Return the number of events as a label, "Events: 5"."""
    return ": ".join((_("Events"), str(len(events))))


# --- Paper ----------------------------------------------------------------------------------
def sheet_content(series: Series, table: SeriesTable, address: str, now: datetime) -> Content:
    """Return the content of the printed standings; ``address`` is the URL of the series."""
    last, columns = table.events[-1], _columns(table)
    content = base_sheet_content(
        now,
        last.zone,
        address,
        rank=pgettext("short", "Rank"),
        player=_("Player"),
        points=_("Points"),
        events=_("Events"),
    )
    rows = [_row_content(one, table, columns) for one in ranked_people(table)]
    ranked = [not table.is_short(one.player) for one in table.standings.rows]
    if any(ranked) and not all(ranked):
        rows[sum(ranked) - 1]["cut"] = True
    bracketed = any(value.startswith("(") for row in rows for value in row["values"])
    return content | {
        "title": series.name,
        "under": f"{_progress(table)} · {format_moment(last.begins)}",
        "note": " ".join(("(…)", _("doesn’t count"))) if bracketed else "",
        "flipped": len(columns) > UPRIGHT,
        "columns": [
            {"day": f"{one.begins.day}.{one.begins.month}.", "name": one.name} for one in columns
        ],
        "rows": rows,
    }


def _columns(table: SeriesTable) -> tuple[Event, ...]:
    return table.events if len(table.events) <= ACROSS else ()


def _row_content(
    one: RankedPerson, table: SeriesTable, columns: tuple[Event, ...]
) -> dict[str, Any]:
    results = table.results(one.row.player)
    shown = {
        each.event: format_value(each.points) if each.counts else f"({format_value(each.points)})"
        for each in results
    }
    return {
        "rank": one.rank,
        "name": one.person.display_name,
        "points": one.points,
        "events": str(len(results)),
        "values": [shown.get(event.slug, "") for event in columns],
        "cut": False,
    }


# --- Picture --------------------------------------------------------------------------------
def picture_content(facts: SeriesFacts, table: SeriesTable | None) -> Content:
    """Return the content of a series' preview picture: first ranks and the latest event.

    The series must have a public event.
    """
    shown = [*ranked_people(table)][:ON_PICTURE] if table else []
    over = _("Standings") if shown else _("Events")
    look = _shown_events(facts)[-1].format_key
    content = pictures.base_picture_content(look, over, facts.series.name, picture_lines(facts))
    content["rows"] = [
        {
            "rank": one.rank,
            "name": one.person.display_name,
            "value": one.points,
            "strong": one.row.rank == 1,
        }
        for one in shown
    ]
    return content


def picture_lines(facts: SeriesFacts) -> list[str]:
    """Return the number of events, and day and venue of the latest finished event.

    The next event, if none has finished.
    """
    events = _shown_events(facts)
    over = [event for event in events if event in facts.finished]
    latest = over[-1:] or events[:1]
    where = [(format_moment(event.begins, "day"), event.venue) for event in latest]
    return [event_count_text(events), *(" · ".join(filter(None, each)) for each in where)]


def _shown_events(facts: SeriesFacts) -> list[Event]:
    return [event for event in facts.events if event.state != Event.State.DRAFT]


# --- Chats ----------------------------------------------------------------------------------
def chat_messages(series: Series, table: SeriesTable, address: str) -> tuple[str, ...]:
    """Return the first ranks as chat messages; the last one ends with ``address``."""
    lines = [
        f"{one.rank}. {escape_mentions(one.person.display_name)} · {one.points}"
        for one in [*ranked_people(table)][:IN_CHATS]
    ]
    return split_messages(f"{series.name}\n{_progress(table)}", lines, address)
