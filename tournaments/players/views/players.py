"""The players' table: add by hand or from a list, check in, seed, readmit."""

import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from config.api import status_code
from config.sizes import MEBIBYTE
from config.web import post_only, redirect_with_message, render_page
from config.wording import add_rule_error, error_message, translate
from rules.errors import RuleError
from rules.people.person_names import Person, join_names, possible_comma_meanings
from rules.people.surnames import ListCorrections
from tournaments.core.permissions import Actor, can_manage, can_run_rounds, can_see_decks
from tournaments.models import Entry, Event, Match
from tournaments.pages.access import PLAYER, PLAYERS, find_staff_event, join_url, require_role
from tournaments.pages.long_lists import is_split_into_parts, parse_requested_part
from tournaments.pages.views import (
    action_view,
    bad_request_error,
    qr_code,
    redirect_to_origin,
    render_origin,
)
from tournaments.players.forms import BESIDE, AddPlayerForm, LateEntryForm, PastePlayersForm
from tournaments.players.selectors.answers import contact_terms
from tournaments.players.selectors.pasted import (
    NamesakeAnswer,
    PastedPlayers,
    preview_pasted_players,
    ticked_rows,
)
from tournaments.players.selectors.players import (
    FILTERS,
    accepts_late_entries,
    joinable_matches,
    players_table_context,
    players_with_same_name,
)
from tournaments.players.selectors.returns import JoinRequest, free_places, next_waiting_players
from tournaments.players.services.departures import refuse_rejoin, rejoin
from tournaments.players.services.entries import add_entries, add_entry, check_in
from tournaments.players.services.late_entries import add_late_entry
from tournaments.players.services.seeds import change_seeds

SEED_FIELD = re.compile(r"seed_[0-9]{1,9}")
MATCH = re.compile(r"([0-9]{1,18}):([0-9]{1,9}(?:-[0-9]{1,9}){0,4})")


def get_entry_or_404(event: Event, number: int) -> Entry:
    """Return the event's entry with this player number. Raises Http404."""
    return get_object_or_404(event.entries, number=number)


def players_context(event: Event, actor: Actor) -> dict[str, Any]:
    """Return the event, the actor and their rights, as template context."""
    return {
        "event": event,
        "actor": actor,
        "runs": can_run_rounds(actor, event),
        "manages": can_manage(actor, event),
        "sees_decks": can_see_decks(actor, event),
        "open": event.plan is None,
    }


@require_safe
def players_list_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the staff's table of players."""
    event, actor = find_staff_event(request, slug)
    return render_players_page(request, event, actor)


@require_POST
def add_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a player (a late entry after the start) and show the form again."""
    event, actor = find_staff_event(request, slug)
    require_role(can_run_rounds, actor, event)
    early = event.plan is None
    enter = add_entry if early else add_late_entry
    form = AddPlayerForm(request.POST) if early else LateEntryForm(request.POST, event=event)
    if not form.is_valid():
        return render_players_page(request, event, actor, add=form, status=400)
    joins = None if early else join_request_from_form(request)
    more: dict[str, Any] = {"joins": joins} if joins else {}
    try:
        entry = enter(event=event, **form.cleaned_data, **more, by=actor)
    except RuleError as error:
        add_rule_error(form, error, BESIDE)
        return render_players_page(request, event, actor, add=form, status=status_code(error))
    messages.success(request, player_added_message(entry, joins))
    if not early:
        warn_if_over_capacity(request, event)
    warn_of_namesakes(request, entry)
    return redirect(reverse("tournaments:manage-players", args=[slug]) + "?next=add")


def player_added_message(entry: Entry, joins: JoinRequest | None) -> str:
    """Return the message confirming a new player.

    One or two queries if they joined a match.
    """
    words = _("Saved: %(name)s")
    values: dict[str, object] = {"name": entry.name}
    if joins and joins.match:
        match = Match.objects.get(pk=joins.match)
        others = (player for player in match.players if player != entry)
        words = _("%(name)s plays %(other)s at table %(table)s.")
        values |= {"other": join_names(others), "table": match.table}
    elif entry.status == Entry.Status.WAITING:
        return _("On the waiting list") + f": {entry.name}"
    return words % values


def warn_if_over_capacity(request: HttpRequest, event: Event) -> None:
    """Add a warning message if more players play than there are places; one query."""
    free = free_places(event)
    if free is not None and free < 0 and event.capacity is not None:
        counts = f"{event.capacity - free}/{event.capacity}"
        messages.warning(request, _("All places are taken") + f": {counts}")


def join_request_from_form(request: HttpRequest) -> JoinRequest | None:
    """Return the match to join that a submitted form names, None without one.

    Raises BadInput ``bad_request``.
    """
    sent = request.POST.get("joins", "")
    if not sent:
        return None
    found = MATCH.fullmatch(sent)
    if found is None:
        raise bad_request_error()
    shown = tuple(int(number) for number in found[2].split("-"))
    return JoinRequest(int(found[1]), shown, extend=bool(request.POST.get("extend")))


def warn_of_namesakes(request: HttpRequest, entry: Entry) -> None:
    """Add a warning message about other players with the same name; one query."""
    if same := players_with_same_name(entry):
        there = ", ".join(f"{other.name} ({other.number})" for other in same)
        messages.warning(request, _("Namesakes") + f": {there}")


def show_next_waiting_players(request: HttpRequest, event: Event) -> None:
    """Add a message naming the waiting players who can get a place."""
    found = next_waiting_players(event)
    if not found:
        return
    words = _("Next on the waiting list: %(names)s")
    messages.info(request, words % {"names": ", ".join(entry.display_name for entry in found)})


@post_only
def check_in_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check a player in, or undo it."""
    event, actor = find_staff_event(request, slug)
    action = "undo_check_in" if request.POST.get("undo") else "check_in"
    check_in(entry=get_entry_or_404(event, number), action=action, by=actor)
    chosen = request.POST.get("filter", "")
    seen = parse_requested_part(request.POST, filter=chosen if chosen in FILTERS else "")
    query = seen.query(page=seen.page if seen.page > 1 else None, find=seen.find)
    back = reverse("tournaments:manage-players", args=[slug])
    return redirect(f"{back}{query}#player-{number}")


@post_only
def save_player_seeds(request: HttpRequest, slug: str) -> HttpResponse:
    """Store the seed positions of all players."""
    event, actor = find_staff_event(request, slug)
    seeds = {
        int(key[5:]): request.POST[key].strip() for key in request.POST if SEED_FIELD.fullmatch(key)
    }
    change_seeds(event=event, seeds=seeds, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:manage-players", slug)


def render_players_page(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    *,
    add: AddPlayerForm | None = None,
    paste: PastePlayersForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return the page of players; ``add`` and ``paste`` are forms that were refused."""
    late, offered = accepts_late_entries(event), joinable_matches(event)
    shown = players_table_context(event, request.GET.get("filter", ""))
    context = players_context(event, actor) | {
        "takes_late": late,
        "offers": offered,
        "shown": shown,
        "wanted": parse_requested_part(request.GET, filter=shown["chosen"]),
        "long": is_split_into_parts(len(shown["rows"])),
        "add": add or (LateEntryForm(event=event) if late or offered else AddPlayerForm()),
        "paste": paste or PastePlayersForm(),
        "focus": request.GET.get("next") == "add",
        "seeding": request.GET.get("seeds") == "1" and event.plan is None,
    }
    if event.takes_phones:
        address = join_url(request, event)
        context["join_qr"] = qr_code(address)
        words = _("Are you playing in %(event)s? Open your page: %(address)s")
        context["join_text"] = words % {"event": event.name, "address": address}
    return render_page(request, "tournaments/players/players.html", context, status=status)


@action_view(render_origin)
def answer_rejoin_request(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Accept or refuse a player's request to rejoin."""
    event, actor = find_staff_event(request, slug)
    entry, answer = get_entry_or_404(event, number), request.POST.get("answer")
    if answer == "accept":
        rejoin(entry=entry, joins=join_request_from_form(request), by=actor)
    elif answer == "refuse":
        refuse_rejoin(entry=entry, by=actor)
    else:
        raise bad_request_error()
    messages.success(request, _("Saved: %(name)s") % {"name": entry.display_name})
    return redirect_to_origin(request, slug)


WHO, SURNAME, MENDED, TICK = "who:", "surname:", "mended:", "row:"
"""Before the mark of a namesake, a name, what can't be a contact, a row: fields that say more."""
PASTED_FILTERS = {"look": gettext_lazy("Points to check"), "twins": gettext_lazy("Namesakes")}
"""What a filter shows, by its key in ``PastedRow.shown_in``."""


@require_POST
def paste_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview pasted or uploaded players; add them once confirmed."""
    event, actor = find_staff_event(request, slug)
    require_role(can_run_rounds, actor, event)
    asked = contact_terms(event).memberships if can_manage(actor, event) else None
    form = PastePlayersForm(request.POST, request.FILES, memberships=asked)
    if not form.is_valid():
        return render_players_page(request, event, actor, paste=form, status=400)
    known = list(NamesakeAnswer)
    said = {mark: NamesakeAnswer(who) for mark, who in _told(request, WHO).items() if who in known}
    changes = ListCorrections(
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
        add_rule_error(form, error)
        return render_players_page(request, event, actor, paste=form, status=status_code(error))


# The text is sent twice: as it is and as it was, each up to a million characters.
paste_players.largest_body = 2 * MEBIBYTE  # type: ignore[attr-defined]


def _told(request: HttpRequest, before: str) -> dict[str, str]:
    """Return the values of the fields whose names begin so, by what follows."""
    return {
        key.removeprefix(before): str(value).strip()
        for key, value in request.POST.items()
        if key.startswith(before)
    }


def _add(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    people: list[Person],
    said: dict[str, NamesakeAnswer],
) -> HttpResponse:
    """Add the players, and say how many of the list were not added."""
    added = len(add_entries(event=event, people=people, said=said, by=actor))
    told = _("Players added: %(count)s") % {"count": added}
    if left := len(people) - added:
        told += ". " + _("Namesakes") + f": {left}."
    return redirect_with_message(request, told, "tournaments:manage-players", event.slug)


def _preview(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    form: PastePlayersForm,
    said: dict[str, NamesakeAnswer],
    changes: ListCorrections,
    ticks: dict[str, bool],
) -> HttpResponse:
    found = form.found
    word, _space, name = request.POST.get("word", "").partition(" ")
    if word.isdecimal():
        changes = changes.with_border(changes.applied_to(found.read), name, int(word[:2]))
    pasted = preview_pasted_players(event, changes.applied_to(found.read), said, ticks)
    filters = _filters(pasted)
    show = request.POST.get("show", "")
    context: dict[str, Any] = players_context(event, actor) | {
        "pasted": pasted,
        "add_words": _add_words(pasted.added),
        "found": found,
        # A browser drops the first line end of a text: lines keep their numbers by one more.
        "typed": f"\n{found.text}",
        "faults": [(fault.number, translate(fault.reason)) for fault in found.faults],
        "unclear": error_message(found.unclear) if found.unclear else "",
        "source": form.cleaned_data["source"],
        "sheets": form.cleaned_data["sheets"],
        "changes": changes,
        "filters": filters,
        "show": show if show in [key for key, _label, _count in filters] else "",
        "columns": () if found.table else possible_comma_meanings(found.text),
        "form": form,
        "menus": form.menus(),
        "days": contact_terms(event).days,
    }
    wrong = form.refused or found.unclear
    return render_page(
        request, "tournaments/players/paste.html", context, status=400 if wrong else 200
    )


def _filters(pasted: PastedPlayers) -> list[tuple[str, str, int]]:
    some = ((key, words, pasted.shown_in(key)) for key, words in PASTED_FILTERS.items())
    whole = _("All")
    return [("", whole, len(pasted.rows)), *((k, str(w), count) for k, w, count in some if count)]


def _add_words(added: int) -> str:
    return _("Add") + f" ({added})"


urlpatterns = [
    path(PLAYERS, players_list_page, name="manage-players"),
    path(f"{PLAYERS}add/", add_player, name="manage-players-add"),
    path(f"{PLAYERS}paste/", paste_players, name="manage-players-paste"),
    path(f"{PLAYERS}seeds/", save_player_seeds, name="manage-players-seeds"),
    path(f"{PLAYER}check-in/", check_in_player, name="manage-player-check-in"),
    path(f"{PLAYER}return/", answer_rejoin_request, name="manage-player-return"),
]
