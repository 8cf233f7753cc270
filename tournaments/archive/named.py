"""What an event names though it is not its own: its house format, its formula."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from decks.models import HouseFormat
from rules.errors import RuleError
from rules.formulas.custom import write_definition
from rules.wording import gettext_noop as _
from tournaments.archive.tables import Table
from tournaments.archive.values import value_of
from tournaments.models import SavedFormula
from tournaments.selectors.formulas import is_saved
from tournaments.services.formulas import playable


def house_format(
    row: dict[str, Any], people: Mapping[str, User], caller: User | None
) -> HouseFormat:
    """Return the format as it is here, if it is the same; else store it."""
    known = HouseFormat.objects.filter(slug=row["slug"]).first()
    if known is not None:
        if (known.base, known.changes) != (row["base"], row["changes"]):
            raise RuleError(
                "slug_taken",
                _("There is another house format “%(slug)s” here. Nothing was stored."),
                slug=str(row["slug"]),
            )
        return known
    names = [field.name for field in HouseFormat._meta.concrete_fields if not field.primary_key]
    fields = {name: HouseFormat._meta.get_field(name) for name in names}
    values = {
        name: value_of(field, row[name], {}, people, caller) for name, field in fields.items()
    }
    made = HouseFormat.objects.create(**values)
    HouseFormat.objects.filter(pk=made.pk).update(created_at=values["created_at"])
    return made


def saved_formula(
    row: dict[str, Any],
    table: Table,
    people: Mapping[str, User],
    caller: User | None,
    *,
    has_plan: bool,
) -> SavedFormula:
    """Return the saved formula as it is here, if it is the same; else store it.

    An event that ``has_plan`` is played by that plan, whatever its formula has become since.
    """
    definition = write_definition(playable(row["definition"]))
    known = SavedFormula.objects.filter(slug=row["slug"]).first()
    if known is not None:
        if known.definition != definition and not has_plan:
            raise RuleError(
                "slug_taken",
                _("There is another formula “%(slug)s” here. Nothing was stored."),
                slug=str(row["slug"]),
            )
        return known
    values = {f.name: value_of(f, row[f.name], {}, people, caller) for f in table.columns}
    made = SavedFormula(**(values | {"definition": definition}))
    made.clean_fields(exclude=["id", "owner"])
    if not is_saved(made.slug):
        raise ValueError(made.slug)
    made.save()
    SavedFormula.objects.filter(pk=made.pk).update(created_at=values["created_at"])
    return made
