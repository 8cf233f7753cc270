"""Serve sheets as PDF, some to all readers of the event, some to its staff, and say whose letters
no font has.
"""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, register_converter, reverse
from django.urls.converters import StringConverter
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from PIL import ImageFont

from config.addresses import absolute_url
from config.web import post_only, render_page
from tournaments.checks.selectors import deck_checks_context
from tournaments.core.event_state import EventFacts, cached_value
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import surname_sort_key
from tournaments.core.permissions import can_judge, can_manage, is_staff
from tournaments.events.services import change_event
from tournaments.models import Event
from tournaments.pages.access import (
    PLAYERS,
    find_organiser_event,
    find_visible_event,
    join_url,
    require_role,
    short_event_url,
)
from tournaments.pages.views import strip_scheme
from tournaments.paper.contents import rounds, tables
from tournaments.paper.contents.rounds import Content
from tournaments.paper.services import round_pdf, round_sheets
from tournaments.paper.typesetting import PAPERS, SheetPreview, fonts, render_preview, typeset
from tournaments.players.views.access import new_link_urls
from tournaments.prizes.selectors import event_winners
from tournaments.rounds.selectors.pairings import PairingsPage, pairings_page


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedSheet:
    """A sheet that the page of sheets offers.

    ``name``: of its template. ``words``: label. ``pages``: number of pages. ``file`` and
    ``picture``: URLs of PDF and preview.
    """

    name: str
    words: str
    pages: int
    file: str
    picture: str


def choose_first_sheet(event: Event, shown: PairingsPage | None, offered: Collection[str]) -> str:
    """Return the name of the sheet that the page of sheets puts first.

    shown: pairings of the chosen round, None before the first. offered: names to choose from. Seats
    or the poster before the first round; standings if the latest round is over, else the whole
    round ("round"); prizes after the event.
    """
    if event.state == Event.State.FINISHED:
        order: tuple[str, ...] = ("prizes", "standings")
    elif shown is None:
        order = ("seats", "poster") if event.plan else ("poster",)
    elif shown.missing or not shown.is_latest:
        order = ("round", "pairings")
    else:
        order = ("standings", "round", "pairings")
    return next((name for name in order if name in offered), next(iter(offered)))


UNASSIGNED = "\U0010ffff"
"""A character that no font ever has: fonts draw it as they draw whatever they lack."""
VARIANTS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""They choose a form of the letter before them."""
Face = tuple[ImageFont.FreeTypeFont, bytes]


def unprintable_names(facts: EventFacts) -> list[str]:
    """Return the names with letters that no font of the sheets has, by surname; no query."""
    found = [
        entry for entry in facts.entries.values() if has_unprintable_letters(entry.display_name)
    ]
    return [entry.display_name for entry in sorted(found, key=surname_sort_key)]


def has_unprintable_letters(text: str) -> bool:
    """Return whether a text has a letter that no font of the sheets can draw."""
    return not text.isascii() and not all(map(_is_drawn, text))


@lru_cache(maxsize=16_384)
def _is_drawn(letter: str) -> bool:
    # Joiners, direction marks and variants have no shape of their own.
    if unicodedata.category(letter) in ("Cf", "Zs") or letter in VARIANTS:
        return True
    return any(_shape(font, letter) != box for font, box in _faces())


@cache
def _faces() -> tuple[Face, ...]:
    """Return a face of each family, with the box that it draws instead of a letter it lacks."""
    families = {each.family: (each.path, each.index) for each in fonts().fonts() if each.path}
    opened = [ImageFont.truetype(path, index=index) for path, index in families.values()]
    return tuple((font, _shape(font, UNASSIGNED)) for font in opened)


def _shape(font: ImageFont.FreeTypeFont, letter: str) -> bytes:
    return bytes(font.getmask(letter, mode="1"))


PUBLIC = ("pairings", "tables", "groups", "standings", "bracket", "poster")
STAFF = ("slips", "seats", "blank", "checks", "prizes", "round")


@require_safe
def sheets_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Page with all sheets of a round and of the event that the reader may print.

    ``?round=N`` chooses a published round.
    """
    event, actor = find_visible_event(request, slug)
    facts = read_facts(event)
    shown = _round(request, facts)
    staff = is_staff(actor, event)
    judges = can_judge(actor, event) and event.decklists != Event.Decklists.OFF
    sheets = (
        ("round", _("Whole round"), staff and shown),
        ("slips", _("Match slips"), staff and shown),
        ("pairings", _("Pairings by name"), shown),
        ("tables", _("Pairings by table"), shown),
        ("blank", _("Blank results sheet"), staff),
        ("checks", _("Deck checks"), judges),
        ("standings", _("Standings"), tables.standings_sheet(facts, timezone.now())["tables"]),
        ("groups", _("Groups"), rounds.group_schedules_sheet(facts, timezone.now())["groups"]),
        ("bracket", _("Bracket"), tables.bracket_stage(facts)),
        ("seats", _("Seats for all players"), staff),
        ("prizes", _("Prizes to sign"), can_manage(actor, event) and event_winners(facts)),
        ("poster", _("Poster with the code"), True),
    )
    offered = {name: words for name, words, there in sheets if there}
    due = choose_first_sheet(event, shown, offered)
    found = [_sheet(request, event, name, offered[name]) for name in offered]
    context = {
        "event": event,
        "actor": actor,
        "base": f"tournaments/{'staff' if staff else 'public'}_base.html",
        "staff": staff,
        "sheets": sorted(filter(None, found), key=lambda each: each.name != due),
        "paper": requested_paper_size(request),
        "rounds": shown.rounds if shown else (),
        "manages": can_manage(actor, event),
        "has_folder": bool(settings.PAPER_FOLDER),
        "boxed": unprintable_names(facts) if staff else (),
    }
    return render_page(request, "tournaments/paper/sheets.html", context)


@require_safe
def serve_sheet(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Respond with a sheet as PDF; 404 if there is none yet, 403 without the role.

    name: in ``PUBLIC`` or ``STAFF``. ``?round=N`` chooses a published round, ``?paper=letter`` the
    paper size.
    """
    event = _event_of_sheet(request, slug, name)
    file = f"{event.slug}-{name}"
    if name == "round":
        return pdf_response(_packet(request, event), file)
    return sheet_pdf_response(
        _content(request, event, name), name, requested_paper_size(request), file
    )


@require_safe
def serve_sheet_picture(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Respond with a small PNG of a sheet's first page; same permissions as the sheet."""
    event = _event_of_sheet(request, slug, name)
    response = HttpResponse(_look(request, event, name).first, content_type="image/png")
    response["Cache-Control"] = "no-store"
    return response


def _event_of_sheet(request: HttpRequest, slug: str, name: str) -> Event:
    event, actor = find_visible_event(request, slug)
    if name in STAFF:
        allowed = {"checks": can_judge, "prizes": can_manage}
        require_role(allowed.get(name, is_staff), actor, event)
    return event


def _sheet(request: HttpRequest, event: Event, name: str, words: str) -> OfferedSheet | None:
    """Return a sheet with its pages; None if there is nothing to print on it."""
    try:
        pages = _look(request, event, name).pages
    except Http404:
        return None
    chosen = urlencode({key: request.GET[key] for key in ("round", "paper") if key in request.GET})
    picture = reverse("tournaments:sheet-picture", args=[event.slug, name])
    return OfferedSheet(
        name=name,
        words=words,
        pages=pages,
        file=reverse("tournaments:sheet", args=[event.slug, name]),
        picture=f"{picture}?{chosen}" if chosen else picture,
    )


def _look(request: HttpRequest, event: Event, name: str) -> SheetPreview:
    """Return how a sheet looks, made once for these facts, the round, the paper and a language."""
    facts, paper = read_facts(event), requested_paper_size(request)
    key = ("look", name, request.GET.get("round", ""), paper, get_language())
    if name == "round":
        return cached_value(facts, key, lambda: _look_of_round(request, event, facts))
    return cached_value(
        facts, key, lambda: render_preview(name, _content(request, event, name), paper)
    )


def _look_of_round(request: HttpRequest, event: Event, facts: EventFacts) -> SheetPreview:
    shown, now = _required_round(request, facts), timezone.now()
    parts = round_sheets(facts, shown, now, _addresses_of(request, event))
    looks = [
        render_preview(name, content, requested_paper_size(request)) for name, content in parts
    ]
    return SheetPreview(sum(each.pages for each in looks), looks[0].first)


@post_only
def toggle_sheet_folder(request: HttpRequest, slug: str) -> HttpResponse:
    """Switch the writing of published rounds to the site's folder on or off (POST ``on``)."""
    event, actor = find_organiser_event(request, slug)
    on = request.POST.get("on") == "1" and bool(settings.PAPER_FOLDER)
    change_event(event=event, changes={"prints_rounds": on}, by=actor)
    messages.success(request, _("Saved."))
    return redirect("tournaments:sheets", slug)


@require_safe
def link_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """Respond with a PDF of cards with the personal links created in the last ten minutes.

    If there are none, redirect to the page that creates them.
    """
    event, _actor = find_organiser_event(request, slug)
    addresses = new_link_urls(request, event)
    if not addresses:
        words = _("Links are shown for only ten minutes. Create new links.")
        messages.warning(request, words)
        return redirect("tournaments:manage-links", slug)
    content = tables.links_sheet(event, addresses, timezone.now())
    return sheet_pdf_response(
        content, "links", requested_paper_size(request), f"{event.slug}-links"
    )


def requested_paper_size(request: HttpRequest) -> str:
    """Return the query parameter ``paper``, by default "a4"; Http404 if unknown."""
    paper = request.GET.get("paper", PAPERS[0])
    if paper not in PAPERS:
        raise Http404(_("Choose one of the options."))
    return paper


def sheet_pdf_response(content: Content, name: str, paper: str, file: str) -> HttpResponse:
    """Return the response with a sheet as PDF.

    name: of the sheet's template. paper: "a4" or "letter". file: the file's name without .pdf.
    """
    return pdf_response(typeset(name, content, paper), file)


def pdf_response(content: bytes, file: str) -> HttpResponse:
    """Return a response with a PDF, opened in the browser and not cached.

    file: the file's name without .pdf.
    """
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{file}.pdf"'
    response["Cache-Control"] = "no-store"
    return response


def _packet(request: HttpRequest, event: Event) -> bytes:
    facts = read_facts(event)
    shown = _required_round(request, facts)
    addresses = _addresses_of(request, event)
    return round_pdf(facts, shown, timezone.now(), addresses, requested_paper_size(request))


def _content(request: HttpRequest, event: Event, name: str) -> Content:
    now = timezone.now()
    if name == "poster":
        return tables.poster_sheet(event, join_url(request, event), now)
    facts = read_facts(event)
    if name == "seats":
        return tables.seats_sheet(facts, now)
    if name == "checks":
        return tables.deck_checks_sheet(event, deck_checks_context(facts), now)
    if name == "prizes":
        return _require_part(tables.prizes_sheet(facts, now), "winners")
    if name == "standings":
        return _require_part(tables.standings_sheet(facts, now), "tables")
    if name == "groups":
        return _require_part(rounds.group_schedules_sheet(facts, now), "groups")
    if name == "bracket":
        stage = tables.bracket_stage(facts)
        if stage is None:
            raise Http404(_("Nothing to print yet."))
        return tables.bracket_sheet(facts, stage, now)
    if name == "blank":
        return rounds.blank_results_sheet(facts, _round(request, facts), now)
    shown = _required_round(request, facts)
    if name == "slips":
        return _require_part(
            rounds.match_slips_sheet(facts, shown, now, _addresses_of(request, event)), "sheets"
        )
    return (rounds.pairings_sheet if name == "pairings" else rounds.tables_sheet)(facts, shown, now)


def _require_part(content: Content, part: str) -> Content:
    if not content[part]:
        raise Http404(_("Nothing to print yet."))
    return content


def _round(request: HttpRequest, facts: EventFacts) -> PairingsPage | None:
    wanted = request.GET.get("round", "")
    if wanted and not (wanted.isascii() and wanted.isdigit() and len(wanted) < 6):
        raise Http404(_("Nothing to print yet."))
    shown = pairings_page(facts, int(wanted) if wanted else None)
    if wanted and shown is None:
        raise Http404(_("Nothing to print yet."))
    return shown


def _required_round(request: HttpRequest, facts: EventFacts) -> PairingsPage:
    shown = _round(request, facts)
    if shown is None:
        raise Http404(_("Nothing to print yet."))
    return shown


def _addresses_of(request: HttpRequest, event: Event) -> rounds.SlipAddresses:
    def at_the_desk(match: int) -> str:
        return absolute_url(request, reverse("tournaments:match", args=[event.slug, match]))

    short = strip_scheme(short_event_url(request, event))
    return rounds.SlipAddresses(at_the_desk=at_the_desk, short=short)


class SheetNameConverter(StringConverter):
    """URL converter for the name of a sheet."""

    regex = "|".join((*PUBLIC, *STAFF))


register_converter(SheetNameConverter, "sheet")
urlpatterns = [
    path("events/<slug:slug>/print/", sheets_page, name="sheets"),
    path("events/<slug:slug>/print/folder/", toggle_sheet_folder, name="sheets-folder"),
    path("events/<slug:slug>/print/<sheet:name>.pdf", serve_sheet, name="sheet"),
    path("events/<slug:slug>/print/<sheet:name>.png", serve_sheet_picture, name="sheet-picture"),
    path(f"{PLAYERS}links/links.pdf", link_cards, name="manage-links-cards"),
]
