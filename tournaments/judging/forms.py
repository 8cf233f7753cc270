"""Forms of calls, announcements, rulings and staff notes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.judging.services import LONGEST, MOST_MINUTES

FOR_STAFF = _("Note for the staff")
TONE_OF_NOTE = _("Staff only: the player never sees it.")


def note_field(
    label: Any = FOR_STAFF, help_text: Any = TONE_OF_NOTE, *, required: bool = False
) -> forms.CharField:
    """Return the field of a note, by default of one beside a penalty or a check."""
    return forms.CharField(
        label=label,
        max_length=LONGEST,
        required=required,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=help_text,
    )


class CallForm(forms.Form):
    """A player's call of a judge."""

    reason = forms.CharField(
        label=_("What is it about?"),
        max_length=200,
        required=False,
        help_text=_("You may leave it empty."),
    )


class AnnouncementForm(forms.Form):
    """An announcement to everybody."""

    text = forms.CharField(label=_("Announcement"), max_length=300)
    minutes = forms.IntegerField(
        label=_("Minutes to show it"), min_value=1, max_value=MOST_MINUTES, initial=15
    )


class StaffNoteForm(forms.Form):
    """A note on a match, visible only to the staff."""

    text = note_field(required=True)


class RulingForm(forms.Form):
    """A ruling on a match."""

    text = note_field(_("Ruling"), _("Everybody reads it, beside the pairing."), required=True)
