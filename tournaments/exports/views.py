"""The page on how an event is checked, and downloads: workbooks, CSV files, the transcript."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from rules.events.ledger import FIRST
from rules.stages.base import is_paired_by_hand
from tournaments.chain.lines import public_part
from tournaments.chain.payload import event_payload
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.visibility import restoration_json
from tournaments.exports.api import KINDS, csv_response
from tournaments.exports.workbook import wants_archive, workbook_response
from tournaments.lots.selectors import random_draws_context
from tournaments.models import Event, Round
from tournaments.pages.access import find_visible_event, public_read
from tournaments.pages.views import polling_page
from tournaments.standings.selectors.ranking import ranking_page

TRANSCRIPT_VERSION = 1
Json = dict[str, Any]


@require_safe
def download_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the standings, or with ``?whole=1`` the archive, as .xlsx."""
    event, actor = find_visible_event(request, slug)
    return workbook_response(event, actor, as_archive=wants_archive(request.GET))


@require_safe
def download_csv(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Download a CSV file of the event, or of ``?stage=``."""
    event, actor = find_visible_event(request, slug)
    asked = request.GET.get("stage", "")
    if asked and not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        raise Http404
    return csv_response(kind, event, actor, int(asked) if asked else None)


@public_read()
def draws_record_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Page of the log's fingerprint and all random draws with their seeds."""
    return polling_page(
        request,
        slug,
        "tournaments/exports/record.html",
        lambda facts: {"draws": random_draws_context(facts)},
    )


@require_safe
def download_transcript(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the public transcript of a finished event as JSON; 404 before."""
    event, _actor = find_visible_event(request, slug)
    if event.state != Event.State.FINISHED:
        raise Http404
    content = json.dumps(event_transcript(event), ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(content, content_type="application/json; charset=utf-8")


def event_transcript(event: Event) -> Json:
    """Return the public transcript of an event as JSON; about twenty queries.

    It holds what pages show to everybody and the public part of log lines: no decklists, notes or
    addresses.
    """
    lines = list(event.log.order_by("number"))
    facts = read_facts(event)
    names = event.entries.order_by("number").values("number", "name", "club", "status")
    ranking = ranking_page(facts)
    return {
        "girone_transcript": TRANSCRIPT_VERSION,
        "event": event.slug,
        "restored": restoration_json(event),
        "players": [{**row, "status": str(row["status"])} for row in names],
        "rows": event_payload(event).rows,
        "draws": [
            {"number": number} | origin.json
            for number, origin in draw_origins(event, facts.draws).items()
        ],
        "ranking": [{"rank": row.rank, "player": row.entry.number} for row in ranking.rows],
        "pairings": swiss_rounds(facts),
        "log": {
            "before": FIRST,
            "lines": [public_part(line) | {"digest": line.digest} for line in lines],
        },
    }


def swiss_rounds(facts: EventFacts) -> list[Json]:
    """Return {round, kept_apart, by_hand} of each published Swiss round; no query.

    ``round``: ordinal; ``kept_apart``: whether pairs of players were not to meet; ``by_hand``:
    whether it was paired by hand.
    """
    return [
        {
            "round": item.ordinal,
            "kept_apart": bool(item.apart),
            "by_hand": is_paired_by_hand(stage.state, index, draft=False),
        }
        for stage in facts.stages
        if stage.kind.pairs_by_points
        for index, item in enumerate(stage.regular_rounds)
        if item.state == Round.State.PUBLISHED
    ]


FORMER = RedirectView.as_view(pattern_name="tournaments:record", permanent=True)
"""The address that the random draws had."""

urlpatterns = [
    path("events/<slug:slug>/record/", draws_record_page, name="record"),
    path("events/<slug:slug>/draws/", FORMER),
    path("events/<slug:slug>/transcript.json", download_transcript, name="transcript"),
    path("events/<slug:slug>/export.xlsx", download_workbook, name="workbook"),
    *(
        path(f"events/<slug:slug>/{kind}.csv", download_csv, {"kind": kind}, name=f"csv-{kind}")
        for kind in KINDS
    ),
]
