"""Erasing a person, by the organiser or by themselves, and what the site knows of the reader."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import User
from config.web import RuleFormView
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import data_of_entry, data_of_user
from tournaments.erasing.services.erase import erase_account, erase_player
from tournaments.erasing.services.people import was_here
from tournaments.models import Event
from tournaments.pages.access import organiser_event
from tournaments.players.views.access import player_of


class ConfirmForm(forms.Form):
    """What is to be typed stands in the label, which the page gives it."""

    confirm = forms.CharField(
        label=gettext_lazy("Confirm"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off"}),
    )


BESIDE = {"not_confirmed": "confirm"}


class Asking(RuleFormView):
    """A page that says what goes and what stays, and asks for a typed word."""

    form_class = ConfirmForm
    beside = BESIDE

    def wanted(self) -> str:
        """Return what has to be typed."""
        raise NotImplementedError

    def get_form(self, form_class: type[Form] | None = None) -> Form:
        """Return the form with what is to be typed in its label."""
        form = super().get_form(form_class)
        words = _("Type “%(wanted)s” to confirm") % {"wanted": self.wanted()}
        form.fields["confirm"].label = words
        return form


class ErasePlayer(Asking):
    """Erase a player of an event, for its organiser."""

    template_name = "tournaments/erasing/erase.html"
    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find event and player; who was removed from the list has but a number."""
        self.event, self.actor = organiser_event(request, kwargs["slug"])
        self.number = kwargs["number"]
        self.entry = self.event.entries.filter(number=self.number).first()
        if self.entry is None and not was_here(self.event, self.number):
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def wanted(self) -> str:
        """Return the player's name."""
        return self.entry.name if self.entry is not None else str(self.number)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the player."""
        known = {"event": self.event, "actor": self.actor, "entry": self.entry}
        return super().get_context_data(number=self.number, **known, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Erase the player."""
        typed = form.cleaned_data["confirm"]
        erase_player(event=self.event, number=self.number, confirm=typed, by=self.actor)
        words = _("Erased. Everywhere in this event they are player number %(number)s now.")
        messages.success(self.request, words % {"number": self.number})
        return redirect("tournaments:manage-players", self.event.slug)


@method_decorator((login_required, reauthentication_required), name="dispatch")
class EraseMe(Asking):
    """Erase one's own account; whoever is signed in on a phone left behind types the password."""

    template_name = "tournaments/erasing/erase_me.html"

    def wanted(self) -> str:
        """Return the account's address."""
        return self.user().email

    def user(self) -> User:
        """Return whose account it is."""
        return get_object_or_404(User, pk=self.request.user.pk or 0)

    def act(self, form: Form) -> HttpResponse:
        """Erase the account, and sign out."""
        erase_account(user=self.user(), confirm=form.cleaned_data["confirm"])
        logout(self.request)
        messages.success(self.request, _("Your account is erased."))
        return redirect("tournaments:event-list")


@require_safe
@login_required
def my_data(request: HttpRequest) -> HttpResponse:
    """Give the reader all that the site knows of them, as a file."""
    user = get_object_or_404(User, pk=request.user.pk or 0)
    return _file(data_of_user(user))


@require_safe
def my_data_in_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a player, also by personal link, all that an event knows of them."""
    _event, entry, _actor = player_of(request, slug)
    return _file(data_of_entry(entry))


def _file(data: dict[str, Any]) -> HttpResponse:
    answer = JsonResponse(data, json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = 'attachment; filename="girone-my-data.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer
