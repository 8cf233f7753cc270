"""Many players at once: what a list or a table holds is looked over before anybody is entered."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from config.api import status_of
from config.web import done, page
from config.wording import explain
from rules.errors import RuleError
from rules.people.pasted_columns import columns_offered
from rules.people.person_names import read_people
from rules.people.surnames import surnames_first
from tournaments.core.permissions import Actor, can_manage, can_run_rounds
from tournaments.models import Event
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.addresses import PLAYERS
from tournaments.players.paste_form import PasteForm
from tournaments.players.selectors.contacts import contact_terms
from tournaments.players.selectors.pasted import PastedPlayers, Who, pasted_players
from tournaments.players.services.pasted import add_entries
from tournaments.players.views.players import players_answer, rights_on_players

WHO = "who:"
"""Before the mark of a namesake: the field that says who that is."""


@require_POST
def players_paste(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview pasted or uploaded players, then add those that are not there already."""
    event, actor = staff_event(request, slug)
    staff_only(can_run_rounds(actor, event))
    asked = contact_terms(event).memberships if can_manage(actor, event) else None
    form = PasteForm(request.POST, request.FILES, memberships=asked)
    if not form.is_valid():
        return players_answer(request, event, actor, paste=form, status=400)
    said = {
        key.removeprefix(WHO): Who(value)
        for key, value in request.POST.items()
        if key.startswith(WHO) and value in list(Who)
    }
    try:
        if form.cleaned_data["sure"]:
            return _add(request, event, actor, form, said)
        return _preview(request, event, actor, form, said)
    except RuleError as error:
        form.add_error(None, explain(error))
        return players_answer(request, event, actor, paste=form, status=status_of(error))


def _add(
    request: HttpRequest, event: Event, actor: Actor, form: PasteForm, said: dict[str, Who]
) -> HttpResponse:
    """Add the players, and say how many of the list were not added."""
    text, turned = form.cleaned_data["text"], form.cleaned_data["turned"]
    added = len(add_entries(event=event, text=text, turned=turned, said=said, by=actor))
    words = ngettext("%(count)s player added.", "%(count)s players added.", added)
    told = words % {"count": added}
    if left := len(read_people(text)) - added:
        words = ngettext(
            "%(count)s of the list was not added: there is somebody of that name.",
            "%(count)s of the list were not added: there is somebody of their name.",
            left,
        )
        told = f"{told} {words % {'count': left}}"
    return done(request, told, "tournaments:manage-players", event.slug)


def _preview(
    request: HttpRequest, event: Event, actor: Actor, form: PasteForm, said: dict[str, Who]
) -> HttpResponse:
    text, turned = form.cleaned_data["text"], form.cleaned_data["turned"]
    people = read_people(text)
    menus = form.menus()
    pasted = pasted_players(event, surnames_first(people) if turned else people, said)
    context: dict[str, Any] = rights_on_players(event, actor) | {
        "pasted": pasted,
        "add_words": _add_words(pasted, str(pasted.added)),
        "add_pattern": _add_words(pasted, "#"),
        "text": text,
        "turned": turned,
        "columns": columns_offered(text),
        "form": form,
        "menus": menus,
        "days": contact_terms(event).days,
    }
    if form.found is not None:
        context |= {"unused": form.found.unused, "reading": form.found.reading}
        context |= {"table": form.found.table.as_text()} if menus else {}
    return page(
        request,
        "tournaments/players/paste.html",
        context,
        status=400 if form.refused else 200,
    )


def _add_words(pasted: PastedPlayers, added: str) -> str:
    """Return the words of the button that adds so many of the players, or all of them."""
    if not pasted.namesakes:
        return _("Add all of them")
    return _("Add %(added)s of %(all)s") % {"added": added, "all": len(pasted.rows)}


urlpatterns = [path(f"{PLAYERS}paste/", players_paste, name="manage-players-paste")]
