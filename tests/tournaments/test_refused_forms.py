"""Forms by name, sent as people and scripts do, and refused where they should be."""

import re
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, RequestFactory

from config.middleware import RuleErrorMiddleware
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.around import Around
from tests.browsers import signed_in, url
from tests.event_addresses import BODIES, EVENT_PAGES, NOBODY, PLAYER
from tests.level_players import four_level
from tests.report_table import Table
from tournaments.models import Draw, Event, Match, Report

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
SENTENCE = "A disqualification needs a reason."


@pytest.fixture
def event(by) -> Event:
    return make.playing(by, 4)


@pytest.fixture
def desk(by) -> Client:
    return signed_in(by)


def beside(page: str, id_of_input: str) -> str:
    """Return the sentence that an input is described by."""
    (tag,) = re.findall(rf'<input[^>]*id="{id_of_input}"[^>]*>', page)
    assert 'aria-invalid="true"' in tag
    (described,) = re.findall(r'aria-describedby="([^"]*)"', tag)
    error = described.split()[-1]
    return page.split(f'id="{error}">')[1].split("</div>")[0]


def test_a_disqualification_without_reason_shows_the_players_page_again(desk, event):
    answer = desk.post(url("manage-player-leave", event, 2), {"action": "disqualify"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert SENTENCE in beside(page, "leave_reason")
    assert f'value="{event.entries.get(number=2).name}"' in page  # the other form stands as it was
    assert event.entries.get(number=2).plays


def test_a_step_that_is_refused_keeps_the_reason(desk, event):
    data = {"action": "come_back", "reason": "Missed the train"}
    answer = desk.post(url("manage-player-leave", event, 2), data)
    assert answer.status_code == 409
    assert 'value="Missed the train"' in answer.content.decode()
    unknown = desk.post(url("manage-player-leave", event, 2), data | {"action": "fly"})
    assert unknown.status_code == 400
    assert "Choose one of the options." in unknown.content.decode()
    assert desk.get(url("manage-player-leave", event, 2)).status_code == 405


def test_the_match_page_opens_the_player_whose_reason_is_missing(desk, event):
    match = Match.objects.filter(round__event=event).first()
    data = {"number": match.players[1].number, "action": "disqualify", "reason": "  "}
    answer = desk.post(url("match-leave", event, match.pk), data)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert SENTENCE in beside(page, f"leave_{match.players[1].number}_reason")
    assert len(re.findall(r"<details open>\s*<summary>", page)) == 1
    match.players[1].refresh_from_db()
    assert match.players[1].plays


def test_a_refused_form_says_once_that_nothing_is_saved(desk, event):
    field = desk.post(url("manage-player-leave", event, 2), {"action": "disqualify"})
    assert field.content.decode().count("Not saved") == 1
    message = desk.post(url("lots-hand", event), {"tied": "1,2"})
    assert message.status_code >= 400
    assert message.content.decode().count("Not saved") == 1


PLACES = {"tied": "1,2,3,4", "place_1": "3", "place_2": "1", "place_3": "2", "place_4": "4"}


@pytest.mark.deep
def test_places_drawn_by_hand_are_kept_where_they_are_refused(desk, by):
    event = four_level(by)
    twice = PLACES | {"place_4": "1", "witnesses": "Ada", "note": "From a hat"}
    answer = desk.post(url("lots-hand", event), twice)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Give each player a different place, from 1 to 4." in page
    assert '<details class="by-hand" open>' in page
    sent = {name: value for name, value in twice.items() if name != "tied"}
    for name, value in sent.items():
        (tag,) = re.findall(rf'<input[^>]*name="{name}"[^>]*>', page)
        assert f'value="{value}"' in tag


@pytest.mark.deep
def test_places_that_are_no_numbers_are_kept_too(desk, by):
    event = four_level(by)
    answer = desk.post(url("lots-hand", event), PLACES | {"place_4": "9x"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert page.count("Give each player a different place, from 1 to 4.") == 1
    (tag,) = re.findall(r'<input[^>]*name="place_4"[^>]*>', page)
    assert 'value="9x"' in tag


@pytest.mark.deep
def test_missing_witnesses_are_told_beside_their_field(desk, by):
    event = four_level(by)
    answer = desk.post(url("lots-hand", event), PLACES)
    assert answer.status_code == 400
    assert "This field is required." in beside(answer.content.decode(), "hand-1-2-3-4-witnesses")
    assert not Draw.objects.filter(by_hand=True).exists()
    assert desk.post(url("lots-hand", event), PLACES | {"witnesses": "Ada"}).status_code == 302
    assert Draw.objects.get(by_hand=True).order == [2, 3, 1, 4]
    gone = desk.post(url("lots-hand", event), PLACES | {"witnesses": "Ada"})
    assert gone.status_code == 409


JSON = {"Accept": "application/json"}
KEYS = ({}, {"Idempotency-Key": "k-1"})
POSTED = [name for name, (_read, send) in EVENT_PAGES.items() if send != NOBODY]
STRANGE = {"preset": "9-9", "own": "x", "text": "?", "version": "-1", "number": "999", "change": ""}


def answers(around: Around, name: str, body: dict[str, Any]) -> list[tuple[int, bytes]]:
    """Return status and body of a form sent with and without a key; whatever it did is undone."""
    role = "player" if EVENT_PAGES[name][1] == PLAYER else "organiser"
    found = []
    for key in KEYS:
        with transaction.atomic():
            browser = around.browsers[role]
            answer = browser.post(around.address(name), body, headers={**JSON, **key})
            transaction.set_rollback(True)
        is_json = answer.headers["Content-Type"].startswith("application/json")
        refused = is_json and answer.status_code >= 400
        found.append((answer.status_code, answer.content if refused else b""))
    return found


@pytest.mark.deep
@pytest.mark.parametrize("state", ["running", "registration"])
@pytest.mark.parametrize("body", [{}, STRANGE], ids=["empty", "strange"])
def test_no_form_of_a_script_is_an_error_of_ours(state: str, body: dict[str, Any]) -> None:
    around = Around(state, format="creatures-of-exo")
    around.browsers["organiser"].raise_request_exception = False
    around.browsers["player"].raise_request_exception = False
    wrong = []
    for name in POSTED:
        plain, keyed = answers(around, name, body | BODIES.get(name, {}) if body else {})
        if plain[0] >= 500 or plain != keyed:
            wrong.append((name, plain, keyed))
    assert wrong == []


@pytest.mark.deep
@pytest.mark.parametrize("key", KEYS, ids=["plain", "keyed"])
@pytest.mark.parametrize("fields", [{"preset": "9-9"}, {"own": "x", "sure": "1"}, {}])
def test_a_report_that_says_nothing_is_refused(key: dict[str, str], fields: dict[str, str]) -> None:
    table = Table("games")
    answer = table.phones["a"].post(table.url("my-report"), fields, headers={**JSON, **key})
    assert (answer.status_code, answer.json()["status"]) == (400, "refused")
    assert not Report.objects.exists()


@pytest.mark.parametrize("key", KEYS, ids=["plain", "keyed"])
def test_a_page_that_asks_is_no_error_for_a_script(key: dict[str, str]) -> None:
    table = Table("games")
    for fields in ({"preset": "2-1", "change": "1"}, {"own": "2", "other": "1"}):
        answer = table.phones["a"].post(table.url("my-report"), fields, headers={**JSON, **key})
        assert answer.status_code in (200, 400)
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("error", "status"), [(BadInput("a", "No."), 400), (RuleError("a", "No."), 409)]
)
@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/events/x/desk/", "text/html", "text/html"),
        ("/events/x/desk/", "application/json", "application/json"),
        ("/api/v1/rank/", "*/*", "application/problem+json"),
    ],
)
def test_a_refusal_that_no_view_catches_is_an_answer(
    error: RuleError, status: int, path: str, accept: str, kind: str
) -> None:
    request = RequestFactory().post(path, headers={"accept": accept})
    answer = RuleErrorMiddleware(lambda _request: None).process_exception(request, error)
    assert answer is not None
    assert answer.status_code == status
    assert answer.headers["Content-Type"].startswith(kind)
    assert (
        RuleErrorMiddleware(lambda _request: None).process_exception(request, ValueError()) is None
    )
