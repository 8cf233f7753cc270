"""The page on which somebody else rests in a round."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.web import done, page
from config.wording import translate
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, can_rule
from tournaments.corrections.acts import TAKEN_BACK
from tournaments.corrections.forms import ByeForm, ConfirmForm
from tournaments.corrections.guided import STORED, status_after
from tournaments.corrections.selectors.byes import (
    bye_correction_of,
    could_rest,
    doubts,
    why_not_moved,
)
from tournaments.corrections.selectors.choices import TAKE_BACK, played_again_at
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.page import choices_page
from tournaments.corrections.services.byes import move_bye
from tournaments.pages.access import staff_only
from tournaments.pages.acting import desk_match
from tournaments.pages.addresses import MATCH


def match_bye(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Let somebody else rest in a round: who, what that changes, then a way to go on."""
    found, actor = desk_match(request, slug, match_id)
    event = found.round.event
    staff_only(can_rule, actor, event)
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

        def store(confirm: ConfirmForm) -> None:
            asked = confirm.arguments(str(TAKEN_BACK.words))
            move_bye(match=found, player=player, **asked | {"void": bool(confirm.void)}, by=actor)

        confirm = ConfirmForm(request.POST, found=correction)
        if (status := status_after(confirm, store)) == STORED:
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


urlpatterns = [path(f"{MATCH}bye/", match_bye, name="match-bye")]
