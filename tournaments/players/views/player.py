"""A player's page for the staff: details, personal link, departure."""

from functools import cached_property
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.addresses import absolute_url
from config.shown_once import mark_no_store, redirect_with_secret, take_secret
from config.web import post_only, redirect_with_message, render_page
from rules.events.lifecycle import is_allowed
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import listed_name
from tournaments.core.permissions import can_manage, can_run_rounds, desk_rights, is_staff
from tournaments.models import Entry
from tournaments.pages.access import PLAYER, OrganiserFormView, find_staff_event, require_role
from tournaments.pages.views import qr_code
from tournaments.players.forms import (
    BESIDE,
    AnswersForm,
    ContactForm,
    DepartureForm,
    EntryForm,
    LateEntryForm,
)
from tournaments.players.selectors.answers import (
    contact_terms,
    event_questions,
    player_contact,
    valid_answers,
)
from tournaments.players.selectors.players import (
    JoinOffer,
    accepts_late_entries,
    is_played_out,
    joinable_matches,
    player_row,
    status_changes,
)
from tournaments.players.selectors.returns import group_attendance, has_seat
from tournaments.players.services.departures import (
    DEPARTURES,
    correct_departure,
    has_undecided_match,
)
from tournaments.players.services.entries import (
    admit_waiting_player,
    change_entry,
    make_link,
    remove_entry,
    revoke_link,
)
from tournaments.players.services.late_entries import LOSS, enter_late
from tournaments.players.views.players import (
    get_entry_or_404,
    join_request_from_form,
    players_context,
    show_next_waiting_players,
    warn_if_over_capacity,
    warn_of_namesakes,
)

NEW_LINK = "link"


class PlayerFormView(OrganiserFormView):
    """Base view of the staff's forms about one player."""

    may = staticmethod(is_staff)

    def prepare(self) -> None:
        """Find the player."""
        found = player_row(self.event, self.kwargs["number"])
        if found is None:
            raise Http404
        self.row, self.entry = found, found.entry
        self.check()

    def check(self) -> None:
        """Raise PermissionDenied if the actor may not see the page."""
        require_role(can_run_rounds, self.actor, self.event)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the player and the reader's rights."""
        known = players_context(self.event, self.actor) | {"row": self.row, "entry": self.entry}
        return super().get_context_data(**known, **kwargs)


class PlayerPage(PlayerFormView):
    """Base view of a player's page for the staff.

    The page has several forms, each with a URL of its own; ``own`` names the form of this view.
    """

    template_name = "tournaments/players/player.html"
    own: str
    """The name, among the forms of the page, of the one that is sent to this address."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the player, and once a new personal link."""
        if token := take_secret(request, NEW_LINK):
            return self._new_link(token)
        return super().get(request, *args, **kwargs)

    def _new_link(self, token: str) -> HttpResponse:
        url = absolute_url(self.request, reverse("tournaments:open-link", args=[token]))
        context = players_context(self.event, self.actor) | {"entry": self.entry, "url": url}
        shown = render_page(
            self.request, "tournaments/players/link.html", context | {"qr": qr_code(url)}
        )
        return mark_no_store(shown)

    def get_form(self, form_class: type[Form] | None = None) -> Form:
        """Return the form that is sent to this address."""
        makers = {
            "facts": self.facts_form,
            "leave": self.leave_form,
            "answers": self.answers_form,
            "contact": self.contact_form,
        }
        return makers[self.own](**self.get_form_kwargs())

    def facts_form(self, **sent: Any) -> EntryForm:
        """Return the form of details; seed and byes are disabled after the start."""
        keys = ("name", "club", "seed", "fixed_table")
        initial = {key: getattr(self.entry, key) for key in keys} | {
            "byes": self.entry.byes or None,
            "surname": listed_name(self.entry).surname,
        }
        known = {"initial": initial}
        form = EntryForm(**(sent | known))
        form.fields["seed"].disabled = self.event.plan is not None
        form.fields["byes"].disabled = self.event.plan is not None
        return form

    def leave_form(self, **sent: Any) -> DepartureForm:
        return DepartureForm(**(sent | {"auto_id": "leave_%s"}))

    def answers_form(self, **sent: Any) -> AnswersForm:
        known = {
            "questions": event_questions(self.event),
            "answers": valid_answers(self.event, self.entry),
        }
        return AnswersForm(**(sent | known | {"initial": {}}), staff=True)

    def contact_form(self, **sent: Any) -> ContactForm:
        known = {"terms": contact_terms(self.event), "contact": player_contact(self.entry)}
        return ContactForm(**(sent | known | {"initial": {}}), staff=True)

    @property
    def waits(self) -> bool:
        """Return whether the player is on the waiting list."""
        return self.entry.status == Entry.Status.WAITING

    @cached_property
    def offers(self) -> tuple[JoinOffer, ...]:
        """Return which matches the player can join, who waits or has left."""
        return () if self.entry.plays else joinable_matches(self.event, self.entry)

    def forms(self) -> dict[str, Form]:
        """Return the unbound forms."""
        return {
            "facts": self.facts_form(),
            "leave": self.leave_form(),
            "answers": self.answers_form(),
            **({"late": LateEntryForm(event=self.event)} if self.waits else {}),
            **({"contact": self.contact_form()} if can_manage(self.actor, self.event) else {}),
        }

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the possible actions, the unbound forms, and the one that is sent here."""
        rights = desk_rights(self.actor, self.event)
        facts = read_facts(self.event, for_staff=True) if rights.rule else None
        context = super().get_context_data(
            attendance=group_attendance(facts, self.entry) if facts else None,
            playing=has_undecided_match(self.entry),
            seated=facts is not None and has_seat(facts, self.entry.number),
            takes_late=self.waits and accepts_late_entries(self.event),
            offers=self.offers,
            goes_on=is_allowed("event", self.event.state, "move_player"),
            moves=status_changes(
                self.event, self.entry, rights, played_out=is_played_out(self.event)
            ),
            **(self.forms() | kwargs),
        )
        return context | {self.own: context["form"]}


class PlayerDetailsPage(PlayerPage):
    """Page of a player for the staff, with the form of details."""

    beside = BESIDE
    own = "facts"

    def act(self, form: Form) -> HttpResponse:
        """Store name, club and seed."""
        before = self.entry.name_key
        entry = change_entry(entry=self.entry, changes=form.cleaned_data, by=self.actor)
        messages.success(self.request, _("Saved."))
        if entry.name_key != before:
            warn_of_namesakes(self.request, entry)
        return redirect("tournaments:manage-players", self.event.slug)


class PlayerDeparture(PlayerPage):
    """View that drops, disqualifies or readmits a player.

    Errors show the player's page.
    """

    http_method_names = ("post", "options")
    beside = {"reason_missing": "reason"}
    own = "leave"

    def act(self, form: Form) -> HttpResponse:
        """Store the departure or return."""
        action, reason = form.cleaned_data["action"], form.cleaned_data["reason"]
        more = {"joins": join_request_from_form(self.request)} if action == "come_back" else {}
        entry = DEPARTURES[action](entry=self.entry, reason=reason, **more, by=self.actor)
        messages.success(self.request, _("Saved: %(name)s") % {"name": entry.name})
        show_next_waiting_players(self.request, self.event)
        return redirect("tournaments:manage-players", self.event.slug)


@post_only
def correct_player_departure(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Correct whether a dropped player counts as a no-show."""
    event, actor = find_staff_event(request, slug)
    left = request.POST.get("left", "")
    if left not in Entry.Left:
        raise Http404
    correct_departure(entry=get_entry_or_404(event, number), left=left, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:manage-player", slug, number)


@post_only
def remove_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Delete a player before the start."""
    event, actor = find_staff_event(request, slug)
    remove_entry(entry=get_entry_or_404(event, number), by=actor)
    messages.success(request, _("Removed."))
    show_next_waiting_players(request, event)
    return redirect("tournaments:manage-players", slug)


@post_only
def enter_waiting_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give a waiting player a place; after the start as a late entry."""
    event, actor = find_staff_event(request, slug)
    entry = get_entry_or_404(event, number)
    if event.plan is None:
        entry = admit_waiting_player(entry=entry, by=actor)
    else:
        joins, missed = join_request_from_form(request), request.POST.get("missed", LOSS)
        entry = enter_late(entry=entry, missed=missed, joins=joins, by=actor)
        warn_if_over_capacity(request, event)
    words = _("Saved: %(name)s") % {"name": entry.name}
    return redirect_with_message(request, words, "tournaments:manage-player", slug, number)


@post_only
def manage_player_link(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Create a player's personal link and show it once, or revoke it."""
    event, actor = find_staff_event(request, slug)
    entry = get_entry_or_404(event, number)
    if request.POST.get("revoke"):
        revoke_link(entry=entry, by=actor)
        return redirect_with_message(
            request, _("Saved."), "tournaments:manage-player", slug, number
        )
    token = make_link(entry=entry, by=actor)
    shown_at = reverse("tournaments:manage-player", args=[slug, number])
    return redirect_with_secret(request, shown_at, token, NEW_LINK)


urlpatterns = [
    path(PLAYER, PlayerDetailsPage.as_view(), name="manage-player"),
    path(f"{PLAYER}enter/", enter_waiting_player, name="manage-player-enter"),
    path(f"{PLAYER}leave/", PlayerDeparture.as_view(), name="manage-player-leave"),
    path(f"{PLAYER}left/", correct_player_departure, name="manage-player-left"),
    path(f"{PLAYER}remove/", remove_player, name="manage-player-remove"),
    path(f"{PLAYER}link/", manage_player_link, name="manage-player-link"),
]
