"""Formulas that organisers have saved: stored, changed, deleted, and played by their events."""

import json

import pytest
from django.core.exceptions import PermissionDenied

from accounts.models import User
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.rules.formulas import definitions
from tests.rules.formulas.definitions import Data
from tournaments.core.formulas import formula_of
from tournaments.formulas import services as formulas
from tournaments.models import SavedFormula

pytestmark = pytest.mark.django_db


def groups(lowest: int = 6, highest: int = 10, name: str = "Due gironi") -> Data:
    """Return two groups, one of their best and the first of the start, and a final."""
    return definitions.formula(
        definitions.stage("Gironi", "round_robin", *map(definitions.group, "AB")),
        definitions.stage(
            "Attesa",
            "round_robin",
            definitions.group(
                "X",
                {"start": 1},
                *(definitions.rank(1, group, rank) for rank in (1, 2) for group in "AB"),
            ),
        ),
        definitions.stage(
            "Finale",
            "knockout",
            definitions.group("F", definitions.rank(2, "X", 1), definitions.rank(2, "X", 2)),
        ),
        lowest=lowest,
        highest=highest,
        name=name,
    )


def saved(owner: User, data: object = None) -> SavedFormula:
    return formulas.save_formula(owner=owner, data=data or groups())


def test_a_formula_is_stored_as_it_is_exported(owner: User) -> None:
    row = saved(owner)
    assert (row.slug, row.name, row.version) == ("custom_due-gironi", "Due gironi", 1)
    again = saved(owner, json.loads(json.dumps(row.definition)))
    assert (again.slug, again.definition) == ("custom_due-gironi-2", row.definition)
    assert formula_of(row.slug).minimum == 6


def test_a_change_raises_the_version_and_an_older_one_is_refused(owner: User) -> None:
    row = saved(owner)
    data = groups(name="Altro")
    changed = formulas.save_formula(owner=owner, data=data, slug=row.slug, expected_version=1)
    assert (changed.slug, changed.name, changed.version) == (row.slug, "Altro", 2)
    with pytest.raises(RuleError) as stale:
        formulas.save_formula(owner=owner, data=groups(), slug=row.slug, expected_version=1)
    assert stale.value.code == "stale"
    same = formulas.save_formula(owner=owner, data=data, slug=row.slug, expected_version=2)
    assert same.version == 2


def test_what_can_not_be_played_is_not_stored(owner: User) -> None:
    data = groups()
    data["stages"][2]["groups"][0]["entrants"].pop()
    with pytest.raises(BadInput) as refused:
        saved(owner, data)
    assert refused.value.code == "formula_faults"
    (fault,) = refused.value.sentence.values["faults"]  # type: ignore[misc]
    assert str(fault).startswith("Stage 3, Finale, group F: ")
    assert not SavedFormula.objects.exists()


def test_nobody_changes_or_deletes_what_others_have_saved(owner: User) -> None:
    row, other = saved(owner), make.user(can_create_events=True)
    for act in (
        lambda: formulas.save_formula(owner=other, data=groups(), slug=row.slug),
        lambda: formulas.delete_formula(owner=other, slug=row.slug),
        lambda: saved(make.user(can_create_events=False)),
    ):
        with pytest.raises(PermissionDenied):
            act()
    with pytest.raises(BadInput):
        formulas.delete_formula(owner=owner, slug="custom_nobody")


def test_there_is_an_end_to_the_number_of_formulas(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formulas, "MOST_OF_ONE_OWNER", 1)
    saved(owner)
    with pytest.raises(RuleError) as refused:
        saved(owner)
    assert refused.value.code == "too_many_formulas"


@pytest.mark.parametrize("name", ["---", "数", "a_b c", "x" * 80])
def test_every_name_makes_a_slug(owner: User, name: str) -> None:
    if name == "---":
        with pytest.raises(BadInput):
            saved(owner, groups(name=name))
        return
    slugs = {saved(owner, groups(name=name)).slug for _again in range(3)}
    assert len(slugs) == 3
    assert all(slug.startswith("custom_") and len(slug) <= 60 for slug in slugs)
