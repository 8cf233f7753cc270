"""Updates that would be lost: an old ``If-Match``, an old ``version``.

Contracts, API. Safety notes, 0 (finding 4).
"""

import pytest

from tests import factories as make
from tests.around import tables
from tournaments.events import api as events
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/events/"


@pytest.fixture
def event(by):
    return make.playing(by, 8, format="creatures-of-exo", formula="groups-knockout")


def address(event, rest: str = "") -> str:
    return f"{ROOT}{event.slug}/{rest}"


def is_refused(answer) -> bool:
    return (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")


def test_an_old_tag_of_an_event_stores_nothing(api, event):
    tag = api.get(address(event))["ETag"]
    changed = api.patch(address(event), {"venue": "Sala A"}, HTTP_IF_MATCH=tag)
    assert (changed.status_code, changed.json()["venue"]) == (200, "Sala A")
    before = tables()
    refused = api.patch(address(event), {"venue": "Sala B"}, HTTP_IF_MATCH=tag)
    assert is_refused(refused)
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["status"] == 412
    assert tables() == before
    again = api.patch(address(event), {"venue": "Sala B"}, HTTP_IF_MATCH=changed["ETag"])
    assert (again.status_code, again.json()["venue"]) == (200, "Sala B")


@pytest.mark.parametrize("right", ["*", '"x", {tag}', "{strong}"])
def test_a_tag_that_fits_lets_the_write_through(api, event, right):
    tag = api.get(address(event))["ETag"]
    header = right.format(tag=tag, strong=tag.removeprefix("W/"))
    answer = api.patch(address(event), {"venue": "Qui"}, HTTP_IF_MATCH=header)
    assert answer.status_code == 200


@pytest.mark.parametrize("wrong", ["x", '"x"', 'W/"x", "y"'])
def test_a_tag_of_nothing_is_refused(api, event, wrong):
    assert is_refused(api.patch(address(event), {"venue": "Qui"}, HTTP_IF_MATCH=wrong))


def test_every_kind_of_write_heeds_the_tag_of_what_it_changes(api, by, event):
    match = Match.objects.filter(round__event=event)[0]
    player, table = f"players/{match.players[0].number}/", f"matches/{match.pk}/"
    writes = {
        "post": [("players/", "players/", {"name": "Zita"}), ("undo/", "undo/", {"version": 1})],
        "patch": [(player, player, {"club": "Lupi"})],
        "put": [
            (table, f"{table}result/", {"version": 0, "games": ["a", "a"]}),
            (f"{player}decklist/", f"{player}decklist/", {"text": "1 Carta", "reason": "Errore"}),
        ],
        "delete": [("rounds/1/", "rounds/1/", None), ("", "", None)],
    }
    writes["post"] += [
        ("rounds/1/", "rounds/1/clock/", {"action": "start"}),
        ("stages/", "stages/1/second-leg/", {}),
        ("", "stages/1/close/", {}),
        (table, f"{table}extensions/", {"minutes": 3, "reason": "Controllo"}),
        (player, f"{player}strike/", {"reason": "Voto"}),
    ]
    for method, cases in writes.items():
        for shown, written, body in cases:
            tag = api.get(address(event, shown))["ETag"]
            before = tables()
            old = getattr(api, method)(address(event, written), body, HTTP_IF_MATCH='"old"')
            assert is_refused(old), (method, written)
            assert tables() == before, (method, written)
            fresh = getattr(api, method)(address(event, written), body, HTTP_IF_MATCH=tag)
            assert fresh.status_code != 412, (method, written)


def test_a_match_and_a_player_have_tags_of_their_own(api, by, event):
    mine, other = Match.objects.filter(round__event=event).select_related("round")[:2]
    table, player = f"matches/{mine.pk}/", f"players/{mine.players[0].number}/"
    tags = {path: api.get(address(event, path))["ETag"] for path in (table, player)}
    body = {"version": other.version, "games": ["a", "a"]}
    assert api.put(address(event, f"matches/{other.pk}/result/"), body).status_code == 200
    result = address(event, f"{table}result/")
    entered = api.put(result, {"version": 0, "games": ["b", "b"]}, HTTP_IF_MATCH=tags[table])
    assert entered.status_code == 200
    body = {"version": 1, "games": ["a", "a"]}
    assert is_refused(api.put(result, body, HTTP_IF_MATCH=tags[table]))
    club = {"club": "Lupi"}
    assert api.patch(address(event, player), club, HTTP_IF_MATCH=tags[player]).status_code == 200
    assert is_refused(api.patch(address(event, player), club, HTTP_IF_MATCH=tags[player]))


def test_the_seconds_of_a_clock_are_no_update(api, event):
    assert api.post(address(event, "rounds/1/clock/"), {"action": "start"}).status_code == 200
    shown = api.get(address(event, "rounds/1/"))["ETag"]
    state, dot, _seconds = shown.strip('"').partition(".")
    assert dot, "the tag of a running clock tells its seconds apart"
    earlier = f'{state}.00000000"'
    paused = api.post(address(event, "rounds/1/clock/"), {"action": "pause"}, HTTP_IF_MATCH=earlier)
    assert paused.status_code == 200


def test_who_may_not_is_told_so_first(api, program, event):
    stranger = program(make.user())
    assert stranger.patch(address(event), {}, HTTP_IF_MATCH='"old"').status_code == 403
    assert api.patch(address(event, "players/99/"), {}, HTTP_IF_MATCH="*").status_code == 404
    wrong = api.patch(address(event), {"minutes": 0}, HTTP_IF_MATCH='"old"')
    assert wrong.status_code == 400


def test_a_repeated_post_is_answered_again_though_its_tag_is_old(api, by):
    event = make.event(by)
    url = address(event, "players/")
    held = {"HTTP_IF_MATCH": api.get(url)["ETag"], "HTTP_IDEMPOTENCY_KEY": "Ada"}
    first, again = (api.post(url, {"name": "Ada"}, **held) for _time in "ab")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again["Idempotent-Replayed"] == "true"
    other = api.post(url, {"name": "Bea"}, **held | {"HTTP_IDEMPOTENCY_KEY": "Bea"})
    assert is_refused(other)
    held["HTTP_IF_MATCH"] = api.get(url)["ETag"]
    free = api.post(url, {"name": "Bea"}, **held | {"HTTP_IDEMPOTENCY_KEY": "Bea"})
    assert free.status_code == 201


def test_lists_and_formulas_heed_it_too(api):
    body = {"name": "T", "format": "thoom", "formula": "single-group"}
    tag = api.get(ROOT)["ETag"]
    assert api.post(ROOT, body, HTTP_IF_MATCH=tag).status_code == 201
    assert is_refused(api.post(ROOT, body, HTTP_IF_MATCH=tag))
    assert Event.objects.count() == 1
    formulas = "/api/v1/formulas/"
    definition = {
        "girone_formula": 1,
        "name": "Mia",
        "players": {"lowest": 4, "highest": 4},
        "stages": [
            {"name": "Uno", "kind": "round_robin", "groups": [{"name": "A", "entrants": "start"}]}
        ],
    }
    made = api.post(formulas, definition)
    assert made.status_code == 201, made.content
    one = f"{formulas}{made.json()['slug']}/"
    tag = api.get(one)["ETag"]
    assert api.put(one, definition | {"name": "Tua"}, HTTP_IF_MATCH=tag).status_code == 200
    assert is_refused(api.put(one, definition | {"name": "Sua"}, HTTP_IF_MATCH=tag))
    assert is_refused(api.delete(one, HTTP_IF_MATCH=tag))
    assert api.get(one).json()["name"] == "Tua"
    assert api.delete(one, HTTP_IF_MATCH="*").status_code == 204


def test_an_old_version_of_an_event_is_stale(api, event):
    version = api.get(address(event)).json()["version"]
    changed = api.patch(address(event), {"venue": "Sala A", "version": version})
    assert changed.status_code == 200
    before = tables()
    refused = api.patch(address(event), {"venue": "Sala B", "version": version})
    assert (refused.status_code, refused.json()["code"]) == (409, "stale")
    assert refused.json()["event"] | {"table_clashes": []} == changed.json()
    assert tables() == before
    assert api.patch(address(event), {"version": -1}).json()["errors"]["version"]
    fresh = {"venue": "Sala B", "version": changed.json()["version"]}
    assert api.patch(address(event), fresh).json()["venue"] == "Sala B"
    same = api.get(address(event)).json()
    assert api.patch(address(event), same).json() == same | {"table_clashes": []}


def test_options_are_laid_over_the_stored_ones_not_over_those_read_before(api, by, monkeypatch):
    """Two programs that each change one option: both changes stay."""
    event = make.event(by, formula="groups-knockout")
    whole = events.locked
    first = {"options": {"third_place": False}}

    def meanwhile(stale):
        monkeypatch.setattr(events, "locked", whole)
        assert api.patch(address(event), first).status_code == 200
        return whole(stale)

    monkeypatch.setattr(events, "locked", meanwhile)
    second = api.patch(address(event), {"legs": 2})
    assert second.status_code == 200
    assert second.json()["options"]["third_place"] is False


def test_the_schema_says_which_writes_heed_it(client):
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    heeding = {
        operation["operationId"]
        for operations in schema["paths"].values()
        for operation in operations.values()
        if {"If-Match"} & {parameter["name"] for parameter in operation.get("parameters", ())}
    }
    with_412 = {
        operation["operationId"]
        for operations in schema["paths"].values()
        for operation in operations.values()
        if "412" in operation["responses"]
    }
    assert heeding == with_412
    assert {"events_update", "matches_result", "rounds_delete", "formulas_update"} <= heeding
    assert not heeding & {"rank", "events_restore", "formulas_check", "events_retrieve"}
    change = schema["components"]["schemas"]["PatchedEventChange"]["properties"]
    assert "version" in change
    assert "version" not in schema["components"]["schemas"]["EventInput"]["properties"]
