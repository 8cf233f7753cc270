"""The form by which the staff enters many players at once: a list, or a table with columns."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.errors import BadInput
from rules.people.contacts import EMAIL
from rules.people.person_names import Columns
from tournaments.players.people_columns import (
    CHOOSE,
    GONE,
    LEFT_OUT,
    NUMBER,
    Reading,
    bad_column,
    meanings_offered,
    reading_of_text,
)
from tournaments.players.people_files import (
    LONGEST_TEXT,
    PEOPLE,
    PeopleFile,
    read_paste,
    read_people_file,
    read_people_table,
    split_list,
    table_of_text,
    values_of_columns,
)

COLUMN = "column_%s"
LABELS = {
    LEFT_OUT: _("not used"),
    CHOOSE: _("choose"),
    "name": _("Name"),
    "turned": _("Surname and name"),
    "surname": _("Surname"),
    "club": _("Club"),
    "byes": _("Byes"),
    EMAIL: _("E-mail address"),
    NUMBER: _("Membership number"),
}


class PasteForm(forms.Form):
    """Several players: lines, or a table of which each column holds something.

    ``turned`` names have the surname first; ``source`` is the name of the file, ``sheets`` those of
    its sheets that are not read; ``sure`` confirms the list as it was shown, with as many rows
    ``left_out``. Contacts are read where ``memberships``, those that the event asks for, are given.

    A table is sent back as its cells, with how it was read (``was``) and what its columns hold now
    (``COLUMN``, ``header``, beside ``menus``): where that differs it has to be confirmed again.
    After validation ``found`` is what was read; ``refused`` says why columns can't hold what was
    chosen.
    """

    text = forms.CharField(
        label=_("Players, one a line"),
        max_length=LONGEST_TEXT,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "“Name” or “Name; club”, or with the surname at the end: “Name; club; surname”; or the "
            "cells of a spreadsheet. You see them once more before they are added."
        ),
    )
    file = forms.FileField(
        label=_("Or a file: CSV or .xlsx"),
        required=False,
        allow_empty_file=True,
        max_length=255,
        help_text=_("One row a player: name, then club; or columns in any order, named above."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.xlsx,.txt"}),
    )
    turned = forms.BooleanField(label=_("Surname first"), required=False)
    columns = forms.ChoiceField(
        choices=[("", ""), *((each.value, each.value) for each in Columns)],
        required=False,
        widget=forms.HiddenInput,
    )
    was = forms.CharField(max_length=LONGEST_TEXT, required=False, widget=forms.HiddenInput)
    source = forms.CharField(max_length=255, required=False, widget=forms.HiddenInput)
    sheets = forms.CharField(max_length=5000, required=False, widget=forms.HiddenInput)
    left_out = forms.IntegerField(required=False, widget=forms.HiddenInput)
    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)

    found: PeopleFile
    refused = ""

    def __init__(self, *args: Any, memberships: Iterable[str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.memberships = None if memberships is None else tuple(memberships)

    def clean(self) -> dict[str, Any]:
        """Read the file, the pasted text, or the table that is sent back."""
        values = super().clean() or {}
        file, text = values.get("file"), values.get("text") or ""
        if self.errors:
            return values
        if file is None and not text.strip():
            self.add_error("text", gettext("Paste names or choose a file."))
            return values
        if file is not None and text.strip():
            self.add_error("file", gettext("Paste names or choose a file, not both."))
            return values
        try:
            if file is not None:
                content, values["source"] = file.read(PEOPLE.size + 1), file.name or ""
                self.found = read_people_file(
                    content, values["source"], memberships=self.memberships
                )
                values["sheets"] = ", ".join(self.found.sheets)
            else:
                self.found = self._read(values, text)
        except BadInput as refused:
            self.add_error("text" if file is None else "file", explain(refused))
        else:
            values["sure"] &= (values.get("left_out") or 0) == len(self.found.faults)
        return values

    def _read(self, values: dict[str, Any], text: str) -> PeopleFile:
        """Return what a text holds: pasted, split at its commas, or a table that was sent back.

        A table is read as its columns say now; as before where they can't. Raises BadInput.
        """
        if chosen := values["columns"]:
            return split_list(text, Columns(chosen))
        if not values["was"]:
            return read_paste(text, self.memberships)
        table = table_of_text(text)
        was = reading_of_text(values["was"], table.width)
        now = self._chosen(was)
        if now == was:
            return read_people_table(table, was)
        values["sure"] = False
        try:
            if not set(now.meanings) <= {CHOOSE, *meanings_offered(self.memberships)}:
                raise bad_column()
            return read_people_table(table, now)
        except BadInput as refused:
            self.refused = explain(refused)
            return read_people_table(table, was)

    def _chosen(self, was: Reading) -> Reading:
        """Return how a table is to be read by the menus of its columns."""
        if "menus" not in self.data:
            return was
        held = (self.data.get(COLUMN % at, key) for at, key in enumerate(was.meanings))
        header = (was.header or 1) if self.data.get("header") else 0
        return replace(was, header=header, meanings=tuple(held))

    def menus(self) -> tuple[dict[str, Any], ...]:
        """Return the menus of the columns whose values are sent back; none for a list.

        ``choices`` are meanings with their names, ``chosen`` is the one by which the table is read.
        ``open``: the column is not used, or not yet.
        """
        table, reading = self.found.table, self.found.reading
        if table is None or reading is None:
            return ()
        header = table.rows[reading.header - 1] if reading.header else None
        values = values_of_columns(table.rows[reading.header :])
        kept = [set(column) - {"", GONE} for column in table.columns(reading.header)]
        offered = meanings_offered(self.memberships)
        choices = tuple((key, name or str(LABELS[key])) for key, name in offered.items())
        open_choices = ((CHOOSE, str(LABELS[CHOOSE])), *choices)
        return tuple(
            {
                "field": COLUMN % at,
                "name": header.cell(at) if header else "",
                "number": at + 1,
                "values": values[at],
                "chosen": meaning,
                "open": meaning in (LEFT_OUT, CHOOSE),
                "choices": open_choices if meaning == CHOOSE else choices,
            }
            for at, meaning in enumerate(reading.meanings)
            if kept[at] or meaning
        )
