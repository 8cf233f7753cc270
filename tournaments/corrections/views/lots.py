"""The pages that put right an order of lots."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.web import done, page
from config.wording import add_refusal, translate
from rules.errors import BadInput
from rules.events.lifecycle import is_allowed
from rules.results import PlayerId
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_rule
from tournaments.corrections.acts import TAKEN_BACK
from tournaments.corrections.forms import ConfirmForm
from tournaments.corrections.guided import Head, go_on
from tournaments.corrections.selectors.causes import LOTS
from tournaments.corrections.selectors.lots import is_correctable, lots_correction_of
from tournaments.corrections.services.lots import correct_lots
from tournaments.lots.forms import OrderForm
from tournaments.models import Draw
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.addresses import EVENT


def lots_correct(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put right an order of lots: its form, then what that changes, then a way to go on."""
    event, actor = staff_event(request, slug)
    staff_only(can_rule, actor, event)
    facts = read_facts(event, drafts=True)
    draw = next((each for each in facts.draws if each.number == number), None)
    if draw is None or draw.kind != Draw.Kind.LOTS:
        raise Http404
    is_over = not is_allowed("event", event.state, "draw_lots")
    if is_over or not is_correctable(facts, draw):
        words = _("This order stays: the tool drew it, or it decides nothing any more.")
        if is_over:
            words = _("The event is over, so its lots stay as they are.")
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
                **confirm.arguments(str(TAKEN_BACK.words)),
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
            add_refusal(form, error)
        else:
            return shown or done(
                request, _("The right order is recorded."), "tournaments:lots", slug
            )
    context = {"event": event, "actor": actor, "form": form, "where": where}
    status = 400 if form.errors else 200
    return page(request, "tournaments/corrections/order.html", context, status=status)


urlpatterns = [path(f"{EVENT}lots/<int:number>/correct/", lots_correct, name="lots-correct")]
