"""Formulas by slug (shipped ones, and saved ones, whose slugs begin with ``custom_``), their
options in words, and what a result is worth.

An event that has not started follows the current formula; a started one has its plan.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import cast

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from config.wording import translate
from decks.stored_formats import base_format
from rules.errors import BadInput
from rules.formulas import FORMULAS, TABLE_FORMULAS, shipped_formula
from rules.formulas.base import DefaultGames, Formula, Option
from rules.formulas.custom import custom_formula, read_definition
from rules.numbers import scale_points
from rules.plans import FormulaPlan
from rules.stages.base import has_multiplayer_tables
from tournaments.core.mapping import event_table_points, match_defaults, stored_plan
from tournaments.models import Event, SavedFormula

PREFIX = "custom_"


def is_saved_formula(slug: str) -> bool:
    """Return whether a slug belongs to a user's saved formula, not a built-in one."""
    return slug.startswith(PREFIX)


def formula_by_slug(slug: str) -> Formula:
    """Return the formula (tournament format) of a slug; one query for a saved one.

    Raises BadInput ``unknown_formula``.
    """
    if is_saved_formula(slug):
        return formula_from_row(saved_formula(slug))
    return shipped_formula(slug)


def saved_formula(slug: str) -> SavedFormula:
    """Return the model instance of a saved formula; one query.

    Raises BadInput ``unknown_formula``.
    """
    return find_formula_row(SavedFormula.objects.all(), slug)


def find_formula_row(rows: QuerySet[SavedFormula], slug: str) -> SavedFormula:
    """Return the instance with this slug from a queryset; one query.

    Raises BadInput ``unknown_formula``.
    """
    row = rows.filter(slug=slug).first()
    if row is None:
        raise BadInput("unknown_formula", "Choose one of the options.", slug=slug)
    return row


def formula_from_row(row: SavedFormula) -> Formula:
    """Return the formula of a model instance; no query."""
    return custom_formula(row.slug, read_definition(row.definition))


def build_plan(event: Event, players: int) -> FormulaPlan:
    """Return the plan of stages of an event's tournament format for ``players``.

    Games per match and the counting of percentages default to those of the card game. One query for
    a saved formula.
    """
    play = match_defaults(event)
    games = DefaultGames(match=play.best_of, final=play.final_best_of)
    plan = formula_by_slug(event.formula).plan(players, event.options, games)
    standings = base_format(event.format_key).standings
    if standings is None:
        return plan
    return replace(plan, shares=standings.shares(event.points_win, event.points_draw))


def available_formulas(owner_id: int | None, present: str = "") -> tuple[Formula, ...]:
    """Return the formulas that an event can choose.

    They are built-in, the owner's, and ``present``. ``owner_id``: account whose saved formulas are
    included. ``present``: slug of the event's own choice. At most one query.
    """
    shipped = (*FORMULAS, *TABLE_FORMULAS)
    if owner_id is None and not is_saved_formula(present):
        return shipped
    own = Q(slug=present)
    if owner_id is not None:
        own |= Q(owner=owner_id, archived_as="")
    found = SavedFormula.objects.filter(own)
    return (*shipped, *map(formula_from_row, found))


def is_multiplayer(slug: str) -> bool:
    """Return whether a formula has multiplayer tables in its first stage.

    ``slug``: the formula's.
    """
    return slug in TABLE_FORMULAS


def default_match_size(event: Event) -> int:
    """Return the preferred number of players in a match of the event's first stage."""
    if not is_multiplayer(event.formula):
        return 2
    sizes = formula_by_slug(event.formula).checked(event.options)["sizes"]
    return cast(Sequence[int], sizes)[0]


def formula_labels(slugs: Iterable[str]) -> dict[str, str]:
    """Return {slug: label} without unknown slugs; one query if any is saved."""
    wanted = set(slugs)
    shipped = (*FORMULAS, *TABLE_FORMULAS)
    labels = {known.key: translate(known.label) for known in shipped if known.key in wanted}
    saved = [slug for slug in wanted if is_saved_formula(slug)]
    if saved:
        rows = SavedFormula.objects.filter(slug__in=saved)
        labels |= dict(rows.values_list("slug", "name"))
    return labels


def awards_points_by_place(event: Event) -> bool:
    """Return whether multiplayer tables award points by place instead of by result."""
    return bool(event_table_points(event).by_place)


def table_sizes_text(sizes: Sequence[object]) -> str:
    """Return table sizes as text, the preferred one first: "4, 3, 5".

    A single size: "4; players left over get a bye".
    """
    first, *others = sizes
    if not others:
        return _("%(size)s; players left over get a bye") % {"size": first}
    return ", ".join(map(str, (first, *others)))


def option_texts(option: Option, value: object) -> Iterator[tuple[str, str]]:
    """Yield (label, value) of a formula's option as text, one for each list item.

    Yields nothing for an invalid value.
    """
    label = translate(option.label)
    named = {str(choice.value): translate(choice.label) for choice in option.choices}
    match value:
        case bool():
            yield label, _("yes") if value else _("no")
        case int() | str():
            yield label, named.get(str(value), str(value))
        case [*sizes] if option.kind == "sizes" and sizes:
            yield label, table_sizes_text(sizes)
        case [*values]:
            for item, each in zip(option.items, values, strict=False):
                yield f"{label}: {translate(item)}", named.get(str(each), str(each))


def result_points(event: Event) -> tuple[Fraction, Fraction, Fraction]:
    """Return the points for (win, draw, loss)."""
    parts = event.points_parts or 1
    return (
        Fraction(event.points_win, parts),
        Fraction(event.points_draw, parts),
        Fraction(event.points_loss, parts),
    )


def points_columns(win: Fraction, draw: Fraction, loss: Fraction) -> dict[str, int | None]:
    """Return {column of Event: value} for storing these points of a match."""
    (win_parts, draw_parts, loss_parts), parts = scale_points((win, draw, loss))
    return {
        "points_win": win_parts,
        "points_draw": draw_parts,
        "points_loss": loss_parts,
        "points_parts": None if parts == 1 else parts,
    }


def allows_half_byes(event: Event) -> bool:
    """Return whether the event can award half-point byes.

    That takes fractional points and no stage with multiplayer tables.
    """
    in_halves = (event.points_parts or 1) > 1
    return in_halves and not (
        event.plan and any(map(has_multiplayer_tables, stored_plan(event).stages))
    )
