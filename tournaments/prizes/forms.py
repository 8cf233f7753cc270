"""The table of prizes as a form."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from config.wording import translate
from rules.events.prizes import (
    BY,
    LONGEST_PRIZE,
    MOST_ROWS,
    PLACE,
    RECORD,
    PrizeTable,
    read_prizes,
)
from rules.json_reader import WrongValue
from tournaments.prizes.selectors import format_cents

COLUMNS = {"from": 12, "to": 12, "prize": LONGEST_PRIZE, "value": 12}
"""Fields of a row, and how many characters each takes."""
SPARE = 4
FEWEST = 6
LABELS = {
    "from": gettext_lazy("From"),
    "to": gettext_lazy("To"),
    "prize": gettext_lazy("Prize"),
    "value": gettext_lazy("Value"),
}
NAMES = (
    (PLACE, gettext_lazy("By place")),
    (RECORD, gettext_lazy("By record (W–L–D), such as 3–0")),
)
PATH = re.compile(r"rows\[(\d+)\](?:\.(\w+))?")


class PrizesForm(forms.Form):
    """Form of the table of prizes; empty rows are ignored.

    ``seen``: fingerprint of the table that the page showed.
    """

    by = forms.ChoiceField(label=gettext_lazy("Prizes"), choices=NAMES, initial=BY[0])
    available = forms.CharField(
        label=gettext_lazy("Available"), max_length=COLUMNS["value"], required=False
    )
    published = forms.BooleanField(
        label=gettext_lazy("Show the prizes to everybody"), required=False
    )
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *args: Any, table: PrizeTable, **kwargs: Any) -> None:
        super().__init__(data, *args, **kwargs)
        self.table: PrizeTable | None = None
        sent = sum(f"prize_{at}" in data for at in range(MOST_ROWS)) if data is not None else 0
        self.count = min(max(sent, len(table.rows) + SPARE, FEWEST), MOST_ROWS)
        for at in range(self.count):
            for name, most in COLUMNS.items():
                field = forms.CharField(max_length=most, required=False, label=LABELS[name])
                words = format_lazy("{} {}", LABELS[name], at + 1)
                field.widget.attrs |= {"autocomplete": "off", "aria-label": words}
                self.fields[f"{name}_{at}"] = field
        self.initial = {**prizes_form_initial(table), **self.initial}

    @property
    def rows(self) -> Iterator[list[BoundField]]:
        """Yield the fields of each row."""
        for at in range(self.count):
            yield [self[f"{name}_{at}"] for name in COLUMNS]

    def clean(self) -> dict[str, Any]:
        """Read the table; what is wrong with a row stands at its field."""
        sent = self.cleaned_data
        by = sent.get("by", PLACE)
        given = [
            at for at in range(self.count) if any(sent.get(f"{name}_{at}") for name in COLUMNS)
        ]
        found = {
            "by": by,
            "rows": [
                {
                    "from": _place(sent.get(f"from_{at}", ""), by),
                    "to": _place(sent.get(f"to_{at}", ""), by),
                    "prize": sent.get(f"prize_{at}", ""),
                    "value": sent.get(f"value_{at}", ""),
                }
                for at in given
            ],
            "available": sent.get("available", ""),
            "published": sent.get("published", False),
        }
        if self.errors:
            return sent
        try:
            self.table = read_prizes(found)
        except WrongValue as wrong:
            self.add_error(self._field_at(wrong, given), translate(wrong.problem))
        return sent

    def _field_at(self, wrong: WrongValue, given: list[int]) -> str | None:
        found = PATH.match(wrong.path)
        if found is None:
            return "available" if wrong.path == "available" else None
        return f"{found[2] or 'from'}_{given[int(found[1])]}"


def prizes_form_initial(table: PrizeTable) -> dict[str, object]:
    """Return the initial values of ``PrizesForm`` for a table of prizes."""
    found: dict[str, object] = {"by": table.by, "published": table.published}
    found["available"] = format_cents(table.available)
    for at, row in enumerate(table.rows):
        found |= {
            f"from_{at}": row.first,
            f"prize_{at}": row.prize,
            f"value_{at}": format_cents(row.cents),
        }
        found[f"to_{at}"] = "" if row.last == row.first else row.last
    return found


def _place(typed: str, by: str) -> object:
    """Return what was typed as programs send it: a number by place, None for nothing."""
    text = typed.strip()
    if not text:
        return None
    return int(text) if by == PLACE and text.isascii() and text.isdecimal() else text
