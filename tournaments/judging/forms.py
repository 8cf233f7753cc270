"""Forms of calls, announcements, rulings and staff notes."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.judging.services.notes import LONGEST
from tournaments.judging.services.notes import MOST_MINUTES as LONGEST_SHOWN

TONE_OF_NOTE = _("Staff only: the player never sees it.")


def note_field() -> forms.CharField:
    """Return the field of a note beside a penalty or a check that only the staff read."""
    return forms.CharField(
        label=_("Note for the staff"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=TONE_OF_NOTE,
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
        label=_("Minutes to show it"), min_value=1, max_value=LONGEST_SHOWN, initial=15
    )


class StaffNoteForm(forms.Form):
    """A note on a match, visible only to the staff."""

    text = forms.CharField(
        label=_("Note for the staff"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=TONE_OF_NOTE,
    )


class RulingForm(forms.Form):
    """A ruling on a match."""

    text = forms.CharField(
        label=_("Ruling"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Everybody reads it, beside the pairing."),
    )
