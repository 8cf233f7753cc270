"""Preview of a formula for its fewest and most players (stages, groups, rounds, matches), and the
rows of saved formulas.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import translate
from rules.formulas.adviser import matches_by_round
from rules.formulas.custom import Definition, custom_formula, read_definition
from rules.formulas.describe import rounds_in
from rules.formulas.single_group import groups_all_going_on
from rules.plans import FormulaPlan, StagePlan
from tournaments.diagrams.selectors.brackets import Column
from tournaments.diagrams.selectors.formula_layout import picture, plan_columns
from tournaments.models import Event, SavedFormula

MOST_DRAWN = 128  # players; a larger picture is unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """A stage in a preview."""

    label: str
    groups: str
    players: int
    rounds: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A formula for one number of players: rows by stage, and a picture unless too large.

    ``warnings`` say which groups put nobody out.
    """

    players: int
    rows: tuple[StageRow, ...]
    columns: tuple[Column, ...]
    picture: dict[str, Any] | None
    warnings: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """Return the total number of rounds."""
        return sum(row.rounds for row in self.rows)

    @property
    def matches(self) -> int:
        """Return the total number of matches."""
        return sum(row.matches for row in self.rows)


def previews(definition: Definition) -> tuple[Preview, ...]:
    formula = custom_formula("preview", definition)
    numbers = dict.fromkeys((definition.lowest, definition.highest))
    return tuple(_preview(formula.plan(players)) for players in numbers)


def stage_rows(plan: FormulaPlan) -> tuple[StageRow, ...]:
    return tuple(
        StageRow(
            label=translate(stage.label),
            groups=sizes_in_words(stage),
            players=stage.size,
            rounds=rounds_in(stage),
            matches=sum(matches_by_round(stage)),
        )
        for stage in plan.stages
    )


def sizes_in_words(stage: StagePlan) -> str:
    """Return the group sizes as text: "4 groups of 4", "2 of 4, 1 of 3"; or the total."""
    sizes = Counter(len(group.seats) for group in stage.groups)
    if len(stage.groups) == 1:
        return _("%(players)s players") % {"players": stage.size}
    if len(sizes) == 1:
        (size,) = sizes
        return _("%(groups)s groups of %(size)s") % {"groups": len(stage.groups), "size": size}
    each = [_("%(groups)s of %(size)s") % {"groups": n, "size": size} for size, n in sizes.items()]
    return _("groups: %(sizes)s") % {"sizes": ", ".join(each)}


def _preview(plan: FormulaPlan) -> Preview:
    if plan.players > MOST_DRAWN:
        return Preview(
            players=plan.players,
            rows=stage_rows(plan),
            columns=(),
            picture=None,
            warnings=_warnings(plan),
        )
    columns = plan_columns(plan)
    return Preview(
        players=plan.players,
        rows=stage_rows(plan),
        columns=columns,
        picture=picture(columns),
        warnings=_warnings(plan),
    )


def _warnings(plan: FormulaPlan) -> tuple[str, ...]:
    words = _("%(stage)s: groups of %(size)s of which %(size)s go on put nobody out.")
    return tuple(
        words % {"stage": translate(stage.label), "size": size}
        for stage, size in groups_all_going_on(plan)
    )


def saved_formula_rows(user: User) -> tuple[dict[str, Any], ...]:
    """Return a user's formulas by name; two queries."""
    rows = list(SavedFormula.objects.made_here().filter(owner=user))
    using = events_by_formula([row.slug for row in rows])
    return tuple(_row(row, using.get(row.slug, [])) for row in rows)


def events_by_formula(slugs: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Return (slug, name) of the events that use these formulas; one query."""
    found = defaultdict(list)
    named = Event.objects.filter(formula__in=slugs).order_by("name")
    for formula, slug, name in named.values_list("formula", "slug", "name"):
        found[formula].append((slug, name))
    return found


def _row(row: SavedFormula, events: list[tuple[str, str]]) -> dict[str, Any]:
    """A saved formula; ``stages`` with its most players, ``events`` are slugs and names."""
    definition = read_definition(row.definition)
    plan = custom_formula(row.slug, definition).plan(definition.highest)
    return {
        "slug": row.slug,
        "name": row.name,
        "about": definition.about,
        "lowest": definition.lowest,
        "highest": definition.highest,
        "stages": stage_rows(plan),
        "events": tuple(events),
    }
