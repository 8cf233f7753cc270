"""The choice of the card catalogue by which an event's lists are checked."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from decks.models import Catalogue
from decks.rulebook import base_format

USUAL, SITE, NONE = "usual", "site", "none"


def card_field(owner_id: int | None) -> forms.ChoiceField | None:
    """Return the field; None if neither the site nor the owner has a card catalogue. One query."""
    if not Catalogue.objects.loaded().open_to(owner_id).exists():
        return None
    return forms.ChoiceField(
        label=gettext_lazy("Known cards"),
        choices=[
            (USUAL, gettext("the organiser’s own, else the site’s")),
            (SITE, gettext("the site’s")),
            (NONE, gettext("none: names are taken as written")),
        ],
        required=False,
    )


def cards_in(choice: str, format_slug: str) -> dict[str, Any]:
    """Return the settings for a choice; at most one query.

    Raises ValidationError if the site has no card list.
    """
    catalogue = None
    if choice == SITE:
        game = base_format(format_slug).game
        catalogue = Catalogue.objects.loaded().filter(game=game, owner=None).first()
        if catalogue is None:
            raise forms.ValidationError(gettext("The site has no cards of this game."))
    return {"catalogue": catalogue, "without_catalogue": choice == NONE}


def card_initial(values: Mapping[str, Any]) -> str:
    """Return the field's initial value for the settings."""
    if values.get("without_catalogue"):
        return NONE
    return SITE if values.get("catalogue") else USUAL
