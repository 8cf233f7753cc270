"""Pages of card catalogues: browse, complete names (JSON), load from a file."""

import binascii
import zlib
from base64 import b64decode, b64encode
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from config.sizes import MEBIBYTE
from config.web import RuleFormView
from decks.cards.catalogues import (
    card_game_name,
    card_game_names,
    catalogue_by_id,
    catalogue_changes,
    change_summary,
    find_catalogue,
    shipped_games,
)
from decks.cards.files import HELD, CardFile, cards_as_csv, read_cards
from decks.cards.published.reading import ReadLimiter, file_too_large_error, read_catalogue
from decks.cards.selectors import catalogue_context, change_preview, game_rows, site_card_count
from decks.cards.services import delete_own_cards, load_cards
from decks.models import Catalogue
from decks.permissions import can_create_formats, can_load_for_site, signed_in_user
from rules.errors import BadInput

LONGEST = 4_500_000  # characters; Django reads 5 MiB of fields
LARGEST_FILE = 48 * MEBIBYTE
MOST_UNPACKED = 400 * MEBIBYTE
MOST_KEPT = 3 * HELD.rows
"""Cards, and the other names of theirs: real ones have two."""
MOST_SECONDS = 4.0
"""Of the processor; all printings of Magic take three."""


def web_read_limiter() -> ReadLimiter:
    """Return the limits for reading a published catalogue in a web request."""
    return ReadLimiter(most=MOST_UNPACKED, most_kept=MOST_KEPT, seconds=MOST_SECONDS)


def encode_table(content: bytes) -> str:
    """Return a CSV table, compressed, as text for a hidden field.

    Raises BadInput ``file_too_large``.
    """
    text = b64encode(zlib.compress(content, 9)).decode("ascii")
    if len(text) > LONGEST:
        raise file_too_large_error()
    return text


def decode_table(text: str, *, most: int) -> bytes:
    """Return the CSV table in a hidden field; raise BadInput ``file_rejected``.

    most: limit in bytes.
    """
    try:
        opened = zlib.decompressobj()
        content = opened.decompress(b64decode(text, validate=True), most + 1)
    except (binascii.Error, ValueError, zlib.error):
        content = b""
    if not content or len(content) > most:
        raise BadInput("file_rejected", "Not found. Reload the page.")
    return content


MINE, SITE = "mine", "site"
OWNERS = {MINE: gettext_lazy("My events"), SITE: gettext_lazy("The whole site")}


class CardFileForm(forms.Form):
    """Form to load a file of cards: for whom, and whether to replace the whole catalogue.

    ``held`` carries the previewed table instead of a file, ``version`` that of the catalogue then.
    """

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "CSV, XLSX, or .json, .json.gz or .zip from Scryfall, YGOPRODeck or Pokémon TCG data."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.json,.gz,.zip"}),
    )
    whole = forms.BooleanField(
        label=gettext_lazy("Replace the whole catalogue"),
        required=False,
        help_text=gettext_lazy(
            "Removes cards that are not in the file. Also needed to change language or source."
        ),
    )
    held = forms.CharField(required=False, max_length=LONGEST, widget=forms.HiddenInput)
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, owners: tuple[str, ...] = (MINE, SITE), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].required = not self.data.get("held")
        self.fields["whose"] = forms.ChoiceField(
            label=gettext_lazy("For"),
            choices=[(owner, OWNERS[owner]) for owner in owners],
            help_text=gettext_lazy("In your events, your cards replace the site’s."),
            widget=forms.Select if len(owners) > 1 else forms.HiddenInput,
            initial=owners[0],
        )
        self.order_fields(["file", "whose", "whole"])


OFFERED = 8
SHOWN_FAULTS = 50


@require_safe
def card_games(request: HttpRequest) -> HttpResponse:
    """Page of all games with the sizes of the site's catalogues."""
    return render(request, "decks/card_games.html", {"games": game_rows()})


@require_safe
def cards(request: HttpRequest, game: str) -> HttpResponse:
    """Page of a game's card catalogues and the cards that match a search."""
    require_game(game)
    user = signed_in_user(request)
    asked = {key: request.GET.get(key, "") for key in ("catalogue", "page", "q")}
    shown = catalogue_context(
        game, user, query=asked["q"], chosen=asked["catalogue"], page=asked["page"]
    )
    context = {"shown": shown, "may_load": bool(allowed_owners(user))}
    return render(request, "decks/cards.html", context)


@require_safe
def complete_names(request: HttpRequest, game: str) -> HttpResponse:
    """Return completions of a card name as JSON ``names``; 404 without a catalogue.

    ``?q=`` is the input; ``?catalogue=`` (id) and ``?version=`` choose a catalogue, by default the
    site's. Cards are not secret: any catalogue may be queried. One query, two for a version.
    """
    require_game(game)
    asked, version = request.GET.get("catalogue", ""), request.GET.get("version", "")
    if asked:
        at = int(version) if _is_number(version) else None
        found = catalogue_by_id(int(asked), game=game, version=at) if _is_number(asked) else None
    else:
        found = find_catalogue(game)
    if found is None:
        raise Http404
    answer = JsonResponse({"names": found.complete(request.GET.get("q", ""), OFFERED)})
    answer["Cache-Control"] = "private, max-age=60"
    return answer


@login_required
@require_POST
def delete_own_catalogue(request: HttpRequest, game: str) -> HttpResponse:
    """Delete the user's own cards of a game (POST); redirect to the game's cards."""
    require_game(game)
    user = signed_in_user(request)
    if user is not None and delete_own_cards(game=game, owner=user):
        messages.success(request, _("Removed."))
    return redirect("decks:cards", game)


class LoadCardsPage(LoginRequiredMixin, RuleFormView):
    """Page that loads a game's cards from a file: preview the changes first, then store."""

    template_name, form_class = "decks/cards_load.html", CardFileForm
    game: str
    user: User
    largest_body = LARGEST_FILE + MEBIBYTE

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Set the game of the address; raise PermissionDenied unless the user may load cards."""
        self.game = kwargs["game"]
        require_game(self.game)
        user = signed_in_user(request)
        if user is not None:
            self.user = user
            if not allowed_owners(user):
                raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Pass the owners for whom the user may load cards."""
        return super().get_form_kwargs() | {"owners": allowed_owners(self.user)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the game."""
        more = {"game": self.game, "label": card_game_name(self.game)}
        return super().get_context_data(**more, **kwargs)

    def act(self, form: CardFileForm) -> HttpResponse:
        """Show the preview; on the second submission store the file."""
        values = form.cleaned_data
        upload = values["file"]
        if upload is None:
            read = read_cards(decode_table(values["held"], most=HELD.size), limits=HELD)
        else:
            read = read_catalogue(upload.file, upload.name, meter=web_read_limiter())
        if read.faults:
            return self._show_faults(form, read)
        if upload is None:
            return self._load_and_redirect(values, read)
        if len(read.cards) > HELD.rows:
            raise file_too_large_error()
        return self._show_preview(form, read, {"held": encode_table(cards_as_csv(read.cards))})

    def _load_and_redirect(self, values: dict[str, Any], read: CardFile) -> HttpResponse:
        loaded = load_cards(
            game=self.game,
            cards=read.cards,
            owner=self.user if values["whose"] == MINE else None,
            remove_missing=values["whole"],
            expected_version=values["version"],
        )
        messages.success(self.request, change_summary(loaded.changes))
        query = f"?catalogue={loaded.catalogue.pk}"
        return redirect(reverse("decks:cards", args=[self.game]) + query)

    def _show_preview(
        self, form: CardFileForm, read: CardFile, held: dict[str, str]
    ) -> HttpResponse:
        whose, whole = form.cleaned_data["whose"], form.cleaned_data["whole"]
        owner = self.user if whose == MINE else None
        catalogue = Catalogue.objects.filter(game=self.game, owner=owner).first()
        sure = held | {
            "whose": whose,
            "whole": "on" if whole else "",
            "version": catalogue.version if catalogue else 0,
        }
        preview = change_preview(catalogue_changes(catalogue, read.cards, remove_missing=whole))
        replaced = site_card_count(self.game) if owner else ""
        context = self.get_context_data(
            form=form, preview=preview, sure=sure, site_cards=replaced, source=read.source
        )
        return self.render_to_response(context)

    def _show_faults(self, form: CardFileForm, read: CardFile) -> HttpResponse:
        shown = read.faults[:SHOWN_FAULTS]
        context = self.get_context_data(form=form, faults=shown, count=len(read.faults))
        return self.render_to_response(context, status=400)


def require_game(slug: str) -> None:
    """Raise Http404 for an unknown game's slug; at most one query."""
    if slug not in shipped_games() and slug not in card_game_names():
        raise Http404


def allowed_owners(user: User | None) -> tuple[str, ...]:
    """Return for whom a user may load cards: ``mine`` (own events), ``site``, both or ()."""
    mine = (MINE,) if can_create_formats(user) else ()
    return (*mine, *((SITE,) if can_load_for_site(user) else ()))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16
