"""Pages on which organisers copy a format and change their house formats."""

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from accounts.models import User
from config.web import RuleFormView, redirect_with_message
from decks.formats.selectors import house_format_label
from decks.house_formats.forms import HouseForm
from decks.house_formats.services import change_house_format, create_house_format
from decks.labels import format_label
from decks.models import HouseFormat
from decks.permissions import can_change_format, can_create_formats, signed_in_user
from decks.stored_formats import base_format, find_organiser_format, is_custom_game_format
from rules.deckbuilding.house import HouseChanges, changes_from_json
from rules.errors import BadInput


class HouseFormatPage(LoginRequiredMixin, RuleFormView):
    """Base of the pages with the form of a house format."""

    template_name, form_class = "decks/house_form.html", HouseForm
    user: User
    slug: str
    house: HouseFormat | None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Set the address's format; raise PermissionDenied unless the user may open the page."""
        self.slug = kwargs["slug"]
        if is_custom_game_format(self.slug):
            raise Http404
        self.house = find_organiser_format(self.slug)
        try:
            self.base = base_format(self.slug)
        except BadInput:
            raise Http404 from None
        if self.house is None and self.base.key != self.slug:
            raise Http404
        user = signed_in_user(request)
        if user is not None:
            self.user = user
            self.admit()
        return super().dispatch(request, *args, **kwargs)

    def admit(self) -> None:
        """Raise PermissionDenied unless the user may create formats."""
        if not can_create_formats(self.user):
            raise PermissionDenied

    def present(self) -> HouseChanges:
        """Return the changes shown in the form."""
        return changes_from_json(self.house.changes if self.house else {}, self.base)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Pass the base format and its changes."""
        return super().get_form_kwargs() | {"base": self.base, "changes": self.present()}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the format that is changed or copied."""
        label = house_format_label(self.house) if self.house else format_label(self.base)
        return super().get_context_data(slug=self.slug, label=label, **kwargs)

    def act(self, form: HouseForm) -> HttpResponse:
        """Store and redirect to the format's page."""
        house = self.store(form)
        words = _("Saved.")
        return redirect_with_message(self.request, words, "decks:format", house.slug)

    def store(self, form: HouseForm) -> HouseFormat:
        """Store the content of the form."""
        raise NotImplementedError


class CopyHouseFormatPage(HouseFormatPage):
    """Page that creates a house format as a variant of a format."""

    extra_context = {"is_new": True}

    def store(self, form: HouseForm) -> HouseFormat:
        """Create the house format."""
        return create_house_format(
            base=self.slug,
            name=form.cleaned_data["name"],
            changes=form.changes(),
            by=self.user,
        )


class ChangeHouseFormatPage(HouseFormatPage):
    """Page that changes a house format; for its owner only."""

    def admit(self) -> None:
        """Raise PermissionDenied unless the user owns it; Http404 for a shipped format."""
        if self.house is None:
            raise Http404
        if not can_change_format(self.user, self.house):
            raise PermissionDenied

    def get_initial(self) -> dict[str, Any]:
        """Return the name and the version shown."""
        return {"name": self.house.name, "version": self.house.version} if self.house else {}

    def store(self, form: HouseForm) -> HouseFormat:
        """Change the format."""
        return change_house_format(
            slug=self.slug,
            version=form.cleaned_data["version"] or 0,
            name=form.cleaned_data["name"],
            changes=form.changes(),
            by=self.user,
        )
