"""Forms for decklists: of players, of the staff for a player, and to open a list."""

from datetime import datetime

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from decks.checking import require_storable_text
from decks.decklists.forms import ACCEPTED
from rules.errors import BadInput
from tournaments.core.moments import LocalTimeField, localize_in_zone, mark_conditionally_required
from tournaments.models import Event


class DeckTextForm(forms.Form):
    """A decklist being edited; any text that can be stored is valid, even none.

    ``from_file``: the text was read from ``file`` and perhaps edited since. ``expected``: primary
    key of the submission on the page, 0 for none, empty if the client does not send it.
    """

    text = forms.CharField(required=False, strip=False, label=_("Your decklist"))
    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        max_length=255,
        label=_("File"),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
    )
    from_file = forms.BooleanField(required=False)
    expected = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)

    def clean_text(self) -> str:
        """Refuse a text that is too long or can't be stored."""
        text = str(self.cleaned_data["text"])
        try:
            require_storable_text(text)
        except BadInput as fault:
            raise forms.ValidationError(translate(fault.sentence), code=fault.code) from None
        return text


class DeckForm(DeckTextForm):
    """A decklist to submit, as text or file; one of them is required."""

    def clean(self) -> dict[str, object]:
        """Require a text or a file."""
        values = super().clean() or {}
        if "text" in values and not str(values["text"]).strip() and not values.get("file"):
            words = _("Paste a decklist or choose a file.")
            self.add_error("text", words)
        return values


class FixForm(DeckTextForm):
    """A fix of a decklist by button.

    ``mend`` is the button's value (see ``edit_button_value``), ``add`` and ``zone`` a card to add.
    """

    mend = forms.CharField(max_length=8000)
    add = forms.CharField(max_length=200, required=False)
    zone = forms.CharField(max_length=60, required=False)


class StaffDeckTextForm(DeckTextForm):
    """A decklist that staff edit for a player, with a reason."""

    text = forms.CharField(required=False, strip=False, label=_("Decklist"))
    reason = mark_conditionally_required(
        forms.CharField(
            label=_("Reason"),
            max_length=300,
            required=False,
            help_text=_("Required once decklists are locked."),
        )
    )


class StaffDeckForm(StaffDeckTextForm, DeckForm):
    """A decklist that staff submit for a player."""


class StaffFixForm(StaffDeckTextForm, FixForm):
    """A fix, by button, of a decklist that staff edit for a player."""


class OpenListForm(forms.Form):
    """Until when, and why, a player may change a locked decklist."""

    until = LocalTimeField(label=_("Open until"))
    reason = forms.CharField(label=_("Reason"), max_length=300)

    def moment(self, event: Event) -> datetime | None:
        """Return the moment in the event's time zone; None after adding an error if invalid."""
        try:
            return localize_in_zone(self.cleaned_data["until"], event.zone)
        except forms.ValidationError as error:
            self.add_error("until", error)
            return None
