"""The form of a pasted list."""

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from decks.checking import require_storable
from rules.errors import BadInput


class PasteForm(forms.Form):
    """A list as text."""

    text = forms.CharField(
        label=_("Your list"),
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 18,
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
            }
        ),
    )

    def clean_text(self) -> str:
        """Refuse what is too long or can't be kept; every other text is a list."""
        text = str(self.cleaned_data["text"])
        try:
            require_storable(text)
        except BadInput as fault:
            raise forms.ValidationError(translate(fault.sentence), code=fault.code) from None
        return text
