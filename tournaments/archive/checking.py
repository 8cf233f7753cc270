"""Check of an archive's values before anything is stored, and the refusal of what does not fit.

House format, formula and card lists of an archive are stored as rows of their own for that event
alone; rows with the same slug that exist here are neither used nor changed.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, models

from accounts.models import User
from decks.house_formats.services import free_slug as free_format
from decks.models import CardListVersion, FormatVersion, HouseFormat
from decks.stored_formats import build_format, is_custom_game_format, is_organiser_format
from rules.deckbuilding.card_lists import read_card_lists
from rules.deckbuilding.house import base_key
from rules.errors import BadInput, RuleError
from rules.formulas.custom import definition_to_json, formula_faults, read_definition
from rules.json_reader import (
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    any_json,
    list_of,
    nullable,
    text,
)
from rules.wording import Sentence
from tournaments.archive.writer import SLUGS
from tournaments.core.formulas import is_saved_formula
from tournaments.core.valid_columns import ARCHIVED, column_reader, object_reader
from tournaments.formulas.services import free_slug as free_formula
from tournaments.models import Event, SavedFormula
from tournaments.models.tables import Table, name_column

logger = logging.getLogger(__name__)
INVALID = "archive_invalid"
LONGEST_NAME = 80
ADDRESS = text(254)
"""How version 1 names people; ``people`` has their names."""
NAME = text(LONGEST_NAME)
ROWS = list_of(JsonObjectReader)
PEOPLE = list_of(object_reader({"email": ADDRESS, "name": text(254)}, {"verified": any_json}))

Row = dict[str, Any]


def invalid_archive_error(path: str, what: object) -> BadInput:
    """Return the BadInput ``archive_invalid`` for a wrong value of an archive.

    path: JSON path of the value, such as ``tables.rounds[2].number``. what: message that says what
    is wrong.
    """
    return BadInput(
        INVALID,
        "This archive can’t be restored. In “%(path)s”: %(what)s",
        path=path,
        what=what,
    )


@contextmanager
def refuse_archive_errors(path: str) -> Iterator[None]:
    """Context manager: turn errors of an archive's rows into ``archive_invalid``.

    path: JSON path of the rows. Errors of a busy or unreachable database are raised unchanged.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception as fault:  # a stranger's rows may cause anything
        if isinstance(fault, RuleError) and fault.code == INVALID:
            raise
        logger.info("An archive was refused for %s.", path, exc_info=True)
        if isinstance(fault, WrongValue):
            raise invalid_archive_error(fault.inside(path).path, fault.problem) from None
        raise invalid_archive_error(path, _reason(fault)) from None


def _reason(fault: Exception) -> object:
    if isinstance(fault, RuleError):
        return fault.sentence
    if isinstance(fault, ValidationError):
        return " ".join(fault.messages)
    return Sentence("This doesn’t match the rest of the file.")


def check_document(document: Mapping[str, Any]) -> None:
    """Check all values of a parsed archive before they are stored.

    Raises BadInput ``archive_invalid`` for the first bad one. Columns and tables that older
    archives lack may be missing (``is_optional_column``).
    """
    names = {}
    if "people" in document:
        check_value("people", PEOPLE, document["people"])
        names = {person["email"]: person["name"] for person in document["people"]}
    tables = document["tables"]
    sizes = {table.model: _row_count(table, tables.get(table.key, [])) for table in ARCHIVED}
    if sizes[Event] != 1:
        raise invalid_archive_error(
            "tables.events", Sentence("This doesn’t match the rest of the file.")
        )
    for table in ARCHIVED:
        if not table.here_only:
            _check_rows(table, tables.get(table.key, []), sizes, names)


def _row_count(table: Table, rows: Any) -> int:
    check_value(f"tables.{table.key}", ROWS, rows)
    return len(rows)


def _check_rows(
    table: Table, rows: list[Row], sizes: Mapping[Any, int], names: Mapping[str, str]
) -> None:
    readers = {field.name: _reader_of(table, field, sizes, names) for field in table.columns}
    needed = [field.name for field in table.columns if not is_optional_column(table, field)]
    for at, row in enumerate(rows):
        path = f"tables.{table.key}[{at}]"
        for name in needed:
            if name not in row:
                raise invalid_archive_error(f"{path}.{name}", Sentence("This field is required."))
        for name, reader in readers.items():
            if name in row:
                check_value(f"{path}.{name}", reader, row[name])


def is_optional_column(table: Table, field: Any) -> bool:
    """Return whether older archives may lack a column (a model field).

    That is if it has a default, may be null or refers to an account.
    """
    return field.has_default() or field.null or field in table.people


def _reader_of(
    table: Table, field: Any, sizes: Mapping[Any, int], names: Mapping[str, str]
) -> Reader[Any]:
    """Return the reader of an archive's column; references inside it are numbers of rows."""
    if field in table.people:
        return nullable(_person(names) if name_column(field) else ADDRESS)
    inside = field.is_relation and field.name not in table.elsewhere
    reader = WholeNumber(1, sizes[field.related_model]) if inside else column_reader(field)
    return nullable(reader) if field.null else reader


def _person(names: Mapping[str, str]) -> Reader[str]:
    """Return a reader of a person: a name, in version 1 also an address that has a name."""

    def read(value: object) -> str:
        address = ADDRESS(value)
        return address if address in names else NAME(value)

    return read


def check_value(path: str, reader: Reader[Any], value: Any) -> None:
    """Check a value with its reader.

    Raises BadInput ``archive_invalid`` with the JSON path of the wrong value; path: that of
    ``value``.
    """
    try:
        reader(value)
    except WrongValue as wrong:
        raise invalid_archive_error(wrong.inside(path).path, wrong.problem) from None


Tables = Mapping[str, list[Row]]


def assign_unused_slugs(tables: Tables) -> dict[str, list[Row]]:
    """Return an archive's tables with unused slugs for its formats and formulas.

    Tables are rows by key of the table. At most four queries. Raises BadInput ``archive_invalid``
    if the event refers to rows that the archive lacks, or the archive has rows that the event does
    not refer to.
    """
    (event,) = tables["events"]
    lists, formats = tables.get("card_lists", []), tables.get("house_formats", [])
    formulas = tables.get("formulas", [])
    if len(lists) != (event.get("card_lists") is not None):
        raise _other_rows_error("card_lists")
    if [row["slug"] for row in formats] != [event["format"]] * is_organiser_format(event["format"]):
        raise _other_rows_error("house_formats")
    former = tables.get("format_versions", [])
    if [(row["format"], row["version"]) for row in former] != _former_version(event, formats):
        raise _other_rows_error("format_versions")
    if [row["slug"] for row in formulas] != [event["formula"]] * is_saved_formula(event["formula"]):
        raise _other_rows_error("formulas")
    slugs = {row["slug"]: _format_slug(row) for row in formats}
    slugs |= {row["slug"]: _formula_slug(row) for row in formulas}
    changed = {key: list(rows) for key, rows in tables.items()}
    for key, columns in SLUGS.items():
        for at, row in enumerate(changed.get(key, [])):
            now = {column: slugs.get(row[column], row[column]) for column in columns}
            was = {"archived_as": row["slug"]} if key in ("house_formats", "formulas") else {}
            changed[key][at] = row | now | was
    for row in changed.get("formulas", []):
        with refuse_archive_errors("tables.formulas[0].definition"):
            definition = read_definition(row["definition"])
            for fault in formula_faults(definition):
                raise invalid_archive_error("tables.formulas[0].definition", fault)
            row["definition"] = definition_to_json(definition)
    return changed


def _former_version(event: Row, formats: list[Row]) -> list[tuple[object, object]]:
    began = event.get("format_version")
    present = {row.get("version") for row in formats}
    return [] if began is None or began in present else [(event["format"], began)] * bool(formats)


def _other_rows_error(table: str) -> BadInput:
    return invalid_archive_error(
        f"tables.{table}", Sentence("This doesn’t match the rest of the file.")
    )


def _format_slug(row: Row) -> str:
    slug = str(row["slug"])
    if base_key(slug) != row["base"]:
        raise invalid_archive_error(
            "tables.house_formats[0].base", Sentence("This doesn’t match the rest of the file.")
        )
    taken = HouseFormat.objects.filter(slug=slug).exists()
    return free_format(str(row["base"]), str(row["name"])) if taken else slug


def _formula_slug(row: Row) -> str:
    slug = str(row["slug"])
    taken = SavedFormula.objects.filter(slug=slug).exists()
    return free_formula(str(row["name"])) if taken else slug


def overridden_columns(model: type[models.Model], row: Row, owner: User | None) -> dict[str, Any]:
    """Return the column values that a restore sets, whatever the archive has.

    row: of the archive. owner: the account that restores it.
    """
    if model is CardListVersion:
        return {"archived": True, "owner": owner, "loaded_by": owner}
    if model in (HouseFormat, SavedFormula):
        return {"archived_as": row.get("archived_as", "")}
    return {}


def check_row_parses(one: models.Model) -> None:
    """Check that the card lists or deck format of an unsaved row can be parsed.

    Raises BadInput ``archive_invalid`` if not; other models are accepted.
    """
    if isinstance(one, HouseFormat | FormatVersion):
        slug, key = (
            (one.slug, "house_formats")
            if isinstance(one, HouseFormat)
            else (one.format, "format_versions")
        )
        if one.rules is not None and not is_custom_game_format(slug):
            words = Sentence("This doesn’t match the rest of the file.")
            raise invalid_archive_error(f"tables.{key}[0].rules", words)
        with refuse_archive_errors(
            f"tables.{key}[0].{'rules' if is_custom_game_format(slug) else 'changes'}"
        ):
            build_format(one, slug)
    if isinstance(one, CardListVersion):
        with refuse_archive_errors("tables.card_lists[0].rows"):
            read_card_lists(one.rows, dated=one.dated)


def slug_finder(model: type[models.Model]) -> Callable[[Row], models.Model | None]:
    """Return a function that finds the stored object of an archive's row, or None.

    It finds it by slug (a version of a format by slug and number); one query a call.
    """
    columns = ("format", "version") if model is FormatVersion else ("slug",)
    found = model._default_manager.filter
    return lambda row: found(**{name: row[name] for name in columns}).first()


def delete_imported_rows(event: Event) -> None:
    """Delete formats, formula and card lists that an archive brought for an event.

    Call it once the event is deleted.
    """
    brought = HouseFormat.objects.filter(slug=event.format).exclude(archived_as="")
    FormatVersion.objects.filter(format__in=brought.values("slug")).delete()
    brought.delete()
    SavedFormula.objects.filter(slug=event.formula).exclude(archived_as="").delete()
    if event.card_lists_id is not None:
        CardListVersion.objects.filter(pk=event.card_lists_id, archived=True).delete()
