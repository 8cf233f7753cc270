"""Tables by the API: events, rounds, matches, results in all their forms.

Source: tables, 9 and 10.
"""

import pytest
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db
NEW = {"name": "Lega", "format": "thoom", "formula": "tables-cut", "decklists": "off"}


@pytest.fixture
def program(by):
    client = APIClient(headers={"Accept-Language": "en"})
    client.force_authenticate(by.user)
    return client


@pytest.fixture
def table(by, program):
    """A table of four of a running event, and how a program sends its result."""
    event = make.playing(by, 4, **make.TABLES)
    match = Match.objects.get(round__event=event)
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/result/"

    def send(**values):
        match.refresh_from_db()
        body = {"version": match.version, **values}
        return program.put(address, body, format="json")

    return send


@pytest.mark.parametrize(
    ("sent", "places", "marks", "ended_by"),
    [
        ({"places": [2, 3, 1, 4]}, [2, 3, 1, 4], {}, "played"),
        ({"winner_seat": 2}, [2, 1, 2, 2], {}, "played"),
        ({"drawn": [1, 3]}, [1, 3, 1, 3], {}, "time"),
        ({"drawn": True}, [1, 1, 1, 1], {}, "time"),
        ({"drawn": [1, 3], "ended_by": "played"}, [1, 3, 1, 3], {}, "played"),
        ({"scores": [10, 7, 7, 2]}, [1, 2, 2, 4], {}, "played"),
        ({"winner": "none"}, [2, 2, 2, 2], {}, "double_loss"),
        ({"winner": "void"}, None, {}, "void"),
        ({"ended_by": "void"}, None, {}, "void"),
        ({"winner_seat": 2, "absent": [3]}, [2, 1, None, 2], {"3": "absent"}, "played"),
        (
            {"conceded": [1, 3, 4]},
            [2, 1, 2, 2],
            {"1": "conceded", "3": "conceded", "4": "conceded"},
            "concession",
        ),
        (
            {"places": [1, None, 2, None], "absent": [2], "disqualified": [4]},
            [1, None, 2, None],
            {"2": "absent", "4": "disqualified"},
            "played",
        ),
    ],
)
def test_a_result_is_one_of_these(table, sent, places, marks, ended_by):
    answer = table(**sent)
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["places"], told["marks"], told["ended_by"]) == (places, marks, ended_by)
    assert (told["a"], told["b"], told["winner"], told["score"], told["games"]) == (None,) * 5
    assert told["state"] == "final"


@pytest.mark.parametrize(
    "sent",
    [
        {"places": [1, 3, 3, 3]},
        {"places": [1, 2, 2]},
        {"winner_seat": 5},
        {"winner_seat": 0},
        {"drawn": [1]},
        {"drawn": [1, 1]},
        {"winner_seat": 2, "absent": [2]},
        {"winner_seat": 1, "absent": [2], "conceded": [2]},
        {"scores": [1, 2, 3]},
        {"scores": [1, 2, 3, 10_000]},
        {"winner_seat": 1, "drawn": True},
        {"score": [2, 1]},
        {"games": ["a"]},
        {"winner": "a"},
        {"winner": "draw"},
        {},
    ],
)
def test_what_cannot_be_is_refused_with_what_can(table, sent):
    answer = table(**sent)
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] == "impossible_result"
    assert "Possible: a seat (1–4)" in answer.json()["detail"]


def test_a_result_of_tables_has_no_use_where_two_play(by, program):
    event = make.playing(by, 4, formula="single-group")
    match = Match.objects.filter(round__event=event)[0]
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/result/"
    answer = program.put(address, {"version": 0, "winner_seat": 1}, format="json")
    assert answer.status_code == 400
    assert "winner_seat" in str(answer.json())


def test_an_old_version_is_stale_and_a_correction_says_what_it_changes(table, by):
    assert table(winner_seat=1).status_code == 200
    stale = table(winner_seat=2, version=0)
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert stale.json()["match"]["places"] == [1, 2, 2, 2]
    corrected = table(winner_seat=2, note="Mistyped")
    assert corrected.status_code == 200
    assert corrected.json()["effects"]["moves"]


def test_an_event_of_tables_is_made_and_read_back(program):
    sent = NEW | {"points": {"places": [4, 3, 2, 1], "bye": 4}, "options": {"sizes": [4, 3, 2]}}
    made = program.post("/api/v1/events/", sent, format="json")
    assert made.status_code == 201, made.content
    event = made.json()
    assert event["points"] == {"places": [4, 3, 2, 1], "bye": 4}
    usual = {"rounds": 0, "cut": 1, "ending": "tables", "small": "low"}
    assert event["options"] == usual | {"sizes": [4, 3, 2]}
    assert event["criteria"] == ["points", "places_made", "opponents_average", "lots"]
    address = f"/api/v1/events/{event['slug']}/"
    changed = program.patch(address, {"points": {"preset": "win3"}}, format="json")
    assert changed.json()["points"] == {"preset": "win3"}
    of_two = {"formula": "swiss-cut", "criteria": ["points", "lots"]}
    back = program.patch(address, of_two, format="json")
    assert back.json()["points"] == {"win": 3, "draw": 1, "loss": 0}
    assert program.get(address).json()["points"] == {"win": 3, "draw": 1, "loss": 0}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"criteria": ["points", "head_to_head"]}, "criterion_needs_two"),
        ({"options": {"sizes": [4, 4]}}, "invalid_sizes"),
        ({"options": {"cut": 8}}, "invalid_cut"),
        ({"points": {"preset": "win7"}}, "unknown_points"),
        ({"points": {"places": [1, 2]}}, "invalid_points"),
        ({"points": {"win": 1, "draw": 2}}, "invalid_points"),
    ],
)
def test_what_an_event_of_tables_cannot_have_is_refused(program, sent, code):
    answer = program.post("/api/v1/events/", NEW | sent, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.content
    assert not Event.objects.exists()


def test_points_of_places_are_refused_where_two_play(program):
    sent = NEW | {"formula": "swiss-cut", "points": {"preset": "win5"}}
    answer = program.post("/api/v1/events/", sent, format="json")
    assert answer.status_code == 400
    assert "Only formulas with tables have this: preset." in str(answer.json())


def test_a_round_tells_its_cost_and_its_seats(by, program):
    event = make.halfway(by, 7, **make.TABLES)
    made = program.post(f"/api/v1/events/{event.slug}/rounds/", {"draft": True}, format="json")
    assert made.status_code == 201
    told = made.json()
    assert told["proven"] is True
    assert told["cost"]["repeats"] == 3
    assert sorted(len(match["seats"]) for match in told["matches"]) == [3, 4]
    first = told["matches"][0]
    changes = f"/api/v1/events/{event.slug}/rounds/2/changes/"
    sent = {"action": "order", "players": first["seats"][::-1]}
    changed = program.post(changes, sent, format="json").json()
    assert changed["matches"][0]["seats"] == first["seats"][::-1]
    assert changed["proven"] is False


def test_players_say_yes_and_no_by_their_programs(by):
    event = make.playing(by, 4, **make.TABLES)
    match = Match.objects.get(round__event=event)
    programs = []
    for player in match.players:
        player.user = make.user()
        player.save()
        programs.append(APIClient(headers={"Accept-Language": "en"}))
        programs[-1].force_authenticate(player.user)

    def say(seat, word, version=None, method="post", **more):
        match.refresh_from_db()
        address = f"/api/v1/events/{event.slug}/matches/{match.pk}/{word}/"
        body = {"version": match.version if version is None else version, **more}
        answer = getattr(programs[seat - 1], method)(address, body, format="json")
        return answer.status_code, answer.json().get("code") or answer.json()["state"]

    assert say(2, "confirm") == (409, "match_not_reported")
    assert say(1, "result", method="put", winner_seat=3) == (200, "reported")
    assert say(1, "contradict") == (409, "own_report")
    assert say(2, "confirm", version=0) == (409, "stale")
    assert say(2, "confirm") == (200, "reported")
    assert say(2, "confirm", version=0) == (200, "reported")  # said already
    assert say(4, "contradict") == (200, "disputed")
    assert say(4, "contradict", version=0) == (200, "disputed")
    assert say(3, "confirm") == (200, "disputed")
    assert say(4, "confirm") == (200, "final")
    assert say(1, "contradict")[0] == 409
    stranger = APIClient()
    stranger.force_authenticate(make.user())
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/confirm/"
    assert stranger.post(address, {"version": 0}, format="json").status_code == 403
