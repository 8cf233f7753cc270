"""What docs/api.md promises of every call: versions, problem documents, pages, throttles."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from rules.matches.match_rules import Claim
from tests.callers import Callers
from tests.tournaments.api.endpoints import MAY
from tournaments.models import Event
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
    """Return the class of every call by its name."""
    found = {}
    for item in get_resolver().url_patterns:
        if getattr(item, "namespace", None) in ("tournaments_api", "decks_api"):
            found |= {pattern.name: pattern.callback.view_class for pattern in item.url_patterns}
    return found


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


def test_costly_calls_are_throttled_more() -> None:
    heavy = {n for n, view in views().items() if getattr(view, "throttle_scope", "") == "heavy"}
    assert heavy >= HEAVY


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
