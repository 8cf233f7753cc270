"""What can't be used where it is sent is refused with a sentence, not left aside.

Each case was once accepted, and a part of what somebody wanted was gone without a word.
"""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from rules.errors import BadInput
from rules.events.clock import ClockAction
from tests import factories as make
from tests.around import tables
from tests.browsers import signed_in
from tournaments.checks import services as checks
from tournaments.clock import services as clock
from tournaments.core.permissions import Actor
from tournaments.lots import services as draws
from tournaments.models import Event, SavedFormula
from tournaments.rounds import services as rounds
from tournaments.starting import services as starting

pytestmark = pytest.mark.django_db
RELOAD = "Reload the page and try again."


@pytest.fixture
def signed(by: Actor) -> Client:
    return signed_in(by)


@pytest.fixture
def program(by: Actor) -> APIClient:
    client = APIClient()
    client.force_authenticate(by.user)
    client.credentials(HTTP_ACCEPT_LANGUAGE="en")
    return client


def page(name: str, event: Event, *parts: object) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug, *parts])


def call(event: Event, path: str) -> str:
    return f"/api/v1/events/{event.slug}/{path}"


def refused(answer: Any, says: str, status: int = 400) -> None:
    assert answer.status_code == status, answer.content.decode()[:2000]
    assert says in answer.content.decode()


def ready(by: Actor, **values: Any) -> Event:
    event = make.open_event(by, formula="single-group", **values)
    make.players(event, 4, by)
    return event


def start(event: Event, by: Actor) -> None:
    draw = draws.draw_start_order(event=event, seed="s", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)


# --- Pages that were opened before the start -----------------------------------------------
def typed(form: Any) -> dict[str, Any]:
    """Return what a browser sends of a form: the values of all fields that can be changed."""
    sent = {}
    for bound in form:
        value = bound.value()
        if not bound.field.disabled and value not in (None, False, ""):
            sent[bound.html_name] = value
    return sent


@pytest.mark.deep
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"capacity": "12"}, "Player limit"),
        ({"points_win": "2"}, "Win"),
        ({"decklist_deadline": "2026-12-05T09:00"}, "Decklist deadline"),
        ({"formula": "swiss-cut"}, "Tournament format"),
        ({"criterion_wins": "1"}, "Wins"),
    ],
)
def test_settings_opened_before_the_start_are_not_half_stored(
    by, signed, changed: dict[str, str], told: str
) -> None:
    event = ready(by)
    address = page("manage-settings", event)
    sent = typed(signed.get(address).context["form"]) | {"name": "Altro"} | changed
    start(event, by)
    before = tables()
    answer = signed.post(address, sent)
    refused(answer, f"You can’t change this after the start: {told}.")
    assert tables() == before


@pytest.mark.deep
def test_settings_opened_before_the_start_are_stored_where_nothing_locked_has_changed(
    by, signed
) -> None:
    event = ready(by, decklist_deadline=make.EVENT["starts_at"])
    address = page("manage-settings", event)
    sent = typed(signed.get(address).context["form"]) | {"name": "Altro"}
    start(event, by)
    assert signed.post(address, sent).status_code == 302
    assert Event.objects.get(pk=event.pk).name == "Altro"


def test_a_seed_typed_before_the_start_is_not_passed_over(by, signed) -> None:
    event = ready(by)
    start(event, by)
    before = tables()
    answer = signed.post(page("manage-player", event, 1), {"name": "Adele", "seed": "1"})
    refused(answer, "Seed position")
    assert tables() == before


# --- Buttons and forms ----------------------------------------------------------------------
def test_a_step_that_there_is_not_is_no_step(by, signed) -> None:
    refused(signed.post(page("manage-move", ready(by)), {"action": "close"}), RELOAD)


def test_a_formula_is_a_file_or_a_text(signed) -> None:
    file = SimpleUploadedFile("formula.json", b"{}")
    answer = signed.post("/formulas/import/", {"file": file, "text": "{}"})
    refused(answer, "Choose a file or paste the text.")
    assert not SavedFormula.objects.exists()


@pytest.mark.parametrize("more", [{"level": "warning"}, {"infraction": "In ritardo"}])
@pytest.mark.parametrize("outcome", ["clean", "abandoned"])
def test_a_penalty_beside_another_outcome_is_not_dropped(by, signed, outcome, more) -> None:
    event = make.started(by, 4, decklists="optional")
    check = checks.begin_player_check(entry=event.entries.get(number=1), by=by)
    before = tables()
    body = {"version": "0", "finish": "yes", "outcome": outcome, **more}
    answer = signed.post(page("check", event, check.pk), body)
    refused(answer, "To give a penalty, choose the outcome “Penalty”.")
    assert tables() == before
    for key, value in more.items():
        assert answer.context["form"][key].value() == value


@pytest.fixture
def draft(by) -> Event:
    event = make.started(by, 6, formula="swiss-cut", format="creatures-of-exo")
    rounds.draft_round(event=event, expected_round=1, by=by)
    return Event.objects.get(pk=event.pk)


def test_a_note_that_is_too_long_is_not_cut(by, signed, program, draft) -> None:
    before = tables()
    body = {"expected": "1", "action": "swap", "player": ["1", "2"], "note": "x" * 201}
    version = program.get(call(draft, "rounds/1/check/")).json()["version"]
    answer = signed.post(page("desk-change", draft, 1), body | {"expected": str(version)})
    refused(answer, "Write at most 200 characters.")
    assert tables() == before


def test_a_tick_that_can_not_be_read_is_not_passed_over(signed, draft) -> None:
    body = {"expected": "1", "action": "break", "player": ["1", "x"]}
    refused(signed.post(page("desk-change", draft, 1), body), RELOAD)


def test_minutes_go_with_the_act_that_adds_them(by, signed, program) -> None:
    event = make.started(by, 4)
    make.next_round(event, by)
    with pytest.raises(BadInput) as told:
        clock.run_clock(event=event, ordinal=1, action=ClockAction.START, minutes=30, by=by)
    assert told.value.code == "impossible_minutes"
    body = {"action": "start", "version": "0", "minutes": "30"}
    refused(signed.post(page("desk-clock", event, 1), body), "Choose one of the options.")
    answer = program.post(call(event, "rounds/1/clock/"), {"action": "start", "minutes": 30})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["minutes"])


# --- The API ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "unused"),
    [
        ({"seed": "s", "groups": [[1, 2, 3, 4]]}, ["seed"]),
        ({"witnesses": "Uno"}, ["witnesses"]),
        ({"seed": "s", "note": "Sul palco"}, ["note"]),
    ],
)
def test_a_start_takes_what_it_uses(by, program, body, unused) -> None:
    event = ready(by)
    answer = program.post(call(event, "start/"), body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, unused)
    assert Event.objects.get(pk=event.pk).plan is None


def test_a_start_with_seats_keeps_note_and_witnesses(by, program) -> None:
    event = ready(by)
    body = {"groups": [[1, 2, 3, 4]], "witnesses": "Uno", "note": "Sul palco"}
    assert program.post(call(event, "start/"), body, format="json").status_code == 200
    draw = event.draws.get(kind="start")
    assert (draw.witnesses, draw.note) == ("Uno", "Sul palco")


@pytest.mark.parametrize("unused", ["note", "witnesses"])
def test_lots_that_the_tool_draws_have_no_witnesses(by, program, unused) -> None:
    event = make.started(by, 4)
    answer = program.post(call(event, "stages/1/lots/"), {unused: "Uno"}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [unused])


def test_extra_matches_are_of_players_or_of_sets(by, program) -> None:
    event = make.started(by, 4)
    body = {"players": [1, 2], "sets": [[3, 4]]}
    answer = program.post(call(event, "stages/1/extra-matches/"), body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["players"])


@pytest.mark.parametrize(
    ("body", "unused"),
    [
        ({"late": "bye", "status": "withdrawn"}, "late"),
        ({"name": "Adele", "reason": "x"}, "reason"),
    ],
)
def test_a_player_is_changed_by_what_changes_one(by, program, body, unused) -> None:
    event = ready(by)
    before = tables()
    answer = program.patch(call(event, "players/1/"), body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [unused])
    assert tables() == before


@pytest.mark.parametrize("reason", [5, ["Errore"], {"why": "Errore"}, "x" * 301])
def test_the_reason_of_a_list_is_taken_whole_or_not(by, program, reason) -> None:
    event = make.started(by, 4, formula="single-group", decklists="optional")
    before = tables()
    body = {"text": "1 Carta", "reason": reason}
    answer = program.put(call(event, "players/1/decklist/"), body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["reason"])
    assert tables() == before
