"""Forms by which the staff enters and changes players, and the fields that ask questions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import error_message
from rules.errors import BadInput
from rules.events import questions
from rules.events.questions import Question
from rules.people import contacts
from rules.people.contacts import EMAIL, ContactTerms, membership_key
from rules.people.person_names import CommaMeaning
from rules.stages.base import MOST_BYES
from tournaments.core.formulas import allows_half_byes
from tournaments.core.moments import mark_conditionally_required, refuse_locked_changes
from tournaments.models import Event
from tournaments.players.people_columns import (
    CHOOSE,
    GONE,
    LEFT_OUT,
    NUMBER,
    ColumnMapping,
    bad_column_error,
    column_meanings,
    parse_column_mapping,
)
from tournaments.players.people_files import (
    LONGEST_TEXT,
    PEOPLE,
    PeopleFile,
    count_values_by_column,
    parse_tab_separated,
    read_comma_list,
    read_pasted_people,
    read_people_file,
    read_people_table,
)
from tournaments.players.selectors.answers import ContactDetails, membership_name
from tournaments.players.services.departures import DEPARTURES
from tournaments.players.services.late_entries import BYE, HALF_BYE, LOSS

BESIDE = {"bad_name": "name", "bad_surname": "surname", "bad_club": "club"}
"""The field of a player's form at which a refusal stands, by its code."""


class AddPlayerForm(forms.Form):
    """Form to add a player before the start: name and club."""

    name = forms.CharField(
        label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class LateEntryForm(AddPlayerForm):
    """Form to add a player after the start; ``missed``: what missed rounds count as."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ways = [(LOSS, _("Loss")), (BYE, _("Bye"))]
        if allows_half_byes(event):
            ways.append((HALF_BYE, capfirst(_("half-point bye"))))
        self.fields["missed"] = forms.ChoiceField(label=_("Rounds missed"), choices=ways)


class EntryForm(AddPlayerForm):
    """Form for the details of a player that the staff may change."""

    field_order = ("name", "surname", "club", "seed", "byes", "fixed_table")
    surname = forms.CharField(
        label=_("Surname"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    seed = forms.IntegerField(
        label=_("Seed position"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("Empty: random draw."),
    )
    byes = forms.IntegerField(
        label=_("Byes"),
        min_value=0,
        max_value=MOST_BYES,
        required=False,
        help_text=_("Number of byes in the first Swiss rounds."),
    )
    fixed_table = forms.IntegerField(
        label=_("Fixed table"),
        min_value=1,
        max_value=1000,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Reject a seed position if the event started after the page was opened."""
        values = super().clean() or {}
        refuse_locked_changes(self)
        values["byes"] = values.get("byes") or 0
        if "surname" not in self.changed_data and "name" in self.changed_data:
            values["surname"] = ""  # a new name has a surname of its own
        return values


class DepartureForm(forms.Form):
    """Form to drop, disqualify or readmit a player, with the reason."""

    action = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    reason = mark_conditionally_required(
        forms.CharField(
            label=_("Reason"),
            max_length=500,
            required=False,
            help_text=_("A disqualification needs a reason."),
        )
    )

    def clean(self) -> dict[str, Any]:
        """Reject an unknown step."""
        values = super().clean() or {}
        if values.get("action") not in DEPARTURES:
            raise forms.ValidationError(_("Choose one of the options."))
        return values


ANSWER = "ask_"


class AnswersForm(forms.Form):
    """Form with a field for each question that an event asks its players.

    ``answers``: stored ones by question key; ``staff``: no question is required.
    """

    def __init__(
        self,
        *args: Any,
        questions: Iterable[Question],
        answers: Mapping[str, Any] | None = None,
        staff: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.asked: list[str] = []
        for one in questions:
            name = ANSWER + one.key
            self.asked.append(name)
            self.fields[name] = _field(one, required=one.required and not staff)
            self.initial.setdefault(name, _initial_answer(one, (answers or {}).get(one.key)))

    @property
    def asks(self) -> list[forms.BoundField]:
        """Return the fields of the questions."""
        return [self[name] for name in self.asked]

    @property
    def answers(self) -> dict[str, object]:
        """Return the answers by key of the question; call it on a valid form."""
        return {name.removeprefix(ANSWER): self.cleaned_data[name] for name in self.asked}


def _field(question: Question, *, required: bool) -> forms.Field:
    """Return the form field of a question."""
    if question.kind == questions.CONSENT:
        return forms.BooleanField(label=question.text, required=required)
    if question.kind == questions.YES_NO:
        return forms.TypedChoiceField(
            label=question.text,
            required=required,
            choices=[("", "–"), ("yes", _("yes")), ("no", _("no"))],
            coerce=lambda said: said == "yes",
            empty_value=None,
        )
    if question.kind == questions.CHOICE:
        offered = [("", "–"), *((one, one) for one in question.choices)]
        return forms.ChoiceField(label=question.text, required=required, choices=offered)
    return forms.CharField(
        label=question.text,
        required=required,
        max_length=questions.LONGEST_ANSWER,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _initial_answer(question: Question, answer: object) -> object:
    if question.kind == questions.YES_NO and answer is not None:
        return "yes" if answer else "no"
    return answer


MEMBERSHIP = "member_"


class ContactForm(forms.Form):
    """Form for a player's email address and membership numbers.

    Players get the fields that ``terms`` ask for (required if the terms give a reason) and those
    already filled in their ``contact``; the ``staff`` get all, none required.
    """

    def __init__(
        self,
        *args: Any,
        terms: ContactTerms,
        contact: ContactDetails | None = None,
        staff: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.contact_fields: list[str] = []
        known, required = contact or ContactDetails(), bool(terms.why) and not staff
        if terms.email or staff or known.email:
            self._add(
                "email",
                forms.CharField(
                    label=gettext("Email address"),
                    required=required and terms.email,
                    max_length=contacts.LONGEST_ADDRESS,
                    widget=forms.EmailInput(attrs={"autocomplete": "off" if staff else "email"}),
                ),
                known.email,
            )
            if not staff:
                label = gettext("For %(days)s days you may use my address for future events.")
                agreed = forms.BooleanField(label=label % {"days": terms.days}, required=False)
                self.fields["later"] = agreed
                self.initial.setdefault("later", known.later_since is not None)
        asked = {membership_key(name): name for name in terms.memberships}
        for key in dict.fromkeys((*asked, *known.memberships)):
            number = forms.CharField(
                label=membership_name(key, terms.memberships),
                required=required and key in asked,
                max_length=contacts.LONGEST_NUMBER,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            self._add(MEMBERSHIP + key, number, known.memberships.get(key, ""))
        for name in self.contact_fields:
            self.fields[name].help_text = "" if staff else contact_help_text(terms)

    def _add(self, name: str, field: forms.Field, value: str) -> None:
        self.fields[name] = field
        self.initial.setdefault(name, value)
        self.contact_fields.append(name)

    @property
    def contact_asks(self) -> list[forms.BoundField]:
        later = ["later"] if "later" in self.fields else []
        return [self[name] for name in (*self.contact_fields, *later)]

    def clean(self) -> dict[str, Any]:
        """Reject an address that is none and a number that can't be one, each at its field."""
        values = super().clean() or {}
        for name in self.contact_fields:
            text = values.get(name) or ""
            try:
                if name == "email":
                    contacts.clean_email(text)
                else:
                    contacts.clean_memberships({name.removeprefix(MEMBERSHIP): text})
            except BadInput as refused:
                self.add_error(name, error_message(refused))
        return values

    def field_of(self, path: str) -> str:
        """Return the field of a path such as ``memberships.konami``."""
        return path.replace("memberships.", MEMBERSHIP)

    @property
    def contact(self) -> dict[str, Any]:
        """Return ``email`` and ``memberships`` by key, and ``later``; call it on a valid form."""
        numbers = [name for name in self.contact_fields if name != "email"]
        return {
            "email": self.cleaned_data.get("email") or "",
            "memberships": {
                name.removeprefix(MEMBERSHIP): self.cleaned_data[name] or "" for name in numbers
            },
            **({"later": self.cleaned_data["later"]} if "later" in self.fields else {}),
        }


def contact_help_text(terms: ContactTerms) -> str:
    """Return the help text on who reads a contact and how long it is kept.

    It begins with the organiser's reason for asking, if given.
    """
    words = gettext("Only organisers can read this. It is deleted %(days)s days after the event.")
    return f"{terms.why} {words % {'days': terms.days}}".strip()


COLUMN = "column_%s"
LABELS = {
    LEFT_OUT: _("Not used"),
    CHOOSE: _("Choose"),
    "name": _("Name"),
    "turned": _("Surname, name"),
    "surname": _("Surname"),
    "club": _("Club"),
    "byes": _("Byes"),
    EMAIL: _("Email address"),
    NUMBER: _("Membership number"),
}


class PastePlayersForm(forms.Form):
    """Form to add several players, pasted or uploaded as a list or a table.

    ``turned`` names have the surname first. ``source`` is the file's name, ``sheets`` are unread
    sheets of it. ``sure`` confirms the preview, in which ``left_out`` rows were wrong. Contacts are
    read if ``memberships`` are given: those that the event asks for.

    The preview sends a table back as its cells, with how it was read (``was``) and the menus of its
    columns; if these differ, it must be confirmed again. After validation ``found`` is the result,
    ``refused`` why a choice of columns is impossible.
    """

    text = forms.CharField(
        label=_("Players, one per line"),
        max_length=LONGEST_TEXT,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_("Full name; club; surname. You can also paste cells from a spreadsheet."),
    )
    file = forms.FileField(
        label=_("Or a file: CSV or .xlsx"),
        required=False,
        allow_empty_file=True,
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.xlsx,.txt"}),
    )
    turned = forms.BooleanField(label=_("Surname first"), required=False)
    columns = forms.ChoiceField(
        choices=[("", ""), *((each.value, each.value) for each in CommaMeaning)],
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
        if (file is not None) == bool(text.strip()):
            field = "text" if file is None else "file"
            self.add_error(field, gettext("Paste names or choose a file."))
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
            self.add_error("text" if file is None else "file", error_message(refused))
        else:
            values["sure"] &= (values.get("left_out") or 0) == len(self.found.faults)
        return values

    def _read(self, values: dict[str, Any], text: str) -> PeopleFile:
        """Return what a text holds: pasted, split at its commas, or a table that was sent back.

        A table is read as its columns say now; as before where they can't. Raises BadInput.
        """
        if chosen := values["columns"]:
            return read_comma_list(text, CommaMeaning(chosen))
        if not values["was"]:
            return read_pasted_people(text, self.memberships)
        table = parse_tab_separated(text)
        was = parse_column_mapping(values["was"], table.width)
        now = self._chosen(was)
        if now == was:
            return read_people_table(table, was)
        values["sure"] = False
        try:
            if not set(now.meanings) <= {CHOOSE, *column_meanings(self.memberships)}:
                raise bad_column_error()
            return read_people_table(table, now)
        except BadInput as refused:
            self.refused = error_message(refused)
            return read_people_table(table, was)

    def _chosen(self, was: ColumnMapping) -> ColumnMapping:
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
        values = count_values_by_column(table.rows[reading.header :])
        kept = [set(column) - {"", GONE} for column in table.columns(reading.header)]
        offered = column_meanings(self.memberships)
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
