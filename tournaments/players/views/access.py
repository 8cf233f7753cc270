"""The player who reads a page, registration, personal links, a player's contact and answers."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.mail import NO_ADDRESS, can_mail_links
from config.addresses import absolute_url
from config.api import status_code
from config.clients import exceeds_rate_limit
from config.problems import ClosedError, GoneError, too_many_requests
from config.shown_once import mark_no_store, redirect_with_secret, take_secret
from config.web import RuleFormView, post_only, redirect_with_message, render_page
from config.wording import error_message
from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.core.permissions import Actor, can_manage
from tournaments.matches.selectors import find_match
from tournaments.models import Entry, Event, Match
from tournaments.pages.access import (
    EVENT,
    PLAYER,
    PLAYERS,
    find_organiser_event,
    find_visible_event,
    remember_link,
    remembered_link_id,
    require_role,
)
from tournaments.pages.views import qr_code
from tournaments.players.forms import BESIDE, AnswersForm, ContactForm
from tournaments.players.selectors.answers import (
    answered_questions,
    contact_terms,
    event_questions,
    player_contact,
    registration_state,
    valid_answers,
)
from tournaments.players.selectors.players import (
    derived_link_tokens,
    find_revoked_link,
    find_revoked_link_by_id,
    find_valid_link,
    has_opened_link,
    unclaimed_namesake,
)
from tournaments.players.services.contacts import change_contact, change_own_contact
from tournaments.players.services.entries import (
    change_answers,
    make_link,
    make_links,
    mark_link_opened,
    register,
)
from tournaments.players.services.mailing import mail_links, players_with_account
from tournaments.players.views.player import PlayerPage

LINK_ENDED = gettext_noop("This link no longer works. Ask the organiser for a new one.")
WRONG_LINKS = 20
WRONG_SECONDS = 10 * 60


def require_own_entry(request: HttpRequest, slug: str) -> tuple[Event, Entry, Actor]:
    """Return (event, the reader's entry, actor with the rights of this player only).

    Raises PermissionDenied if the reader has no entry in the event.
    """
    event, actor = find_visible_event(request, slug)
    entry = actor.entry_in(event)
    if entry is None:
        raise _not_a_player(request, event)
    entry.event = event
    by_account = actor.user is not None and entry.user_id == actor.user.pk
    return event, entry, Actor(user=actor.user) if by_account else Actor(entry=entry)


def _not_a_player(request: HttpRequest, event: Event) -> Exception:
    """Return the 403 for who is no player, with the way to find oneself where phones can join.

    It says if another phone has taken over from this one; two queries where its link has ended.
    """
    words = _("This page is for players. Open your personal link, or sign in.")
    if not event.takes_phones:
        return PermissionDenied(words)
    to = reverse("tournaments:join", args=[event.slug])
    ended = find_revoked_link_by_id(event, remembered_link_id(request, event))
    if ended is not None and has_opened_link(ended):
        taken = _taken_over(ended.entry)
        return ClosedError(taken, back=to, label=_("Find your name"), code="link_ended")
    return ClosedError(words, back=to, label=_("Find your name"))


def _taken_over(entry: Entry) -> str:
    words = _(
        "Another phone is now signed in as %(name)s. If that isn’t you, find your name again."
    )
    return words % {"name": entry.name}


def match_gone_error(event: Event) -> GoneError:
    """Return the 404 error for a match that isn't the reader's or was removed."""
    words = _("This match isn’t yours or has been removed.")
    return GoneError(words, back=reverse("tournaments:me", args=[event.slug]))


def require_match(event: Event, match_id: int) -> Match:
    """Return a match of the event to write to; one query.

    Raises the error of ``match_gone``.
    """
    match = find_match(event, match_id)
    if match is None:
        raise match_gone_error(event)
    return match


@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Open a personal link: the session has the player's rights from now on.

    Links are found by hash, so that timing reveals nothing. Guesses are throttled by client; valid
    links always work.
    """
    link = find_valid_link(token)
    if link is None:
        if exceeds_rate_limit("wrong-link", request, most=WRONG_LINKS, seconds=WRONG_SECONDS):
            return too_many_requests(request)
        ended, words = find_revoked_link(token), _(LINK_ENDED)
        if ended is not None and ended.entry.event.takes_phones:
            if has_opened_link(ended):
                words = _taken_over(ended.entry)
            to = reverse("tournaments:join", args=[ended.entry.event.slug])
            raise GoneError(words, back=to, label=_("Find your name"))
        raise GoneError(words, back="/")
    event = link.entry.event
    mark_link_opened(link)
    remember_link(request, event, link.pk)
    response = redirect("tournaments:me", event.slug)
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "no-store"
    return response


class PlayerContactView(PlayerPage):
    """View that stores a player's contact, for organisers.

    Errors show the player's page.
    """

    http_method_names = ("post", "options")
    own = "contact"

    def check(self) -> None:
        """Raise PermissionDenied for others than organisers."""
        require_role(can_manage, self.actor, self.event)

    def act(self, form: ContactForm) -> HttpResponse:
        """Store the contact."""
        change_contact(entry=self.entry, **form.contact, by=self.actor)
        messages.success(self.request, _("Saved."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)


class OwnFormView(RuleFormView):
    """Base view of forms that players send about themselves."""

    event: Event
    entry: Entry
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the reader's entry; 403 without one."""
        self.event, self.entry, self.actor = require_own_entry(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and the player."""
        return super().get_context_data(event=self.event, entry=self.entry, **kwargs)


class OwnContactPage(OwnFormView):
    """Page with the form for the reader's own contact."""

    template_name, form_class = "tournaments/players/own_contact.html", ContactForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add what is asked for, and what is known."""
        known = {"terms": contact_terms(self.event), "contact": player_contact(self.entry)}
        return super().get_form_kwargs() | known

    def act(self, form: ContactForm) -> HttpResponse:
        """Store the contact."""
        change_own_contact(entry=self.entry, **form.contact, by=self.actor)
        return redirect_with_message(self.request, _("Saved."), "tournaments:me", self.event.slug)


class OwnAnswersPage(OwnFormView):
    """Page of the reader's own answers: a form while registration is open, then text."""

    template_name, form_class = "tournaments/players/own_answers.html", AnswersForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the questions and the stored answers."""
        asked = {
            "questions": event_questions(self.event),
            "answers": valid_answers(self.event, self.entry),
        }
        return super().get_form_kwargs() | asked

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the answers to read, and whether they can change."""
        return super().get_context_data(
            answered=answered_questions(self.event, self.entry),
            changes=registration_state(self.event)["is_open"],
            **kwargs,
        )

    def act(self, form: AnswersForm) -> HttpResponse:
        """Store the answers."""
        change_answers(entry=self.entry, answers=form.answers, by=self.actor)
        return redirect_with_message(self.request, _("Saved."), "tournaments:me", self.event.slug)


class PlayerAnswersView(PlayerPage):
    """View that stores a player's answers, for the staff.

    Errors show the player's page.
    """

    http_method_names = ("post", "options")
    own = "answers"

    def act(self, form: AnswersForm) -> HttpResponse:
        """Store the answers."""
        change_answers(entry=self.entry, answers=form.answers, by=self.actor)
        messages.success(self.request, _("Saved."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)


@require_http_methods(["GET", "HEAD", "POST"])
def player_links_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a personal link for every player; show them for ten minutes to print."""
    event, actor = find_organiser_event(request, slug)
    context = {"event": event, "actor": actor, "sends_mail": can_mail_links()}
    lacks_address = settings.SENDS_MAIL and not can_mail_links()
    context["lacks_address"] = _(NO_ADDRESS) if lacks_address else ""
    status = 200
    if request.method == "POST":
        try:
            return redirect_with_secret(request, request.path, make_links(event=event, by=actor))
        except RuleError as error:
            context["error"], status = error_message(error), status_code(error)
    addresses = new_link_urls(request, event)
    context["addresses"] = addresses
    context["with_mail"] = len(players_with_account(event)) if context["sends_mail"] else 0
    context["players"] = event.entries.playing().count()
    shown = render_page(request, "tournaments/players/links.html", context, status=status)
    return mark_no_store(shown)


@post_only
def mail_player_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue a mail with a link to each player with an account, at most one an hour."""
    event, actor = find_organiser_event(request, slug)
    if not settings.SENDS_MAIL:
        raise RuleError("nothing_to_send")
    mails = mail_links(event=event, by=actor)
    if mails.queued:
        messages.success(request, _("Waiting: %(count)s") % {"count": len(mails.queued)})
    if mails.too_soon:
        names = ", ".join(entry.display_name for entry in mails.too_soon)
        words = _("Emailed less than an hour ago: %(names)s")
        messages.warning(request, words % {"names": names})
    return redirect("tournaments:manage-mails", slug)


def new_link_urls(request: HttpRequest, event: Event) -> dict[Entry, str]:
    """Return {entry: URL} of the links created in this session.

    Empty after ten minutes.
    """
    return {
        entry: absolute_url(request, path)
        for entry, path in _paths_of_new_links(request, event).items()
    }


def _paths_of_new_links(request: HttpRequest, event: Event) -> dict[Entry, str]:
    """Return the paths of the links made just now, by player; none when the time is over."""
    made_at = reverse("tournaments:manage-links", args=[event.slug])
    secret = take_secret(request, address=made_at)
    if not secret:
        return {}
    return {
        entry: reverse("tournaments:open-link", args=[token])
        for entry, token in derived_link_tokens(event, secret).items()
    }


class RegistrationForm(ContactForm, AnswersForm):
    """Form for a player who registers: name, club, answers and contact."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    surname = forms.CharField(
        label=gettext_lazy("Surname"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    club = forms.CharField(
        label=gettext_lazy("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    namesake = forms.BooleanField(
        label=gettext_lazy("I’m someone else with the same name"),
        required=False,
        help_text=gettext_lazy("Add something to your name so that you can be told apart."),
    )

    @property
    def asks_about_name(self) -> bool:
        """Return whether to ask if a second player of this name is meant."""
        if not self.is_bound:
            return bool(self.initial.get("namesake"))
        return "namesake" in self.errors or bool(self.data.get("namesake"))


PER_MINUTE, PER_HOUR = 300, 1000
"""Registrations of one client for one event: a whole hall shares the address of its router."""


class RegistrationPage(RuleFormView):
    """Page to register for an event.

    A player without an account gets a personal link, shown once: ``get`` shows it after a redirect,
    so that a reload does not register twice.
    """

    template_name, form_class = "tournaments/players/register.html", RegistrationForm
    beside = {**BESIDE, "same_name": "namesake"}
    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the event; throttle registrations by client."""
        self.event, self.actor = find_visible_event(request, kwargs["slug"])
        if request.method == "POST" and _is_flooding(request, self.event):
            return too_many_requests(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or once the new personal link."""
        token = take_secret(request)
        link = find_valid_link(token) if token else None
        if link is not None and link.entry.event_id == self.event.pk:
            return self._registered_page(link.entry, token)
        return super().get(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the event's questions, and what contact it asks for."""
        asked = {"questions": event_questions(self.event), "terms": contact_terms(self.event)}
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
            found = refused.code == "same_name" and unclaimed_namesake(
                self.event, form.cleaned_data
            )
            if not found:
                raise
            to = reverse("tournaments:join", args=[self.event.slug])
            return redirect(f"{to}?{urlencode({'name': found.name, 'from': 'register'})}")
        if self.actor.user is None:
            return self._with_link(entry)
        if entry.status == Entry.Status.WAITING:
            messages.warning(self.request, _("On the waiting list"))
        else:
            messages.success(self.request, _("You are registered"))
        return redirect("tournaments:event", self.event.slug)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the state of registration, and the reader's entry."""
        return super().get_context_data(
            event=self.event,
            actor=self.actor,
            registration=registration_state(self.event),
            own=self.actor.entry_in(self.event),
            **kwargs,
        )

    def _with_link(self, entry: Entry) -> HttpResponse:
        token = make_link(entry=entry, by=Actor(entry=entry))
        link = find_valid_link(token)
        if link is not None:
            remember_link(self.request, self.event, link.pk)
        return redirect_with_secret(self.request, self.request.path, token)

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
        return mark_no_store(render(self.request, "tournaments/players/registered.html", context))


def _is_flooding(request: HttpRequest, event: Event) -> bool:
    """Count a registration; return whether its client exceeds the limit."""
    action = f"register:{event.pk}"
    return exceeds_rate_limit(action, request, most=PER_MINUTE, seconds=60) or exceeds_rate_limit(
        action, request, most=PER_HOUR, seconds=3600
    )


urlpatterns = [
    path("p/<str:token>/", open_link, name="open-link"),
    path(f"{EVENT}me/contact/", OwnContactPage.as_view(), name="my-contact"),
    path(f"{PLAYER}contact/", PlayerContactView.as_view(), name="manage-player-contact"),
    path(f"{PLAYER}answers/", PlayerAnswersView.as_view(), name="manage-player-answers"),
    path(f"{EVENT}me/answers/", OwnAnswersPage.as_view(), name="my-answers"),
    path(f"{PLAYERS}links/", player_links_page, name="manage-links"),
    path(f"{PLAYERS}links/mail/", mail_player_links, name="manage-links-mail"),
    path("events/<slug:slug>/register/", RegistrationPage.as_view(), name="register"),
]
