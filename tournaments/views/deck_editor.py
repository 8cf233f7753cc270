"""What the player's and the staff's page of a list share: the editor, its check, its mending."""

from http import HTTPStatus
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from config.web import RuleFormView, is_fragment, page
from decks.catalogues import complete_attributes
from decks.readers.limits import ONE_LIST
from rules.deckbuilding.mend import replace_name
from tournaments.forms.decklists import MendForm, WrittenForm
from tournaments.models import Entry, Event
from tournaments.permissions import Actor
from tournaments.selectors.deck_check import check_of, text_of_file
from tournaments.selectors.deck_rules import cards_of_event
from tournaments.selectors.player_deck import PlayerDeck
from tournaments.selectors.shown_lists import file_kinds


class DeckEditor(RuleFormView):
    """A page with a list that can be written, checked, mended and handed in.

    ``kept`` is how long a browser may keep it: with "no-store" the way back would lose what
    somebody had typed.
    """

    kept = "private, no-cache"
    form_class: type[Form] = WrittenForm
    fragment = "tournaments/decklists/_check.html"
    mended: str | None = None
    request: HttpRequest
    event: Event
    entry: Entry
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and say how long it may be kept."""
        response = super().dispatch(request, *args, **kwargs)
        response["Cache-Control"] = self.kept
        return response

    def shown_deck(self) -> PlayerDeck:
        """Return the list of the player, as its reader may see it."""
        raise NotImplementedError

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the list, the text in the editor and what is said of it."""
        shown = self.shown_deck()
        form = kwargs.pop("form", None) or self.get_form()
        typed = (form["text"].value() or "") if form.is_bound else None
        text = next(each for each in (self.mended, typed, shown.text) if each is not None)
        known = {"form": form, "shown": shown, "typed": typed, "text": text}
        return super().get_context_data(
            live=check_of(self.event, text),
            complete=complete_attributes(cards_of_event(self.event)),
            files=file_kinds(),
            from_file=self.mended is not None or bool(form["from_file"].value()),
            **known,
            **kwargs,
        )

    def list_of(self, form: Any) -> dict[str, Any]:
        """Return the list that was sent, for the service: a text, or a file as it was sent.

        A file whose text was changed in the editor since it was read is that text.
        """
        text, sent = form.cleaned_data["text"], form.cleaned_data["file"]
        if sent is None:
            return {"text": text}
        upload = (sent.read(ONE_LIST.size + 1), sent.name or "")
        read = text_of_file(self.event, *upload)
        same = text.split() == read.split()
        return {"upload": upload} if same or not form.cleaned_data["from_file"] else {"text": text}

    def text_of(self, form: Any) -> str:
        """Return the list that was sent in writing."""
        sent = self.list_of(form)
        return text_of_file(self.event, *sent["upload"]) if "upload" in sent else sent["text"]


class Checking(DeckEditor):
    """Says what is wrong with a text; nothing is stored."""

    http_method_names = ["post"]

    def act(self, form: Any) -> HttpResponse:
        """Answer the fragment, or the whole page to a browser without scripts.

        What a file holds comes as the editor with its text.
        """
        fragment = self.fragment
        if form.cleaned_data["file"] is not None:
            self.mended, fragment = self.text_of(form), "decks/_editor.html"
        context = self.get_context_data(form=form)
        return page(self.request, str(self.template_name), context, fragment=fragment)

    def form_invalid(self, form: Form) -> HttpResponse:
        """Say in the fragment, too, what is wrong with what was sent."""
        if not is_fragment(self.request):
            return super().form_invalid(form)
        context = self.get_context_data(form=form)
        return page(self.request, self.fragment, context, status=HTTPStatus.BAD_REQUEST)


class Mending(Checking):
    """Puts a suggested name in the place of a written one; nothing is stored."""

    form_class = MendForm
    fragment = "decks/_editor.html"

    def act(self, form: Any) -> HttpResponse:
        """Answer the editor with the text mended."""
        line, old, new = form.replacement()
        self.mended = replace_name(form.cleaned_data["text"], line, old, new)
        form.cleaned_data["file"] = None
        return super().act(form)
