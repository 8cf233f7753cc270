"""Base views of the list editor: hand in, check, accept a suggestion."""

from http import HTTPStatus
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from config.web import RuleFormView, is_fragment, page
from config.wording import explain, translate
from decks.cards.catalogues import complete_attributes
from decks.decklists.live_check import Answer, mended
from decks.files.limits import ONE_LIST
from decks.rulebook import base_format
from rules.errors import BadInput
from tournaments.core.permissions import Actor
from tournaments.decklists.forms import MendForm, WrittenForm
from tournaments.decklists.selectors.rules import (
    cards_in_words,
    cards_of_event,
    check_of,
    rules_of_event,
    text_of_file,
    text_of_paste,
)
from tournaments.decklists.selectors.shown_lists import file_kinds
from tournaments.models import Entry, Event

VIEWS = {
    "cards": gettext_noop("Cards"),
    "text": gettext_noop("Text"),
    "file": gettext_noop("From a file"),
}
FEWEST_ROWS = 10


class DeckEditor(RuleFormView):
    """A page on which a list is edited, checked and handed in.

    Browsers must not store it; ``decklists.js`` restores unsaved input.
    """

    form_class: type[Form] = WrittenForm
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
        cards = cards_of_event(self.event)
        live = None if form.is_bound and form["text"].errors else check_of(self.event, text)
        known = {"form": form, "shown": shown, "typed": typed, "text": text, "live": live}
        shape = base_format(self.event.format_key)
        return super().get_context_data(
            format=translate(shape.label),
            zones=tuple((zone.key, translate(zone.label)) for zone in shape.zones),
            views=tuple((key, _(word)) for key, word in VIEWS.items()),
            view=self._view(live is not None),
            rows=max(FEWEST_ROWS, text.count("\n") + 2),
            complete=complete_attributes(cards),
            checked_by=cards_in_words(self.event, cards),
            files=file_kinds(),
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
        return is_fragment(self.request) and (self.mended is not None or bool(self.request.FILES))

    def list_of(self, form: Any) -> dict[str, Any]:
        """Return the submitted list as arguments of the service: a text or an upload.

        Once a file was read into the editor, or could not be read, the editor's text counts.
        """
        text, sent = form.cleaned_data["text"], form.cleaned_data["file"]
        if sent is None:
            return {"text": text_of_paste(self.event, text)}
        upload = (sent.read(ONE_LIST.size + 1), sent.name or "")
        if not form.cleaned_data["from_file"]:
            return {"upload": upload}
        try:
            same = text.split() == text_of_file(self.event, *upload).split()
        except BadInput:
            same = False
        return {"upload": upload} if same else {"text": text}

    def text_of(self, form: Any) -> str:
        """Return the submitted list as text."""
        sent = self.list_of(form)
        return text_of_file(self.event, *sent["upload"]) if "upload" in sent else sent["text"]


class Checking(DeckEditor):
    """Check a text; nothing is stored."""

    http_method_names = ["post"]

    def act(self, form: Any) -> HttpResponse:
        """Return the fragment, or the whole page to a browser without scripts.

        For a file, return the editor with its content as text.
        """
        fragment, sent = self.fragment, form.cleaned_data["file"]
        if sent is not None:
            self.mended = text_of_file(self.event, sent.read(ONE_LIST.size + 1), sent.name or "")
            fragment = "decks/_editor.html"
        elif self.mended is None:
            try:
                self.mended = self._foreign_list_as_text(form)
            except BadInput as error:
                form.add_error("text", explain(error))
                return self.form_invalid(form)
        context = self.get_context_data(form=form)
        reads_paste = sent is None and fragment != "decks/_editor.html" and self.mended is not None
        if reads_paste:
            fragment = "decks/_editor.html"
        answer = page(self.request, str(self.template_name), context, fragment=fragment)
        if reads_paste and is_fragment(self.request):
            answer["HX-Retarget"], answer["HX-Reswap"] = "#editor", "outerHTML"
        return answer

    def _foreign_list_as_text(self, form: Any) -> str | None:
        """Return a pasted list of another program as text to edit; None for any other text."""
        text = form.cleaned_data["text"]
        read = text_of_paste(self.event, text)
        return read if read != text else None

    def form_invalid(self, form: Form) -> HttpResponse:
        """Return the errors, as a fragment too."""
        if not is_fragment(self.request):
            return super().form_invalid(form)
        fragment = "decks/_editor.html" if self.request.FILES else self.fragment
        context = self.get_context_data(form=form)
        return page(self.request, fragment, context, status=HTTPStatus.BAD_REQUEST)


class Mending(Checking):
    """Change the text by an answer to a question about it; nothing is stored."""

    form_class: type[Form] = MendForm
    fragment = "decks/_editor.html"

    def act(self, form: Any) -> HttpResponse:
        """Return the editor with the corrected text."""
        sent = form.cleaned_data
        answer = Answer(
            order=sent["mend"],
            chosen=self.request.POST.getlist("part"),
            card=sent["add"],
            zone=sent["zone"],
        )
        self.mended = mended(sent["text"], answer, rules_of_event(self.event))
        form.cleaned_data["file"] = None
        return super().act(form)
