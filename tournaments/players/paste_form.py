"""The form by which the staff enters many players at once: a list, or a table with columns."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.errors import BadInput
from rules.people.contacts import EMAIL
from rules.people.pasted_columns import Columns, in_columns
from tournaments.players.people_files import (
    LEFT_OUT,
    NUMBER,
    PEOPLE,
    PeopleFile,
    Reading,
    as_lines,
    meanings_offered,
    pasted_table,
    read_people_file,
    read_people_table,
    reading_of_text,
    table_of_text,
    values_of_columns,
)

LONGEST_PASTE = 600_000  # the most players at once, each with name, club and contact
LONGEST_TABLE = 1_000_000
COLUMN = "column_%s"
LABELS = {
    LEFT_OUT: _("not used"),
    "name": _("Name"),
    "turned": _("Surname and name"),
    "surname": _("Surname"),
    "club": _("Club"),
    "byes": _("Byes"),
    EMAIL: _("E-mail address"),
    NUMBER: _("Membership number"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMenu:
    """The menu of a column: its field, its name in the table or "", its place, its ``values``.

    ``choices`` are meanings with their names, ``chosen`` is the one by which the list was made.
    """

    field: str
    name: str
    number: int
    values: int
    chosen: str
    choices: tuple[tuple[str, str], ...]


class PasteForm(forms.Form):
    """Several players, one a line, or a table converted to such lines.

    ``turned`` names have the surname first; ``source`` is the name of the file; ``sure`` confirms
    the list as it was shown. Contacts are read where ``memberships``, those that the event asks
    for, are given.

    A table is sent back with the list made of it (``table``), how it was read (``was``) and what
    its columns hold now (``COLUMN``, ``header``, beside ``menus``): where that differs, the list is
    made again and has to be confirmed again. A list changed by hand stays as it is (``by_hand``)
    until the table is to be read ``anew``. After validation ``found`` is the table as it was read,
    None for a list; ``refused`` says why columns can't hold what was chosen.
    """

    text = forms.CharField(
        label=_("Players, one a line"),
        max_length=LONGEST_PASTE,
        required=False,
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
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt"}),
    )
    turned = forms.BooleanField(label=_("Surname first"), required=False)
    columns = forms.ChoiceField(
        choices=[("", ""), *((each.value, each.value) for each in Columns)],
        required=False,
        widget=forms.HiddenInput,
    )
    table = forms.CharField(
        max_length=LONGEST_TABLE, required=False, strip=False, widget=forms.HiddenInput
    )
    was = forms.CharField(max_length=LONGEST_TABLE, required=False, widget=forms.HiddenInput)
    source = forms.CharField(max_length=255, required=False, widget=forms.HiddenInput)
    anew = forms.BooleanField(required=False, widget=forms.HiddenInput)
    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)

    found: PeopleFile | None = None
    by_hand = False
    refused = ""

    def __init__(self, *args: Any, memberships: Iterable[str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.memberships = None if memberships is None else tuple(memberships)

    def clean(self) -> dict[str, Any]:
        """Make the list of a table, which comes as a file, was pasted, or is sent back."""
        values = super().clean() or {}
        file, text = values.get("file"), values.get("text") or ""
        if self.errors:
            return values
        if file is None and not text:
            self.add_error("text", gettext("Paste names or choose a file."))
            return values
        if file is not None and text:
            self.add_error("file", gettext("Paste names or choose a file, not both."))
            return values
        try:
            if file is not None:
                content, name = file.read(PEOPLE.size + 1), file.name or ""
                values["source"] = name
                self.found = read_people_file(content, name, memberships=self.memberships)
            elif values["table"]:
                self._read_again(values)
            else:
                self.found = pasted_table(text, self.memberships)
        except BadInput as refused:
            self.add_error("text" if file is None else "file", explain(refused))
            return values
        if self.found is not None and not self.by_hand:
            values["text"] = as_lines(self.found.people)
        if chosen := values.get("columns"):
            values["text"], self.found = in_columns(values["text"], Columns(chosen)), None
        return values

    def _read_again(self, values: dict[str, Any]) -> None:
        """Read a table that was sent back as it was read before, then as its columns say now.

        Raises BadInput for one that no page has sent.
        """
        table = table_of_text(values["table"])
        was = reading_of_text(values["was"], table)
        self.found = found = read_people_table(table, was)
        chosen = was
        if "menus" in self.data:
            held = (self.data.get(COLUMN % at, key) for at, key in enumerate(was.meanings))
            chosen = Reading(bool(self.data.get("header")), tuple(held))
        written = [line.strip() for line in values["text"].splitlines()]
        made = [line.strip() for line in as_lines(found.people).splitlines()]
        self.by_hand = written != made and not values["anew"]
        if chosen == was:
            return
        values["sure"] = False
        try:
            if not set(chosen.meanings) <= meanings_offered(self.memberships).keys():
                raise BadInput("bad_column", "A column can't hold this. Nothing was changed.")
            if not self.by_hand:
                self.found = read_people_table(table, chosen)
        except BadInput as refused:
            self.refused = explain(refused)

    def menus(self) -> tuple[ColumnMenu, ...]:
        """Return the menus of the columns with values, for organisers: others are shown no contact.

        None without a table or for a huge one.
        """
        if self.found is None or self.memberships is None:
            return ()
        if len(self.found.table.as_text()) > LONGEST_TABLE:
            return ()
        table, reading = self.found.table, self.found.reading
        header = table.rows[0] if reading.header else None
        values = values_of_columns(table.rows[1:] if reading.header else table.rows)
        offered = meanings_offered(self.memberships)
        choices = tuple((key, name or str(LABELS[key])) for key, name in offered.items())
        return tuple(
            ColumnMenu(
                field=COLUMN % at,
                name=header.cell(at) if header else "",
                number=at + 1,
                values=values[at],
                chosen=meaning,
                choices=choices,
            )
            for at, meaning in enumerate(reading.meanings)
            if values[at] or meaning
        )
