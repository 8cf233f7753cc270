"""Many players at once: what a list or a table holds is looked over before anybody is entered."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_POST

from config.api import status_of
from config.sizes import MEBIBYTE
from config.web import done, page
from config.wording import add_refusal, explain, translate
from rules.errors import RuleError
from rules.people.person_names import Person, columns_offered
from rules.people.surnames import Changes
from tournaments.core.permissions import Actor, can_manage, can_run_rounds
from tournaments.models import Event
from tournaments.pages.access import PLAYERS, staff_event, staff_only
from tournaments.players.paste_form import PasteForm
from tournaments.players.selectors.answers import contact_terms
from tournaments.players.selectors.pasted import (
    PastedPlayers,
    Who,
    pasted_players,
    ticked_rows,
)
from tournaments.players.services.entries import add_entries
from tournaments.players.views.players import players_answer, rights_on_players

WHO, SURNAME, MENDED, TICK = "who:", "surname:", "mended:", "row:"
"""Before the mark of a namesake, a name, what can't be a contact, a row: fields that say more."""
FILTERS = {"look": gettext_lazy("To look at"), "twins": gettext_lazy("Namesakes")}
"""What a filter shows, by its key in ``PastedRow.shown_in``."""


@require_POST
def players_paste(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview pasted or uploaded players, then add those that are not there already."""
    event, actor = staff_event(request, slug)
    staff_only(can_run_rounds, actor, event)
    asked = contact_terms(event).memberships if can_manage(actor, event) else None
    form = PasteForm(request.POST, request.FILES, memberships=asked)
    if not form.is_valid():
        return players_answer(request, event, actor, paste=form, status=400)
    known = list(Who)
    said = {mark: Who(who) for mark, who in _told(request, WHO).items() if who in known}
    changes = Changes(
        turned=form.cleaned_data["turned"],
        surnames=_told(request, SURNAME),
        contacts={old: new for old, new in _told(request, MENDED).items() if old != new},
    )
    ticks = {key: tick == "in" for key, tick in _told(request, TICK).items() if tick}
    try:
        if form.cleaned_data["sure"] and form.found.unclear is None:
            people = changes.applied_to(form.found.read)
            rows = zip(people, ticked_rows(people, ticks), strict=True)
            wanted = [person for person, (_key, ticked) in rows if ticked]
            if wanted:
                return _add(request, event, actor, wanted, said)
        return _preview(request, event, actor, form, said, changes, ticks)
    except RuleError as error:
        add_refusal(form, error)
        return players_answer(request, event, actor, paste=form, status=status_of(error))


# The text is sent twice: as it is and as it was, each up to a million characters.
players_paste.largest_body = 2 * MEBIBYTE  # type: ignore[attr-defined]


def _told(request: HttpRequest, before: str) -> dict[str, str]:
    """Return the values of the fields whose names begin so, by what follows."""
    return {
        key.removeprefix(before): str(value).strip()
        for key, value in request.POST.items()
        if key.startswith(before)
    }


def _add(
    request: HttpRequest, event: Event, actor: Actor, people: list[Person], said: dict[str, Who]
) -> HttpResponse:
    """Add the players, and say how many of the list were not added."""
    added = len(add_entries(event=event, people=people, said=said, by=actor))
    words = ngettext("%(count)s player added.", "%(count)s players added.", added)
    told = words % {"count": added}
    if left := len(people) - added:
        words = ngettext(
            "%(count)s of the list was not added: there is somebody of that name.",
            "%(count)s of the list were not added: there is somebody of their name.",
            left,
        )
        told = f"{told} {words % {'count': left}}"
    return done(request, told, "tournaments:manage-players", event.slug)


def _preview(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    form: PasteForm,
    said: dict[str, Who],
    changes: Changes,
    ticks: dict[str, bool],
) -> HttpResponse:
    found = form.found
    word, _space, name = request.POST.get("word", "").partition(" ")
    if word.isdecimal():
        changes = changes.with_border(changes.applied_to(found.read), name, int(word[:2]))
    pasted = pasted_players(event, changes.applied_to(found.read), said, ticks)
    filters = _filters(pasted)
    show = request.POST.get("show", "")
    context: dict[str, Any] = rights_on_players(event, actor) | {
        "pasted": pasted,
        "add_words": _add_words(pasted.added),
        "found": found,
        # A browser drops the first line end of a text: lines keep their numbers by one more.
        "typed": f"\n{found.text}",
        "faults": [(fault.number, translate(fault.reason)) for fault in found.faults],
        "unclear": explain(found.unclear) if found.unclear else "",
        "source": form.cleaned_data["source"],
        "sheets": form.cleaned_data["sheets"],
        "changes": changes,
        "filters": filters,
        "show": show if show in [key for key, _label, _count in filters] else "",
        "columns": () if found.table else columns_offered(found.text),
        "form": form,
        "menus": form.menus(),
        "days": contact_terms(event).days,
    }
    wrong = form.refused or found.unclear
    return page(request, "tournaments/players/paste.html", context, status=400 if wrong else 200)


def _filters(pasted: PastedPlayers) -> list[tuple[str, str, int]]:
    some = ((key, words, pasted.shown_in(key)) for key, words in FILTERS.items())
    whole = pgettext("names", "All")
    return [("", whole, len(pasted.rows)), *((k, str(w), count) for k, w, count in some if count)]


def _add_words(added: int) -> str:
    return ngettext("Add %(count)s name", "Add %(count)s names", added) % {"count": added}


urlpatterns = [path(f"{PLAYERS}paste/", players_paste, name="manage-players-paste")]
