"""The two pages by which every correction goes on: what it changes, and who gets which matches."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from config.api import status_of
from config.web import page
from config.wording import add_refusal
from rules.errors import RuleError
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor, can_manage, can_rule
from tournaments.corrections.forms import ConfirmForm
from tournaments.corrections.selectors.causes import Cause
from tournaments.corrections.selectors.choices import FOLLOW, Correction
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.page import choices_page
from tournaments.corrections.selectors.seat import seat_page
from tournaments.models import Event
from tournaments.results.selectors.correction import contradicted_rounds

STORED = 302
"""The status once a form is stored: another page is shown then."""
Foretell = Callable[[EventFacts, Collection[int]], Correction]
"""Returns what follows, without the matches of these keys being played again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The top of a correction's page: what is right, where it was, and what was there.

    ``figures`` is what the column of new ranks is headed by, after "with".
    """

    after: str
    where: str
    before: str
    figures: str


def status_after(confirm: ConfirmForm, store: Callable[[ConfirmForm], object]) -> int:
    """Return `STORED` once a form of a correction is stored, else the status of its refusal.

    Why it was refused is an error of the form.
    """
    if not confirm.is_valid():
        return 400
    try:
        store(confirm)
    except RuleError as error:
        add_refusal(confirm, error)
        return status_of(error)
    return STORED


def go_on(
    request: HttpRequest,
    *,
    event: Event,
    actor: Actor,
    foretell: Foretell,
    store: Callable[[ConfirmForm], object],
    head: Head,
    cause: Cause,
    sent: Sequence[tuple[str, str]],
) -> HttpResponse | None:
    """Show what a correction changes, with the ways to go on; None once one of them was stored.

    ``sent`` are the fields of what is corrected, which every way sends along.
    """
    asked = ConfirmForm(request.POST, found=foretell(read_facts(event, drafts=True), ()))
    confirm, status = asked, 200
    if "confirm" in request.POST and (status := status_after(asked, store)) == STORED:
        return None
    void = asked.void if {"confirm", "recount"} & {*request.POST} else ()
    found = foretell(read_facts(event, drafts=True), void)
    if status == 200:
        confirm = ConfirmForm(found=found, initial={"reason": request.POST.get("reason", "")})
    context = {
        "event": event,
        "actor": actor,
        "head": head,
        "cause": cause,
        "sent": sent,
        "confirm": confirm,
        "may_follow": can_rule(actor, event),
        "may_take_back": can_manage(actor, event),
    }
    names = ShortNames(found.facts.entries)
    if asked.way == FOLLOW and found.follows is not None and found.why_not is None:
        context["shown"] = seat_page(found, names)
        return page(request, "tournaments/corrections/seat.html", context, status=status)
    context |= {
        "shown": choices_page(found, names),
        "effects": contradicted_rounds(found.facts, found.stage, found.effects),
        "figures": head.figures,
    }
    return page(request, "tournaments/corrections/choices.html", context, status=status)
