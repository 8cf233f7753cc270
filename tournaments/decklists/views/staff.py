"""Pages of lists for judges and organisers: overview, correct, open, close; base views of the list
editor, for players too: submit, check, accept a suggestion.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from config.api import status_code
from config.web import (
    RuleFormView,
    is_fragment_request,
    post_only,
    redirect_with_message,
    render_page,
)
from config.wording import add_rule_error, error_message, translate
from decks.cards.catalogues import completion_attributes
from decks.decklists.live_check import DecklistEdit, apply_edit
from decks.files.limits import ONE_LIST
from decks.labels import submission_verdict
from decks.stored_formats import base_format
from rules.errors import BadInput, RuleError
from tournaments.core.permissions import Actor, can_see_decks
from tournaments.core.visibility import has_decks
from tournaments.decklists.forms import (
    DeckTextForm,
    FixForm,
    OpenListForm,
    StaffDeckForm,
    StaffDeckTextForm,
    StaffFixForm,
)
from tournaments.decklists.selectors.rules import (
    cards_version_text,
    decklist_text_from_file,
    decklist_text_from_paste,
    event_card_catalogue,
    event_deck_rules,
    live_decklist_check,
)
from tournaments.decklists.selectors.shown_lists import (
    decklists_overview,
    download_formats,
    reminder_texts,
)
from tournaments.decklists.selectors.versions import player_deck_context
from tournaments.decklists.services import lock_decklist, submit_decklist, unlock_decklist
from tournaments.models import Entry, Event
from tournaments.pages.access import MANAGE, PLAYER, find_staff_event, require_role
from tournaments.players.views.player import PlayerFormView
from tournaments.players.views.players import get_entry_or_404

VIEWS = {
    "cards": gettext_noop("Cards"),
    "text": gettext_noop("Text"),
    "file": gettext_noop("From a file"),
}
FEWEST_ROWS = 10


class DeckEditor(RuleFormView):
    """Base of pages where a decklist is edited, checked and submitted.

    ``mended`` is the text after a fix or from a file, None if unchanged. Browsers must not store
    the page; ``decklists.js`` restores unsaved input.
    """

    form_class: type[Form] = DeckTextForm
    fragment = "tournaments/decklists/_check.html"
    mended: str | None = None
    request: HttpRequest
    event: Event
    entry: Entry
    actor: Actor

    def shown_deck(self) -> dict[str, Any]:
        """Return the player's list as the reader may see it."""
        raise NotImplementedError

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the list, the text in the editor and its check."""
        shown = self.shown_deck()
        form = kwargs.pop("form", None) or self.get_form()
        typed = (form["text"].value() or "") if form.is_bound else None
        text = next(each for each in (self.mended, typed, shown["text"]) if each is not None)
        cards = event_card_catalogue(self.event)
        live = (
            None if form.is_bound and form["text"].errors else live_decklist_check(self.event, text)
        )
        known = {"form": form, "shown": shown, "typed": typed, "text": text, "live": live}
        shape = base_format(self.event.format_key)
        return super().get_context_data(
            format=translate(shape.label),
            zones=tuple((zone.key, translate(zone.label)) for zone in shape.zones),
            views=tuple((key, _(word)) for key, word in VIEWS.items()),
            view=self._view(live is not None),
            rows=max(FEWEST_ROWS, text.count("\n") + 2),
            complete=completion_attributes(cards),
            checked_by=cards_version_text(self.event, cards),
            files=download_formats(),
            handed=shown["receipt"] is not None and shown["handed"].split() == text.split(),
            from_file=bool(form["from_file"].value()) or self._reads_at_once(),
            **known,
            **kwargs,
        )

    def _view(self, any_cards: bool) -> str:
        """Return how the list is shown on a phone: as the reader chose, else its cards if any."""
        chosen = self.request.POST.get("view")
        if self.request.FILES or chosen not in VIEWS:
            return "cards" if any_cards else "text"
        return str(chosen)

    def _reads_at_once(self) -> bool:
        """Return whether the script submitted a chosen file to be read into the editor."""
        return is_fragment_request(self.request) and (
            self.mended is not None or bool(self.request.FILES)
        )

    def list_of(self, form: Any) -> dict[str, Any]:
        """Return the submitted list as arguments of the service: a text or an upload.

        Once a file was read into the editor, or could not be read, the editor's text counts.
        """
        text, sent = form.cleaned_data["text"], form.cleaned_data["file"]
        if sent is None:
            return {"text": decklist_text_from_paste(self.event, text)}
        upload = (sent.read(ONE_LIST.size + 1), sent.name or "")
        if not form.cleaned_data["from_file"]:
            return {"upload": upload}
        try:
            same = text.split() == decklist_text_from_file(self.event, *upload).split()
        except BadInput:
            same = False
        return {"upload": upload} if same else {"text": text}

    def text_of(self, form: Any) -> str:
        """Return the submitted list as text."""
        sent = self.list_of(form)
        return (
            decklist_text_from_file(self.event, *sent["upload"])
            if "upload" in sent
            else sent["text"]
        )


class CheckMixin(DeckEditor):
    """Mixin that checks the text in the editor; nothing is stored."""

    http_method_names = ["post"]

    def act(self, form: Any) -> HttpResponse:
        """Return the fragment, or the whole page to a browser without scripts.

        For a file, return the editor with its content as text.
        """
        fragment, sent = self.fragment, form.cleaned_data["file"]
        if sent is not None:
            self.mended = decklist_text_from_file(
                self.event, sent.read(ONE_LIST.size + 1), sent.name or ""
            )
            fragment = "decks/_editor.html"
        elif self.mended is None:
            try:
                self.mended = self._foreign_list_as_text(form)
            except BadInput as error:
                form.add_error("text", error_message(error))
                return self.form_invalid(form)
        context = self.get_context_data(form=form)
        reads_paste = sent is None and fragment != "decks/_editor.html" and self.mended is not None
        if reads_paste:
            fragment = "decks/_editor.html"
        answer = render_page(self.request, str(self.template_name), context, fragment=fragment)
        if reads_paste and is_fragment_request(self.request):
            answer["HX-Retarget"], answer["HX-Reswap"] = "#editor", "outerHTML"
        return answer

    def _foreign_list_as_text(self, form: Any) -> str | None:
        """Return a pasted list of another program as text to edit; None for any other text."""
        text = form.cleaned_data["text"]
        read = decklist_text_from_paste(self.event, text)
        return read if read != text else None

    def form_invalid(self, form: Form) -> HttpResponse:
        """Return the errors, as a fragment too."""
        if not is_fragment_request(self.request):
            return super().form_invalid(form)
        fragment = "decks/_editor.html" if self.request.FILES else self.fragment
        context = self.get_context_data(form=form)
        return render_page(self.request, fragment, context, status=HTTPStatus.BAD_REQUEST)


class FixMixin(CheckMixin):
    """Mixin that applies a suggested fix to the text in the editor; nothing is stored."""

    form_class: type[Form] = FixForm
    fragment = "decks/_editor.html"

    def act(self, form: Any) -> HttpResponse:
        """Return the editor with the corrected text."""
        sent = form.cleaned_data
        answer = DecklistEdit(
            order=sent["mend"],
            chosen=self.request.POST.getlist("part"),
            card=sent["add"],
            zone=sent["zone"],
        )
        self.mended = apply_edit(sent["text"], answer, event_deck_rules(self.event))
        form.cleaned_data["file"] = None
        return super().act(form)


LANGUAGES = ("it", "en")
OPENING = "open_%s"
"""The ids of the form that opens a list: the one beside it has a reason too."""


def event_for_deck_judge(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return (event, actor); raise PermissionDenied unless they may read all decklists."""
    event, actor = find_staff_event(request, slug)
    require_role(can_see_decks, actor, event)
    return event, actor


def check_event_has_decks(event: Event) -> None:
    """Raise Http404 for an event of a game without decks."""
    if not has_decks(event):
        raise Http404


@require_safe
def decklists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show staff the states of all decklists, with reminders to send."""
    event, actor = event_for_deck_judge(request, slug)
    check_event_has_decks(event)
    shown = decklists_overview(event, request.GET.get("filter", ""))
    asked = request.GET.get("language")
    language = asked if asked in LANGUAGES else str(get_language())
    link = absolute_url(request, reverse("tournaments:my-deck", args=[slug]))
    messages = reminder_texts(
        event, shown.wanting, link=link, language=language, locked=shown.locked
    )
    context = {
        "event": event,
        "actor": actor,
        "shown": shown,
        "told": messages,
        "language": language,
    }
    return render_page(request, "tournaments/decklists/overview.html", context)


class PlayerDecklist(PlayerFormView, DeckEditor):
    """Staff page of a player's decklist: receipt, violations, editor."""

    template_name = "tournaments/decklists/staff.html"
    form_class: type[Form] = StaffDeckForm
    opening: OpenListForm | None = None

    def check(self) -> None:
        """Raise PermissionDenied unless the actor may read every list, Http404 without decks."""
        require_role(can_see_decks, self.actor, self.event)
        check_event_has_decks(self.event)

    def shown_deck(self) -> dict[str, Any]:
        """Return the player's list without the draft."""
        return player_deck_context(self.event, self.entry, own=False)

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
            words = submission_verdict(shape, _("Saved."))
            messages.success(self.request, words)
        else:
            messages.warning(self.request, _("Saved, but the decklist is illegal."))
        address = [self.event.slug, self.entry.number]
        return redirect(reverse("tournaments:manage-player-decklist", args=address))


class CheckPlayerDecklist(CheckMixin, PlayerDecklist):
    """Check staff's text while it is typed; nothing is stored."""

    form_class = StaffDeckTextForm


class FixPlayerDecklist(FixMixin, PlayerDecklist):
    """Apply a suggested fix to staff's text; nothing is stored."""

    form_class = StaffFixForm


class OpenPlayerDecklist(PlayerDecklist):
    """Let a player change the locked decklist until a moment (POST)."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Open the list, or show the page with errors."""
        self.opening = form = OpenListForm(request.POST, auto_id=OPENING)
        moment = form.moment(self.event) if form.is_valid() else None
        if moment is None:
            return self._render_again(400)
        try:
            reason = form.cleaned_data["reason"]
            unlock_decklist(entry=self.entry, until=moment, reason=reason, by=self.actor)
        except RuleError as error:
            add_rule_error(form, error)
            return self._render_again(status_code(error))
        messages.success(request, _("Saved."))
        return redirect("tournaments:manage-player-decklist", self.event.slug, self.entry.number)

    def _render_again(self, status: int) -> HttpResponse:
        context = self.get_context_data(form=StaffDeckForm())
        return render_page(self.request, self.template_name, context, status=status)


@post_only
def close_decklist(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Lock again a decklist that was opened for its player."""
    event, actor = event_for_deck_judge(request, slug)
    entry = get_entry_or_404(event, number)
    lock_decklist(entry=entry, by=actor)
    words = _("Saved.")
    return redirect_with_message(
        request, words, "tournaments:manage-player-decklist", event.slug, entry.number
    )


LIST = f"{PLAYER}decklist/"

urlpatterns = [
    path(f"{MANAGE}decklists/", decklists, name="manage-decklists"),
    path(LIST, PlayerDecklist.as_view(), name="manage-player-decklist"),
    path(f"{LIST}check/", CheckPlayerDecklist.as_view(), name="manage-player-decklist-check"),
    path(f"{LIST}mend/", FixPlayerDecklist.as_view(), name="manage-player-decklist-mend"),
    path(f"{LIST}open/", OpenPlayerDecklist.as_view(), name="manage-player-decklist-open"),
    path(f"{LIST}close/", close_decklist, name="manage-player-decklist-close"),
]
