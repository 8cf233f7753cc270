"""The pages of a player who should not have been in."""

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.web import done, page
from rules.events.lifecycle import is_allowed
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, can_rule
from tournaments.corrections.acts import LEFT_IN
from tournaments.corrections.forms import ConfirmForm, InsteadForm
from tournaments.corrections.guided import STORED, status_after
from tournaments.corrections.selectors.causes import PLAYER as CAUSE
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
)
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.player_page import player_page
from tournaments.corrections.selectors.players import could_come, player_correction_of
from tournaments.corrections.selectors.seat import seat_page
from tournaments.corrections.services.players import correct_player, who_comes
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.addresses import PLAYER
from tournaments.players.selectors.attendance import has_seat


def player_not_in(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what follows if a player should not have been in; go one of the ways."""
    event, actor = staff_event(request, slug)
    staff_only(can_rule, actor, event)
    facts = read_facts(event, drafts=True)
    if number not in facts.entries:
        raise Http404
    back = reverse("tournaments:manage-player", args=[slug, number])
    if not has_seat(facts, number) or not is_allowed("event", event.state, "play"):
        messages.warning(
            request, _("Only who has a seat in an event that is played can lose it: not this one.")
        )
        return redirect(back)
    posted = request.method == "POST"
    instead = InsteadForm(
        request.POST if posted else request.GET or None, players=could_come(facts)
    )
    comes, name = None, ""
    if instead.is_bound and instead.is_valid():
        comes, name = instead.cleaned_data["comes"], instead.cleaned_data["name"]

    def foretell(facts: EventFacts, void: Collection[int] = ()) -> Correction:
        return player_correction_of(facts, number, who_comes(facts, comes, name), void)

    found = foretell(facts)
    asked = ConfirmForm(request.POST if posted else None, found=found)
    confirm, status = ConfirmForm(found=found), 400 if instead.errors else 200

    def store(confirm: ConfirmForm) -> None:
        correct_player(
            entry=event.entries.get(number=number),
            comes=comes,
            name=name,
            **confirm.arguments(str(LEFT_IN.words)),
            by=actor,
        )

    if posted and "confirm" in request.POST and status == 200:
        confirm = asked
        if (status := status_after(asked, store)) == STORED:
            return done(request, _done(asked.way, found, number), back)
    names = ShortNames(found.facts.entries)
    context: dict[str, Any] = {
        "event": event,
        "actor": actor,
        "confirm": confirm,
        "sent": [("comes", comes or ""), ("name", name)],
        "cause": CAUSE,
        "may_take_back": can_manage(actor, event),
    }
    if posted and asked.way == FOLLOW and found.follows is not None and found.why_not is None:
        void = asked.void if {"confirm", "recount"} & {*request.POST} else ()
        context["shown"] = seat_page(foretell(facts, void), names)
        return page(request, "tournaments/corrections/seat.html", context, status=status)
    shown = player_page(facts, number, found, names)
    context |= {
        "shown": shown.choices,
        "made": shown,
        "gone": names.of(number),
        "comes": names.of(next(iter(found.holders.values()), None)),
        "entry": facts.entries[number],
        "back": back,
        "instead": instead,
    }
    return page(request, "tournaments/corrections/player.html", context, status=status)


def _done(way: str, found: Correction, number: int) -> str:
    words = {
        KEEP: _("%(name)s stays in: it is recorded."),
        TAKE_OUT: _("%(name)s is out from now on."),
        FOLLOW: _("%(name)s is out, and another has the seat."),
        TAKE_BACK: _("%(name)s is out, and the rounds are taken back: make them again."),
    }
    return words[way] % {"name": found.facts.entries[number].display_name}


urlpatterns = [path(f"{PLAYER}not-in/", player_not_in, name="manage-player-not-in")]
