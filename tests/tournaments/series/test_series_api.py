"""A series through the API: its events, points, table and people, and what is refused."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.events import services as events
from tournaments.models import Entry, Event, FinalRows, Series, SeriesLine, SeriesStaff

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/series/"
LEAGUE = {"match_points": 1, "taking_part": 1}


def evening(by, players: int = 4, **values: Any) -> Event:
    """Return a finished round robin; Carlo wins, then Ada, Bea and Dora: 9, 6, 3 and 0 points."""
    return make.played(by, players, formula="single-group", **values)


def league(api: APIClient, *slugs: str, **values: Any) -> str:
    """Create a series in which a name is a person, and return its address."""
    sent = {"name": "Lega", "events": slugs, "points": LEAGUE, "names_are_people": True} | values
    answer = api.post(ROOT, sent, format="json")
    assert answer.status_code == 201, answer.json()
    return f"{ROOT}{answer.json()['slug']}/"


def rows(api: APIClient, at: str) -> list[tuple[int, str, Any]]:
    """Return (rank, name, points) of the table."""
    table = api.get(f"{at}table/").json()["table"]
    return [(row["rank"], row["name"], row["points"]) for row in table]


def refused(answer: Any, status: int, code: str, path: str | None = None) -> None:
    told = answer.json()
    assert (answer.status_code, told["code"]) == (status, code), told
    if path is not None:
        assert told["path"] == path, told


@pytest.mark.deep
def test_two_evenings_make_a_table(api, by):
    first, second = evening(by), evening(by)
    at = league(api, first.slug, second.slug)
    assert rows(api, at) == [(1, "Carlo", 20), (2, "Ada", 14), (3, "Bea", 8), (4, "Dora", 2)]
    told = api.get(f"{at}table/").json()
    assert told["tied"] == []
    assert told["table"][1]["placed_by"] == "points"
    assert told["table"][0]["results"][second.slug] == {
        "number": 3,
        "place": 1,
        "points": 10,
        "counts": True,
    }


def test_points_by_place_and_the_best_results(api, by):
    slugs = [evening(by).slug, evening(by).slug]
    at = league(
        api, *slugs, points={"by_place": [10, "15/2", 6], "best": 1, "factor": {slugs[1]: 2}}
    )
    table = api.get(f"{at}table/").json()["table"]
    assert [(row["name"], row["points"]) for row in table] == [
        *(("Carlo", 20), ("Ada", 15), ("Bea", 12), ("Dora", 0)),
    ]
    assert [table[1]["results"][slug]["counts"] for slug in slugs] == [False, True]


@pytest.mark.deep
def test_a_running_event_counts_once_it_is_finished(api, by):
    first = evening(by)
    running = make.halfway(by, 4, formula="single-group")
    at = league(api, first.slug, running.slug)
    before = rows(api, at)
    assert before[0] == (1, "Carlo", 10)
    make.play_event(running, by)
    assert rows(api, at)[0] == (1, "Carlo", 20)


def test_a_corrected_event_corrects_the_table(api, by):
    only = evening(by)
    at = league(api, only.slug)
    assert rows(api, at)[0] == (1, "Carlo", 10)
    kept = FinalRows.objects.get(event=only).head
    carlo = only.entries.get(name="Carlo")
    events.change_event_state(event=only, action="reopen", by=by)
    assert rows(api, at) == []
    Entry.objects.filter(pk=carlo.pk).update(status=Entry.Status.DISQUALIFIED)
    events.change_event_state(event=only, action="finish", by=by)
    assert "Carlo" not in [name for _rank, name, _points in rows(api, at)]
    assert FinalRows.objects.get(event=only).head != kept


@pytest.mark.deep
def test_nothing_is_computed_twice(api, by, django_assert_max_num_queries):
    at = league(api, *(evening(by).slug for _each in range(3)))
    rows(api, at)
    with django_assert_max_num_queries(6):  # two of the session, one of the token's user
        rows(api, at)


@pytest.mark.deep
def test_bonus_and_penalty_are_logged_and_stay_as_they_are(api, by):
    at = league(api, evening(by).slug)
    people = {one["name"]: one["person"] for one in api.get(f"{at}people/").json()["people"]}
    given = [
        {"person": people["Dora"], "points": 3, "reason": "Ha portato amici"},
        {"person": people["Carlo"], "points": "-7/2", "reason": "Ritardo"},
    ]
    answer = api.patch(at, {"points": LEAGUE | {"adjustments": given}}, format="json")
    assert answer.status_code == 200, answer.json()
    expected = [(1, "Ada", 7), (2, "Carlo", "13/2"), (3, "Bea", 4), (4, "Dora", 4)]
    assert rows(api, at) == expected
    series = Series.objects.get()
    first = [*series.adjustments.values_list("pk", "points", "reason")]
    api.patch(at, {"points": answer.json()["points"]}, format="json")
    assert [*series.adjustments.values_list("pk", "points", "reason")] == first
    api.patch(at, {"points": LEAGUE | {"adjustments": given[:1]}}, format="json")
    assert series.adjustments.count() == 1
    assert [line.number for line in SeriesLine.objects.filter(series=series)] == [1, 2, 3, 4]


@pytest.mark.deep
def test_a_short_person_stands_behind_all_others(api, by):
    slugs = [evening(by).slug, make.played(by, 3, formula="single-group").slug]
    at = league(api, *slugs, points={"by_place": [3, 2, 1], "taking_part": 1, "least_events": 2})
    table = api.get(f"{at}table/").json()["table"]
    assert [row["name"] for row in table if row.get("short")] == ["Dora"]
    assert table[-1]["name"] == "Dora"


# --- Who is who -----------------------------------------------------------------------------
def test_namesakes_are_suggested_joined_and_parted(api, by):
    first, second = evening(by), evening(by)
    at = league(api, first.slug, second.slug, names_are_people=False)
    assert len(rows(api, at)) == 8
    doubts = api.get(f"{at}people/").json()["suggestions"]
    assert len(doubts) == 4
    pair = doubts[0]["people"]
    answer = api.post(f"{at}same/", {"entries": [one["entries"][0] for one in pair]}, format="json")
    assert answer.status_code == 201
    person = answer.json()["person"]
    assert len(rows(api, at)) == 7
    assert len(api.get(f"{at}people/").json()["suggestions"]) == 3
    assert api.delete(f"{at}same/{person}/").status_code == 204
    assert len(rows(api, at)) == 8
    assert len(api.get(f"{at}people/").json()["suggestions"]) == 3  # decided: not asked again
    refused(api.delete(f"{at}same/{person}/"), 409, "person_gone")


@pytest.mark.deep
def test_joining_takes_back_only_what_kept_the_joined_apart(api, by):
    slugs = [evening(by).slug for _each in range(3)]
    at = league(api, *slugs, names_are_people=False)

    def decide(*events: str, same: bool) -> int:
        sent = {"entries": [[slug, 1] for slug in events], "same": same}
        return int(api.post(f"{at}same/", sent, format="json").status_code)

    assert decide(*slugs, same=False) == 204
    assert decide(*slugs[:2], same=True) == 201
    ada = [one for one in api.get(f"{at}people/").json()["people"] if one["name"].startswith("Ada")]
    assert sorted(len(one["entries"]) for one in ada) == [1, 2]
    assert decide(slugs[1], slugs[2], same=True) == 201  # of which the first was joined before
    ada = [one for one in api.get(f"{at}people/").json()["people"] if one["name"].startswith("Ada")]
    assert [len(one["entries"]) for one in ada] == [3]


def test_two_players_of_one_event_are_not_one_person(api, by):
    first = evening(by)
    at = league(api, first.slug)
    sent = {"entries": [[first.slug, 1], [first.slug, 2]]}
    refused(api.post(f"{at}same/", sent, format="json"), 400, "person_twice")
    sent = {"entries": [[first.slug, 1], ["nowhere", 2]]}
    refused(api.post(f"{at}same/", sent, format="json"), 400, "unknown_player", "entries[1]")
    sent = {"entries": [[first.slug, 1], [first.slug, 2]], "same": False}
    assert api.post(f"{at}same/", sent, format="json").status_code == 204


# --- What is refused ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "code", "path"),
    [
        ({"name": " "}, "invalid_name", "name"),
        ({"points": {}}, "invalid_points", "points"),
        ({"points": {"by_place": [1, 2]}}, "invalid_points", "points.by_place[1]"),
        ({"points": {"wins": 1, "factor": {"x": 2}}}, "invalid_points", "points.factor"),
        ({"points": {"wins": 1, "always_counts": ["x"]}}, "invalid_points", "points.always_counts"),
        ({"points": {"wins": 1, "best": 0}}, "invalid_points", "points.best"),
        ({"order": ["points", "luck"]}, "invalid_order", "order[1]"),
        ({"order": ["points", "points"]}, "invalid_order", "order[1]"),
        ({"order": []}, "invalid_order", "order"),
        ({"events": ["nowhere"]}, "invalid_events", "events[0]"),
        ({"events": "x"}, "invalid_events", "events"),
        ({"names_are_people": "yes"}, "invalid_series", "names_are_people"),
        (
            {"points": {"wins": 1, "adjustments": [{"person": 9, "points": 1, "reason": "x"}]}},
            "invalid_points",
            "points.adjustments[0].person",
        ),
    ],
)
def test_what_is_wrong_is_named(api, by, values, code, path):
    at = league(api)
    refused(api.patch(at, values, format="json"), 400, code, path)
    refused(api.post(ROOT, {"name": "Altra"} | values, format="json"), 400, code, path)
    assert Series.objects.count() == 1
    assert Series.objects.get().version == 1


@pytest.mark.deep
def test_an_event_is_added_by_whoever_organises_both(api, by, client_of):
    theirs = evening(make.organiser())
    at = league(api)
    refused(api.patch(at, {"events": [theirs.slug]}, format="json"), 400, "invalid_events")
    own = evening(by)
    assert api.patch(at, {"events": [own.slug]}, format="json").json()["events"] == [own.slug]
    other = client_of(make.organiser())
    assert other.patch(at, {"name": "Mia"}, format="json").status_code == 403


def test_a_helper_sees_drafts_and_changes_nothing(api, by, client_of):
    public, draft = evening(by), make.event(by)
    at = league(api, public.slug, draft.slug)
    helper = make.organiser()
    series = Series.objects.get()
    SeriesStaff.objects.create(series=series, user=helper.user, role="helper")
    assert client_of(helper).get(at).json()["events"] == [public.slug, draft.slug]
    assert client_of(helper).patch(at, {"name": "Mia"}, format="json").status_code == 403
    assert client_of(None).get(at).json()["events"] == [public.slug]
    assert client_of(None).get(f"{at}people/").status_code == 401


def test_a_series_without_public_events_is_its_staffs_alone(api, by, client_of):
    at = league(api, make.event(by).slug)
    assert api.get(at).status_code == 200
    assert client_of(None).get(at).status_code == 404
    assert client_of(None).get(ROOT).json()["count"] == 0
    assert api.get(ROOT).json()["count"] == 1


def test_a_deleted_series_leaves_its_events(api, by):
    only = evening(by)
    at = league(api, only.slug)
    assert api.delete(at).status_code == 204
    assert api.get(at).status_code == 404
    assert Event.objects.filter(pk=only.pk).exists()


@pytest.mark.deep
def test_whoever_changes_an_old_state_is_refused(api, by):
    at = league(api)
    tag = api.get(at)["ETag"]
    assert api.patch(at, {"name": "Nuova"}, format="json").status_code == 200
    late = api.patch(at, {"name": "Tarda"}, format="json", headers={"If-Match": tag})
    assert late.status_code == 412
    assert Series.objects.get().name == "Nuova"


def test_a_rule_of_the_table_is_needed_for_one(api, by, client_of):
    at = league(api, evening(by).slug, points=None)
    assert api.get(f"{at}table/").status_code == 404
    assert api.get(at).json()["points"] is None


def test_addresses_differ(api, by):
    assert league(api) != league(api)
    refused(api.post(ROOT, {"name": "Lega", "slug": "lega"}, format="json"), 400, "slug_taken")
