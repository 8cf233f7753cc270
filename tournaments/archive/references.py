"""Rows that an event refers to without owning them: card lists, house format, saved formula.

Those of an archive are stored as rows of their own for that event alone; rows with the same slug
that exist here are neither used nor changed.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from accounts.models import User
from decks.house_formats.services import free_slug as free_format
from decks.models import CardListVersion, FormatVersion, HouseFormat
from decks.rulebook import is_house
from decks.stored_formats import is_own, shape_of
from rules.deckbuilding.card_lists.lists import read_lists
from rules.deckbuilding.house.formats import base_of
from rules.errors import BadInput
from rules.formulas.custom import faults, read_definition, write_definition
from rules.wording import Sentence
from tournaments.archive.checking import invalid, refusing
from tournaments.archive.writer import SLUGS
from tournaments.core.formulas import is_saved
from tournaments.formulas.services import free_slug as free_formula
from tournaments.models import Event, SavedFormula

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]


def with_free_slugs(tables: Tables) -> dict[str, list[Row]]:
    """Return the tables with slugs of formats and formulas that are free here; up to four queries.

    Raises BadInput ``archive_invalid`` if the event refers to rows that the archive lacks, or the
    archive has rows that the event does not refer to.
    """
    (event,) = tables["events"]
    lists, formats = tables.get("card_lists", []), tables.get("house_formats", [])
    formulas = tables.get("formulas", [])
    if len(lists) != (event.get("card_lists") is not None):
        raise _other_rows_error("card_lists")
    if [row["slug"] for row in formats] != [event["format"]] * is_house(event["format"]):
        raise _other_rows_error("house_formats")
    former = tables.get("format_versions", [])
    if [(row["format"], row["version"]) for row in former] != _former_version(event, formats):
        raise _other_rows_error("format_versions")
    if [row["slug"] for row in formulas] != [event["formula"]] * is_saved(event["formula"]):
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
        with refusing("tables.formulas[0].definition"):
            definition = read_definition(row["definition"])
            for fault in faults(definition):
                raise invalid("tables.formulas[0].definition", fault)
            row["definition"] = write_definition(definition)
    return changed


def _former_version(event: Row, formats: list[Row]) -> list[tuple[object, object]]:
    """Return slug and number of the version that the event began with, if another is present."""
    began = event.get("format_version")
    present = {row.get("version") for row in formats}
    return [] if began is None or began in present else [(event["format"], began)] * bool(formats)


def _other_rows_error(table: str) -> BadInput:
    return invalid(f"tables.{table}", Sentence("It holds other rows than the event names."))


def _format_slug(row: Row) -> str:
    slug = str(row["slug"])
    if base_of(slug) != row["base"]:
        raise invalid("tables.house_formats[0].base", Sentence("The slug names another."))
    taken = HouseFormat.objects.filter(slug=slug).exists()
    return free_format(str(row["base"]), str(row["name"])) if taken else slug


def _formula_slug(row: Row) -> str:
    slug = str(row["slug"])
    taken = SavedFormula.objects.filter(slug=slug).exists()
    return free_formula(str(row["name"])) if taken else slug


def own_columns(model: type[models.Model], row: Row, owner: User | None) -> dict[str, Any]:
    """Return the column values that are set here, whatever the archive holds."""
    if model is CardListVersion:
        return {"archived": True, "owner": owner, "loaded_by": owner}
    if model in (HouseFormat, SavedFormula):
        return {"archived_as": row.get("archived_as", "")}
    return {}


def check_named(one: models.Model) -> None:
    """Parse card lists or a house format. Raises BadInput ``archive_invalid``."""
    if isinstance(one, HouseFormat | FormatVersion):
        slug, key = (
            (one.slug, "house_formats")
            if isinstance(one, HouseFormat)
            else (one.format, "format_versions")
        )
        if one.rules is not None and not is_own(slug):
            words = Sentence("A copy of a format has changes, and no rules of its own.")
            raise invalid(f"tables.{key}[0].rules", words)
        with refusing(f"tables.{key}[0].{'rules' if is_own(slug) else 'changes'}"):
            shape_of(one, slug)
    if isinstance(one, CardListVersion):
        with refusing("tables.card_lists[0].rows"):
            read_lists(one.rows, dated=one.dated)


def named_here(model: type[models.Model]) -> Callable[[Row], models.Model | None]:
    """Return a function that looks up the stored object with a row's slug; one query a call.

    A version of a format is found by slug and number.
    """
    columns = ("format", "version") if model is FormatVersion else ("slug",)
    found = model._default_manager.filter
    return lambda row: found(**{name: row[name] for name in columns}).first()


def discard_brought(event: Event) -> None:
    """Delete the rows that an archive brought for this event, which is deleted already."""
    brought = HouseFormat.objects.filter(slug=event.format).exclude(archived_as="")
    FormatVersion.objects.filter(format__in=brought.values("slug")).delete()
    brought.delete()
    SavedFormula.objects.filter(slug=event.formula).exclude(archived_as="").delete()
    if event.card_lists_id is not None:
        CardListVersion.objects.filter(pk=event.card_lists_id, archived=True).delete()
