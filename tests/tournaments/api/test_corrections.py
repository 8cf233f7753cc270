"""Rounds through the API: drafts and snapshots, the clock, corrections."""

from datetime import UTC, datetime, timedelta

import pytest

from rules.events.clock import ClockReading
from tests import factories as make
from tests.around import tables
from tournaments.archive.writer import VERSION
from tournaments.models import Event, Match, Round, Stage
from tournaments.rounds.services import draft_round
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return a bracket of four whose final is made and not played."""
    event = make.halfway(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.next_round(event, by)
    return event


def address(event, match, what: str = "result") -> str:
    return f"/api/v1/events/{event.slug}/matches/{match.pk}/{what}/"


def first_match(event, ordinal: int = 1) -> Match:
    found = Match.objects.filter(round__event=event, round__ordinal=ordinal, match_seats__number=2)
    return found.order_by("number")[0]


TURNED = {"games": ["b", "b"], "note": "Scambiati"}


def test_the_effects_are_told_and_nothing_is_stored(api, event):
    match = first_match(event)
    before = tables()
    told = api.post(address(event, match, "effects"), TURNED)
    assert told.status_code == 200, told.content
    effects = told.json()
    assert (effects["rounds"], effects["stages"], effects["reaches_further"]) == ([2], [], True)
    final, third = (
        {side for each in effects["pairings"][0][key] for side in (each["a"], each["b"])}
        for key in ("gone", "instead")
    )
    assert effects["pairings"][0]["round"] == 2
    assert {player.number for player in match.players} <= final & third
    assert tables() == before
    stale = api.post(address(event, match, "effects"), TURNED | {"version": 0})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert stale.json()["match"]["version"] == match.version
    wrong = api.post(address(event, match, "effects"), {"games": ["a", "a", "a"]})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "impossible_result")


@pytest.mark.deep
def test_pairings_of_a_draft_are_for_who_may_see_drafts(api, program, by):
    """A token for results alone is for a screen that others see."""
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    draft_round(event=event, expected_round=2, publish=False, by=by)
    preview = address(event, first_match(event), "effects")
    told = [caller.post(preview, TURNED).json() for caller in (api, program(by.user, "results"))]
    assert [each["rounds"] for each in told] == [[2], [2]]
    assert [[of["round"] for of in each["pairings"]] for each in told] == [[2], []]


def test_without_a_choice_nothing_is_stored_and_the_effects_are_told(api, event):
    match = first_match(event)
    effects = api.post(address(event, match, "effects"), TURNED).json()
    before = tables()
    refused = api.put(address(event, match), TURNED | {"version": match.version})
    assert (refused.status_code, refused.json()["code"]) == (409, "choice_needed")
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["effects"] == effects
    assert refused.json()["choices"] == ["keep", "take_back"]
    assert "keep or discard the later rounds" in refused.json()["detail"]
    assert tables() == before


@pytest.mark.parametrize(("later", "rounds"), [("keep", [1, 2]), ("take_back", [1])])
def test_what_was_made_from_the_old_result_is_kept_or_taken_back(api, event, later, rounds):
    match = first_match(event)
    sent = TURNED | {"version": match.version, "later": later}
    corrected = api.put(address(event, match), sent)
    assert corrected.status_code == 200, corrected.content
    assert (corrected.json()["winner"], corrected.json()["effects"]["rounds"]) == ("b", [2])
    found = Round.objects.filter(event=event).order_by("ordinal")
    assert list(found.values_list("ordinal", flat=True)) == rounds


def test_a_played_successor_stays_unless_it_is_kept(api, by, event):
    make.play_round(Round.objects.get(event=event, ordinal=2), by)
    match = first_match(event)
    sent = TURNED | {"version": match.version}
    refused = api.put(address(event, match), sent | {"later": "take_back"})
    assert (refused.status_code, refused.json()["code"]) == (409, "round_has_results")
    assert api.put(address(event, match), sent | {"later": "keep"}).status_code == 200
    assert api.put(address(event, match), sent | {"later": "x"}).json()["errors"]["later"]


@pytest.mark.deep
def test_a_correction_that_contradicts_nothing_needs_no_choice(api, by):
    """As the contract has it: the version and the result are enough."""
    event = make.started(by, 4, formula="single-group", format="creatures-of-exo")
    for _round in "ab":
        make.play_round(make.next_round(event, by), by)
    match = first_match(event)
    entered = api.put(address(event, match), {"version": match.version, "games": ["b", "b"]})
    assert entered.status_code == 200
    effects = entered.json()["effects"]
    assert effects["moves"]
    assert (effects["rounds"], effects["stages"], effects["reaches_further"]) == ([], [], False)
    make.next_round(event, by)
    fresh = api.put(address(event, first_match(event, 3)), {"version": 0, "games": ["a", "a"]})
    assert "effects" not in fresh.json()


@pytest.mark.deep
def test_qualifiers_that_change_ask_for_a_choice(api, by):
    event = make.started(by, 5)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    places = event.stages.get(number=1).places
    first = Match.objects.filter(round__stage__number=1)
    match = make.among(first, (places["X"], places["Y"])).get()
    turned = [0, 90] if match.players[0].number == places["X"] else [90, 0]
    sent = {"version": match.version, "score": turned}
    refused = api.put(address(event, match), sent)
    assert (refused.status_code, refused.json()["code"]) == (409, "choice_needed")
    effects = refused.json()["effects"]
    assert effects["stages"] == [2]
    assert {"place": "X", "before": places["X"], "after": places["Y"]} in effects["places"]
    assert api.put(address(event, match), sent | {"later": "take_back"}).status_code == 200
    assert Event.objects.get(pk=event.pk).stages.get(number=2).state == Stage.State.PENDING


SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def seven(by):
    return make.started(by, 7, **SWISS)


@pytest.fixture
def path(seven):
    return f"/api/v1/events/{seven.slug}/rounds/"


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
    assert {m["reason"] for m in by_hand} == {"Paired manually by the organiser: Fratelli"}
    stale = api.post(f"{path}1/changes/", swap, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    late = api.post(f"{path}1/publish/", {"version": check["version"]}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "stale")
    seen = changed["check"]["version"]
    assert api.post(f"{path}1/publish/", {"version": seen}, format="json").status_code == 200
    assert api.get(f"{path}1/check/").status_code == 404


@pytest.mark.deep
def test_every_change_and_what_is_not_one(api, path, seven):
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
    one, other = Match.objects.filter(round__event=seven, table__isnull=False)[:2]
    assert send(action="table", matches=[one.pk, other.pk]).status_code == 200
    assert send(action="table", matches=[one.pk], table=9).status_code == 200
    for body, status, code in (
        ({"action": "burn"}, 400, "invalid"),
        ({"action": "swap", "players": [1]}, 400, "choose_two"),
        ({"action": "meet", "players": [1, 99]}, 400, "unknown_player"),
    ):
        answer = send(**body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_who_is_not_on_the_staff_sees_no_draft(api, program, path, seven):
    drafted(api, path)
    player = program(make.user())
    assert player.get(f"{path}1/check/").status_code == 404
    assert player.post(f"{path}1/changes/", {"action": "break"}, format="json").status_code == 404
    judge = program(make.staff(seven).user)
    assert judge.get(f"{path}1/check/").status_code == 200
    swap = {"action": "swap", "players": [1, 2]}
    assert judge.post(f"{path}1/changes/", swap, format="json").status_code == 403


@pytest.mark.deep
@pytest.mark.parametrize("where", ["address", "body"])
def test_a_round_with_results_goes_by_its_name_and_comes_back(api, by, path, seven, where):
    make.play_round(make.next_round(seven, by), by)
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
    snapshots = f"/api/v1/events/{seven.slug}/snapshots/"
    (kept,) = api.get(snapshots).json()
    assert kept["before"] == "round.discarded"
    assert api.get(f"{snapshots}{kept['id']}/").json()["girone"] == VERSION
    restored = api.post(f"{snapshots}{kept['id']}/restore/", {}, format="json")
    assert restored.status_code == 200
    assert restored.json()["version"] == Event.objects.get(pk=seven.pk).version
    after = api.get(f"{path}1/").json()
    shown = ("a", "b", "table", "games", "winner", "state")
    assert [[m[key] for key in shown] for m in after["matches"]] == [
        [m[key] for key in shown] for m in before["matches"]
    ]


BEGIN = ClockReading(datetime(2026, 12, 5, 9, tzinfo=UTC), 100.0, "laptop")


@pytest.fixture
def wait(monkeypatch):
    """Return a function that lets seconds pass; nothing passes by itself."""
    now = [BEGIN]
    for module in ("core.clocks", "clock.services"):
        monkeypatch.setattr(f"tournaments.{module}.current_moment", lambda: now[0])

    def pass_by(seconds: float) -> None:
        was = now[0]
        now[0] = ClockReading(was.at + timedelta(seconds=seconds), was.ticks + seconds, was.machine)

    return pass_by


@pytest.fixture
def running(by):
    return make.playing(by, 4)


def url(event, rest="", ordinal=1):
    return f"/api/v1/events/{event.slug}/rounds/{ordinal}/{rest}"


def clock(answer):
    assert answer.status_code == 200, answer.content
    told = answer.json()["clock"]
    return told["state"], told["remaining"], told["minutes"]


def test_a_round_with_its_clock(api, running, wait):
    def act(action, **more):
        return clock(api.post(url(running, "clock/"), {"action": action} | more))

    assert clock(api.get(url(running))) == ("ready", 3000, 50)
    assert act("start") == ("running", 3000, 50)
    wait(60)
    assert act("pause") == ("paused", 2940, 50)
    wait(60)
    assert act("resume") == ("running", 2940, 50)
    assert act("add", minutes=5) == ("running", 3240, 55)
    wait(4000)
    assert clock(api.get(url(running))) == ("over", 0, 55)
    assert act("reset") == ("ready", 3300, 55)


def test_each_second_is_another_answer_while_it_runs(api, running, wait):
    api.post(url(running, "clock/"), {"action": "start"})
    tag = api.get(url(running))["ETag"]
    assert api.get(url(running), HTTP_IF_NONE_MATCH=tag).status_code == 304
    wait(2)
    again = api.get(url(running), HTTP_IF_NONE_MATCH=tag)
    assert clock(again) == ("running", 2998, 50)
    listed = api.get(f"/api/v1/events/{running.slug}/rounds/").json()["results"][0]
    assert listed["clock"]["remaining"] == 2998
    api.post(url(running, "clock/"), {"action": "pause"})
    tag = api.get(url(running))["ETag"]
    wait(99)
    assert api.get(url(running), HTTP_IF_NONE_MATCH=tag).status_code == 304


def test_refusals(api, running, wait, by):
    for body in ({}, {"action": "stop"}, {"action": "add", "minutes": 0}, {"action": 7}):
        assert api.post(url(running, "clock/"), body).status_code == 400
    for body, code in (
        ({"action": "pause"}, "clock_not_running"),
        ({"action": "add", "minutes": 5}, "clock_not_started"),
    ):
        refused = api.post(url(running, "clock/"), body)
        assert (refused.status_code, refused.json()["code"]) == (409, code)
    api.post(url(running, "clock/"), {"action": "start"})
    assert api.post(url(running, "clock/"), {"action": "add"}).status_code == 400
    assert api.post(url(running, "clock/", ordinal=9), {"action": "start"}).status_code == 404


@pytest.mark.deep
def test_a_final_has_no_clock(api, by):
    event = make.started(by, 4)
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    item = make.next_round(event, by)
    assert api.get(url(event, ordinal=item.ordinal)).json()["clock"] is None
    refused = api.post(url(event, "clock/", ordinal=item.ordinal), {"action": "start"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_time_limit")
