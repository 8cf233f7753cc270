"""A correction: seen with its effects first, then confirmed with a reason."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ConfirmForm(forms.Form):
    """The reason, and what happens to that which was made from the old result."""

    reason = forms.CharField(
        label=_("Reason for the correction"),
        max_length=500,
        help_text=_("The old result stays on record with it."),
    )
    later = forms.ChoiceField(
        label=_("What was made from the old result"),
        required=False,
        initial="keep",
        widget=forms.RadioSelect,
        choices=[
            ("keep", _("Keep it as it is")),
            ("take_back", _("Take it back, so that it can be made anew")),
        ],
    )

    @property
    def take_back(self) -> bool:
        """Say whether later rounds and stages are taken back."""
        return self.cleaned_data.get("later") == "take_back"
