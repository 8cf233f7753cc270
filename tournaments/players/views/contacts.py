"""The contact of a player, for organisers."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from rules.people.contacts import MembershipTwice
from tournaments.core.permissions import can_manage
from tournaments.pages.access import staff_only
from tournaments.pages.addresses import PLAYER
from tournaments.players.contact_forms import ContactFields
from tournaments.players.services.contacts import change_contact
from tournaments.players.views.player import PlayerPage


class PlayerContact(PlayerPage):
    """Store the contact of a player, by organisers; errors show the player's page again."""

    http_method_names = ("post", "options")
    own = "contact"

    def check(self) -> None:
        """Raise PermissionDenied for others than organisers."""
        staff_only(can_manage(self.actor, self.event))

    def act(self, form: ContactFields) -> HttpResponse:
        """Store the contact."""
        try:
            change_contact(entry=self.entry, **form.contact, by=self.actor)
        except MembershipTwice as refused:
            form.refuse(refused)
            return self.form_invalid(form)
        messages.success(self.request, _("The contact is stored."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)


urlpatterns = [
    path(f"{PLAYER}contact/", PlayerContact.as_view(), name="manage-player-contact"),
]
