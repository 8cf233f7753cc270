"""Preview pictures, what stands on them and their addresses, and pages for frames of other
sites.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from zlib import crc32

import typst
from csp.decorators import csp_replace
from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from config.looks import COLOURS, INKS, emblem_svg, initials
from config.wording import format_moment, translate
from decks.labels import find_format_emblem, format_label
from decks.stored_formats import base_format
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.labels import (
    final_place_label,
    format_rank,
    group_label,
    ordinal,
    round_label,
    stage_and_round_label,
)
from tournaments.core.rows import AnyEntry
from tournaments.diagrams.selectors.drawn_brackets import brackets_page
from tournaments.events.selectors.events import player_count, state_badge
from tournaments.models import Event
from tournaments.pages.access import (
    EVENT,
    allow_caching,
    find_visible_event,
    public_read,
    short_event_url,
)
from tournaments.pages.long_lists import RequestedPart
from tournaments.paper.typesetting import fonts
from tournaments.public.answers import release_digest
from tournaments.sharing.texts import BETWEEN, TEXTS, shared_text
from tournaments.standings.selectors.ranking import RankingRow, final_standings, ranking_page
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import stage_standings

SHEET = Path(__file__).parent / "picture.typ"
WIDE, HIGH = 1200, 630
LIFETIME = 24 * 60 * 60
"""Seconds for which a picture is cached by its content."""
_turn = Lock()


def render_picture(content: Mapping[str, Any]) -> bytes:
    """Render the content of a preview picture as PNG, cached for a day.

    It has ``WIDE`` × ``HIGH`` pixels.
    """
    text = json.dumps(content, sort_keys=True)
    key = f"picture:{hashlib.sha256((release_digest() + text).encode()).hexdigest()}"
    found: bytes | None = cache.get(key)
    if found is not None:
        return found
    with _turn:
        found = cache.get(key)
        if found is None:
            found = _draw(text)
            cache.set(key, found, LIFETIME)
    return found


def _draw(content: str) -> bytes:
    made: bytes = typst.compile(
        str(SHEET),
        root=str(SHEET.parent),
        format="png",
        ppi=72,
        font_paths=fonts(),
        sys_inputs={"content": content},
    )
    return made


ROWS = 8
Content = dict[str, Any]


def picture_content(facts: EventFacts, kind: str, number: int = 0) -> Content | None:
    """Return the content of an event's preview picture, None for an unknown player.

    ``kind`` is "event", "standings" or "player" (``number``). No query, one before the start.
    """
    if kind == "player":
        return _player_content(facts, number)
    if facts.event.state == Event.State.FINISHED:
        return _podium(facts)
    return _event_content(facts)


def base_picture_content(format_key: str, over: str, title: str, lines: list[str]) -> Content:
    """Return the content of a preview picture without people and rows.

    ``over`` is the line above the title; colours are those of the deck format.
    """
    look = find_format_emblem(format_key)
    _label, fill, deep = COLOURS[look.palette]
    emblem = emblem_svg(look.emblem).replace("currentColor", "#ffffff")
    emblem = emblem.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    logo = Path(settings.BASE_DIR) / "config/static/girone/logo.svg"
    return {
        "language": get_language() or "it",
        "fill": fill,
        "deep": deep,
        "emblem": emblem,
        "watermark": emblem.replace("<svg ", '<svg opacity="0.1" '),
        "logo": logo.read_text("utf-8"),
        "over": over,
        "title": title,
        "lines": lines,
        "people": [],
        "rows": [],
        "heading": "",
        "face": None,
    }


def _event_lines(facts: EventFacts) -> list[str]:
    """Return day, place, players and game of an event."""
    event = facts.event
    local = event.starts_at.astimezone(event.zone)
    players = player_count(event)
    count = ngettext("%(number)s player", "%(number)s players", players) % {"number": players}
    where = [format_moment(local, "day"), event.venue]
    played = format_label(base_format(event.format_key)).split(" · ")[0]
    return [" · ".join(filter(None, where)), f"{count} · {played}"]


def _podium(facts: EventFacts) -> Content:
    final = final_standings(facts)
    name = facts.event.name
    title = (
        _("%(name)s wins the event") % {"name": final["winner"].display_name}
        if final["winner"]
        else name
    )
    over = name if final["winner"] else _("Final standings")
    content = base_picture_content(facts.event.format_key, over, title, _event_lines(facts))
    if [(row.rank, row.shared) for row in final["podium"]] == [(1, False), (2, False), (3, False)]:
        content["people"] = [
            {"rank": row.rank, "place": ordinal(row.rank), **_person_content(row.entry)}
            for row in final["podium"]
        ]
    else:
        content["rows"] = _top_ranks(facts)
    return content


def _person_content(entry: AnyEntry) -> Content:
    back, ink = INKS[crc32(entry.name.encode()) % len(INKS)]
    known = {"name": entry.display_name, "initials": initials(entry.name)}
    return known | {"back": back, "ink": ink}


def _top_ranks(facts: EventFacts) -> list[Content]:
    return [_rank_content(row, strong=row.rank == 1) for row in ranking_page(facts).rows[:ROWS]]


def _rank_content(row: RankingRow | StandingRow, value: str = "", *, strong: bool) -> Content:
    name = row.entry.display_name
    rank = format_rank(row.rank, getattr(row, "last", 0), shared=row.shared)
    return {"rank": rank, "name": name, "value": value, "strong": strong}


def _event_content(facts: EventFacts) -> Content:
    """Return the event's name with the top of its current table, or with its date and place."""
    event, stage = facts.event, facts.open_stage
    over = state_badge(event)[0]
    if stage is not None and stage.last_round is not None:
        over = stage_and_round_label(
            translate(stage.plan.label), round_label(stage, stage.last_round)
        )
    content = base_picture_content(event.format_key, over, event.name, _event_lines(facts))
    if event.state == Event.State.FINISHED:
        content["rows"] = _top_ranks(facts)
        return content
    tables = [each.tables[0] for each in stage_standings(facts)[:1] if each.tables]
    for table in tables:
        content["rows"] = [
            _rank_content(row, row.values[0] if row.values else "", strong=bool(row.through))
            for row in table.rows[:ROWS]
        ]
        if stage is not None and len(stage.plan.groups) > 1:
            first = next(iter(stage.outcome.standings))
            content["heading"] = group_label(stage.plan, first)
    return content


def _player_content(facts: EventFacts, number: int) -> Content | None:
    entry = facts.entries.get(number)
    if entry is None:
        return None
    event = facts.event
    own = next((row for row in ranking_page(facts).rows if row.entry.number == number), None)
    lines = [line for line in (entry.club, *_event_lines(facts)[:1]) if line]
    if own is not None:
        field = facts.plan.players if facts.plan else 0
        lines = [final_place_label(own.rank, own.last, shared=own.shared, field=field), *lines]
    content = base_picture_content(event.format_key, event.name, entry.display_name, lines)
    medal = format_rank(own.rank, shared=own.shared) if own and own.rank == own.last else ""
    content["face"] = {"rank": own.rank if own else 0, "medal": medal, **_person_content(entry)}
    return content


NAME = re.compile(r"(event|standings|player-([1-9]\d{0,5}))-([a-z]{2})-(\d{1,9})")


class PictureName(NamedTuple):
    """The parsed name of a preview picture; ``number`` is a player's, else 0.

    ``version`` is that of the event.
    """

    kind: str
    number: int
    language: str
    version: int

    @property
    def subject(self) -> str:
        """Return the picture's name without language and version."""
        return f"{self.kind}-{self.number}" if self.number else self.kind


def parse_picture_name(name: str) -> PictureName | None:
    """Parse the name of a preview picture; return None if it is invalid."""
    found = NAME.fullmatch(name)
    if found is None or found[3] not in dict(settings.LANGUAGES):
        return None
    kind = found[1].partition("-")[0]
    return PictureName(kind, int(found[2] or 0), found[3], int(found[4]))


def picture_path(event: Event, subject: str, language: str = "") -> str:
    """Return the path of the preview picture of an event's current version.

    ``subject``: "event", "standings" or "player-NUMBER". ``language``: by default the active one.
    """
    name = f"{subject}-{language or get_language()}-{event.version}"
    return reverse("tournaments:picture", args=[event.slug, name])


Show = Callable[[EventFacts], dict[str, Any]]
A_FRAME = csp_replace({"frame-ancestors": ["*"]})  # type: ignore[no-untyped-call]
"""Pages of ``/embed/`` may stand in the frames of any site: they have no form and no session."""


@public_read()
def picture(request: HttpRequest, slug: str, picture: str) -> HttpResponse:
    """Return a preview picture as PNG; redirect from other versions to the current one."""
    wanted = parse_picture_name(picture)
    if wanted is None:
        raise Http404
    event, actor = find_visible_event(request, slug)
    if wanted.version != event.version:
        return redirect(picture_path(event, wanted.subject, wanted.language))
    with override(wanted.language):
        content = picture_content(read_facts(event), wanted.kind, wanted.number)
    if content is None:
        raise Http404
    allow_caching(request, actor, event)
    return HttpResponse(render_picture(content), content_type="image/png")


@public_read()
@A_FRAME  # type: ignore[arg-type]
@xframe_options_exempt
@require_safe
def embedded_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings for embedding in a frame of another site."""
    return _embedded(
        request,
        slug,
        "tournaments/sharing/standings.html",
        lambda facts: {"stages": stage_standings(facts)[:1], "wanted": RequestedPart()},
    )


@public_read()
@A_FRAME  # type: ignore[arg-type]
@xframe_options_exempt
@require_safe
def embedded_bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the brackets for embedding in a frame of another site."""
    template = "tournaments/sharing/bracket.html"
    return _embedded(request, slug, template, lambda facts: {"shown": brackets_page(facts)})


def _embedded(request: HttpRequest, slug: str, template: str, show: Show) -> HttpResponse:
    event, actor = find_visible_event(request, slug)
    context = {"event": event, "actor": actor, "own_number": 0} | show(read_facts(event))
    allow_caching(request, actor, event)
    return render(request, template, context)


@public_read("round")
def text(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return a text for chats, messages separated by ``BETWEEN``.

    ``?round=`` is the number of a published round, by default the latest.
    """
    event, actor = find_visible_event(request, slug)
    asked = request.GET.get("round", "")
    if asked and not (asked.isascii() and asked.isdigit() and len(asked) < 6):
        raise Http404
    ordinal = int(asked) if asked else None
    found = shared_text(read_facts(event), kind, ordinal, short_event_url(request, event))
    if not found:
        raise Http404
    allow_caching(request, actor, event)
    return HttpResponse(BETWEEN.join(found), content_type="text/plain; charset=utf-8")


urlpatterns = [
    *(path(f"{EVENT}text/{kind}/", text, {"kind": kind}, name=f"text-{kind}") for kind in TEXTS),
    path(f"{EVENT}pictures/<slug:picture>.png", picture, name="picture"),
    path(f"{EVENT}embed/standings/", embedded_standings, name="embed-standings"),
    path(f"{EVENT}embed/bracket/", embedded_bracket, name="embed-bracket"),
]
