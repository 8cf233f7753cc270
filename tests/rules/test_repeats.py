"""When the next event of a chain is, what it is called, and who came to the last ones."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from rules.events.repeats import next_event_name, next_start, resolve_local_time
from rules.people.appearances import Appearance, find_regulars, is_expected


def at(text: str) -> datetime:
    """Return a local time."""
    return datetime.fromisoformat(text)


NOW = at("2026-11-28 12:00")
FRIDAY = at("2026-11-27 20:30")


@pytest.mark.parametrize(
    ("last", "before", "start"),
    [
        (FRIDAY, None, "2026-12-04"),
        (FRIDAY, at("2026-11-20 20:30"), "2026-12-04"),
        (FRIDAY, at("2026-11-13 20:30"), "2026-12-11"),
        (FRIDAY, at("2026-11-24 18:00"), "2026-11-30"),  # every three days
        (at("2026-11-06 20:30"), at("2026-10-02 20:30"), "2026-12-04"),  # 1st Friday
        (at("2026-12-04 20:30"), at("2026-11-06 20:30"), "2027-01-01"),  # 1st Friday
        (at("2027-01-29 20:30"), at("2026-12-25 20:30"), "2027-03-05"),  # 5th, 4th
        (FRIDAY, at("2026-12-04 20:30"), "2026-12-04"),  # the other way round
        (FRIDAY, at("2020-11-27 20:30"), "2026-12-04"),  # years ago
        (at("2026-10-02 20:30"), None, "2026-12-04"),  # never in the past: whole weeks
        (at("2026-11-21 12:00"), None, "2026-12-05"),  # nor just now
    ],
)
def test_the_next_event_is_as_far_as_the_last_two_are_apart(last, before, start):
    found = next_start(last, before, NOW)
    assert found == datetime.combine(date.fromisoformat(start), last.time())


def test_the_last_weekday_of_a_month_stays_the_last_where_there_is_no_fifth():
    found = next_start(at("2026-12-31 20:00"), at("2026-11-26 20:00"), NOW)
    assert found == at("2027-02-04 20:00")  # fourth and fifth Thursday: five weeks
    fifth = at("2027-08-31 20:00")  # the fifth Tuesday after that of June
    assert next_start(fifth, at("2027-06-29 20:00"), NOW) == at("2027-11-02 20:00")


def test_the_hour_stays_when_clocks_change():
    rome = ZoneInfo("Europe/Rome")
    for day in (23, 30):
        assert resolve_local_time(at(f"2026-10-{day} 20:30"), rome).hour == 20
    skipped = resolve_local_time(at("2027-03-28 02:30"), rome)
    assert (skipped.hour, skipped.minute) == (3, 30)
    twice = resolve_local_time(at("2026-10-25 02:30"), rome)
    assert twice.utcoffset() == resolve_local_time(at("2026-10-25 01:00"), rome).utcoffset()


DAYS = (date(2026, 11, 20), date(2026, 11, 27), date(2026, 12, 4))


@pytest.mark.parametrize(
    ("name", "before", "following"),
    [
        ("Friday Night", "Friday Night", "Friday Night"),
        ("FNM #12", "", "FNM #13"),
        ("Week 09", "", "Week 10"),
        ("3ª tappa", "", "4ª tappa"),
        ("21st Friday", "", "22nd Friday"),
        ("112TH FRIDAY", "", "113TH FRIDAY"),
        ("Torneo 3", "Torneo 2", "Torneo 4"),
        ("Torneo 3", "Torneo 1", "Torneo 5"),
        ("Torneo 3", "Torneo 9", "Torneo 4"),
        ("Lega 4 - tappa 2", "Lega 3 - tappa 2", "Lega 5 - tappa 2"),
        ("1st Friday", "0th Friday", "2nd Friday"),
        ("Lega 2026", "", "Lega 2026"),
        ("Yu-Gi-Oh! 2009", "", "Yu-Gi-Oh! 2009"),
        ("Yu-Gi-Oh! 2009 n. 4", "", "Yu-Gi-Oh! 2009 n. 5"),
        ("Swiss + top 8", "", "Swiss + top 8"),
        ("Commander 1v1, ore 20:30", "", "Commander 1v1, ore 20:30"),
        ("Modern del 27 novembre", "", "Modern del 4 dicembre"),
        ("27 Novembre 2026 Draft", "", "4 Dicembre 2026 Draft"),
        ("27 NOV – Draft", "", "4 DIC – Draft"),
        ("Draft 27th November", "", "Draft 4th December"),
        ("FNM November 27, 2026", "", "FNM December 4, 2026"),
        ("FNM 27/11/2026", "", "FNM 04/12/2026"),
        ("FNM 27.11.", "", "FNM 04.12."),
        ("FNM 11/27", "", "FNM 12/04"),
        ("2026-11-27 Pauper", "", "2026-12-04 Pauper"),
        ("26/11 Pauper", "", "26/11 Pauper"),  # another day
        ("Serata 12 – 27 novembre", "Serata 11 – 20 novembre", "Serata 13 – 4 dicembre"),
    ],
)
def test_the_number_or_the_date_of_a_name_goes_on(name, before, following):
    assert next_event_name(name, before, DAYS, "it") == following


def test_a_short_month_of_both_languages_is_of_the_readers():
    assert next_event_name("27 nov", "", DAYS, "en") == "4 dec"


def player(event, number, name="anna", **more):
    return Appearance(place=(event, number), name=(name,), **more)


def times(*players):
    """Return the places of each regular and how often they came."""
    return [(one.places, one.times) for one in find_regulars(players)]


def test_one_name_is_one_person_counted_by_events():
    found = times(player(1, 1), player(2, 7), player(3, 2), player(1, 2, "bea"))
    assert found == [(((1, 1), (2, 7), (3, 2)), 3), (((1, 2),), 1)]
    assert [is_expected(each, 4) for each in (1, 2, 3)] == [False, True, True]


def test_who_is_in_already_is_not_offered_by_name_account_number_or_origin():
    assert times(player(0, 1), player(1, 5)) == []
    assert times(player(0, 1, "a. rossi", account=3), player(1, 5, account=3)) == []
    held = frozenset({("dci", "77")})
    assert times(player(0, 1, "ann", memberships=held), player(1, 5, memberships=held)) == []
    assert times(player(0, 1, "ann", origin=(1, 5)), player(1, 5)) == []


def test_twins_are_told_apart_by_their_clubs():
    milan, rome = {"club": "milano"}, {"club": "roma"}
    twins = (player(1, 1, **milan), player(1, 2, **rome), player(2, 4, **rome))
    assert times(*twins) == [(((1, 2), (2, 4)), 2), (((1, 1),), 1)]
    assert times(player(0, 1, **rome), *twins) == [(((1, 1),), 1)]
    assert times(player(0, 1), *twins) == []  # one of them: nobody knows which
    assert [each for _places, each in times(player(1, 1), player(1, 2), player(2, 3))] == [1, 1, 1]


def test_who_never_came_or_was_barred_once_is_no_regular():
    assert times(player(1, 1, came=False)) == []
    assert times(player(1, 1, came=False), player(2, 3)) == [(((2, 3),), 1)]
    assert times(player(1, 1, barred=True), player(2, 3)) == []
