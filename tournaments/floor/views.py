"""The grid of tables for judges, the sheet of a table, and a penalty in four taps."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from config.api import status_code
from config.offline import keep_offline
from config.web import not_modified_response, render_page, version_tag, wants_json
from config.wording import add_rule_error, translate
from rules.errors import RuleError
from rules.events.lifecycle import is_allowed
from rules.events.penalties import INFRACTIONS, PastPenalty, propose_level, translate_infractions
from tournaments.core.facts_cache import read_facts
from tournaments.core.moments import mark_conditionally_required
from tournaments.core.permissions import Actor, can_rule, can_run_rounds
from tournaments.core.visibility import has_decks
from tournaments.floor.selectors import (
    FloorGrid,
    find_undoable_extension,
    floor_grid,
    judge_table_sheet,
)
from tournaments.judging.views import note_field
from tournaments.models import Event, Match, Penalty
from tournaments.pages.access import find_judge_event
from tournaments.pages.views import (
    add_clock_header,
    find_staff_match,
    repeatable_post,
    require_valid_form,
)
from tournaments.penalties.selectors import penalties_of_players
from tournaments.penalties.services import give_penalty
from tournaments.penalties.views import redirect_after_penalty

Level = Penalty.Level
OTHER = "other"


def penalty_candidates(match: Match, *, disqualifies: bool) -> tuple[dict[str, Any], ...]:
    """Return the players of a match with past and suggested penalties; one query.

    ``disqualifies``: whether the judge may disqualify. Each is a dict: ``entry``, ``past`` (rows),
    ``steps`` ({infraction key: suggested level}), ``as_json`` (``steps`` for a script).
    """
    players, event = match.players, match.round.event
    rows, decks = penalties_of_players(players, event), has_decks(event)
    known = _in_any_language()
    highest = Level.DISQUALIFICATION if disqualifies else Level.MATCH_LOSS
    found = []
    for entry in players:
        own = tuple(row for row in rows if row.penalty.entry_id == entry.pk)
        past = translate_infractions(
            [PastPenalty(row.penalty.level, row.penalty.infraction) for row in reversed(own)], known
        )
        steps = {
            each.key: propose_level(past, each, words=translate(each.label), highest=highest)
            for each in INFRACTIONS
            if decks or not each.of_decks
        }
        found.append({"entry": entry, "past": own, "steps": steps, "as_json": json.dumps(steps)})
    return tuple(found)


def _in_any_language() -> dict[str, str]:
    """Return the label of each usual infraction in the reader's language, by that in any other."""
    here = {each.key: translate(each.label) for each in INFRACTIONS}
    known: dict[str, str] = {}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            known |= {translate(each.label): here[each.key] for each in INFRACTIONS}
    return known


class TablePenaltyForm(forms.Form):
    """Form for a penalty of a player at a table, for a listed infraction or another one."""

    number = forms.TypedChoiceField(
        label=gettext_lazy("Player"), coerce=int, widget=forms.RadioSelect
    )
    reason = forms.ChoiceField(label=gettext_lazy("Reason"), widget=forms.RadioSelect)
    words = mark_conditionally_required(
        forms.CharField(
            label=gettext_lazy("What happened"),
            max_length=200,
            required=False,
            help_text=gettext_lazy("The player can read this."),
        )
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Penalty"), choices=Level, widget=forms.RadioSelect
    )
    note = note_field()

    def __init__(
        self, *args: Any, players: Sequence[dict[str, Any]], disqualifies: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        usual = {key for each in players for key in each["steps"]}
        fields["number"].choices = [
            (each["entry"].number, each["entry"].display_name) for each in players
        ]
        fields["reason"].choices = [
            *((each.key, translate(each.label)) for each in INFRACTIONS if each.key in usual),
            (OTHER, _("Something else")),
        ]
        if not disqualifies:
            fields["level"].choices = [
                (key, label) for key, label in Level.choices if key != Level.DISQUALIFICATION
            ]

    def clean(self) -> dict[str, Any]:
        """Require a text for the reason "other", and keep the text that the player will read."""
        values = super().clean() or {}
        reason, words = values.get("reason"), values.get("words", "").strip()
        if reason == OTHER and not words and "words" not in self.errors:
            self.add_error("words", _("This field is required."))
        labels = {each.key: each.label for each in INFRACTIONS}
        values["infraction"] = translate(labels[reason]) if reason in labels else words
        return values


PAGES = "tournaments/floor"
MOST_NAMED = 3_000


@keep_offline
def floor(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of the round; polling gets the part that changes, or 304."""
    event, actor = find_judge_event(request, slug)
    facts = read_facts(event)
    shown = floor_grid(
        facts,
        show=request.GET.get("show", ""),
        kept=_numbers_in_address(request.GET.get("of", "")),
        of_round=next(iter(_numbers_in_address(request.GET.get("round", ""))), 0),
    )
    given = find_undoable_extension(event, request.GET.get("given", ""))
    minute = timezone.now().replace(second=0, microsecond=0) if shown.waits else None
    clock = (shown.clock.state, shown.clock.until) if shown.clock else None
    tag = version_tag(request, event.version, request.GET.urlencode(), minute, clock)
    polls = bool(getattr(request, "htmx", None)) and request.method == "GET"
    if polls and (same := not_modified_response(request, tag)):
        return add_clock_header(same, facts)
    context = _context(event, actor) | {"floor": shown, "given": given}
    answer = render_page(
        request,
        f"{PAGES}/floor.html",
        context | {"asks": _address_of_news(request, shown)},
        fragment=f"{PAGES}/_floor.html",
        tag=tag if polls else None,
    )
    return add_clock_header(answer, facts) if polls else answer


def _context(event: Event, actor: Actor) -> dict[str, Any]:
    return {
        "event": event,
        "actor": actor,
        "rules": can_rule(actor, event),
        "lists": event.decklists != Event.Decklists.OFF,
    }


def _numbers_in_address(text: str) -> tuple[int, ...]:
    """Return the numbers joined by dots in an address; anything else is ignored."""
    numbers = text[:MOST_NAMED].split(".")
    return tuple(int(part) for part in numbers if part.isascii() and part.isdigit())


def _address_of_news(request: HttpRequest, shown: FloorGrid) -> str:
    """Return the address that the page polls for the tables it shows."""
    query = request.GET.copy()
    query["show"] = shown.show
    if shown.show != "all":
        query["of"], query["round"] = shown.kept, str(shown.round)
    return f"{request.path}?{query.urlencode(safe='.')}"


def _judged_match(request: HttpRequest, slug: str, match_id: int) -> tuple[Match, Actor]:
    """Return (match, actor) for judges; raises Http404 for a bye."""
    _event, actor = find_judge_event(request, slug)
    found, _actor = find_staff_match(request, slug, match_id)
    if found.size == 1:
        raise Http404
    return found, actor


@require_safe
def table(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show what a judge can do at a table: as a sheet over the grid, or as a page."""
    found, actor = _judged_match(request, slug, match_id)
    event = found.round.event
    context = _context(event, actor) | {
        "sheet": judge_table_sheet(read_facts(event), found),
        "runs": can_run_rounds(actor, event),
    }
    return render_page(request, f"{PAGES}/table.html", context, fragment=f"{PAGES}/_table.html")


@repeatable_post
def penalty(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show the form of a penalty; give the penalty on POST."""
    found, actor = _judged_match(request, slug, match_id)
    event = found.round.event
    disqualifies = can_rule(actor, event)
    players = penalty_candidates(found, disqualifies=disqualifies)
    choices: dict[str, Any] = {"players": players, "disqualifies": disqualifies}
    if request.method != "POST":
        form = TablePenaltyForm(**choices, initial={"number": request.GET.get("player", "")[:9]})
        return _penalty_page(request, found, actor, players, form)
    form = TablePenaltyForm(request.POST, **choices)
    if not form.is_valid():
        if wants_json(request):
            require_valid_form(form)
        return _penalty_page(request, found, actor, players, form, status=400)
    values = form.cleaned_data
    entry = next(each["entry"] for each in players if each["entry"].number == values["number"])
    try:
        given = give_penalty(
            entry=entry,
            level=values["level"],
            infraction=values["infraction"],
            note=values["note"],
            by=actor,
        )
    except RuleError as error:
        if wants_json(request):
            raise
        add_rule_error(form, error)
        return _penalty_page(request, found, actor, players, form, status=status_code(error))
    return redirect_after_penalty(request, given, "tournaments:floor")


def _penalty_page(
    request: HttpRequest,
    found: Match,
    actor: Actor,
    players: tuple[dict[str, Any], ...],
    form: TablePenaltyForm,
    *,
    status: int = 200,
) -> HttpResponse:
    event = found.round.event
    context = _context(event, actor) | {
        "match": found,
        "table": found.plays_at or found.number,
        "players": players,
        "form": form,
        "running": is_allowed("event", event.state, "play"),
    }
    return render_page(request, f"{PAGES}/penalty.html", context, status=status)


FLOOR = "events/<slug:slug>/floor/"
TABLE = f"{FLOOR}tables/<int:match_id>/"

urlpatterns = [
    path(FLOOR, floor, name="floor"),
    path(TABLE, table, name="floor-table"),
    path(f"{TABLE}penalty/", penalty, name="floor-penalty"),
]
