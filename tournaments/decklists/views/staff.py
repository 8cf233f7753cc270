"""Pages of lists for judges and organisers: overview, correct, open, close."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from config.api import status_of
from config.web import done, page, posted
from config.wording import add_refusal
from decks.labels import handed_in_words
from decks.rulebook import base_format
from rules.errors import RuleError
from tournaments.core.permissions import Actor, can_see_decks
from tournaments.core.visibility import has_decks
from tournaments.decklists.forms import OpenListForm, StaffDeckForm, StaffMendForm, StaffWrittenForm
from tournaments.decklists.selectors.overview import lists_page, messages_for
from tournaments.decklists.selectors.versions import player_deck
from tournaments.decklists.services import close_list, open_list, submit_decklist
from tournaments.decklists.views.editor import Checking, DeckEditor, Mending
from tournaments.models import Event
from tournaments.pages.access import MANAGE, PLAYER, staff_event, staff_only
from tournaments.players.views.player import StaffForm
from tournaments.players.views.players import entry_of

LANGUAGES = ("it", "en")
OPENING = "open_%s"
"""The ids of the form that opens a list: the one beside it has a reason too."""


def judged_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return event and actor; raises PermissionDenied unless they may read every list."""
    event, actor = staff_event(request, slug)
    staff_only(can_see_decks, actor, event)
    return event, actor


def check_decks(event: Event) -> None:
    """Raise Http404 for an event of a game without decks: it has no page of them."""
    if not has_decks(event):
        raise Http404


@require_safe
def decklists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the overview of lists, with reminders."""
    event, actor = judged_event(request, slug)
    check_decks(event)
    shown = lists_page(event, request.GET.get("filter", ""))
    asked = request.GET.get("language")
    language = asked if asked in LANGUAGES else str(get_language())
    link = absolute_url(request, reverse("tournaments:my-deck", args=[slug]))
    messages = messages_for(event, shown.wanting, link=link, language=language, locked=shown.locked)
    context = {
        "event": event,
        "actor": actor,
        "shown": shown,
        "told": messages,
        "language": language,
    }
    return page(request, "tournaments/decklists/overview.html", context)


class PlayerDecklist(StaffForm, DeckEditor):
    """A player's list: receipt, violations, editor."""

    template_name = "tournaments/decklists/staff.html"
    form_class: type[Form] = StaffDeckForm
    opening: OpenListForm | None = None

    def check(self) -> None:
        """Raise PermissionDenied unless the actor may read every list, Http404 without decks."""
        staff_only(can_see_decks, self.actor, self.event)
        check_decks(self.event)

    def shown_deck(self) -> dict[str, Any]:
        """Return the player's list without the draft."""
        return player_deck(self.event, self.entry, own=False)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the form that opens the list and the URLs of the editor."""
        address = [self.event.slug, self.entry.number]
        return super().get_context_data(
            staff=True,
            opening=self.opening or OpenListForm(auto_id=OPENING),
            buttons="tournaments/decklists/_staff_buttons.html",
            check_url=reverse("tournaments:manage-player-decklist-check", args=address),
            mend_url=reverse("tournaments:manage-player-decklist-mend", args=address),
            **kwargs,
        )

    def act(self, form: Any) -> HttpResponse:
        """Hand the list in, legal or not."""
        known = {key: form.cleaned_data[key] for key in ("expected", "reason")}
        handed = submit_decklist(entry=self.entry, **self.list_of(form), **known, by=self.actor)
        if handed.decklist.legal:
            shape = base_format(self.event.format_key)
            legal = _("The decklist is stored and legal.")
            words = handed_in_words(shape, _("The decklist is stored."), legal)
            messages.success(self.request, words)
        else:
            messages.warning(self.request, _("The decklist is stored, but it is illegal."))
        address = [self.event.slug, self.entry.number]
        return redirect(reverse("tournaments:manage-player-decklist", args=address))


class CheckPlayerDecklist(Checking, PlayerDecklist):
    """Check the text while it is being typed."""

    form_class = StaffWrittenForm


class MendPlayerDecklist(Mending, PlayerDecklist):
    """Accept a suggestion."""

    form_class = StaffMendForm


class OpenPlayerDecklist(PlayerDecklist):
    """Open the list for its player until a moment."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Open the list, or show the page with errors."""
        self.opening = form = OpenListForm(request.POST, auto_id=OPENING)
        moment = form.moment(self.event) if form.is_valid() else None
        if moment is None:
            return self._render_again(400)
        try:
            reason = form.cleaned_data["reason"]
            open_list(entry=self.entry, until=moment, reason=reason, by=self.actor)
        except RuleError as error:
            add_refusal(form, error)
            return self._render_again(status_of(error))
        messages.success(
            request, _("The decklist is open for %(name)s.") % {"name": self.entry.name}
        )
        return redirect("tournaments:manage-player-decklist", self.event.slug, self.entry.number)

    def _render_again(self, status: int) -> HttpResponse:
        context = self.get_context_data(form=StaffDeckForm())
        return page(self.request, self.template_name, context, status=status)


@posted
def decklist_close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close a list that was opened for its player."""
    event, actor = judged_event(request, slug)
    entry = entry_of(event, number)
    close_list(entry=entry, by=actor)
    words = _("The decklist of %(name)s is closed again.") % {"name": entry.name}
    return done(request, words, "tournaments:manage-player-decklist", event.slug, entry.number)


LIST = f"{PLAYER}decklist/"

urlpatterns = [
    path(f"{MANAGE}decklists/", decklists, name="manage-decklists"),
    path(LIST, PlayerDecklist.as_view(), name="manage-player-decklist"),
    path(f"{LIST}check/", CheckPlayerDecklist.as_view(), name="manage-player-decklist-check"),
    path(f"{LIST}mend/", MendPlayerDecklist.as_view(), name="manage-player-decklist-mend"),
    path(f"{LIST}open/", OpenPlayerDecklist.as_view(), name="manage-player-decklist-open"),
    path(f"{LIST}close/", decklist_close, name="manage-player-decklist-close"),
]
