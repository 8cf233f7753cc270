"""The page that gives the seat of a player who has left to who comes next."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.web import done, page
from config.wording import translate
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_rule
from tournaments.corrections.forms import ConfirmForm
from tournaments.corrections.guided import STORED, status_after
from tournaments.corrections.selectors.causes import RESULT
from tournaments.corrections.selectors.choices import departure_of
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.seat import seat_page
from tournaments.corrections.services.seats import give_away
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.addresses import PLAYER


def player_seat(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show who gets the seat of a player who has left, and with which matches; give it."""
    event, actor = staff_event(request, slug)
    staff_only(can_rule, actor, event)
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

    def store(confirm: ConfirmForm) -> None:
        give_away(
            entry=event.entries.get(number=number),
            reason=confirm.cleaned_data["reason"],
            shown=confirm.cleaned_data["shown"],
            void=confirm.void,
            now=confirm.now,
            by=actor,
        )

    if (
        sent is not None
        and "confirm" in sent
        and (status := status_after(confirm, store)) == STORED
    ):
        return done(request, _("The seat is given to who comes next."), back)
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


urlpatterns = [path(f"{PLAYER}seat/", player_seat, name="manage-player-seat")]
