"""The form of the page of information."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.services.settings import LONGEST_INFORMATION


class InformationForm(forms.Form):
    """A text in Markdown."""

    information = forms.CharField(
        label=_("Information"),
        required=False,
        max_length=LONGEST_INFORMATION,
        help_text=_(
            "Markdown: # heading, **bold**, - list, [words](https://…). Everybody reads it on the "
            "page of the event."
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
    )
