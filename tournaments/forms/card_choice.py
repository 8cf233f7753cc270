"""The field that says by which cards the lists of an event are checked."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decks.formats.rulebook import base_format
from decks.models import Catalogue

USUAL, SITE, NONE = "usual", "site", "none"


def card_field(owner_id: int | None) -> forms.ChoiceField | None:
    """Return the field; None where neither the site nor the owner has cards. One query."""
    if not Catalogue.objects.open_to(owner_id).filter(version__gt=0).exists():
        return None
    return forms.ChoiceField(
        label=gettext_lazy("Known cards"),
        choices=[
            (USUAL, _("the organiser’s own, else the site’s")),
            (SITE, _("the site’s")),
            (NONE, _("none: names are taken as written")),
        ],
        required=False,
    )


def cards_in(choice: str, format_slug: str) -> dict[str, Any]:
    """Return the settings that a choice means; raises ValidationError without cards of the site.

    At most one query.
    """
    catalogue = None
    if choice == SITE:
        game = base_format(format_slug).game
        catalogue = Catalogue.objects.filter(game=game, owner=None, version__gt=0).first()
        if catalogue is None:
            raise forms.ValidationError(_("The site has no cards of this game."))
    return {"catalogue": catalogue, "without_catalogue": choice == NONE}


def card_initial(values: Mapping[str, Any]) -> str:
    """Return what the field shows of the settings."""
    if values.get("without_catalogue"):
        return NONE
    return SITE if values.get("catalogue") else USUAL
