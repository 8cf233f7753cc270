"""The form that checks a pasted or uploaded list without storing it."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import error_message
from decks.checking import CheckedDeck, check_decklist_text
from decks.files.limits import ONE_LIST
from decks.readers.base import READERS
from decks.readers.kinds import may_be_foreign_file, read_file
from decks.rulebook import DeckRules
from rules.errors import BadInput

ACCEPTED = ",".join(reader.ending for reader in READERS)


class CheckDecklistForm(forms.Form):
    """Form with a decklist as text or file.

    Once valid, ``checked`` is the result and ``written`` the list as text.
    """

    text = forms.CharField(
        label=gettext_lazy("Your decklist"),
        required=False,
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
    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
    )

    def __init__(self, rules: DeckRules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._rules = rules
        self.checked: CheckedDeck | None = None
        self.written = ""

    def clean(self) -> dict[str, Any]:
        """Read and check the file if there is one, else the text."""
        values = super().clean() or {}
        file, text = values.get("file"), values.get("text") or ""
        if self.errors:
            return values
        if file is None and not text:
            self.add_error("text", _("Paste a decklist or choose a file."))
            return values
        try:
            if file is None and may_be_foreign_file(text):
                read = read_file(text.encode(), "", self._rules)
                self.checked, self.written = read.checked, read.text
            elif file is None:
                self.checked, self.written = check_decklist_text(self._rules, text=text), text
            else:
                read = read_file(file.read(ONE_LIST.size + 1), file.name or "", self._rules)
                self.checked, self.written = read.checked, read.text
        except BadInput as refused:
            self.add_error("text" if file is None else "file", error_message(refused))
        return values

    def after_check(self) -> "CheckDecklistForm":
        """Return the form shown after the check, with the list as editable text."""
        return CheckDecklistForm(self._rules, initial={"text": self.written})
