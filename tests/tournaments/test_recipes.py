"""A copied event is the one that the services build, row by row."""

import re
from typing import Any

import pytest
from django.db import connection, transaction

from tests import factories as make
from tests.around import tables
from tests.recipes import KITCHEN, last_keys
from tournaments.models import SavedFormula

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="Only SQLite's events are copied."),
]
PASSING = re.compile(r"datetime\([^)]*\)|\d{4}-\d\d-\d\d[ T][\d:.+Z]*|\b[0-9a-f]{16,}\b")


def rows(build: Any, by: Any) -> list[Any]:
    """Return all rows after an event was made, which is then taken back."""
    with transaction.atomic():
        build(by, 5, formula="single-group", name="Da copiare")
        found = tables()
        transaction.set_rollback(True)
    return found


def lasting(found: list[Any]) -> list[str]:
    """Return each row's text without moments, and without what is drawn or made from moments."""
    return [PASSING.sub("", repr(row)) for table in found for row in table]


@pytest.mark.deep
@pytest.mark.parametrize("recipe", [make.started, make.played], ids=["started", "played"])
def test_a_copy_is_what_was_built(by, recipe):
    first, copied = rows(recipe, by), rows(recipe, by)
    assert sum(map(len, copied)) > 12
    assert copied == first
    assert lasting(copied) == lasting(rows(recipe.__wrapped__, by))


def test_another_organiser_and_other_settings_are_another_event(by):
    one = make.started(by, 4)
    other = make.started(make.organiser(), 4, name="Altro")
    assert (other.name, other.created_by_id) == ("Altro", by.user.pk + 1)
    assert one.slug != other.slug


def test_patched_code_builds_anew(by, monkeypatch):
    make.started(by, 3, name="Nomi")
    monkeypatch.setattr(make, "player_name", lambda index: f"Zeta {index}")
    assert not KITCHEN.serves()
    names = make.started(by, 3, name="Nomi").entries.values_list("name", flat=True)
    assert set(names) == {"Zeta 0", "Zeta 1", "Zeta 2"}


def test_rows_that_went_leave_the_kitchen_open(by):
    SavedFormula.objects.create(owner=by.user, name="Mia", definition={}).delete()
    assert last_keys()["tournaments_savedformula"]
    known = len(KITCHEN.dishes)
    make.started(by, 3, name="Dopo")
    assert len(KITCHEN.dishes) == known + 1


def test_saved_formulas_build_anew(by):
    known = len(KITCHEN.dishes)
    SavedFormula.objects.create(owner=by.user, name="Mia", definition={})
    make.started(by, 3, name="Con formule")
    assert len(KITCHEN.dishes) == known
