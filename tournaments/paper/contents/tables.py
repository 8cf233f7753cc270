"""Sheets of standings, brackets, seats, deck checks, links, prizes, and the poster."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.results import PlayerId
from rules.stages.tables import parse_table_ranges
from rules.ties.decisions import tiebreaker_by_key
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.formulas import default_match_size
from tournaments.core.kept_places import reassignment_texts
from tournaments.core.labels import format_rank, format_record
from tournaments.core.names import surname_sort_key
from tournaments.core.rows import AnyEntry
from tournaments.diagrams.selectors.placed_brackets import PITCH, BracketLayout
from tournaments.models import Entry, Event, Match
from tournaments.paper.contents.rounds import (
    Content,
    event_sheet_content,
    first_letters,
    format_event_start,
    name_parts,
    qr_code_svg,
    subtitle,
)
from tournaments.prizes.selectors import WinnerRow, format_cents, winner_rows
from tournaments.standings.selectors.proofs import format_value
from tournaments.standings.selectors.ranking import (
    RankingPage,
    counted_stages_text,
    ranking_figures,
    ranking_page,
)
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import (
    StageStandings,
    StandingsTable,
    random_draws_among_tied,
    stage_standings,
)


def standings_sheet(facts: EventFacts, now: datetime, *, ranked: bool = True) -> Content:
    """Return the sheet of the latest stage's standings; no tables before the first.

    ranked: whether the final standings of a finished event come first. ``notes`` explain seats
    given to other players, and random draws. One query if there is such a seat.
    """
    content = event_sheet_content(
        facts.event,
        now,
        rank=pgettext("short", "Rank"),
        player=_("Player"),
        record=_("W–L–D"),
    )
    found = next((each for each in stage_standings(facts) if each.tables), None)
    latest = _tables(facts, found, content) if found else []
    ranking = _ranking(facts, content) if ranked else []
    lots = _lots_in_words(facts, found.id) if found else ()
    return content | {"tables": [*ranking, *latest], "notes": [*reassignment_texts(facts), *lots]}


def _legend(columns: Iterable[tuple[str, str]]) -> list[str]:
    """Return what the columns of a table mean, by (short, label); those of records first."""
    explained = (f"{short}: {label}" for short, label in columns)
    return [": ".join((_("W–L–D"), _("Wins – losses – draws"))), *explained]


def _lots_in_words(facts: EventFacts, shown: str) -> Iterator[str]:
    """Yield the origin of each random draw of a stage in words, as far as it is known."""
    stage = next(each.stage for each in facts.stages if f"stage-{each.stage.number}" == shown)
    numbers = {draw.number for draw in facts.rows.lots if draw.stage_id == stage.pk}
    for drawn in random_draws_among_tied(facts):
        if drawn["origin"] and drawn["number"] in numbers:
            yield " ".join((_("Random draw"), f"{drawn['number']}: {drawn['origin']}"))


def _progress_in_words(stage: StageFacts) -> str:
    """Return the phrase for the latest results that the sheet includes: none held back."""
    after = ""
    for item in (each for each in stage.regular_rounds if each.pk not in stage.held):
        played = [match for match in stage.matches_of(item) if match.size > 1]
        ended = [match.state == Match.State.FINAL for match in played]
        if not all(ended):
            under_way = _("round %(round)s under way") % {"round": item.ordinal}
            return under_way if any(ended) else after
        after = _("after round %(round)s") % {"round": item.ordinal}
    return after


def _placed_by(facts: EventFacts, stage: StageFacts) -> Mapping[PlayerId, str]:
    """Return the criterion of a stage that put each player behind the one before, by number.

    Points, the first criterion, are left out, as the sheet shows them beside the name.
    """
    first = facts.event.criteria[:1]
    return {
        row.player: translate(tiebreaker_by_key(row.placed_by).label)
        for table in stage.outcome.standings.values()
        for row in table.rows
        if row.placed_by and row.placed_by not in first
    }


def _tables(facts: EventFacts, shown: StageStandings, content: Content) -> list[Content]:
    stage = next(each for each in facts.stages if f"stage-{each.stage.number}" == shown.id)
    placed, progress = _placed_by(facts, stage), _progress_in_words(stage)
    several = len(shown.tables) > 1
    caption = " · ".join(filter(None, (shown.label, progress)))
    return [
        {
            "title": _("Standings"),
            "under": subtitle(content, caption),
            "caption": table.caption if several else caption,
            "grouped": several,
            "columns": [column.short for column in table.columns],
            "legend": _legend((column.short, column.label) for column in table.columns),
            "records": True,
            "remark": _("Placed by"),
            "rows": _rows(table, placed),
        }
        for table in shown.tables
        if table.rows
    ]


def _rows(table: StandingsTable, placed: Mapping[PlayerId, str]) -> list[Content]:
    return [
        _row(row, "" if table.compared else placed.get(row.entry.number, "")) | {"cut": cut}
        for row, cut in zip(table.rows, table.cuts, strict=True)
    ]


def _row(row: StandingRow, placed: str) -> Content:
    return {
        **name_parts(row.entry),
        "rank": format_rank(row.rank, shared=row.shared),
        "record": format_record(row),
        "values": list(row.values),
        "why": row.left or placed,
    }


def _ranking(facts: EventFacts, content: Content) -> list[Content]:
    page = ranking_page(facts)
    if not page.rows or facts.event.state != facts.event.State.FINISHED:
        return []
    figures, criteria = ranking_figures(facts)
    points = [one for one in criteria[:1] if one.key == "points"]
    shown = [(translate(one.short), translate(one.label)) for one in points]
    columns, rows = [short for short, _label in shown], []
    for row in page.rows:
        own = figures.get(row.entry.number)
        record = format_record(own.record) if own else ""
        values = [format_value(own.values[one.key], one.key) if own else "" for one in points]
        rows.append(
            {
                **name_parts(row.entry),
                "rank": format_rank(row.rank, shared=row.shared),
                "record": record,
                "values": values,
                "why": " · ".join(filter(None, (row.entry.club, _gone(row.entry)))),
                "cut": False,
            }
        )
    return [
        {
            "title": _("Final standings"),
            "under": subtitle(
                content, counted_stages_text(facts, ", ".join([_("W–L–D"), *columns]))
            ),
            "caption": _("Final standings"),
            "grouped": False,
            "columns": columns,
            "legend": _legend(shown),
            "records": True,
            "remark": _remark(page),
            "rows": rows,
        }
    ]


def _gone(entry: AnyEntry) -> str:
    """Return that a player has left or was disqualified, "" of others."""
    return "" if entry.plays else str(entry.get_status_display())


def _remark(page: RankingPage) -> str:
    """Return the head of the column beside the ranking, "" where it has nothing to tell."""
    if page.has_clubs:
        return _("Club")
    return _("Note") if any(_gone(row.entry) for row in page.rows) else ""


def bracket_stage(facts: EventFacts) -> StageFacts | None:
    """Return the latest stage with a bracket that has begun, or None."""
    found = (each for each in reversed(facts.stages) if each.kind.has_bracket and each.state.seats)
    return next(found, None)


def bracket_sheet(facts: EventFacts, stage: StageFacts, now: datetime) -> Content:
    """Return the sheet of a bracket: matches with column and row, and captions."""
    drawing = BracketLayout(facts, stage).last()
    content = event_sheet_content(facts.event, now)
    return content | {
        "title": translate(stage.plan.label),
        "under": subtitle(content),
        "columns": drawing.columns,
        "rows": drawing.rows,
        "pitch": PITCH,
        "captions": [asdict(words) for words in drawing.captions],
        "matches": [asdict(match) | {"middle": match.middle} for match in drawing.matches],
    }


def seats_sheet(facts: EventFacts, now: datetime) -> Content:
    """Return the sheet that seats every player, sorted by name, with a box to tick.

    Players fill the tables in order of name, except those with a fixed table. If there are too few
    tables, the last players have none.
    """
    content = event_sheet_content(facts.event, now)
    playing = [entry for entry in facts.entries.values() if entry.plays]
    playing.sort(key=surname_sort_key)
    taken = {entry.fixed_table for entry in playing if entry.fixed_table}
    hall = parse_table_ranges(facts.event.tables)
    seats_each = range(default_match_size(facts.event))
    free = (table for table in hall if table not in taken for _seat in seats_each)
    counted = ": ".join((_("Players"), str(len(playing))))
    return content | {
        "title": _("Seats for all players"),
        "under": subtitle(content, counted),
        "players": [
            {
                **name_parts(entry),
                "letters": first_letters(entry),
                "table": str(entry.fixed_table or next(free, "–")),
            }
            for entry in playing
        ],
    }


def deck_checks_sheet(event: Event, page: dict[str, Any], now: datetime) -> Content:
    """Return the sheet of deck checks: players still to check, by table, then the others.

    page: the template context of the page of deck checks.
    """
    content = event_sheet_content(
        event,
        now,
        table=_("Table"),
        player=_("Player"),
        list=_("Decklist"),
        checked=_("Checked"),
        note=_("Note"),
    )
    waiting = [
        {
            **name_parts(entry),
            "table": str(table or "–"),
            "list": _("Submitted") if entry.submission_id else _("missing"),
            "checked": False,
        }
        for entry, table in page["left"]
    ]
    done = [
        {
            **name_parts(row["entry"]),
            "table": str(row["table"] or "–"),
            "list": row["round"],
            "checked": True,
            "outcome": row["outcome"],
        }
        for row in (*page["open"], *page["finished"])
    ]
    return content | {
        "title": _("Deck checks"),
        "under": subtitle(content, page["round_label"])
        if page["round_label"]
        else subtitle(content),
        "players": waiting + done,
    }


def prizes_sheet(facts: EventFacts, now: datetime) -> Content:
    """Return the sheet of a finished event's winners and prizes, to be signed; one query."""
    content = event_sheet_content(
        facts.event,
        now,
        rank=pgettext("short", "Rank"),
        player=_("Player"),
        prize=_("Prize"),
        value=_("Value"),
        signed=_("Received"),
    )
    won = winner_rows(facts)
    cents = [row.cents for row in won if row.cents is not None]
    total = ": ".join((_("Total"), format_cents(sum(cents)))) if cents else ""
    return content | {
        "title": _("Prizes"),
        "under": subtitle(content),
        "total": total,
        "winners": [
            {
                **name_parts(row.entry),
                "rank": row.rank,
                "prize": _shared(row),
                "value": row.value,
                "signed": _("Received") if row.given else "",
            }
            for row in won
        ],
    }


def _shared(row: WinnerRow) -> str:
    if row.sharing == 1:
        return row.prize
    shared = _("shared by %(players)s") % {"players": row.sharing}
    return f"{row.prize} ({shared})" if row.prize else shared


def links_sheet(event: Event, addresses: Mapping[Entry, str], now: datetime) -> Content:
    """Return the sheet of cards with players' personal links, sorted by name.

    addresses: URLs by entry, printed as QR code and in two lines.
    """
    own = [_("Your personal link"), _("Keep it secret.")]
    return event_sheet_content(event, now) | {
        "own": own,
        "players": [
            {**name_parts(entry), "qr": qr_code_svg(address), "address": _two_lines(address)}
            for entry, address in sorted(
                addresses.items(), key=lambda one: surname_sort_key(one[0])
            )
        ],
    }


def _two_lines(address: str) -> list[str]:
    before, slash, code = address.split("://", 1)[-1].rstrip("/").rpartition("/")
    return [before + slash, f"{code}/"]


def poster_sheet(event: Event, address: str, now: datetime) -> Content:
    """Return the poster with the QR code of ``address``, at which players sign in."""
    content = event_sheet_content(event, now)
    return content | {
        "when": format_event_start(event),
        "venue": event.venue,
        "qr": qr_code_svg(address),
        "address": address.split("://", 1)[-1],
        "question": _("Are you playing? Scan the code and tap your name."),
        "invitation": _("Pairings, standings and round timer on your phone"),
    }
