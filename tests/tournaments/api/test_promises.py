"""What docs/api.md and the schema promise of every call."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils import translation
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework.throttling import AnonRateThrottle, ScopedRateThrottle

from config.schema import SchemaView
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.callers import Callers
from tests.tournaments.api.endpoints import BODIES, MAY
from tournaments.archive.writer import event_archive
from tournaments.models import Event, GivenAnswer, LogLine
from tournaments.results.services.results import decide_result
from tournaments.rounds import services as rounds
from tournaments.undo.selectors import last_act

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]


HEAVY = {"validate", "try-rules", "rank", "restore", "advice", "scenarios", "export", "archive"}
SITE = {
    "/api/v1/events/": {},
    "/api/v1/formulas/": {},
    "/api/v1/formulas/advice/": {"players": "8"},
    "/api/v1/formats/": {},
    "/api/v1/formats/thoom/": {},
}
MEMBERS = {"type", "title", "status", "detail", "code", "request_id"}
READ = ("get", 200)
PROBLEM = "application/problem+json"


def views() -> dict[str, Any]:
    found = {}
    for item in get_resolver().url_patterns:
        if getattr(item, "namespace", None) in ("tournaments_api", "decks_api"):
            found |= {pattern.name: pattern.callback.view_class for pattern in item.url_patterns}
    return found


@pytest.mark.deep
def test_everything_that_is_read_has_a_version_and_gives_304(around: Callers) -> None:
    client = around.clients["organiser"]
    shown = [name for (name, method), (_who, status) in MAY.items() if (method, status) == READ]
    addresses = [(around.address(name), {}) for name in shown]
    for address, asked in (*addresses, *SITE.items()):
        first = client.get(address, asked)
        assert first.status_code == 200, address
        assert first["ETag"], address
        again = client.get(address, asked, HTTP_IF_NONE_MATCH=first["ETag"])
        assert (again.status_code, again.content) == (304, b""), address


@pytest.mark.deep
def test_a_version_changes_with_what_it_stands_for(around: Callers) -> None:
    client = around.clients["organiser"]
    names = ("event", "players", "matches", "match", "standings", "archive", "export", "undo")
    before = {name: client.get(around.address(name))["ETag"] for name in names}
    decide_result(
        match=around.match,
        version=0,
        claim=Claim(games=("a", "a")),
        by=around.by,
    )
    for name, tag in before.items():
        answer = client.get(around.address(name), HTTP_IF_NONE_MATCH=tag)
        assert answer.status_code == 200, name


def problem(answer: Any, where: object) -> dict[str, Any]:
    """Return the body of an error, which must be a problem document."""
    assert answer["Content-Type"] == PROBLEM, where
    body: dict[str, Any] = json.loads(answer.content)
    assert set(body) >= MEMBERS, (where, body)
    assert body["status"] == answer.status_code, where
    assert body["detail"], where
    assert body["request_id"] == answer["X-Request-ID"], where
    return body


@pytest.mark.deep
def test_every_error_is_a_problem_document(around: Callers) -> None:
    seen = set()
    for (name, method), caller in (
        (call, who) for call in MAY for who in ("anonymous", "organiser")
    ):
        for body in ([], {"status": 7, "version": "x", "name": [], "players": 1, "action": 1}):
            answer = around.undone(caller, method, around.address(name), body)
            if answer.status_code >= 400:
                seen.add(problem(answer, (name, method, body))["status"])
        missing = around.undone(caller, "patch", around.address(name).replace("trofeo", "no"), {})
        seen.add(problem(missing, name)["status"])
    seen.add(
        problem(around.undone("organiser", "put", around.address("rounds"), {}), "put")["status"]
    )
    assert seen >= {400, 403, 404, 405, 409}
    problem(Client().get("/api/v1/nowhere/"), "nowhere")
    problem(Client().post("/api/v1/rank/", b"{", content_type="application/json"), "rank")
    problem(Client().get("/api/v1/events/", headers={"Authorization": "Token x"}), "token")


def test_a_400_names_each_field(around: Callers) -> None:
    answer = around.undone(
        "organiser", "patch", around.address("event"), {"status": 7, "minutes": 0}
    )
    body = problem(answer, "event")
    assert set(body["errors"]) == {"status", "minutes"}
    assert body["minutes"] == body["errors"]["minutes"]
    assert (body["status"], body["code"]) == (400, "invalid")


@pytest.mark.deep
def test_lists_come_by_the_page_and_the_schema_says_so(around: Callers, client: Client) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    organiser = around.clients["organiser"]
    paged = {"players", "rounds", "matches", "apart", "match-extensions"}
    for name in paged:
        assert set(organiser.get(around.address(name)).json()) == {
            "count",
            "next",
            "previous",
            "results",
        }
    filters = {
        "players_list": {"status", "club", "search", "page"},
        "rounds_list": {"stage", "state", "page"},
        "matches_list": {"stage", "round", "group", "player", "state", "page"},
        "events_list": {"status", "format", "formula", "search", "page"},
        "formulas_list": {"page"},
        "standings_list": {"stage", "group"},
        "scenarios_list": {"stage", "group"},
    }
    for operations in schema["paths"].values():
        for operation in operations.values():
            wanted = filters.pop(operation["operationId"], None)
            if wanted is not None:
                known = {p["name"] for p in operation["parameters"] if p["in"] == "query"}
                assert known == wanted, operation["operationId"]
    assert not filters


def test_filters_leave_what_they_say(around: Callers) -> None:
    client = around.clients["organiser"]
    around.event.entries.filter(number__in=(1, 2)).update(club="Lupi")

    def found(name: str, **asked: str) -> int:
        return int(client.get(around.address(name), asked).json()["count"])

    assert found("players", club="Lupi") == 2
    assert found("players", search=around.event.entries.get(number=1).name) == 1
    assert (found("rounds", stage="1"), found("rounds", stage="2")) == (1, 0)
    assert (found("rounds", state="published"), found("rounds", state="draft")) == (1, 0)
    assert (found("matches", state="open"), found("matches", state="final")) == (4, 0)
    for name in ("rounds", "matches"):
        answer = client.get(around.address(name), {"stage": "x"})
        assert problem(answer, name)["errors"]["stage"]


def test_a_filter_has_the_values_that_there_are(around: Callers) -> None:
    client = around.clients["organiser"]
    closed = {
        "/api/v1/events/": ("status", "finished"),
        around.address("players"): ("status", "checked_in"),
        around.address("rounds"): ("state", "published"),
        around.address("matches"): ("state", "disputed"),
    }
    for address, (name, known) in closed.items():
        for wrong in ("nowhere", "\x00", "9" * 5000, known.upper()):
            answer = client.get(address, {name: wrong})
            assert answer.status_code == 400, (address, wrong[:20])
            assert known in problem(answer, address)["errors"][name][0]
        for right in (known, ""):
            assert client.get(address, {name: right}).status_code == 200


def test_costly_calls_are_throttled_more_and_posts_that_store_take_a_key() -> None:
    heavy = {n for n, view in views().items() if getattr(view, "throttle_scope", "") == "heavy"}
    assert heavy >= HEAVY
    posts = {name: view.post for name, view in views().items() if hasattr(view, "post")}
    assert len(posts) > 15
    without = {name for name, post in posts.items() if not hasattr(post, "__wrapped__")}
    assert without == STORES_NOTHING


def test_a_token_that_only_reads_sees_nothing_that_is_not_out(around: Callers) -> None:
    client = around.clients["organiser"]
    expected = Event.objects.get(pk=around.event.pk)
    client.post(around.address("undo"), {"version": last_act(expected).line.number}, format="json")
    assert rounds.find_round(around.event, 1).state == "draft"
    for level in ("read", "results"):
        token = around.clients[level]
        assert token.get(around.address("decklist")).status_code == 403
        assert token.get(around.address("rounds")).json()["count"] == 0
        assert token.get(around.address("matches")).json()["count"] == 0
        assert token.get(around.address("match")).status_code == 404
        assert token.get(around.address("undo")).status_code == 403
    manage = around.clients["manage"]
    assert manage.get(around.address("decklist")).status_code == 200
    assert manage.get(around.address("rounds")).json()["count"] == 1


def test_fixed_tables_apart_clubs_and_pairs(around: Callers) -> None:
    client = around.clients["organiser"]
    player = around.address("player")
    told = client.patch(player, {"fixed_table": 3}, format="json").json()
    assert told["fixed_table"] == 3
    assert client.patch(player, {"fixed_table": None}, format="json").json()["fixed_table"] is None
    event = around.address("event")
    assert client.patch(event, {"apart_clubs": True}, format="json").json()["apart_clubs"] is True
    apart = around.address("apart")
    assert client.post(apart, {"players": [2, 1]}, format="json").json() == {"players": [1, 2]}
    assert client.get(apart).json()["results"] == [{"players": [1, 2]}]
    pair = reverse("tournaments_api:apart-pair", args=[around.event.slug, 2, 1])
    assert client.delete(pair).status_code == 204
    assert client.get(apart).json()["count"] == 0


def test_minutes_given_by_mistake_are_taken_back(around: Callers) -> None:
    client, address = around.clients["judge"], around.address("match-extensions")
    given = client.post(address, {"minutes": 5, "reason": "Controllo"}, format="json").json()
    assert client.get(address).json()["results"] == [given]
    assert client.delete(f"{address}{given['id']}/").status_code == 204
    assert client.delete(f"{address}{given['id']}/").status_code == 404
    assert client.get(address).json()["count"] == 0


@pytest.fixture
def schema(client: Client):
    return client.get("/api/schema/", headers={"Accept": "application/json"}).json()


@pytest.mark.deep
def test_the_schema_is_written_once_for_each_language_and_format(client, monkeypatch) -> None:
    asked = []

    class Generator(SchemaGenerator):
        def get_schema(self, *args, **kwargs):
            asked.append(get_language())
            return super().get_schema(*args, **kwargs)

    monkeypatch.setattr(SpectacularAPIView, "generator_class", Generator)
    monkeypatch.setattr("config.schema.WRITTEN", {})
    usual = SpectacularAPIView.as_view(renderer_classes=SchemaView.renderer_classes)
    for accept in ("application/json", "*/*", "application/json; indent=2"):
        headers = {"accept": accept, "accept-language": "it"}
        first, second = (client.get("/api/schema/", headers=headers) for _ in range(2))
        with translation.override("it"):
            made = usual(RequestFactory().get("/api/schema/", headers=headers)).render()
        assert first.content == second.content == made.content
        for name in ("Content-Type", "Content-Disposition"):
            assert first[name] == second[name] == made[name]
    assert asked == ["it"] * (2 + 2 + 3)
    client.get("/api/schema/", headers={"accept-language": "en"})
    assert asked[7:] == ["en"]


@pytest.mark.deep
def test_the_schema_is_valid_and_names_every_call_with_its_refusals(schema) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO())
    assert len(schema["paths"]) == len(views())
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert {"400", "403", "404", "409"} <= set(operation["responses"]), (path, method)


def test_an_answer_has_the_fields_of_its_schema(schema, api) -> None:
    body = {"name": "T", "format": "thoom", "formula": "single-group"}
    made = api.post("/api/v1/events/", body).json()
    assert set(made) == set(schema["components"]["schemas"]["EventOutput"]["properties"])
    player = api.post(f"/api/v1/events/{made['slug']}/players/", {"name": "Ada"}).json()
    assert set(player) == set(schema["components"]["schemas"]["PlayerOutput"]["properties"])


@pytest.mark.deep
def test_a_filter_may_be_left_empty_and_the_schema_says_so(schema, api) -> None:
    event = make.playing(make.organiser(), 4)
    for path in ("matches", "standings", "rounds", "players", "scenarios", "tie-breaks"):
        operation = schema["paths"][f"/api/v1/events/{{slug}}/{path}/"]["get"]
        asked = [each for each in operation["parameters"] if each["in"] == "query"]
        assert asked
        address = f"/api/v1/events/{event.slug}/{path}/"
        plain = api.get(address)
        for parameter in asked:
            assert parameter["allowEmptyValue"] is True, (path, parameter)
            answer = api.get(address, {parameter["name"]: ""})
            assert answer.status_code == 200, (path, parameter)
            assert answer.json() == plain.json(), (path, parameter)
    advice = schema["paths"]["/api/v1/formulas/advice/"]["get"]["parameters"]
    assert [each["name"] for each in advice if "allowEmptyValue" in each] == []
    assert api.get("/api/v1/formulas/advice/", {"players": ""}).status_code == 400


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("matches/?round=x", 400),
        ("players/?page=x", 404),
        ("standings/?stage=x", 400),
        ("tie-breaks/?stage=x", 400),
    ],
)
def test_a_wrong_question_is_refused_whatever_the_reader_holds(api, by, asked, status) -> None:
    event = make.playing(by, 4)
    path = f"/api/v1/events/{event.slug}/{asked}"
    assert api.get(path, headers={"if-none-match": "*"}).status_code == status
    right = api.get(path.partition("?")[0])
    held = {"if-none-match": right.headers["ETag"]}
    assert api.get(path.partition("?")[0], headers=held).status_code == 304


def test_what_is_null_in_a_list_is_as_if_left_out_and_the_schema_says_so(schema, api) -> None:
    path = "/api/v1/formats/{slug}/validate/"
    content = schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    name = content["schema"]["$ref"].rpartition("/")[2]
    fields = schema["components"]["schemas"][name]["properties"]
    assert {key: field.get("nullable") for key, field in fields.items()} == dict.fromkeys(
        ("text", "zones", "language"), True
    )
    address = path.format(slug="thoom")
    plain = api.post(address, {"text": "1 x"})
    nulls = api.post(address, {"text": "1 x", "zones": None, "language": None})
    assert (nulls.status_code, nulls.json()) == (200, plain.json())


STORES_NOTHING = {
    *("rank", "tables", "validate", "exchange", "try-rules"),
    *("formula-check", "match-effects"),
    "join",  # its answer has a secret, which is stored nowhere
}


def twice(client: Any, address: str, body: object, other: object) -> Any:
    """Send a POST twice with a key, then another with the same; return the first answer."""
    key = {"HTTP_IDEMPOTENCY_KEY": f"key of {address}"}
    first = client.post(address, body, format="json", **key)
    assert first.status_code in (200, 201), (address, first.content)
    lines = LogLine.objects.count()
    again = client.post(address, body, format="json", **key)
    assert again["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    reused = client.post(address, other, format="json", **key)
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")
    assert LogLine.objects.count() == lines
    return first


@pytest.mark.deep
def test_a_key_lets_a_post_happen_once(around: Callers) -> None:
    client = around.clients["organiser"]
    for name in ("match-extensions", "apart", "round-clock", "stage-second-leg"):
        body = BODIES.get((name, "post"), {})
        twice(client, around.address(name), body, {"minutes": 59})
    event = {"name": "T", "format": "thoom", "formula": "single-group", "decklists": "off"}
    twice(client, "/api/v1/events/", event, {**event, "name": "U"})
    made = Event.objects.get(name="T")
    players = f"/api/v1/events/{made.slug}/players/"
    twice(client, players, [{"name": "Ada"}, {"name": "Bea"}], {"name": "Carlo"})
    assert made.entries.count() == 2
    client.post(players, {"name": "Carlo"}, format="json")
    started = twice(client, f"/api/v1/events/{made.slug}/start/", {"seed": "s"}, {})
    assert started.json()["status"] == "running"


@pytest.mark.deep
def test_undo_and_redo_happen_once_and_need_the_version(around: Callers) -> None:
    client, address = around.clients["organiser"], around.address("undo")
    offered = client.get(address).json()
    assert offered["undo"]["action"] == "round.published"
    assert offered["redo"] is None
    done = twice(client, address, {"version": offered["undo"]["version"]}, {"version": 1})
    assert done.json()["undo"]["action"] == "round.drafted"
    assert around.event.rounds.get().state == "draft"
    again = done.json()["redo"]
    assert again["action"] == "round.published"
    stale = client.post(around.address("redo"), {"version": 3}, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    twice(client, around.address("redo"), {"version": again["version"]}, {"version": 1})
    assert around.event.rounds.get().state == "published"


@pytest.mark.deep
def test_what_has_to_stay_says_why(around: Callers) -> None:
    client, address = around.clients["organiser"], around.address("undo")
    while (act := last_act(Event.objects.get(pk=around.event.pk))) and act.why_not is None:
        client.post(address, {"version": act.line.number}, format="json")
    told = client.get(address).json()["undo"]
    assert (told["action"], bool(told["why_not"])) == ("draw.start", True)
    refused = client.post(address, {"version": told["version"]}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")


def test_restoring_happens_once(around: Callers) -> None:
    content = event_archive(around.event)
    client = around.clients["organiser"]
    key = {"HTTP_IDEMPOTENCY_KEY": "restore"}
    more = {"content_type": "application/json", **key}
    answers = [client.post("/api/v1/events/restore/?slug=copia", content, **more) for _ in "ab"]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1]["Idempotent-Replayed"] == "true"
    assert Event.objects.filter(slug__startswith="copia").count() == 1
    other = client.post("/api/v1/events/restore/?slug=altra", content, **more)
    assert other.status_code == 422
    assert GivenAnswer.objects.filter(key="restore").count() == 1


EVENTS = "/api/v1/events/"


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_write_without_the_last_slash_is_no_read(around, settings, method, debug):
    settings.DEBUG = debug
    for address in (EVENTS, around.address("event")):
        answer = getattr(around.clients["organiser"], method)(address.rstrip("/"), {})
        assert answer.status_code == 404, answer
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "not_found"
        assert "slash" in answer.json()["detail"]
        assert int(answer["Content-Length"]) == len(answer.content)
    if not debug:
        nowhere = around.clients["organiser"].post("/api/v1/no")
        assert (nowhere.status_code, "slash" in nowhere.json()["detail"]) == (404, False)


def test_a_reader_without_the_last_slash_is_sent_on():
    answer = Client().get(EVENTS.rstrip("/"))
    assert (answer.status_code, answer["Location"]) == (301, EVENTS)


def test_lots_are_drawn_in_the_stage_that_is_named(around):
    for body in ({"order": [1, 2]}, {}):
        address = around.address("stage-lots", number=2)
        refused = around.clients["organiser"].post(address, body)
        assert (refused.status_code, refused.json()["code"]) == (409, "stage_not_open")


RATES = {"anon": "5/min", "user": "5/min", "heavy": "2/min"}
BODY = {"players": ["anna"], "matches": []}


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (AnonRateThrottle, ScopedRateThrottle):
        monkeypatch.setattr(kind, "THROTTLE_RATES", RATES)


@pytest.mark.usefixtures("_few")
def test_heavy_calls_are_few(client: Client) -> None:
    def rank():
        return client.post(
            "/api/v1/rank/",
            BODY,
            content_type="application/json",
            headers={"accept-language": "en"},
        )

    assert [rank().status_code for _call in range(2)] == [200, 200]
    refused = rank()
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert refused["Content-Type"].startswith("application/")
    assert refused.json()["code"] == "throttled"
    assert refused.json()["detail"] == "Wait a minute, then try again."
    assert refused.json()["request_id"]


@pytest.mark.django_db
@pytest.mark.usefixtures("_few")
def test_reading_goes_on_while_heavy_calls_wait(client: Client) -> None:
    statuses = [
        client.post("/api/v1/rank/", BODY, content_type="application/json").status_code
        for _call in range(3)
    ]
    assert statuses == [200, 200, 429]
    assert client.get("/api/v1/formulas/").status_code == 200
    again = [client.get("/api/v1/formulas/").status_code for _call in range(3)]
    assert again[-1] == 429
