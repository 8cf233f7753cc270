"""Formulas by slug: shipped ones, and saved ones, whose slugs begin with ``custom_``.

An event that has not started follows the current formula; a started one has its plan.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from django.db.models import Q

from config.wording import translate
from decks.rulebook import base_format
from rules.errors import BadInput
from rules.formulas import FORMULAS, TABLE_FORMULAS, shipped_formula
from rules.formulas.base import DefaultGames, Formula
from rules.formulas.custom import custom_formula, read_definition
from rules.plans.plan import FormulaPlan
from tournaments.core.mapping import play_of, table_points_of
from tournaments.models import Event, SavedFormula

PREFIX = "custom_"


def is_saved(slug: str) -> bool:
    """Return whether a slug is that of a saved formula."""
    return slug.startswith(PREFIX)


def formula_of(slug: str) -> Formula:
    """Return the formula of a slug; one query for a saved one, none for the others.

    Raises BadInput ``unknown_formula``.
    """
    if is_saved(slug):
        return formula_of_row(saved_formula(slug))
    return shipped_formula(slug)


def saved_formula(slug: str) -> SavedFormula:
    """Return the row of a saved formula; raises BadInput ``unknown_formula``. One query."""
    row = SavedFormula.objects.filter(slug=slug).first()
    if row is None:
        raise BadInput("unknown_formula", "There is no saved formula “%(slug)s” here.", slug=slug)
    return row


def formula_of_row(row: SavedFormula) -> Formula:
    """Return the formula that a row describes. No query."""
    return custom_formula(row.slug, read_definition(row.definition))


def plan_for(event: Event, players: int) -> FormulaPlan:
    """Return the plan of the event for a number of players.

    Games of a match default to those of the game, which may also say what shares count.
    One query for a saved formula, none for the others.
    """
    play = play_of(event)
    games = DefaultGames(match=play.best_of, final=play.final_best_of)
    plan = formula_of(event.formula).plan(players, event.options, games)
    standings = base_format(event.format_key).standings
    if standings is None:
        return plan
    return replace(plan, shares=standings.shares(event.points_win, event.points_draw))


def formulas_offered(owner_id: int | None, present: str = "") -> tuple[Formula, ...]:
    """Return the formulas for an owner's event: the shipped, the owner's, and the ``present`` one.

    One query, none without both.
    """
    shipped = (*FORMULAS, *TABLE_FORMULAS)
    if owner_id is None and not is_saved(present):
        return shipped
    own = Q(slug=present)
    if owner_id is not None:
        own |= Q(owner=owner_id, archived_as="")
    found = SavedFormula.objects.filter(own)
    return (*shipped, *map(formula_of_row, found))


def begins_with_tables(slug: str) -> bool:
    """Return whether events of a formula begin with tables of three and more."""
    return slug in TABLE_FORMULAS


def usual_size(event: Event) -> int:
    """Return how many usually play a match of the first stage."""
    if not begins_with_tables(event.formula):
        return 2
    sizes = formula_of(event.formula).checked(event.options)["sizes"]
    return cast(Sequence[int], sizes)[0]


def formula_labels(slugs: Iterable[str]) -> dict[str, str]:
    """Return the names of formulas by slug, without unknown ones; one query if any is saved."""
    wanted = set(slugs)
    shipped = (*FORMULAS, *TABLE_FORMULAS)
    labels = {known.key: translate(known.label) for known in shipped if known.key in wanted}
    saved = [slug for slug in wanted if is_saved(slug)]
    if saved:
        rows = SavedFormula.objects.filter(slug__in=saved)
        labels |= dict(rows.values_list("slug", "name"))
    return labels


def is_by_place(event: Event) -> bool:
    """Return whether points at the event's tables of three and more go by place."""
    return bool(table_points_of(event).by_place)
