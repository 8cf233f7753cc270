"""Groups of different sizes: what is said of them, and a whole event by the other comparison."""

import pytest
from django.test import Client

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.events.selectors.rules_in_words import rules_in_words
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
ALL = "all matches count, so the larger groups have more of them"
FEWER = "the matches against the last of the larger groups do not count there"


def groups_of(by, players, uneven):
    options = {"uneven_groups": uneven, "third_place": False}
    event = make.started(by, players, formula="groups-knockout", options=options)
    make.play_stage(event, by)
    return event


@pytest.mark.parametrize(("uneven", "words"), [(0, ALL), (1, FEWER)])
def test_the_pages_say_how_they_are_compared(by, uneven, words) -> None:
    event = groups_of(by, 7, uneven)
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    for page in ("standings", "advance"):
        assert words in client.get(f"/events/{event.slug}/{page}/").content.decode(), page
    assert any(words in sentence for sentence in rules_in_words(event, 7)["formula"])


def test_groups_of_one_size_need_no_words(by) -> None:
    event = groups_of(by, 8, 1)
    shown = Client(headers={"accept-language": "en"}).get(f"/events/{event.slug}/standings/")
    assert ALL not in shown.content.decode()
    assert FEWER not in shown.content.decode()


def test_the_compared_have_as_many_matches_and_the_event_is_sound(by) -> None:
    event = groups_of(by, 11, 1)
    compared = load_facts(event).stages[0].outcome.compared
    for standings in compared.values():
        assert {row.played for row in standings.rows} == {2}
    assert list(verify_event(make.play_event(event, by))) == []
