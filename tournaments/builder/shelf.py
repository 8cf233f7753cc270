"""The formulas that somebody has saved, with what they play and which events use them."""

from collections import defaultdict
from dataclasses import dataclass

from accounts.models import User
from rules.formulas.custom import custom_formula, read_definition
from tournaments.builder.preview import StageRow, stage_rows
from tournaments.models import Event, SavedFormula


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfRow:
    """A saved formula; ``stages`` with its most players, ``events`` are slugs and names."""

    slug: str
    name: str
    about: str
    lowest: int
    highest: int
    stages: tuple[StageRow, ...]
    events: tuple[tuple[str, str], ...]


def shelf(user: User) -> tuple[ShelfRow, ...]:
    """Return somebody's formulas by name. Two queries."""
    rows = list(SavedFormula.objects.made_here().filter(owner=user))
    using = events_by_formula([row.slug for row in rows])
    return tuple(_row(row, using.get(row.slug, [])) for row in rows)


def events_by_formula(slugs: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Return slug and name of the events that name these formulas. One query."""
    found = defaultdict(list)
    named = Event.objects.filter(formula__in=slugs).order_by("name")
    for formula, slug, name in named.values_list("formula", "slug", "name"):
        found[formula].append((slug, name))
    return found


def _row(row: SavedFormula, events: list[tuple[str, str]]) -> ShelfRow:
    definition = read_definition(row.definition)
    plan = custom_formula(row.slug, definition).plan(definition.highest)
    return ShelfRow(
        slug=row.slug,
        name=row.name,
        about=definition.about,
        lowest=definition.lowest,
        highest=definition.highest,
        stages=stage_rows(plan),
        events=tuple(events),
    )
