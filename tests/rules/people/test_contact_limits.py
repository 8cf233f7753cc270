"""Limits of what is kept of a player's contact, and of what an event asks for."""

import pytest

from rules.errors import BadInput
from rules.people.contacts import LONGEST_NUMBER, MOST_DAYS, clean_memberships, terms_of


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        ({"memberships": ["konami", "Konami"]}, "bad_memberships"),
        ({"memberships": ["x" * 500]}, "bad_memberships"),
        ({"days": MOST_DAYS + 1}, "bad_days"),
    ],
)
def test_terms_that_cannot_be_asked_for(stored, code):
    with pytest.raises(BadInput) as refused:
        terms_of(stored)
    assert refused.value.code == code


@pytest.mark.parametrize("text", ["1" * (LONGEST_NUMBER + 1), "---", "1\u202e2"])
def test_a_number_that_is_none(text):
    with pytest.raises(BadInput) as refused:
        clean_memberships({"konami": text})
    assert refused.value.code == "bad_membership"


def test_a_number_that_is_empty_is_left_out():
    assert clean_memberships({"konami": " ", "dci": "1 2"}) == {"dci": "1 2"}
