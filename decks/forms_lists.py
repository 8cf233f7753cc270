"""The forms of newer card lists: the file, then a look at what it changes."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import explain
from decks.list_files import CARD_LISTS, as_csv, read_list_file
from rules.deckbuilding.card_lists.rows import ReadRows, Row
from rules.errors import BadInput

EARLIEST = date(1990, 1, 1)
DAYS_AHEAD = 366  # a mistyped year would keep every later list from holding


class ListsForm(forms.Form):
    """A file of card lists and their date; ``rows`` are those of a file already looked at."""

    file = forms.FileField(
        label=gettext_lazy("File (CSV or XLSX)"),
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.xlsx,text/csv"}),
    )
    dated = forms.DateField(
        label=gettext_lazy("Date of the lists"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    for_site = forms.BooleanField(
        label=gettext_lazy("For the whole site, not only for my events"), required=False
    )
    rows = forms.CharField(
        required=False, strip=False, widget=forms.HiddenInput, max_length=CARD_LISTS.characters
    )

    def __init__(self, *args: Any, may_load_for_site: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dated"].initial = timezone.localdate()
        self.fields["file"].required = not self.data.get("rows")
        if not may_load_for_site:
            del self.fields["for_site"]
        self.read: ReadRows | None = None

    def clean_dated(self) -> date:
        """Refuse a date that is no date of lists."""
        dated: date = self.cleaned_data["dated"]
        if not EARLIEST <= dated <= timezone.localdate() + timedelta(days=DAYS_AHEAD):
            raise forms.ValidationError(_("The date must be from 1990 to one year from today."))
        return dated

    def clean(self) -> dict[str, Any]:
        """Read the rows of the file, or those that the page has shown."""
        values = super().clean() or {}
        content, name = self._content(values.get("file"), values.get("rows") or "")
        if content is None:
            return values
        try:
            self.read = read_list_file(content, name)
        except BadInput as refused:
            self.add_error("file", explain(refused))
        return values

    def _content(self, file: UploadedFile | None, rows: str) -> tuple[bytes | None, str]:
        if file is None:
            return (rows.encode("utf-8", "replace"), "") if rows else (None, "")
        return file.read(CARD_LISTS.size + 1), file.name or ""

    @property
    def is_for_site(self) -> bool:
        """Say whether the lists are to hold for every event."""
        return bool(self.cleaned_data.get("for_site"))

    def seen(self, rows: Iterable[Row]) -> dict[str, str]:
        """Return the hidden fields with which the rows are stored after the look."""
        seen = {"dated": self.cleaned_data["dated"].isoformat(), "rows": as_csv(rows)}
        return seen | ({"for_site": "on"} if self.is_for_site else {})
