"""Pages of lots: the tied players, drawing, lots by hand, extra matches instead."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.api import status_of
from config.web import done, page
from config.wording import explain
from rules.errors import BadInput, RuleError
from tournaments.core.draw_origins import origin_of
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import marks_of
from tournaments.core.permissions import Actor, rights_of
from tournaments.core.rows import AnyEntry
from tournaments.core.twins import marks_in, tell_apart
from tournaments.corrections.selectors.lots import is_correctable
from tournaments.desk.selectors.desk import next_step
from tournaments.extra_matches.services import make_extra_round
from tournaments.lots.forms import DrawForm, ExtraForm, HandForm
from tournaments.lots.selectors.lots import lots_page
from tournaments.lots.services import draw_lots, record_lots
from tournaments.models import Draw, Event
from tournaments.pages.access import staff_event
from tournaments.pages.acting import acts, valid_form
from tournaments.pages.addresses import EVENT


def lots(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tied players, what depends on them, and the draws so far."""
    event, actor = staff_event(request, slug)
    return _lots_page(request, event, actor)


def _lots_page(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    refused: HandForm | None = None,
    status: int = 200,
    *,
    extra: ExtraForm | None = None,
) -> HttpResponse:
    """Render the tied players, with a refused form in its place.

    ``refused`` is an order by hand, ``extra`` the form of a joint round of extra matches.
    """
    facts = read_facts(event, drafts=True)
    shown, rights = lots_page(facts), rights_of(actor, event)
    undecided = any(tied.decides for tied in shown.sets)

    def hand(players: tuple[AnyEntry, ...]) -> HandForm:
        again = refused is not None and _numbers(refused.players) == _numbers(players)
        return refused if refused is not None and again else HandForm(players=players)

    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "step": None if undecided else next_step(facts, facts.open_stage, rights),
        "lots": shown,
        "by_hand": [
            (draw, [facts.entries[player] for player in draw.order])
            for draw in facts.draws
            if is_correctable(facts, draw)
        ],
        "sets": [(tied, hand(tied.players)) for tied in shown.sets],
        "shared": [(tied, hand(tied.players)) for tied in shown.shared],
        "together": [
            (tied, extra.marks(tied.numbers) if extra else tied.decides) for tied in shown.together
        ],
    }
    return page(request, "tournaments/lots/lots.html", context, status=status)


def _has_form_of(event: Event, form: HandForm) -> bool:
    """Return whether the page has the form of these players; else the error is shown on top."""
    shown = lots_page(read_facts(event, drafts=True))
    level = [tied.players for tied in shown.sets] + [tied.players for tied in shown.shared]
    return _numbers(form.players) in map(_numbers, level)


def _numbers(players: Iterable[AnyEntry]) -> set[int]:
    return {entry.number for entry in players}


def _draw_in_words(event: Event, draw: Draw) -> str:
    """Return the decision and the origin of a draw, in words; four queries."""
    entries = event.entries.all()
    tell_apart(entries, marks_of(entries))
    names = {entry.number: entry.display_name for entry in entries}
    order = ", ".join(f"{rank}. {names[number]}" for rank, number in enumerate(draw.order, 1))
    recorded = _("Draw %(number)s is recorded: %(order)s.")
    return f"{recorded % {'number': draw.number, 'order': order}} {origin_of(draw).words}"


@acts(lots)
def lots_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw lots between one tied set from the announced seed."""
    event, actor = staff_event(request, slug)
    form = valid_form(DrawForm(request.POST))
    values = form.cleaned_data
    draw = draw_lots(event=event, tied=values["tied"], seed=values["seed"], by=actor)
    return done(request, _draw_in_words(event, draw), "tournaments:lots", slug)


@acts(lots)
def lots_hand(request: HttpRequest, slug: str) -> HttpResponse:
    """Record lots that were drawn by hand."""
    event, actor = staff_event(request, slug)
    tied = valid_form(DrawForm(request.POST)).cleaned_data["tied"]
    entries = event.entries.filter(number__in=tied)
    players = {entry.number: entry for entry in tell_apart(entries, marks_in(event))}
    form = HandForm(request.POST, players=[players[n] for n in tied if n in players])
    if not form.is_valid():
        if not _has_form_of(event, form):
            valid_form(form)
        return _lots_page(request, event, actor, form, 400)
    values = form.cleaned_data
    try:
        draw = record_lots(
            event=event,
            order=form.order(),
            witnesses=values["witnesses"],
            note=values["note"],
            by=actor,
        )
    except BadInput as error:
        form.add_error("witnesses", explain(error))
        return _lots_page(request, event, actor, form, status_of(error))
    return done(request, _draw_in_words(event, draw), "tournaments:lots", slug)


@acts(lots)
def lots_extra(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft a round of extra matches between tied sets.

    The refused form of a joint round keeps its marks.
    """
    event, actor = staff_event(request, slug)
    form = ExtraForm(request.POST)
    try:
        values = valid_form(form).cleaned_data
        item = make_extra_round(
            event=event, sets=values["tied"], expected_round=values["expected_round"], by=actor
        )
    except RuleError as error:
        if "together" not in request.POST:
            raise
        messages.error(request, explain(error))
        return _lots_page(request, event, actor, status=status_of(error), extra=form)
    return redirect("tournaments:desk-round", slug, item.ordinal)


urlpatterns = [
    path(f"{EVENT}lots/", lots, name="lots"),
    path(f"{EVENT}lots/draw/", lots_draw, name="lots-draw"),
    path(f"{EVENT}lots/by-hand/", lots_hand, name="lots-hand"),
    path(f"{EVENT}lots/extra-match/", lots_extra, name="lots-extra"),
]
