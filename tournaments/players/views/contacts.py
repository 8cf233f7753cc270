"""The contact of a player: for organisers, and to its owner."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.web import RuleFormView, done
from tournaments.core.permissions import Actor, can_manage
from tournaments.models import Entry, Event
from tournaments.pages.access import staff_only
from tournaments.pages.addresses import EVENT, PLAYER
from tournaments.players.contact_forms import ContactFields
from tournaments.players.selectors.contacts import contact_of, contact_terms
from tournaments.players.services.contacts import change_contact, change_own_contact
from tournaments.players.views.access import player_of
from tournaments.players.views.player import PlayerPage


class PlayerContact(PlayerPage):
    """Store the contact of a player, by organisers; errors show the player's page again."""

    http_method_names = ("post", "options")
    own = "contact"

    def check(self) -> None:
        """Raise PermissionDenied for others than organisers."""
        staff_only(can_manage, self.actor, self.event)

    def act(self, form: ContactFields) -> HttpResponse:
        """Store the contact."""
        change_contact(entry=self.entry, **form.contact, by=self.actor)
        messages.success(self.request, _("The contact is stored."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)


class OwnContact(RuleFormView):
    """A player's own contact: what the event asks for, and what is known already."""

    template_name, form_class = "tournaments/players/own_contact.html", ContactFields
    event: Event
    entry: Entry
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the reader's entry; 403 without one."""
        self.event, self.entry, self.actor = player_of(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add what is asked for, and what is known."""
        known = {"terms": contact_terms(self.event), "contact": contact_of(self.entry)}
        return super().get_form_kwargs() | known

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and the player."""
        return super().get_context_data(event=self.event, entry=self.entry, **kwargs)

    def act(self, form: ContactFields) -> HttpResponse:
        """Store the contact."""
        change_own_contact(entry=self.entry, **form.contact, by=self.actor)
        return done(self.request, _("Your contact is stored."), "tournaments:me", self.event.slug)


urlpatterns = [
    path(f"{EVENT}me/contact/", OwnContact.as_view(), name="my-contact"),
    path(f"{PLAYER}contact/", PlayerContact.as_view(), name="manage-player-contact"),
]
