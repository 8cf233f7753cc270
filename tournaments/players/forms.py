"""Forms by which the staff enters and changes players, and the fields that ask questions."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from decks.files.limits import Limits
from decks.files.tables import Row, read_rows, table_of
from rules.errors import BadInput
from rules.events import questions as rule
from rules.events.questions import Question
from rules.people.pasted_columns import Columns, in_columns
from rules.people.person_names import MOST_AT_ONCE, Person, people_in
from rules.people.surnames import first_surname_of, surname_of
from rules.stages.byes import MOST_BYES
from tournaments.core.forms import needed_sometimes, refuse_locked
from tournaments.players.services.departures import DEPARTURES
from tournaments.players.services.late_entries import BYE, LOSS

PEOPLE = Limits(rows=MOST_AT_ONCE)
COLUMNS = {
    "name": (
        *("name", "player", "players", "player name", "first name", "full name"),
        *("nome", "giocatore", "giocatori", "nome giocatore", "nominativo"),
        "nome e cognome",
    ),
    "turned": ("cognome e nome", "cognome nome", "surname and name", "last name, first name"),
    "surname": ("surname", "last name", "family name", "cognome"),
    "byes": ("byes", "bye", "awarded byes", "riposi", "turni di riposo", "bye assegnati"),
    "club": ("club", "team", "squadra", "associazione", "circolo"),
}


def read_people_file(content: bytes, name: str = "") -> list[Person]:
    """Return the person of each row with a player.

    Raises BadInput ``bad_lines`` with the spreadsheet's number of each invalid row,
    ``file_too_large``, ``file_rejected``, ``column_twice``.
    """
    return people_in(_lines(read_rows(content, name, PEOPLE)))


def as_lines(people: Iterable[Person]) -> str:
    """Return people as lines to paste."""
    return "\n".join(_line(person, str(person.byes or "")) for person in people)


def _lines(found: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, str]]:
    """Yield each row as a line to paste, white space in cells collapsed."""
    rows = [Row(number, tuple(cells)) for number, cells in found]
    columns = table_of((row.number, row.cells) for row in rows).columns(COLUMNS)
    if columns.keys() & {"name", "surname", "turned"}:
        rows = rows[1:]
    else:
        columns = {"name": 0, "club": 1}
    for row in rows:
        yield row.number, _line(*_person(row, columns))


def _person(row: Row, columns: Mapping[str, int]) -> tuple[Person, str]:
    """Return the person of a row and the cell with their byes.

    A column may hold the surname alone, or have it first.
    """
    cells = {key: " ".join(row.cell(at).split()) for key, at in columns.items()}
    parts = (cells.get(key, "") for key in ("turned", "name", "surname"))
    name, surname = " ".join(filter(None, parts)), cells.get("surname", "")
    if turned := cells.get("turned"):
        surname = first_surname_of(turned)
    return Person(name, cells.get("club", ""), surname), cells.get("byes", "")


def _line(person: Person, byes: str) -> str:
    """Return a player as a line to paste; a surname only where it would be guessed wrongly."""
    name, club, surname, _byes = person
    if byes:
        return f"{name}; {club}; {surname}; {byes}"
    if surname and surname != surname_of(name) and surname != name:
        return f"{name}; {club}; {surname}"
    return f"{name}; {club}" if club else name


BESIDE = {"bad_name": "name", "bad_surname": "surname", "bad_club": "club"}
"""The field of a player's form at which a refusal stands, by its code."""

LONGEST_PASTE = 200_000  # the most players at once, each with name and club


class AddForm(forms.Form):
    """One player before the start."""

    name = forms.CharField(
        label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class LateForm(AddForm):
    """One player after the start, and what the rounds missed count as."""

    missed = forms.ChoiceField(
        label=_("Rounds missed"),
        choices=[(LOSS, _("a loss each")), (BYE, _("a bye each"))],
        help_text=_("The player is paired from the next round on."),
    )


class PasteForm(forms.Form):
    """Several players, one a line, or a file converted to such lines.

    ``turned`` names have the surname first; ``sure`` confirms the list as it was shown.
    """

    text = forms.CharField(
        label=_("Players, one a line"),
        max_length=LONGEST_PASTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_(
            "“Name” or “Name; club”, or with the surname at the end: “Name; club; surname”. "
            "You see them once more before they are added."
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
    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Read an uploaded file into ``text``."""
        values = super().clean() or {}
        file, text = values.get("file"), values.get("text") or ""
        if self.errors:
            return values
        if file is None and not text:
            self.add_error("text", gettext("Paste names or choose a file."))
        elif file is not None and text:
            self.add_error("file", gettext("Paste names or choose a file, not both."))
        elif file is not None:
            try:
                people = read_people_file(file.read(PEOPLE.size + 1), file.name or "")
                values["text"] = as_lines(people)
            except BadInput as refused:
                self.add_error("file", explain(refused))
        if (chosen := values.get("columns")) and not self.errors:
            values["text"] = in_columns(values.get("text") or "", Columns(chosen))
        return values


class EntryForm(AddForm):
    """The fields of a player that the staff may change."""

    field_order = ("name", "surname", "club", "seed", "byes", "fixed_table")
    surname = forms.CharField(
        label=_("Listed under"),
        max_length=80,
        required=False,
        help_text=_("The words of the name by which lists are sorted. Empty: the site guesses."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    seed = forms.IntegerField(
        label=_("Seed position"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("1 stands first at the start. Empty: drawn by lot."),
    )
    byes = forms.IntegerField(
        label=_("Byes"),
        min_value=0,
        max_value=MOST_BYES,
        required=False,
        help_text=_("Awarded, as by leagues: no opponent and a win in rounds 1 to n of the Swiss."),
    )
    fixed_table = forms.IntegerField(
        label=_("Fixed table"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_(
            "For a player who needs a certain place: they sit there in every round to come."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Reject a seed position if the event started after the page was opened."""
        values = super().clean() or {}
        refuse_locked(self)
        values["byes"] = values.get("byes") or 0
        if "surname" not in self.changed_data and "name" in self.changed_data:
            values["surname"] = ""  # a new name has a surname of its own
        return values


class LeaveForm(forms.Form):
    """A player's departure or return, and the reason."""

    action = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    reason = needed_sometimes(
        forms.CharField(
            label=_("Reason"),
            max_length=500,
            required=False,
            help_text=_("A disqualification needs one: the player reads it on their own page."),
        )
    )

    def clean(self) -> dict[str, Any]:
        """Reject an unknown step."""
        values = super().clean() or {}
        if values.get("action") not in DEPARTURES:
            raise forms.ValidationError(_("There is no such step. Nothing was changed."))
        return values


PREFIX = "ask_"


class AnswersForm(forms.Form):
    """Fields for an event's questions; the ``staff`` may leave each of them empty."""

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
            name = PREFIX + one.key
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
        return {name.removeprefix(PREFIX): self.cleaned_data[name] for name in self.asked}


def _field(question: Question, *, required: bool) -> forms.Field:
    """Return the form field of a question."""
    if question.kind == rule.CONSENT:
        return forms.BooleanField(label=question.text, required=required)
    if question.kind == rule.YES_NO:
        return forms.TypedChoiceField(
            label=question.text,
            required=required,
            choices=[("", "–"), ("yes", _("yes")), ("no", _("no"))],
            coerce=lambda said: said == "yes",
            empty_value=None,
        )
    if question.kind == rule.CHOICE:
        offered = [("", "–"), *((one, one) for one in question.choices)]
        return forms.ChoiceField(label=question.text, required=required, choices=offered)
    return forms.CharField(
        label=question.text,
        required=required,
        max_length=rule.LONGEST_ANSWER,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _initial_answer(question: Question, answer: object) -> object:
    """Return a stored answer as its field takes it."""
    if question.kind == rule.YES_NO and answer is not None:
        return "yes" if answer else "no"
    return answer
