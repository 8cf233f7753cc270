"""Save, change, delete and import formulas of organisers."""

from django.core.exceptions import PermissionDenied
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config import transaction
from rules.errors import BadInput, RuleError
from rules.formulas.custom import (
    FormulaDefinition,
    definition_to_json,
    formula_faults,
    read_definition,
)
from tournaments.core.acts import Act, CacheEffect, NoUndo
from tournaments.core.formulas import PREFIX, find_formula_row, formula_from_row, is_saved_formula
from tournaments.core.permissions import Actor, can_create_events
from tournaments.core.slugs import first_free_slug
from tournaments.core.visibility import open_lists_for_formula
from tournaments.log.services import record
from tournaments.models import Event, SavedFormula

FORMULA_CHANGED = Act(
    key="event.formula_changed",
    words=_("Tournament format changed by its author"),
    undo=NoUndo(),
    shows=CacheEffect.TAKES_AWAY,
)


LONGEST_SLUG = 50
MOST_OF_ONE_OWNER = 100


@transaction.atomic
def save_formula(
    *, owner: User, data: object, slug: str | None = None, expected_version: int | None = None
) -> SavedFormula:
    """Save a definition as a new formula, or (``slug``) as a new version; return it.

    Unstarted events use the new version, started ones keep their plan. ``expected_version``: the
    version that the owner saw, None to skip that check.

    Raises BadInput ``bad_formula`` for malformed data, ``formula_faults`` (with ``faults``, the
    messages) if it can't be played, ``unknown_formula``; RuleError ``stale``,
    ``too_many_formulas``; PermissionDenied.
    """
    if not can_create_events(Actor(user=owner)):
        raise PermissionDenied
    definition = check_playable(data)
    if slug is None:
        return _create_formula(owner, definition)
    events = list(
        Event.objects.select_for_update().filter(formula=slug, plan__isnull=True).order_by("pk")
    )
    row = _locked_own_formula(owner, slug)
    if expected_version is not None and row.version != expected_version:
        raise RuleError("stale")
    stored = definition_to_json(definition)
    if row.definition == stored:
        return row
    row.name, row.definition, row.version = definition.name, stored, row.version + 1
    row.save()
    for event in events:
        _adapt_event(event, row, owner)
    return row


@transaction.atomic
def delete_formula(*, owner: User, slug: str) -> None:
    """Delete a saved formula.

    Raises RuleError ``formula_in_use`` if an event uses it.
    """
    row = _locked_own_formula(owner, slug)
    named = tuple(Event.objects.filter(formula=slug).values_list("name", flat=True))
    if named:
        raise RuleError(
            "formula_in_use",
            "This tournament format is used by %(events)s and can’t be deleted.",
            events=named,
        )
    row.delete()


def check_playable(data: object) -> FormulaDefinition:
    """Return the formula definition in ``data``, if it can be played.

    Raises BadInput ``bad_formula``, ``formula_faults``.
    """
    definition = read_definition(data)
    found = formula_faults(definition)
    if found:
        raise BadInput(
            "formula_faults",
            "This tournament format can’t be played. Problems: %(count)s.",
            count=len(found),
            faults=found,
        )
    return definition


def lock_event_formula(event: Event) -> SavedFormula | None:
    """Return an event's saved formula, locked; None for a built-in one.

    In a transaction. Raises BadInput ``unknown_formula``; ``foreign_formula`` if it belongs to
    somebody else.
    """
    if not is_saved_formula(event.formula):
        return None
    row = find_formula_row(SavedFormula.objects.select_for_update(), event.formula)
    if row.owner_id != event.created_by_id:
        raise BadInput(
            "foreign_formula",
            "Not found. Reload the page.",
        )
    return row


def _create_formula(owner: User, definition: FormulaDefinition) -> SavedFormula:
    if SavedFormula.objects.made_here().filter(owner=owner).count() >= MOST_OF_ONE_OWNER:
        raise RuleError(
            "too_many_formulas",
            "At most %(most)s are allowed.",
            most=MOST_OF_ONE_OWNER,
        )
    return SavedFormula.objects.create(
        slug=free_slug(definition.name),
        name=definition.name,
        owner=owner,
        definition=definition_to_json(definition),
    )


def free_slug(name: str) -> str:
    """Return an unused slug for a saved formula with this name."""
    words = slugify(name).replace("_", "-").strip("-")[:LONGEST_SLUG].strip("-")
    first = f"{PREFIX}{words or 'formula'}"
    taken = set(SavedFormula.objects.filter(slug__startswith=first).values_list("slug", flat=True))
    return first_free_slug(first, taken)


def _locked_own_formula(owner: User, slug: str) -> SavedFormula:
    row = find_formula_row(SavedFormula.objects.select_for_update(), slug)
    if row.owner_id != owner.pk:
        raise PermissionDenied
    return row


def _adapt_event(event: Event, row: SavedFormula, owner: User) -> None:
    """Log in an event that its formula has changed; drop open lists of removed stages."""
    kept = open_lists_for_formula(event.open_lists, formula_from_row(row))
    before = {"open_lists": event.open_lists} if kept != event.open_lists else {}
    after = {"open_lists": kept} if before else {}
    event.open_lists = kept
    event.save(update_fields=["open_lists"])
    record(
        event,
        FORMULA_CHANGED,
        by=Actor(user=owner),
        subject=row.name,
        before=before | {"version": row.version - 1},
        after=after | {"version": row.version},
    )
