"""The form that takes an archive."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event


class RestoreForm(forms.Form):
    """The archive of an event and, if wanted, another slug; the service checks the archive."""

    file = forms.FileField(
        label=_("File (JSON)"),
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    slug = forms.SlugField(
        label=_("Another address"),
        required=False,
        max_length=Event._meta.get_field("slug").max_length,
        help_text=_("Only where the event’s own is taken here: small letters, numbers, hyphens."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_slug(self) -> str:
        """Return the address in small letters, as the API does."""
        return str(self.cleaned_data["slug"]).lower()
