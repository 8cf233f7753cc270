"""Registrations by chance, up to the end of the event: nothing differs, and every draw is right."""

import pytest

from tests.chance_registration import registered_by_chance
from tests.transcripts import draws_of
from tournaments.exports.views import event_transcript
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.deep]


@pytest.mark.parametrize(
    "seed", [5, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(100, 130))]
)
def test_a_registration_by_chance_is_sound(by, seed):
    formula, places = ("single-group", "swiss-cut")[seed % 2], (None, 5, 8)[seed % 3]
    how_many = 70 if seed >= 100 else 30
    event = registered_by_chance(by, seed, how_many, capacity=places, formula=formula)
    assert list(map(str, verify_event(event))) == []
    draws_of(event_transcript(event))
