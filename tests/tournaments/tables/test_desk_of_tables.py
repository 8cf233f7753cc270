"""The desk of tables of three and more: seats are buttons, the line says names before Enter."""

import re

import pytest
from django.utils.translation import override

from rules.matches.tables.claims import TableClaim
from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.core.permissions import Actor
from tournaments.models import Match
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.table_reports import contradict_result
from tournaments.rounds.selectors.desk_rows import row_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 4, **make.TABLES)


def match_of(event):
    return Match.objects.select_related("round__event", "group__stage").get(round__event=event)


def names(event):
    return [player.display_name for player in match_of(event).players]


def row(event):
    with override("en"):
        return row_of(match_of(event))


def tones(event):
    return [(seat.words, seat.tone) for seat in row(event).seats]


def test_each_seat_is_a_button_that_says_it_won(event, by):
    client, match = signed_in(by), match_of(event)
    page = text(client.get(url("desk", event)))
    assert re.findall(r'seat "\s+name="text" value="(\d)"', page) == ["1", "2", "3", "4"]
    assert "Seats: tap who won" in page
    client.post(url("desk-save", event, match.pk), {"version": 0, "text": "3"})
    assert match_of(event).decision.places == [2, 2, 1, 2]
    assert tones(event) == [("", ""), ("", ""), ("wins", "won"), ("", "")]
    assert 'value="3"' not in text(client.get(url("desk", event))).partition("data-match")[2]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3", "{2} wins"),
        ("3124", "1st {2}, 2nd {0}, 3rd {1}, 4th {3}"),
        ("=13", "Drawn between {0} – {2}"),
        ("0", "Nobody wins"),
        ("1 a2", "{0} wins, absent: {1}"),
    ],
)
def test_the_line_says_names_and_stores_nothing(event, by, typed, said):
    answer = signed_in(by).get(url("desk-said", event, match_of(event).pk), {"text": typed})
    assert (answer.status_code, text(answer)) == (200, said.format(*names(event)))
    assert match_of(event).version == 0


def test_the_line_says_why_a_result_cannot_be(event, by):
    answer = signed_in(by).get(url("desk-said", event, match_of(event).pk), {"text": "25"})
    assert answer.status_code == 400
    assert "names seat 5; this table has 4 seats" in text(answer)


def test_a_report_is_shown_at_its_seat_with_how_many_agree(event, by):
    first, second, third, _fourth = match_of(event).players
    report_result(match=match_of(event), claim=TableClaim(winner=2), by=Actor(entry=first))
    assert tones(event)[1] == ("wins", "claimed")
    assert row(event).agreed == "1 of 4, 2 more are enough"
    confirm_result(match=match_of(event), version=1, by=Actor(entry=third))
    assert row(event).agreed == "2 of 4, one more is enough"
    assert ">Accept<" in re.sub(r"\s*([<>])\s*", r"\1", text(signed_in(by).get(url("desk", event))))
    contradict_result(match=match_of(event), version=2, by=Actor(entry=second))
    assert [tone for _words, tone in tones(event)] == ["", "disputed", "", ""]


def test_what_became_of_each_seat(event, by):
    client, match = signed_in(by), match_of(event)
    client.post(url("desk-save", event, match.pk), {"version": 0, "text": "=13 a4"})
    assert tones(event) == [("draws", "drawn"), ("", ""), ("draws", "drawn"), ("absent", "away")]


def test_the_panel_names_the_seats_and_takes_what_is_typed(event, by):
    client, match = signed_in(by), match_of(event)
    page = text(client.get(url("desk-result", event, match.pk), {"text": "="}))
    assert all(name in page for name in names(event))
    assert "Possible" in page or "drawn between" in page
    client.post(url("desk-result", event, match.pk), {"version": 0, "text": "2143", "note": ""})
    assert match_of(event).decision.places == [2, 1, 4, 3]
    assert [words for words, _tone in tones(event)] == ["2nd", "1st", "4th", "3rd"]
