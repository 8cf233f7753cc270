"""Registration by players: one click with an account, by name without."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.addresses import absolute_url
from config.clients import is_too_often
from config.problems import too_many
from config.shown_once import hand_over, handed_over, kept_out_of_caches
from config.web import RuleFormView
from rules.errors import RuleError
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event
from tournaments.pages.access import confirmed_event, remember_link
from tournaments.pages.views import qr_code
from tournaments.players.forms import BESIDE, AnswersForm, ContactFields
from tournaments.players.selectors.answers import contact_terms, questions_in, registration_of
from tournaments.players.selectors.players import link_of_token, unheld_namesake
from tournaments.players.services.entries import make_link, register


class RegistrationForm(ContactFields, AnswersForm):
    """The public name, the club, the event's own questions, and the contact that it asks for."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=80,
        help_text=gettext_lazy("As it will stand on the pairings; the surname here or below."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    surname = forms.CharField(
        label=gettext_lazy("Surname"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Under this you find your table."),
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    club = forms.CharField(
        label=gettext_lazy("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    namesake = forms.BooleanField(
        label=gettext_lazy("I am somebody else with the same name"),
        required=False,
        help_text=gettext_lazy("Add something to your name, so that people can tell you apart."),
    )

    @property
    def asks_about_name(self) -> bool:
        """Return whether to ask if a second player of this name is meant."""
        if not self.is_bound:
            return bool(self.initial.get("namesake"))
        return "namesake" in self.errors or bool(self.data.get("namesake"))


PER_MINUTE, PER_HOUR = 300, 1000
"""Registrations of one client for one event: a whole hall shares the address of its router."""


class Register(RuleFormView):
    """Register for an event; without an account the player gets a personal link, shown once.

    ``get`` shows the link after a redirect, so that a reload does not register twice.
    """

    template_name, form_class = "tournaments/players/register.html", RegistrationForm
    beside = {**BESIDE, "same_name": "namesake"}
    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the event; throttle registrations by client."""
        self.event, self.actor = confirmed_event(request, kwargs["slug"])
        if request.method == "POST" and _is_flooding(request, self.event):
            return too_many(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or once the new personal link."""
        token = handed_over(request)
        link = link_of_token(token) if token else None
        if link is not None and link.entry.event_id == self.event.pk:
            return self._registered_page(link.entry, token)
        return super().get(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the event's questions, and what contact it asks for."""
        asked = {"questions": questions_in(self.event), "terms": contact_terms(self.event)}
        return super().get_form_kwargs() | asked

    def get_initial(self) -> dict[str, Any]:
        """Fill in the account's name, or that of whom the reader is a namesake."""
        name = self.actor.user.name if self.actor.user else ""
        namesake = self.request.GET.get("namesake", "")[:80]
        return {"name": namesake or name, "namesake": bool(namesake)}

    def act(self, form: RegistrationForm) -> HttpResponse:
        """Register; redirect to the link, or to the event."""
        keys = ("name", "surname", "club", "namesake")
        try:
            entry = register(
                event=self.event,
                **{key: form.cleaned_data[key] for key in keys},
                user=self.actor.user,
                answers=form.answers,
                **form.contact,
                by=self.actor,
            )
        except RuleError as refused:
            found = refused.code == "same_name" and unheld_namesake(self.event, form.cleaned_data)
            if not found:
                raise
            to = reverse("tournaments:join", args=[self.event.slug])
            return redirect(f"{to}?{urlencode({'name': found.name, 'from': 'register'})}")
        if self.actor.user is None:
            return self._with_link(entry)
        if entry.status == Entry.Status.WAITING:
            messages.warning(self.request, _("You are on the waiting list."))
        else:
            messages.success(self.request, _("You are registered. See you there."))
        return redirect("tournaments:event", self.event.slug)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the state of registration, and the reader's entry."""
        return super().get_context_data(
            event=self.event,
            actor=self.actor,
            registration=registration_of(self.event),
            own=self.actor.entry_in(self.event),
            **kwargs,
        )

    def _with_link(self, entry: Entry) -> HttpResponse:
        token = make_link(entry=entry, by=Actor(entry=entry))
        link = link_of_token(token)
        if link is not None:
            remember_link(self.request, self.event, link.pk)
        return hand_over(self.request, self.request.path, token)

    def _registered_page(self, entry: Entry, token: str) -> HttpResponse:
        url = absolute_url(self.request, reverse("tournaments:open-link", args=[token]))
        context = {
            "event": self.event,
            "actor": self.actor,
            "entry": entry,
            "waits": entry.status == Entry.Status.WAITING,
            "url": url,
            "qr": qr_code(url),
        }
        return kept_out_of_caches(
            render(self.request, "tournaments/players/registered.html", context)
        )


def _is_flooding(request: HttpRequest, event: Event) -> bool:
    """Count a registration; return whether its client exceeds the limit."""
    action = f"register:{event.pk}"
    return is_too_often(action, request, most=PER_MINUTE, seconds=60) or is_too_often(
        action, request, most=PER_HOUR, seconds=3600
    )


urlpatterns = [
    path("events/<slug:slug>/register/", Register.as_view(), name="register"),
]
