"""What programs outside may send and set: empty filters, halls, registration, late entries."""

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.models import Event, Match
from tournaments.players.services.departures import withdraw
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


ROOT = "/api/v1/events/"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def event(by):
    return make.started(by, 12, format="doomtrooper-original", formula="mutant-chronicles")


def address(event, rest: str = "") -> str:
    return f"{ROOT}{event.slug}/{rest}"


def matches(api, event):
    return api.post(address(event, "rounds/")).json()["matches"]


def put(api, event, match, **body):
    return api.put(address(event, f"matches/{match['id']}/result/"), body, format="json")


@pytest.mark.parametrize("table", ["standings", "scenarios", "tie-breaks"])
def test_a_stage_to_come_has_no_rows_yet(api, event, table):
    for asked in ("?stage=2", "?stage=2&group=I", "?stage=5"):
        answer = api.get(address(event, f"{table}/{asked}"))
        assert (answer.status_code, answer.json()) == (200, []), asked
    assert api.get(address(event, f"{table}/?stage=6")).status_code == 404
    refused = api.get(address(event, f"{table}/?stage=x"))
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["stage"])


@pytest.mark.deep
def test_a_result_needs_no_note(api, event):
    first, second, third, *_more = matches(api, event)
    entered = put(api, event, first, version=0, score=[40, 22]).json()
    corrected = put(api, event, first, version=entered["version"], score=[22, 40])
    assert (corrected.status_code, corrected.json()["winner"]) == (200, "b")
    behind = put(api, event, second, version=0, score=[20, 45], winner="a")
    assert (behind.status_code, behind.json()["winner"], behind.json()["score"]) == (
        200,
        "a",
        [20, 45],
    )
    nobody = put(api, event, third, version=0, score=[16, 40], winner="none")
    assert (nobody.status_code, nobody.json()["winner"]) == (200, "none")


def test_a_winner_beside_an_impossible_score_is_refused_all_the_same(api, event):
    match = matches(api, event)[0]
    for wrong in ({"score": [1000, 2]}, {"games": ["a"]}, {"score": [40, 2], "ended_by": "bye"}):
        refused = put(api, event, match, version=0, winner="a", **wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result"), wrong


def test_a_bye_has_no_result_to_enter(api, by):
    event = make.started(by, 5, format="doomtrooper-original", formula="swiss-cut")
    bye = next(match for match in matches(api, event) if match["b"] is None)
    for body in ({"score": [1, 0]}, {"winner": "none", "note": "Visto"}):
        refused = put(api, event, bye, version=bye["version"], **body)
        assert (refused.status_code, refused.json()["code"]) == (409, "no_opponent")
    assert api.get(address(event, f"matches/{bye['id']}/")).json() == bye


def test_an_empty_list_is_no_draw(api, by):
    event = make.event(by, formula="mutant-chronicles", decklists="off")
    make.players(event, 12, by)
    refused = api.post(address(event, "start/"), {"groups": []}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["groups"])
    event.refresh_from_db()
    assert event.started_at is None
    assert api.post(address(event, "start/")).status_code == 200
    refused = api.post(address(event, "stages/1/lots/"), {"order": []}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["order"])


def test_what_is_hidden_answers_as_what_is_not_there(api, by):
    hidden = make.event(by)
    words = [
        {key: value for key, value in answer.json().items() if key != "request_id"}
        for answer in (APIClient().get(address(hidden)), APIClient().get(f"{ROOT}nowhere/"))
    ]
    assert words[0] == words[1]


def test_who_gives_no_token_is_asked_for_one(api, event):
    for call in (
        APIClient().post(ROOT, {}, format="json"),
        APIClient().post(address(event, "rounds/")),
        APIClient().get(address(event, "archive.json")),
    ):
        assert (call.status_code, call.json()["code"]) == (401, "not_authenticated")
        assert call["WWW-Authenticate"] == "Token"
    assert APIClient().get(address(event, "players/1/decklist/")).status_code == 403


def test_no_body_and_one_without_end_are_refused(api):
    refused = api.post(f"{ROOT}restore/", b"", content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "archive_invalid")
    long = b'"' + b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1) + b'"'
    refused = api.post(ROOT, long, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (413, "body_too_long")


def test_whatever_accept_asks_for_a_call_answers(api, event):
    book = api.get(address(event, "export.xlsx"), HTTP_ACCEPT=XLSX)
    assert (book.status_code, book["Content-Type"]) == (200, XLSX)
    for accepted in ("text/html", "application/problem+json"):
        answer = api.get(address(event), HTTP_ACCEPT=accepted)
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


def test_a_400_names_the_field_and_the_row(api, by):
    body = {"name": "T", "format": "thoom", "formula": "mutant-chronicles", "legs": [1, 2]}
    assert list(api.post(ROOT, body, format="json").json()["errors"]) == ["legs"]
    event = make.event(by)
    players = address(event, "players/")
    wrong = [{"name": "Ada"}, {"name": "\u202eadE"}, {"name": "x" * 81}]
    refused = api.post(players, wrong, format="json")
    assert (refused.status_code, event.entries.count()) == (400, 0)
    assert {row: list(fields) for row, fields in refused.json()["errors"].items()} == {
        "1": ["name"],
        "2": ["name"],
    }
    assert api.post(players, {"name": "Ada", "seed": 1}, format="json").status_code == 201
    taken = api.post(players, {"name": "Bea", "seed": 1}, format="json").json()
    assert (taken["code"], list(taken["errors"])) == ("seed_taken", ["seed"])
    double = api.post(address(event, "start/"), {"groups": [[1, 1, 1]]}, format="json").json()
    assert list(double["errors"]) == ["groups"]
    put_out = api.patch(f"{players}1/", {"status": "disqualified"}, format="json").json()
    assert (put_out["code"], list(put_out["errors"])) == ("reason_missing", ["reason"])


def test_the_schema_knows_lists_files_and_refusals(client):
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    paths = schema["paths"]
    book = paths["/api/v1/events/{slug}/export.xlsx"]["get"]["responses"]["200"]
    assert list(book["content"]) == [XLSX]
    enter = paths["/api/v1/events/{slug}/players/"]["post"]
    for part in (enter["requestBody"], enter["responses"]["201"]):
        named = part["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        kinds = schema["components"]["schemas"][named]["oneOf"]
        assert [kind.get("type", "one") for kind in kinds] == ["one", "array"]
    assert {"413", "415", "422", "503"} <= set(enter["responses"])


def test_a_time_without_offset_is_that_of_the_event(api):
    body = {"name": "T", "format": "thoom", "formula": "single-group"}
    there = body | {"time_zone": "America/New_York", "starts_at": "2026-12-05T10:00"}
    made = api.post(ROOT, there, format="json").json()
    assert made["starts_at"] == "2026-12-05T10:00:00-05:00"
    moved = api.patch(f"{ROOT}{made['slug']}/", {"starts_at": "2026-12-06T09:30"}, format="json")
    assert moved.json()["starts_at"] == "2026-12-06T09:30:00-05:00"
    both = {"starts_at": "2026-12-06T09:30", "time_zone": "Asia/Tokyo"}
    moved = api.patch(f"{ROOT}{made['slug']}/", both, format="json")
    assert moved.json()["starts_at"] == "2026-12-06T09:30:00+09:00"
    moved = api.patch(f"{ROOT}{made['slug']}/", {"starts_at": "2026-12-06T09:30Z"}, format="json")
    assert moved.json()["starts_at"] == "2026-12-06T18:30:00+09:00"
    assert api.post(ROOT, there | {"time_zone": 5}, format="json").status_code == 400


@pytest.mark.parametrize("name", ["\u200b", "\u202eabc", "\u2066"])
def test_an_event_has_a_name_that_can_be_read(api, name):
    body = {"name": name, "format": "thoom", "formula": "single-group"}
    refused = api.post(ROOT, body, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["name"])
    made = api.post(ROOT, body | {"name": " Coppa  d\u2019Autunno "}, format="json").json()
    assert made["name"] == "Coppa d\u2019Autunno"
    refused = api.patch(f"{ROOT}{made['slug']}/", {"name": name}, format="json")
    assert refused.status_code == 400


NEW = {"name": "Coppa", "format": "thoom", "formula": "single-group", "time_zone": "America/Lima"}
PATH = "/api/v1/events/"


def test_an_event_is_made_with_its_times_and_its_fee_or_without(api):
    sent = NEW | {
        "registration_opens": "2099-12-01T10:00",
        "registration_closes": "2099-12-04T23:00:00Z",
        "fee": "5 €",
    }
    made = api.post(PATH, sent, format="json")
    assert made.status_code == 201
    stored = api.get(f"{PATH}{made.data['slug']}/").json()
    assert stored["registration_opens"] == "2099-12-01T10:00:00-05:00"
    assert stored["registration_closes"] == "2099-12-04T18:00:00-05:00"
    assert stored["fee"] == "5 €"
    path = f"{PATH}{made.data['slug']}/"
    emptied = {"registration_opens": None, "registration_closes": None, "fee": ""}
    changed = api.patch(path, emptied, format="json").json()
    assert {key: changed[key] for key in emptied} == emptied
    made = api.post(PATH, NEW, format="json").json()
    assert (made["registration_opens"], made["registration_closes"], made["fee"]) == (
        None,
        None,
        "",
    )


@pytest.mark.parametrize("opens", ["2099-12-05T10:00", "2099-12-05T10:01"])
def test_opening_after_closing_is_400_on_the_field(api, by, opens):
    sent = NEW | {"registration_opens": opens, "registration_closes": "2099-12-05T10:00"}
    refused = api.post(PATH, sent, format="json")
    assert refused.status_code == 400
    assert "before it closes" in refused.json()["errors"]["registration_opens"][0]
    assert api.get(PATH).json()["results"] == []
    event = make.event(by)
    path = f"{PATH}{event.slug}/"
    assert api.patch(path, {"registration_opens": opens}, format="json").status_code == 200
    closes = {"registration_closes": "2099-12-05T10:00"}
    again = api.patch(path, closes, format="json")
    assert again.status_code == 400
    assert "registration_opens" in again.json()["errors"]
    event.refresh_from_db()
    assert event.registration_closes is None


@pytest.mark.parametrize("field", ["registration_opens", "registration_closes", "fee"])
@pytest.mark.parametrize("value", ["x" * 201, [], {}, "9999-12-31T23:59:59Z", "0001-01-01T00:00"])
def test_rubbish_is_400_on_the_field(api, field, value):
    if field == "fee" and isinstance(value, str) and len(value) < 200:
        return
    refused = api.post(PATH, NEW | {field: value}, format="json")
    assert refused.status_code == 400
    assert list(refused.json()["errors"]) == [field]


def test_they_lock_at_the_start_but_for_the_fee(api, by):
    event = make.started(by, 4, formula="single-group")
    path = f"{PATH}{event.slug}/"
    refused = api.patch(path, {"registration_opens": "2099-12-05T10:00"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "event_started")
    assert api.patch(path, {"fee": "gratis"}, format="json").json()["fee"] == "gratis"


LUNCH = {"at": "13:00", "minutes": 40, "label": "Pranzo"}
PAUSE = {"at": "11:30", "minutes": 10, "label": ""}


def path(event, rest=""):
    return f"/api/v1/events/{event.slug}/{rest}"


@pytest.mark.deep
def test_breaks_overtime_and_hold_are_settings_of_an_event(api, by):
    event = make.playing(by, 4)
    before = api.get(path(event)).json()
    assert [before[key] for key in ("breaks", "overtime", "standings_held")] == [[], None, ""]
    sent = {"breaks": [LUNCH, PAUSE | {"label": ""}], "overtime": 5, "standings_held": "last"}
    changed = api.patch(path(event), sent)
    assert changed.status_code == 200, changed.content
    assert changed.json()["breaks"] == [PAUSE, LUNCH]  # in order of their time
    assert (changed.json()["overtime"], changed.json()["standings_held"]) == (5, "last")
    event.refresh_from_db()
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert api.get(path(event)).json() | {"version": 0} == before | {"version": 0}
    sent = {"name": "Coppa", "format": "thoom", "formula": "single-group", "breaks": [LUNCH]}
    made = api.post("/api/v1/events/", sent | {"overtime": 0, "standings_held": "all"})
    assert made.status_code == 201
    assert made.json()["breaks"] == [LUNCH]
    assert (made.json()["overtime"], made.json()["standings_held"]) == (None, "all")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("breaks", [LUNCH | {"at": "25:00"}]),
        ("breaks", [LUNCH | {"at": "13"}]),
        ("breaks", [LUNCH | {"minutes": 0}]),
        ("breaks", [LUNCH | {"label": "x" * 41}]),
        ("breaks", [LUNCH, LUNCH | {"label": "Caffè"}]),  # two at one time
        ("breaks", [PAUSE | {"at": f"1{hour}:00"} for hour in range(7)]),
        ("breaks", "13:00"),
        ("breaks", None),
        ("overtime", 61),
        ("overtime", -1),
        ("standings_held", "some"),
        ("standings_held", None),
    ],
)
def test_a_bad_value_is_400_on_its_field(api, by, field, value):
    event = make.event(by)
    refused = api.patch(path(event), {field: value}, format="json")
    assert refused.status_code == 400
    assert set(refused.json()["errors"]) == {field}
    event.refresh_from_db()
    assert (event.breaks, event.overtime, event.standings_held) == ([], None, "")


def test_the_information_is_read_by_everybody_and_written_by_organisers(api, program, by):
    event = make.playing(by, 4)
    anybody, judge = APIClient(), program(make.staff(event).user)
    assert anybody.get(path(event, "information/")).json()["text"] == ""
    text = "# Premi\n\n1. Coppa  \n2. <b>Niente</b>\n"
    for client, status in ((anybody, 401), (judge, 403)):
        assert client.put(path(event, "information/"), {"text": text}).status_code == status
    written = api.put(path(event, "information/"), {"text": text})
    assert written.status_code == 200
    assert written.json()["text"] == text
    read = anybody.get(path(event, "information/"))
    assert read.json() == written.json()
    held_tag = {"If-None-Match": read["ETag"]}
    assert anybody.get(path(event, "information/"), headers=held_tag).status_code == 304
    assert api.put(path(event, "information/"), {"text": "x" * 20_001}).status_code == 400
    assert api.put(path(event, "information/"), {}).status_code == 400


def test_a_writer_who_is_late_gets_the_present_text(api, by):
    event = make.playing(by, 4)
    first = api.get(path(event, "information/"))
    body = {"text": "Uno", "version": first.json()["version"]}
    stored = api.put(path(event, "information/"), body)
    assert stored.status_code == 200
    late = api.put(path(event, "information/"), body | {"text": "Due"})
    assert late.status_code == 409
    assert late.json()["code"] == "stale"
    assert late.json()["information"] == stored.json()
    held_tag = {"HTTP_IF_MATCH": first["ETag"]}
    assert api.put(path(event, "information/"), {"text": "Due"}, **held_tag).status_code == 412
    fresh = {"HTTP_IF_MATCH": stored["ETag"]}
    assert api.put(path(event, "information/"), {"text": "Due"}, **fresh).status_code == 200


@pytest.mark.deep
def test_standings_are_released_once_up_to_the_round_that_was_seen(api, program, by):
    event = make.playing(by, 4, formula="single-group", standings_held="all")
    make.play_round(event.rounds.get(), by)
    anybody, address = APIClient(), path(event, "standings/release/")

    def points() -> int:
        rows = anybody.get(path(event, "standings/")).json()
        return sum(row["values"]["points"] for row in rows)

    assert points() == 0
    judge = program(make.staff(event).user)
    assert judge.post(address, {"round": 1}).status_code == 403
    wrong = api.post(address, {"round": 2})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "another_round")
    key = {"HTTP_IDEMPOTENCY_KEY": "release"}
    for _ in range(2):
        released = api.post(address, {"round": 1}, **key)
        assert (released.status_code, released.json()) == (200, {"round": 1})
    assert points() > 0
    assert api.get(path(event)).json()["standings_released"] == 1
    again = api.post(address, {"round": 1})
    assert (again.status_code, again.json()["code"]) == (409, "nothing_held")
    assert event.log.filter(action="standings.released").count() == 1


SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo"}


@pytest.mark.deep
def test_a_program_enters_a_player_after_the_start(api, by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    address = f"/api/v1/events/{event.slug}/"
    sent = api.post(f"{address}players/", {"name": "Zita", "late": "loss"})
    assert (sent.status_code, sent.json()["number"]) == (201, 9)
    matches = api.get(f"{address}matches/").json()
    rows = matches["results"] if isinstance(matches, dict) else matches
    (missed,) = [row for row in rows if row["a"] == 9]
    assert (missed["b"], missed["winner"], missed["ended_by"]) == (None, "none", "no_show")


@pytest.mark.parametrize(
    ("body", "status"),
    [({"name": "Zita"}, 409), ({"name": "Zita", "late": "win"}, 400)],
)
def test_without_a_choice_nobody_enters(body, status, api, by):
    event = make.started(by, 8, **SWISS)
    assert api.post(f"/api/v1/events/{event.slug}/players/", body).status_code == status
    assert event.entries.count() == 8


def test_who_is_late_has_what_was_sent_of_them(api, by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    address = f"/api/v1/events/{event.slug}/players/"
    late = {"name": "Zita", "late": "bye"}
    sent = api.post(address, late | {"club": "Lupi", "fixed_table": 3})
    assert (sent.json()["club"], sent.json()["fixed_table"]) == ("Lupi", 3)
    refused = api.post(address, late | {"seed": 1})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["seed"])
    assert event.entries.count() == 9


def rows_of(api, event):
    told = api.get(f"/api/v1/events/{event.slug}/matches/").json()
    return told["results"] if isinstance(told, dict) else told


def opponents(api, event):
    """Return who meets a player of the last round, by number."""
    rows = [row for row in rows_of(api, event) if row["round"] == event.rounds.count()]
    pairs = [(row["a"], row["b"]) for row in rows]
    return dict(pairs) | {b: a for a, b in pairs if b}


@pytest.mark.deep
def test_a_program_lets_late_players_meet_who_has_the_bye(api, by):
    event = make.started(by, 7, **SWISS)
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    address = f"/api/v1/events/{event.slug}/players/"
    (rests,) = next(match for match in item.matches.all() if match.size == 1).players
    sent = api.post(address, {"name": "Zita", "against_bye": True})
    assert (sent.status_code, sent.json()["number"]) == (201, 8)
    assert opponents(api, event)[8] == rests.number
    (row,) = [row for row in rows_of(api, event) if (row["a"], row["b"]) == (rests.number, 8)]
    assert (row["table"], row["state"], row["by_hand"]) == (4, "open", True)
    again = api.post(address, {"name": "Berta", "late": "bye", "against_bye": True})
    assert (again.status_code, again.json()["code"]) == (409, "no_bye")
    assert event.entries.count() == 8
    assert api.post(address, {"name": "Berta", "late": "bye"}).status_code == 201
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


@pytest.mark.deep
def test_a_program_lets_who_waited_or_comes_back_meet_who_has_the_bye(api, by):
    event = make.started(by, 8, **SWISS)
    withdraw(entry=event.entries.get(number=3), by=by)
    make.next_round(event, by)
    address = f"/api/v1/events/{event.slug}/players/3/"
    unused = api.patch(address, {"club": "Lupi", "against_bye": True})
    assert (unused.status_code, list(unused.json()["errors"])) == (400, ["against_bye"])
    back = api.patch(address, {"status": "registered", "against_bye": True})
    assert (back.status_code, back.json()["status"]) == (200, "checked_in")
    assert opponents(api, event)[3] is not None
    waits = event.entries.create(number=9, name="Nora", name_key="nora", status="waiting")
    refused = api.post(f"/api/v1/events/{event.slug}/players/9/enter/", {"against_bye": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_bye")
    assert not Match.objects.filter(match_seats__entry=waits).exists()


@pytest.mark.deep
def test_a_program_lets_a_late_player_join_a_table_and_give_it_time(api, by):
    event = make.started(by, 11, **make.TABLES)
    item = make.next_round(event, by)
    table = next(match for match in item.matches.all() if match.size == 3)
    address = f"/api/v1/events/{event.slug}/players/"
    both = api.post(address, {"name": "Zita", "joins": table.pk, "against_bye": True})
    assert (both.status_code, list(both.json()["errors"])) == (400, ["against_bye"])
    alone = api.post(address, {"name": "Zita", "late": "loss", "extend": True})
    assert (alone.status_code, list(alone.json()["errors"])) == (400, ["extend"])
    sent = api.post(address, {"name": "Zita", "joins": table.pk})
    assert (sent.status_code, sent.json()["number"]) == (201, 12)
    seats = api.get(f"/api/v1/events/{event.slug}/rounds/1/").json()["matches"]
    assert 12 in next(row["seats"] for row in seats if row["id"] == table.pk)
    again = api.post(address, {"name": "Berta", "joins": table.pk})
    assert (again.status_code, again.json()["code"]) == (409, "no_seat")
    assert event.entries.count() == 12
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
