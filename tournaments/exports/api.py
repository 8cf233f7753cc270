"""The files of an event through the API: workbooks and CSV.

CSV is UTF-8 with a byte-order mark; separated by ``;`` where the language writes a decimal comma. A
text that looks like a formula has an apostrophe before it.
"""

import csv
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.formats import get_format
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from decks.writers import escape_formula
from tournaments.api.request_context import number_parameters, query_parameters
from tournaments.api.serialization import match_json
from tournaments.api.stage_views import StageView
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.facts_cache import load_departures, read_facts, read_name_marks
from tournaments.core.names import attach_name_marks
from tournaments.core.permissions import Actor, is_staff
from tournaments.exports.loading import two_name_columns
from tournaments.exports.workbook import XLSX, wants_archive, workbook_response
from tournaments.models import Event, Stage
from tournaments.players.api import PlayerOutput, player_json
from tournaments.rounds.api import MatchOutput
from tournaments.standings.api import RankedOutput, standings_json
from tournaments.standings.selectors.ranking import ranking_page

Rows = list[Mapping[str, Any]]
CSV = "text/csv; charset=utf-8"


def csv_file(kind: str, event: Event, actor: Actor, stage: int | None = None) -> bytes:
    """Return a CSV file of a kind in ``KINDS``, with what the actor may see.

    ``stage``: number of a stage, None for the whole event. Raises Http404 for an unknown stage.
    """
    return rows_to_csv(KINDS[kind](event, actor, stage), HEADS[kind])


def csv_response(kind: str, event: Event, actor: Actor, stage: int | None = None) -> HttpResponse:
    """Return a download response with the file of `csv_file`; same arguments."""
    name = f"{event.slug}-{kind}" if stage is None else f"{event.slug}-{kind}-{stage}"
    return csv_download_response(csv_file(kind, event, actor, stage), name)


def csv_download_response(content: bytes, name: str) -> HttpResponse:
    """Return a download response for a CSV file.

    ``name`` is the file name without its ending.
    """
    response = HttpResponse(content, content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "no-store"
    return response


def rows_to_csv(rows: Rows, heads: Iterable[str]) -> bytes:
    """Return rows (dicts by column) as a CSV file in the active language.

    The header has the keys of the rows, or ``heads`` without rows.
    """
    mark = str(get_format("DECIMAL_SEPARATOR"))
    columns = list(dict.fromkeys(key for row in rows for key in row) or heads)
    out = StringIO(newline="")
    writer = csv.writer(out, delimiter=";" if mark == "," else ",")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(key), mark) for key in columns] for row in rows)
    return BOM_UTF8 + out.getvalue().encode()


def _cell(value: object, mark: str) -> str:
    """Return a value as a cell: numbers of a list with a dash between them, as results are read."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        return f"{float(value):.4f}".rstrip("0").rstrip(".").replace(".", mark)
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{one}" for key, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        if None in value:  # places of a table where somebody was not there
            return " ".join("–" if one is None else str(one) for one in value)
        return ("–" if all(isinstance(one, int) for one in value) else " ").join(map(str, value))
    return escape_formula(str(value))


def _stage(facts: EventFacts, number: int | None) -> StageFacts | None:
    """Return a stage by number, or the latest with a table that has begun; raises Http404."""
    if number is not None:
        found = next((one for one in facts.stages if one.stage.number == number), None)
        if found is None:
            raise Http404
        return found
    tables = (one for one in reversed(facts.stages) if one.kind.has_table)
    return next((one for one in tables if one.stage.state != Stage.State.PENDING), None)


def _standings(event: Event, actor: Actor, number: int | None) -> Rows:
    """Return the rows of a stage, with each criterion as a column; else the final ranking."""
    facts = read_facts(event)
    stage = _stage(facts, number)
    if stage is None or not stage.kind.has_table:
        return _ranking(event, actor, number)
    found: Rows = []
    for group in stage.outcome.standings:
        for row in standings_json(stage, group):
            named = {"name": facts.entries[row["player"]].display_name}
            values = {key: _number(value) for key, value in row.pop("values").items()}
            before = {key: row.pop(key) for key in ("stage", "group", "rank", "player")}
            last = {"placed_by": row.pop("placed_by")}
            found.append({**before, **named, **row, **values, **last})
    return found


def _number(value: object) -> object:
    """Return a value of the API, a whole number or a fraction as text, as a number."""
    return Fraction(value) if isinstance(value, str) else value


def _ranking(event: Event, actor: Actor, number: int | None) -> Rows:
    facts = read_facts(event)
    seated = _players_of_stage(facts, number)
    rows = [row for row in ranking_page(facts).rows if seated is None or row.entry.number in seated]
    return list(RankedOutput(rows, many=True).data)


def _matches(event: Event, actor: Actor, number: int | None) -> Rows:
    facts = load_facts(event, for_staff=is_staff(actor, event))
    wanted = facts.stages if number is None else (_stage(facts, number),)
    names = {entry.pk: entry.display_name for entry in facts.entries.values()}
    found: Rows = []
    for stage in filter(None, wanted):
        for item in stage.rounds:
            for match in stage.matches_of(item):
                row = match_json(facts, stage, item, match)
                a, b = two_name_columns([names[key] for key in match.seats])
                found.append({**row, "name_a": a, "name_b": b})
    return found


def _players(event: Event, actor: Actor, number: int | None) -> Rows:
    seated = _players_of_stage(read_facts(event), number)
    entries = attach_name_marks(event.entries.order_by("number"), read_name_marks(event))
    entries = load_departures(event, entries)
    return [player_json(one) for one in entries if seated is None or one.number in seated]


def _players_of_stage(facts: EventFacts, number: int | None) -> frozenset[int | str] | None:
    """Return the players of a stage, None where none is asked for; raises Http404."""
    stage = _stage(facts, number) if number is not None else None
    if stage is None:
        return None
    seats = stage.state.seats.values()
    return frozenset(one for group in seats for one in group if one is not None)


KINDS: Mapping[str, Callable[[Event, Actor, int | None], Rows]] = {
    "standings": _standings,
    "ranking": _ranking,
    "matches": _matches,
    "players": _players,
}
HEADS: Mapping[str, Sequence[str]] = {
    "standings": tuple(RankedOutput._declared_fields),
    "ranking": tuple(RankedOutput._declared_fields),
    "matches": (*MatchOutput._declared_fields, "name_a", "name_b"),
    "players": tuple(PlayerOutput._declared_fields),
}
"""The columns of a file without rows."""


WHOLE = OpenApiParameter("whole", OpenApiTypes.STR, enum=["1"], required=False)


class WorkbookView(StageView):
    """Endpoint that returns the standings as .xlsx.

    With ``?whole=1`` the whole archive workbook.
    """

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="export", parameters=[WHOLE], responses={(200, XLSX): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the standings to hand out; with ``?whole=1`` all that the caller may see."""
        same = self.not_modified(request)
        if same is not None:
            return same
        answer = workbook_response(
            self.event, self.sight, as_archive=wants_archive(request.query_params)
        )
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]


class CsvFileView(StageView):
    """Base view of CSV downloads; ``kind``: a key of ``KINDS``."""

    kind: str

    def get(self, request: Request, slug: str) -> Response:
        """Return the rows of the event, or of ``?stage=``, with what the caller may see."""
        if (same := self.not_modified(request)) is not None:
            return same
        stage = number_parameters(request, "stage").get("stage")
        answer = csv_response(self.kind, self.event, self.sight, stage)
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]


def _csv(kind: str, about: str) -> type[CsvFileView]:
    """Return the view of the CSV files of a kind, with its part of the schema."""
    view = type(f"{kind.title()}Csv", (CsvFileView,), {"kind": kind, "__doc__": about})
    told = extend_schema(
        operation_id=f"{kind}_csv",
        parameters=query_parameters("stage"),
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    return extend_schema_view(get=told)(view)


StandingsCsv = _csv("standings", "The standings, or the final ranking where there is no table.")
RankingCsv = _csv("ranking", "The final ranking.")
MatchesCsv = _csv("matches", "The matches.")
PlayersCsv = _csv("players", "The players.")
