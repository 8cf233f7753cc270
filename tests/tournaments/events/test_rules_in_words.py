"""The rules of an event as its players read them."""

import pytest

from tests import factories as make
from tournaments.events.selectors.rules_in_words import rules_in_words

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("cut", [0, 2])
def test_a_knock_out_is_spoken_of_where_there_is_one(by, cut, in_english):
    options = {"rounds": 3, "cut": cut}
    event = make.open_event(by, formula="swiss-cut", options=options, format="creatures-of-exo")
    told = rules_in_words(event, 8).time
    assert any("outside a knock-out a level match is a draw" in words for words in told)
    assert any("a judge decides a level match" in words for words in told) == bool(cut)
