"""The program that checks transcripts raises no false alarm over honest lives drawn at random."""

import pytest

from tests.chance_registration import registered_by_chance
from tests.lives.by_chance import life_by_chance
from tournaments.exports.views import whole_transcript

pytestmark = pytest.mark.django_db

UNKNOWN = (
    "groups are kept apart there",
    "penalties are not public",
    "players were kept apart in it",
    "people paired it by hand",
    "the log does not tell from which results it was drafted",
)
"""What open data don't tell."""


def is_honest(checked, event):
    """Assert that the program finds nothing wrong, and checks all that can be."""
    code, said = checked(whole_transcript(event), event.head)
    unchecked = [words for words in said.splitlines() if "not checked, because" in words]
    assert "wrong 0" in said, said
    assert all(any(reason in words for reason in UNKNOWN) for words in unchecked), said
    assert code == (3 if unchecked else 0), said


@pytest.mark.parametrize(
    "seed", [5, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(100, 130))]
)
def test_registrations_break_no_law(by, checked, seed):
    formula, places = ("single-group", "swiss-cut")[seed % 2], (None, 5, 8)[seed % 3]
    how_many = 70 if seed >= 100 else 30
    is_honest(checked, registered_by_chance(by, seed, how_many, capacity=places, formula=formula))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(30))
def test_lives_break_no_law(checked, seed):
    is_honest(checked, life_by_chance(seed, 60))
