"""Drafts and snapshots through the API."""

import pytest

from tests import factories as make
from tournaments.archive.writer import VERSION
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def event(by):
    return make.started(by, 7, **SWISS)


@pytest.fixture
def path(event):
    return f"/api/v1/events/{event.slug}/rounds/"


def drafted(api, path):
    answer = api.post(path, {"draft": True}, format="json")
    assert answer.status_code == 201
    return answer.json()


def test_a_draft_is_looked_at_changed_and_published(api, path):
    made = drafted(api, path)
    assert (made["number"], made["name"], made["state"]) == (1, "Round 1", "draft")
    check = api.get(f"{path}1/check/").json()
    assert (check["remarks"], check["unpaired"]) == ([], [])
    one, other = [match for match in made["matches"] if match["b"]][:2]
    swap = {"action": "swap", "players": [one["a"], other["b"]], "version": check["version"]}
    changed = api.post(f"{path}1/changes/", swap | {"note": "Fratelli"}, format="json").json()
    pairs = {frozenset((m["a"], m["b"])) for m in changed["matches"] if m["by_hand"]}
    assert pairs == {frozenset((other["b"], one["b"])), frozenset((other["a"], one["a"]))}
    by_hand = [match for match in changed["matches"] if match["by_hand"]]
    assert {m["reason"] for m in by_hand} == {"Paired by hand by the organiser: Fratelli"}
    stale = api.post(f"{path}1/changes/", swap, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    late = api.post(f"{path}1/publish/", {"version": check["version"]}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "stale")
    seen = changed["check"]["version"]
    assert api.post(f"{path}1/publish/", {"version": seen}, format="json").status_code == 200
    assert api.get(f"{path}1/check/").status_code == 404


def test_every_change_and_what_is_not_one(api, path, event):
    made = drafted(api, path)
    first, second = [match for match in made["matches"] if match["b"]][:2]

    def send(**body):
        return api.post(f"{path}1/changes/", body, format="json")

    broken = send(action="break", matches=[first["id"]]).json()
    assert sorted(broken["check"]["unpaired"]) == sorted([first["a"], first["b"]])
    assert {r["weight"] for r in broken["check"]["remarks"]} == {"fault"}
    refused = api.post(f"{path}1/publish/", format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "players_unpaired")
    assert sorted(refused.json()["players"]) == sorted([first["a"], first["b"]])
    assert send(action="bye", players=[first["a"]]).status_code == 200
    assert send(action="repair", players=[first["a"], first["b"], second["a"]]).status_code == 200
    one, other = Match.objects.filter(round__event=event, table__isnull=False)[:2]
    assert send(action="table", matches=[one.pk, other.pk]).status_code == 200
    assert send(action="table", matches=[one.pk], table=9).status_code == 200
    for body, status, code in (
        ({"action": "burn"}, 400, "invalid"),
        ({"action": "swap", "players": [1]}, 400, "choose_two"),
        ({"action": "meet", "players": [1, 99]}, 400, "unknown_player"),
    ):
        answer = send(**body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_who_is_not_on_the_staff_sees_no_draft(api, program, path, event, judge_of):
    drafted(api, path)
    player = program(make.user())
    assert player.get(f"{path}1/check/").status_code == 404
    assert player.post(f"{path}1/changes/", {"action": "break"}, format="json").status_code == 404
    judge = program(judge_of(event))
    assert judge.get(f"{path}1/check/").status_code == 200
    swap = {"action": "swap", "players": [1, 2]}
    assert judge.post(f"{path}1/changes/", swap, format="json").status_code == 403


@pytest.mark.parametrize("where", ["address", "body"])
def test_a_round_with_results_goes_by_its_name_and_comes_back(api, by, path, event, where):
    make.play_round(make.next_round(event, by), by)
    before = api.get(f"{path}1/").json()
    refused = api.delete(f"{path}1/")
    assert (refused.status_code, refused.json()["code"]) == (409, "round_has_results")
    wrong = api.delete(f"{path}1/", {"confirm": "Round 2"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "not_confirmed")
    if where == "body":
        gone = api.delete(f"{path}1/", {"confirm": "round 1"}, format="json")
    else:
        gone = api.delete(f"{path}1/?confirm=Round+1")
    assert gone.status_code == 204
    snapshots = f"/api/v1/events/{event.slug}/snapshots/"
    (kept,) = api.get(snapshots).json()
    assert kept["before"] == "round.discarded"
    assert api.get(f"{snapshots}{kept['id']}/").json()["girone"] == VERSION
    restored = api.post(f"{snapshots}{kept['id']}/restore/", {}, format="json")
    assert restored.status_code == 200
    assert restored.json()["version"] == Event.objects.get(pk=event.pk).version
    after = api.get(f"{path}1/").json()
    shown = ("a", "b", "table", "games", "winner", "state")
    assert [[m[key] for key in shown] for m in after["matches"]] == [
        [m[key] for key in shown] for m in before["matches"]
    ]
