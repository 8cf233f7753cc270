"""Two callers at once, the same call twice, a version that is old, a token that reaches less."""

import pytest

from tests import factories as make
from tournaments.models import Entry, LogLine, Report, Round

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/events/"


@pytest.fixture
def event(by):
    return make.started(by, 8, format="creatures-of-exo", formula="groups-knockout")


def address(event, rest: str = "") -> str:
    return f"{ROOT}{event.slug}/{rest}"


def first_match(api, event):
    return api.post(address(event, "rounds/")).json()["matches"][0]


def test_a_stale_version_is_refused_with_the_present_result(api, event):
    match = first_match(api, event)
    url = address(event, f"matches/{match['id']}/result/")
    body = {"version": match["version"], "games": ["a", "a"]}
    assert api.put(url, body).status_code == 200
    refused = api.put(url, body | {"games": ["b", "b"]})
    assert refused.status_code == 409
    assert refused.json()["code"] == "stale"
    assert refused.json()["match"]["winner"] == "a"


def test_a_result_that_counts_is_corrected(api, event):
    match = first_match(api, event)
    url = address(event, f"matches/{match['id']}/result/")
    entered = api.put(url, {"version": match["version"], "games": ["a", "a"]}).json()
    body = {"version": entered["version"], "games": ["b", "a", "b"]}
    corrected = api.put(url, body | {"note": "Scritto al contrario"}).json()
    assert corrected["winner"] == "b"
    reasons = Report.objects.filter(match=match["id"]).order_by("pk").values_list("note", flat=True)
    assert list(reasons) == ["", "Scritto al contrario"]


def test_an_impossible_result_says_what_is_possible(api, event):
    match = first_match(api, event)
    url = address(event, f"matches/{match['id']}/result/")
    refused = api.put(url, {"version": match["version"], "games": ["a", "a", "a"]})
    assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result")
    refused = api.put(url, {"version": match["version"], "score": [1, "x"], "winner": "z"})
    assert refused.status_code == 400
    assert {"score", "winner"} <= set(refused.json())


def test_a_round_needs_the_results_before_it(api, event):
    matches = api.post(address(event, "rounds/")).json()["matches"]
    refused = api.post(address(event, "rounds/"))
    assert (refused.status_code, refused.json()["code"]) == (409, "results_missing")
    assert sorted(refused.json()["matches"]) == sorted(match["id"] for match in matches)
    early = api.post(address(event, "stages/1/close/"))
    assert (early.status_code, early.json()["code"]) == (409, "results_missing")


def test_the_same_key_has_one_effect_and_the_same_answer(api, event):
    headers = {"HTTP_IDEMPOTENCY_KEY": "abc-1"}
    one = api.post(address(event, "rounds/"), {"draft": True}, **headers)
    two = api.post(address(event, "rounds/"), {"draft": True}, **headers)
    assert (one.status_code, two.status_code) == (201, 201)
    assert one.json() == two.json()
    assert two["Idempotent-Replayed"] == "true"
    assert Round.objects.filter(event=event).count() == 1
    other = api.post(address(event, "rounds/"), {"draft": False}, **headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_a_refused_call_leaves_its_key_free(api, event):
    headers = {"HTTP_IDEMPOTENCY_KEY": "abc-2"}
    body = {"name": "  "}
    assert api.post(address(event, "players/"), body, **headers).status_code == 400
    match = first_match(api, event)
    again = api.post(address(event, "rounds/"), **headers)
    assert again.json()["code"] == "results_missing"
    assert match["id"] in again.json()["matches"]


def test_a_list_of_players_is_all_or_none(api, by):
    event = make.event(by, format="thoom")
    refused = api.post(address(event, "players/"), [{"name": "Ada"}, {"name": "\u202e"}])
    assert refused.status_code == 400
    assert not Entry.objects.filter(event=event).exists()


def test_a_reader_that_holds_the_version_gets_304(api, client, event):
    for url in ("", "stages/", "players/", "standings/", "matches/", "rounds/", "ranking/"):
        first = client.get(address(event, url))
        assert first.status_code == 200, url
        assert client.get(address(event, url), HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    api.post(address(event, "rounds/"))
    assert client.get(address(event), HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200


def test_matches_are_filtered(api, event):
    api.post(address(event, "rounds/"))
    every = api.get(address(event, "matches/")).json()
    assert every["count"] == 4
    mine = api.get(address(event, "matches/?player=3&round=1&stage=1")).json()["results"]
    assert [3 in (match["a"], match["b"]) for match in mine] == [True]
    assert api.get(address(event, "matches/?group=B")).json()["count"] == 2
    wrong = api.get(address(event, "matches/?player=x"))
    assert (wrong.status_code, "player" in wrong.json()) == (400, True)


def test_drafts_are_for_the_staff(api, client, event):
    made = api.post(address(event, "rounds/"), {"draft": True}).json()
    assert client.get(address(event, "rounds/")).json()["count"] == 0
    assert client.get(address(event, "rounds/1/")).status_code == 404
    assert client.get(address(event, f"matches/{made['matches'][0]['id']}/")).status_code == 404
    assert api.post(address(event, "rounds/1/publish/")).json()["state"] == "published"
    assert client.get(address(event, "rounds/1/")).status_code == 200
    assert api.delete(address(event, "rounds/1/")).status_code == 204


@pytest.mark.parametrize(
    ("level", "reads", "enters", "makes"),
    [("read", 200, 403, 403), ("results", 200, 200, 403), ("manage", 200, 200, 201)],
)
def test_a_token_reaches_as_far_as_its_scope(api, program, by, event, level, reads, enters, makes):
    match = first_match(api, event)
    scoped = program(by.user, level, event)
    assert scoped.get(address(event)).status_code == reads
    body = {"version": match["version"], "games": ["a", "a"]}
    url = address(event, f"matches/{match['id']}/result/")
    assert scoped.put(url, body).status_code == enters
    new = {"name": "Altro", "format": "thoom", "formula": "single-group"}
    assert scoped.post(ROOT, new).status_code == 403  # it is for one event
    wide = program(by.user, level)
    assert wide.post(ROOT, new).status_code == makes
    other = make.started(by, 4, formula="single-group")
    assert scoped.get(address(other)).status_code == 404


def test_who_has_no_right_is_refused_and_nothing_changes(api, program, event):
    stranger = program(make.user())
    lines = LogLine.objects.filter(event=event).count()
    match = first_match(api, event)
    lines = LogLine.objects.filter(event=event).count()
    body = {"version": match["version"], "games": ["a", "a"]}
    calls = [
        stranger.put(address(event, f"matches/{match['id']}/result/"), body),
        stranger.post(address(event, "rounds/")),
        stranger.post(address(event, "stages/1/close/")),
        stranger.post(address(event, "players/"), {"name": "Io"}),
        stranger.patch(address(event), {"name": "Mio"}),
        stranger.delete(address(event)),
        stranger.get(address(event, "players/1/decklist/")),
    ]
    assert {answer.status_code for answer in calls} == {403}
    assert {answer.json()["code"] for answer in calls} <= {"permission_denied", "forbidden"}
    assert LogLine.objects.filter(event=event).count() == lines


def test_a_draft_event_is_nobody_elses_business(api, client, program, by):
    event = make.event(by)
    assert api.get(address(event)).status_code == 200
    assert client.get(address(event)).status_code == 404
    assert program(make.user()).get(address(event)).status_code == 404
    assert client.get(ROOT).json()["count"] == 0
    assert api.delete(address(event)).status_code == 204
    assert api.get(address(event)).status_code == 404
