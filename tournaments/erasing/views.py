"""Pages that erase a player or one's own account, list what remains, and download one's data."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db.models import Model
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import User
from config.web import RuleFormView, post_only, redirect_with_message, render_page
from config.wording import error_message
from rules.errors import RuleError
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import entry_data_json, user_data_json
from tournaments.erasing.services.copies import (
    accept_reviewed_texts,
    blank_text,
    texts_to_review,
)
from tournaments.erasing.services.erase import (
    check_account_erasable,
    erase_account,
    erase_player,
    is_in_unfinished_event,
)
from tournaments.erasing.services.rows import is_player_in_log
from tournaments.models import Announcement, DeckSubmission, Draw, Entry, Event, Penalty, Ruling
from tournaments.pages.access import MANAGE, PLAYER, find_organiser_event
from tournaments.players.views.access import require_own_entry

PAGES: dict[type[Model], tuple[Any, str]] = {
    Event: (gettext_lazy("Settings"), "manage-settings"),
    Announcement: (gettext_lazy("Announcement"), "desk"),
    Draw: (gettext_lazy("Random draws"), "draws"),
    Entry: (gettext_lazy("Answers at registration"), "manage-players"),
    DeckSubmission: (gettext_lazy("Decklists"), "manage-decklists"),
    Penalty: (gettext_lazy("Penalties"), "manage-players"),
    Ruling: (gettext_lazy("Rulings"), "rulings"),
}
"""Pages on which texts of a model stand, by name; of the others the log tells."""


class ConfirmForm(forms.Form):
    """Form with a text field to type a name as confirmation; the view sets the label."""

    confirm = forms.CharField(
        label=gettext_lazy("Confirm"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off"}),
    )


class ConfirmPage(RuleFormView):
    """Base of pages that require typing a text before erasing.

    `wanted` returns the text.
    """

    form_class = ConfirmForm
    beside = {"not_confirmed": "confirm"}

    def wanted(self) -> str:
        """Return the word to type."""
        raise NotImplementedError

    def get_form(self, form_class: type[Form] | None = None) -> Form:
        """Return the form with the word to type in its label."""
        form = super().get_form(form_class)
        words = _("Type “%(name)s” to confirm") % {"name": self.wanted()}
        form.fields["confirm"].label = words
        return form


class ErasePlayer(ConfirmPage):
    """Page for organisers that erases a player of an event."""

    template_name = "tournaments/erasing/erase.html"
    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find event and player; a removed player has only a number."""
        self.event, self.actor = find_organiser_event(request, kwargs["slug"])
        self.number = kwargs["number"]
        self.entry = self.event.entries.filter(number=self.number).first()
        if self.entry is None and not is_player_in_log(self.event, self.number):
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def wanted(self) -> str:
        """Return the player's name, or the number of a removed player."""
        return self.entry.name if self.entry is not None else str(self.number)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the player."""
        known = {"event": self.event, "actor": self.actor, "entry": self.entry}
        return super().get_context_data(number=self.number, **known, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Erase the player."""
        typed = form.cleaned_data["confirm"]
        erase_player(event=self.event, number=self.number, confirm=typed, by=self.actor)
        words = _("Erased. The player is now shown as “Player %(number)s”.")
        messages.success(self.request, words % {"number": self.number})
        if self.event.remaining_mentions.exists():
            return redirect("tournaments:erasing-remaining", self.event.slug)
        return redirect("tournaments:manage-players", self.event.slug)


@require_safe
def remaining_texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show organisers the texts that may still name an erased person."""
    event, actor = find_organiser_event(request, slug)
    rows = [(listed, _pages_with_text(event, listed)) for listed in texts_to_review(event)]
    context = {"event": event, "actor": actor, "rows": rows}
    return render_page(request, "tournaments/erasing/remaining.html", context)


@post_only
def blank_reviewed_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Blank one text listed for review wherever it occurs in the event, on POST."""
    event, actor = find_organiser_event(request, slug)
    sent = request.POST
    blank_text(event=event, digest=sent.get("digest", ""), reason=sent.get("reason", ""), by=actor)
    words = _("Text redacted")
    return redirect_with_message(request, words, "tournaments:erasing-remaining", slug)


@post_only
def accept_texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep all texts listed for review and clear the list, on POST."""
    event, actor = find_organiser_event(request, slug)
    accept_reviewed_texts(event=event, by=actor)
    words = _("Saved.")
    return redirect_with_message(request, words, "tournaments:manage-players", slug)


def _pages_with_text(event: Event, listed: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (name, address) of each page that shows a text."""
    log = reverse("tournaments:log", args=[event.slug])
    found = {}
    for model in listed["models"]:
        words, name = PAGES.get(model, (gettext_lazy("Log"), ""))
        found[str(words)] = (
            reverse(f"tournaments:{name}", args=[event.slug])
            if name
            else f"{log}?{urlencode({'word': listed['text'][:80]})}"
        )
    return list(found.items())


@login_required
def erase_own_account(request: HttpRequest) -> HttpResponseBase:
    """Show the page `EraseOwnAccount`, or what prevents erasing one's account."""
    if request.method in ("GET", "HEAD"):
        user = get_object_or_404(User, pk=request.user.pk)
        try:
            check_account_erasable(user)
        except RuleError as error:
            played = Entry.objects.filter(user=user).select_related("event").order_by("pk")
            context = {
                "refusal": error_message(error),
                "playing": [*filter(is_in_unfinished_event, played)],
            }
            return render_page(request, "tournaments/erasing/not_yet.html", context)
    answer: HttpResponseBase = EraseOwnAccount.as_view()(request)
    return answer


@method_decorator(reauthentication_required, name="dispatch")
class EraseOwnAccount(ConfirmPage):
    """Page that erases one's own account, after authenticating again."""

    template_name = "tournaments/erasing/erase_me.html"

    def wanted(self) -> str:
        """Return the account's address."""
        return self.user().email

    def user(self) -> User:
        """Return the signed-in user."""
        return get_object_or_404(User, pk=self.request.user.pk or 0)

    def act(self, form: Form) -> HttpResponse:
        """Erase the account, and sign out."""
        erase_account(user=self.user(), confirm=form.cleaned_data["confirm"])
        logout(self.request)
        return redirect_with_message(self.request, _("Account erased"), "tournaments:event-list")


@require_safe
@login_required
def download_own_data(request: HttpRequest) -> HttpResponse:
    """Download all data of one's account, as JSON."""
    user = get_object_or_404(User, pk=request.user.pk or 0)
    return _json_download(user_data_json(user))


@require_safe
def download_own_event_data(request: HttpRequest, slug: str) -> HttpResponse:
    """Download all data of a player in an event, as JSON."""
    _event, entry, _actor = require_own_entry(request, slug)
    return _json_download(entry_data_json(entry))


def _json_download(data: dict[str, Any]) -> HttpResponse:
    answer = JsonResponse(data, json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = 'attachment; filename="girone-my-data.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer


ERASED = f"{MANAGE}erased/"

urlpatterns = [
    path(f"{PLAYER}erase/", ErasePlayer.as_view(), name="manage-player-erase"),
    path(ERASED, remaining_texts, name="erasing-remaining"),
    path(f"{ERASED}accept/", accept_texts, name="erasing-accept"),
    path(f"{ERASED}blank/", blank_reviewed_text, name="erasing-blank"),
    path("me/data.json", download_own_data, name="my-data"),
    path("me/erase/", erase_own_account, name="erase-me"),
    path("events/<slug:slug>/me/data.json", download_own_event_data, name="my-data-here"),
]
