"""Pages of corrections that begin elsewhere than at a result: a seat, lots, the bye of a round."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.api import status_of
from config.web import done, page
from config.wording import explain, translate
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import is_allowed
from rules.results import PlayerId
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, can_rule
from tournaments.corrections.acts import TAKEN_BACK
from tournaments.corrections.forms import ByeForm, ConfirmForm
from tournaments.corrections.guided import Head, go_on
from tournaments.corrections.selectors.byes import (
    bye_correction_of,
    could_rest,
    doubts,
    why_not_moved,
)
from tournaments.corrections.selectors.causes import LOTS, RESULT
from tournaments.corrections.selectors.choices import (
    TAKE_BACK,
    departure_of,
    played_again_at,
)
from tournaments.corrections.selectors.lots import is_correctable, lots_correction_of
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.page import choices_page
from tournaments.corrections.selectors.seat import seat_page
from tournaments.corrections.services.byes import move_bye
from tournaments.corrections.services.lots import correct_lots
from tournaments.corrections.services.seats import give_away
from tournaments.lots.forms import OrderForm
from tournaments.models import Draw
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.acting import desk_match
from tournaments.pages.addresses import EVENT, MATCH, PLAYER


def player_seat(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show who gets the seat of a player who has left, and with which matches; give it."""
    event, actor = staff_event(request, slug)
    staff_only(can_rule(actor, event))
    facts = read_facts(event, drafts=True)
    if number not in facts.entries:
        raise Http404
    found = departure_of(facts, number)
    back = reverse("tournaments:manage-player", args=[slug, number])
    if found is None or found.why_not is not None or found.follows is None:
        words = _("Nobody can get this seat: it is of nobody who has left, or of the first stage.")
        if found is not None and found.why_not is not None:
            words = _("Nobody can be put in another’s seat here:") + f" {translate(found.why_not)}"
        messages.warning(request, words)
        return redirect(back)
    sent = request.POST if request.method == "POST" else None
    confirm, status = ConfirmForm(sent, found=found), 200
    if sent is not None and "confirm" in sent:
        status = 400
        if confirm.is_valid():
            try:
                give_away(
                    entry=event.entries.get(number=number),
                    reason=confirm.cleaned_data["reason"],
                    shown=confirm.cleaned_data["shown"],
                    void=confirm.void,
                    now=confirm.now,
                    by=actor,
                )
            except RuleError as error:
                confirm.add_error(None, explain(error))
                status = status_of(error)
            else:
                messages.success(request, _("The seat is given to who comes next."))
                return redirect(back)
    shown = departure_of(facts, number, confirm.void if sent else ()) or found
    context = {
        "event": event,
        "actor": actor,
        "shown": seat_page(shown, ShortNames(facts.entries)),
        "confirm": confirm if status != 200 else ConfirmForm(found=found),
        "back": back,
        "cause": RESULT,
    }
    return page(request, "tournaments/corrections/seat.html", context, status=status)


def lots_correct(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put right an order of lots: its form, then what that changes, then a way to go on."""
    event, actor = staff_event(request, slug)
    staff_only(can_rule(actor, event))
    facts = read_facts(event, drafts=True)
    draw = next((each for each in facts.draws if each.number == number), None)
    if draw is None or draw.kind != Draw.Kind.LOTS:
        raise Http404
    if not is_correctable(facts, draw) or not is_allowed("event", event.state, "draw_lots"):
        words = _("This order stays: the tool drew it, or it decides nothing any more.")
        messages.warning(request, words)
        return redirect("tournaments:lots", slug)
    places = {f"place_{player}": at for at, player in enumerate(draw.order, start=1)}
    sent = request.POST if request.method == "POST" else None
    players = [facts.entries[player] for player in draw.order]
    form = OrderForm(sent, players=players, initial=places)
    label = next(s.plan.label for s in facts.stages if s.stage.pk == draw.stage_id)
    values = {"stage": translate(label), "number": draw.number}
    where = _("%(stage)s · draw %(number)s") % values
    if sent is not None and form.is_valid() and "change" not in sent:
        order, entries = form.order(), facts.entries

        def told(players: Sequence[PlayerId]) -> str:
            names = (entries[player].display_name for player in players)
            return ", ".join(f"{rank}. {name}" for rank, name in enumerate(names, start=1))

        def store(confirm: ConfirmForm) -> None:
            correct_lots(
                event=event,
                number=number,
                order=order,
                way=confirm.way,
                shown=confirm.cleaned_data["shown"],
                reason=confirm.cleaned_data["reason"] or str(TAKEN_BACK.words),
                void=confirm.void,
                now=confirm.now,
                confirm=confirm.cleaned_data["typed"],
                by=actor,
            )

        try:
            shown = go_on(
                request,
                event=event,
                actor=actor,
                foretell=lambda facts, void: lots_correction_of(facts, draw, order, void),
                store=store,
                head=Head(
                    after=told(order),
                    where=where,
                    before=told(draw.order),
                    figures=_("the right order"),
                ),
                cause=LOTS,
                sent=[(name, value) for name in form.fields for value in sent.getlist(name)],
            )
        except BadInput as error:
            form.add_error(None, explain(error))
        else:
            return shown or done(
                request, _("The right order is recorded."), "tournaments:lots", slug
            )
    context = {"event": event, "actor": actor, "form": form, "where": where}
    status = 400 if form.errors else 200
    return page(request, "tournaments/corrections/order.html", context, status=status)


def match_bye(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Let somebody else rest in a round: who, what that changes, then a way to go on."""
    found, actor = desk_match(request, slug, match_id)
    event = found.round.event
    staff_only(can_rule(actor, event))
    facts = read_facts(event, drafts=True)
    if (why := why_not_moved(facts, found)) is not None:
        messages.warning(request, translate(why))
        return redirect("tournaments:match", slug, match_id)
    sent = request.POST if request.method == "POST" else request.GET or None
    form = ByeForm(sent, players=could_rest(facts, found))
    (rests,) = found.players
    context = {
        "event": event,
        "actor": actor,
        "form": form,
        "match": found,
        "rests": rests.display_name,
        "may_take_back": can_manage(actor, event),
    }
    if not form.is_valid():
        status = 400 if sent is not None else 200
        return page(request, "tournaments/corrections/bye.html", context, status=status)
    player = form.cleaned_data["player"]
    correction = bye_correction_of(facts, found, player)
    confirm, status = ConfirmForm(found=correction), 200
    if request.method == "POST":
        confirm, status = ConfirmForm(request.POST, found=correction), 400
        if confirm.is_valid():
            try:
                move_bye(
                    match=found,
                    player=player,
                    way=confirm.way,
                    shown=confirm.cleaned_data["shown"],
                    reason=confirm.cleaned_data["reason"] or str(TAKEN_BACK.words),
                    void=bool(confirm.void),
                    now=confirm.now,
                    confirm=confirm.cleaned_data["typed"],
                    by=actor,
                )
            except RuleError as error:
                confirm.add_error(None, explain(error))
                status = status_of(error)
            else:
                words = _("%(name)s rests now.") % {"name": str(facts.entries[player])}
                if confirm.way == TAKE_BACK:
                    words = _("The round is taken back: make it again.")
                return done(request, words, "tournaments:desk", slug)
    names = ShortNames(facts.entries)
    context |= {
        "shown": choices_page(correction, names),
        "confirm": confirm,
        "sent": [("player", player)],
        "new": names.of(player),
        "old": names.of(rests.number),
        "again": played_again_at(correction),
        "doubts": tuple(doubts(correction, names)),
    }
    return page(request, "tournaments/corrections/bye.html", context, status=status)


urlpatterns = [
    path(f"{EVENT}lots/<int:number>/correct/", lots_correct, name="lots-correct"),
    path(f"{MATCH}bye/", match_bye, name="match-bye"),
    path(f"{PLAYER}seat/", player_seat, name="manage-player-seat"),
]
