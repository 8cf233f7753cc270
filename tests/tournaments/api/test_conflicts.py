"""Two callers at once, the same call twice, old versions and tags, slugs that are taken."""

import pytest
from django.db import connection

from tests import factories as make
from tests.around import tables
from tournaments.events import api as endpoints
from tournaments.events import api as events
from tournaments.events import services as event_services
from tournaments.events.services import delete_event
from tournaments.models import Event, Match, Report
from tournaments.players import api as players
from tournaments.players.services.entries import remove_entry

pytestmark = pytest.mark.django_db


ROOT = "/api/v1/events/"


@pytest.fixture
def event(by):
    return make.started(by, 8, format="creatures-of-exo", formula="groups-knockout")


def address(event, rest: str = "") -> str:
    return f"{ROOT}{event.slug}/{rest}"


def first_match(api, event):
    return api.post(address(event, "rounds/")).json()["matches"][0]


def test_a_result_that_counts_is_corrected(api, event):
    match = first_match(api, event)
    url = address(event, f"matches/{match['id']}/result/")
    entered = api.put(url, {"version": match["version"], "games": ["a", "a"]}).json()
    body = {"version": entered["version"], "games": ["b", "a", "b"]}
    corrected = api.put(url, body | {"note": "Scritto al contrario"}).json()
    assert corrected["winner"] == "b"
    reasons = Report.objects.filter(match=match["id"]).order_by("pk").values_list("note", flat=True)
    assert list(reasons) == ["", "Scritto al contrario"]


def test_an_impossible_result_and_a_stale_version_say_what_is_there(api, event):
    match = first_match(api, event)
    url = address(event, f"matches/{match['id']}/result/")
    refused = api.put(url, {"version": match["version"], "games": ["a", "a", "a"]})
    assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result")
    refused = api.put(url, {"version": match["version"], "score": [1, "x"], "winner": "z"})
    assert refused.status_code == 400
    assert {"score", "winner"} <= set(refused.json())
    body = {"version": match["version"], "games": ["a", "a"]}
    assert api.put(url, body).status_code == 200
    refused = api.put(url, body | {"games": ["b", "b"]})
    assert refused.status_code == 409
    assert refused.json()["code"] == "stale"
    assert refused.json()["match"]["winner"] == "a"


def test_a_round_needs_the_results_before_it(api, event):
    matches = api.post(address(event, "rounds/")).json()["matches"]
    refused = api.post(address(event, "rounds/"))
    assert (refused.status_code, refused.json()["code"]) == (409, "results_missing")
    assert sorted(refused.json()["matches"]) == sorted(match["id"] for match in matches)
    early = api.post(address(event, "stages/1/close/"))
    assert (early.status_code, early.json()["code"]) == (409, "results_missing")


def test_a_refused_call_leaves_its_key_free(api, event):
    headers = {"HTTP_IDEMPOTENCY_KEY": "abc-2"}
    body = {"name": "  "}
    assert api.post(address(event, "players/"), body, **headers).status_code == 400
    match = first_match(api, event)
    again = api.post(address(event, "rounds/"), **headers)
    assert again.json()["code"] == "results_missing"
    assert match["id"] in again.json()["matches"]


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


@pytest.mark.deep
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


def test_a_draft_event_is_nobody_elses_business(api, client, program, by):
    event = make.event(by)
    assert api.get(address(event)).status_code == 200
    assert client.get(address(event)).status_code == 404
    assert program(make.user()).get(address(event)).status_code == 404
    assert client.get(ROOT).json()["count"] == 0
    assert api.delete(address(event)).status_code == 204
    assert api.get(address(event)).status_code == 404


@pytest.fixture
def played(by):
    return make.playing(by, 8, format="creatures-of-exo", formula="groups-knockout")


def is_refused(answer) -> bool:
    return (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")


def test_an_old_tag_of_an_event_stores_nothing(api, played):
    tag = api.get(address(played))["ETag"]
    changed = api.patch(address(played), {"venue": "Sala A"}, HTTP_IF_MATCH=tag)
    assert (changed.status_code, changed.json()["venue"]) == (200, "Sala A")
    before = tables()
    refused = api.patch(address(played), {"venue": "Sala B"}, HTTP_IF_MATCH=tag)
    assert is_refused(refused)
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["status"] == 412
    assert tables() == before
    again = api.patch(address(played), {"venue": "Sala B"}, HTTP_IF_MATCH=changed["ETag"])
    assert (again.status_code, again.json()["venue"]) == (200, "Sala B")


@pytest.mark.parametrize("right", ["*", '"x", {tag}', "{strong}"])
def test_a_tag_that_fits_lets_the_write_through(api, played, right):
    tag = api.get(address(played))["ETag"]
    header = right.format(tag=tag, strong=tag.removeprefix("W/"))
    answer = api.patch(address(played), {"venue": "Qui"}, HTTP_IF_MATCH=header)
    assert answer.status_code == 200


@pytest.mark.parametrize("wrong", ["x", '"x"', 'W/"x", "y"'])
def test_a_tag_of_nothing_is_refused(api, played, wrong):
    assert is_refused(api.patch(address(played), {"venue": "Qui"}, HTTP_IF_MATCH=wrong))


@pytest.mark.deep
def test_every_kind_of_write_heeds_the_tag_of_what_it_changes(api, by, played):
    match = Match.objects.filter(round__event=played)[0]
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
            tag = api.get(address(played, shown))["ETag"]
            before = tables()
            old = getattr(api, method)(address(played, written), body, HTTP_IF_MATCH='"old"')
            assert is_refused(old), (method, written)
            assert tables() == before, (method, written)
            fresh = getattr(api, method)(address(played, written), body, HTTP_IF_MATCH=tag)
            assert fresh.status_code != 412, (method, written)


def test_a_match_and_a_player_have_tags_of_their_own(api, by, played):
    mine, other = Match.objects.filter(round__event=played).select_related("round")[:2]
    table, player = f"matches/{mine.pk}/", f"players/{mine.players[0].number}/"
    tags = {path: api.get(address(played, path))["ETag"] for path in (table, player)}
    body = {"version": other.version, "games": ["a", "a"]}
    assert api.put(address(played, f"matches/{other.pk}/result/"), body).status_code == 200
    result = address(played, f"{table}result/")
    entered = api.put(result, {"version": 0, "games": ["b", "b"]}, HTTP_IF_MATCH=tags[table])
    assert entered.status_code == 200
    body = {"version": 1, "games": ["a", "a"]}
    assert is_refused(api.put(result, body, HTTP_IF_MATCH=tags[table]))
    club = {"club": "Lupi"}
    assert api.patch(address(played, player), club, HTTP_IF_MATCH=tags[player]).status_code == 200
    assert is_refused(api.patch(address(played, player), club, HTTP_IF_MATCH=tags[player]))


def test_the_seconds_of_a_clock_are_no_update(api, played):
    assert api.post(address(played, "rounds/1/clock/"), {"action": "start"}).status_code == 200
    shown = api.get(address(played, "rounds/1/"))["ETag"]
    state, dot, _seconds = shown.strip('"').partition(".")
    assert dot, "the tag of a running clock tells its seconds apart"
    earlier = f'{state}.00000000"'
    paused = api.post(
        address(played, "rounds/1/clock/"), {"action": "pause"}, HTTP_IF_MATCH=earlier
    )
    assert paused.status_code == 200


def test_who_may_not_is_told_so_first(api, program, played):
    stranger = program(make.user())
    assert stranger.patch(address(played), {}, HTTP_IF_MATCH='"old"').status_code == 403
    assert api.patch(address(played, "players/99/"), {}, HTTP_IF_MATCH="*").status_code == 404
    wrong = api.patch(address(played), {"minutes": 0}, HTTP_IF_MATCH='"old"')
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


def test_an_old_version_of_an_event_is_stale(api, played):
    version = api.get(address(played)).json()["version"]
    changed = api.patch(address(played), {"venue": "Sala A", "version": version})
    assert changed.status_code == 200
    before = tables()
    refused = api.patch(address(played), {"venue": "Sala B", "version": version})
    assert (refused.status_code, refused.json()["code"]) == (409, "stale")
    assert refused.json()["event"] | {"table_clashes": []} == changed.json()
    assert tables() == before
    assert api.patch(address(played), {"version": -1}).json()["errors"]["version"]
    fresh = {"venue": "Sala B", "version": changed.json()["version"]}
    assert api.patch(address(played), fresh).json()["venue"] == "Sala B"
    same = api.get(address(played)).json()
    assert api.patch(address(played), same).json() == same | {"table_clashes": []}


def test_options_are_laid_over_the_stored_ones_not_over_those_read_before(api, by, monkeypatch):
    """Two programs that each change one option: both changes stay."""
    event = make.event(by, formula="groups-knockout")
    whole = events.lock_event
    first = {"options": {"third_place": False}}

    def meanwhile(stale):
        monkeypatch.setattr(events, "lock_event", whole)
        assert api.patch(address(event), first).status_code == 200
        return whole(stale)

    monkeypatch.setattr(events, "lock_event", meanwhile)
    second = api.patch(address(event), {"legs": 2})
    assert second.status_code == 200
    assert second.json()["options"]["third_place"] is False


@pytest.mark.deep
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


BODY = {"name": "Coppa", "format": "thoom", "formula": "single-group"}


@pytest.mark.parametrize("taken", ["dup", "DUP", "restore", "new"])
def test_a_slug_asked_for_that_is_taken_is_refused(api, taken):
    assert api.post(ROOT, BODY | {"slug": "dup"}).json()["slug"] == "dup"
    refused = api.post(ROOT, BODY | {"slug": taken})
    assert (refused.status_code, refused.json()["code"]) == (409, "slug_taken")
    assert refused.json()["slug"] == taken.lower()
    assert refused.json()["detail"] == f"The address “{taken.lower()}” is taken. Choose another."
    assert Event.objects.count() == 1


def test_a_slug_made_from_the_name_gets_a_number(api):
    assert [api.post(ROOT, BODY).json()["slug"] for _time in "ab"] == ["coppa", "coppa-2"]
    assert api.post(ROOT, BODY | {"slug": "coppa-3"}).json()["slug"] == "coppa-3"


@pytest.mark.parametrize("empty", ["---", "_", ""])
def test_a_slug_needs_a_letter_or_a_digit(api, empty):
    refused = api.post(ROOT, BODY | {"slug": empty})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["slug"])


def test_the_slug_of_an_event_stays(api, by):
    event = make.event(by)
    refused = api.patch(f"{ROOT}{event.slug}/", {"slug": "altro", "venue": "Qui"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["slug"])
    event.refresh_from_db()
    assert event.venue != "Qui"
    same = api.patch(f"{ROOT}{event.slug}/", {"slug": event.slug, "venue": "Qui"})
    assert (same.status_code, same.json()["venue"]) == (200, "Qui")


def test_who_comes_second_in_a_race_is_refused_not_lost(api, by, monkeypatch):
    """Another event takes the slug between the question and the answer."""
    make.event(by, slug="dup")
    monkeypatch.setattr(endpoints, "check_slug", lambda _slug: None)
    monkeypatch.setattr(event_services, "free_slug", lambda name: name)
    refused = api.post(ROOT, BODY | {"slug": "dup"})
    assert (refused.status_code, refused.json()["code"]) == (409, "slug_taken")
    assert connection.is_usable()
    assert Event.objects.count() == 1


@pytest.fixture
def draft(by):
    draft = make.event(by)
    make.players(draft, 2, by)
    return draft


def test_an_event_deleted_twice_is_gone_the_second_time(api, draft, monkeypatch):
    def meanwhile(**asked):
        delete_event(**asked)
        delete_event(**asked)

    monkeypatch.setattr(events, "delete_event", meanwhile)
    answer = api.delete(f"/api/v1/events/{draft.slug}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert not Event.objects.exists()


def test_a_player_removed_meanwhile_is_gone(api, by, draft, monkeypatch):
    change = players.change_entry

    def meanwhile(**asked):
        remove_entry(entry=asked["entry"], by=by)
        return change(**asked)

    monkeypatch.setattr(players, "change_entry", meanwhile)
    answer = api.patch(f"/api/v1/events/{draft.slug}/players/2/", {"club": "Lupi"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
