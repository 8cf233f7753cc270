"""Questions on pages: the organiser's, registration, the player's own, and the staff's."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, signed_in, url
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event_state
from tournaments.models import Entry
from tournaments.players.services import entries
from tournaments.questions.services import add_question

pytestmark = pytest.mark.django_db
SAID = "Zibibbo Risposta"


@pytest.fixture
def event(by):
    event = make.open_event(by)
    add_question(event=event, kind="text", text="Stanza?", by=by)
    add_question(event=event, kind="choice", text="Taglia?", choices=["S", "M"], by=by)
    add_question(event=event, kind="yes_no", text="Pranzo?", required=True, by=by)
    add_question(event=event, kind="consent", text="Foto in diretta", required=True, by=by)
    event.refresh_from_db()
    return event


def sent(event, *answers):
    """Return the fields of a form with these answers, in the order of the questions."""
    keys = [f"ask_{one['key']}" for one in event.questions]
    return {key: said for key, said in zip(keys, answers, strict=True) if said is not None}


def stored(event, number=1):
    """Return a player's answers in the order of the questions; PostgreSQL sorts keys."""
    answers = event.entries.get(number=number).answers
    return [answers[question["key"]] for question in event.questions if question["key"] in answers]


@pytest.fixture
def entry(event):
    answers = dict(zip((q["key"] for q in event.questions), (SAID, "M", False, True), strict=True))
    return entries.register(event=event, name="Anna", user=None, answers=answers, by=Actor())


def test_the_organiser_asks_and_removes(by):
    event = make.open_event(by)
    client, address = signed_in(by), url("manage-questions", event)
    asked = {"text": "Taglia?", "kind": "choice", "choices": "S\n\nM\r\nL", "required": "on"}
    assert client.post(address, asked).status_code == 302
    event.refresh_from_db()
    (question,) = event.questions
    assert question | {"key": ""} == {
        "key": "",
        "kind": "choice",
        "text": "Taglia?",
        "required": True,
        "choices": ["S", "M", "L"],
    }
    assert "Taglia?" in page(client, "manage-questions", event)
    assert client.post(address, {"remove": question["key"]}).status_code == 302
    event.refresh_from_db()
    assert event.questions == []
    assert client.post(address, {"remove": question["key"]}).status_code == 409


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"text": "", "kind": "text"}, "text"),
        ({"text": "x" * 201, "kind": "text"}, "text"),
        ({"text": "Taglia?", "kind": "choice", "choices": "S"}, "choices"),
        ({"text": "Taglia?", "kind": "other"}, "kind"),
    ],
)
def test_a_bad_question_is_refused_beside_its_field(by, asked, field):
    event = make.open_event(by)
    answer = signed_in(by).post(url("manage-questions", event), asked)
    assert answer.status_code == 400
    assert answer.context["form"].errors.keys() == {field}
    event.refresh_from_db()
    assert event.questions == []


def test_the_log_tells_the_words_of_questions_and_no_answer(event, entry, by):
    client = signed_in(by)
    client.post(url("manage-player-answers", event, 1), sent(event, "Altra", "", "no", "on"))
    shown = page(client, "log", event)
    assert "Stanza?, Taglia?" in shown
    assert "Answers changed" in shown
    assert "Altra" not in shown
    assert SAID not in shown
    assert "&#x27;kind&#x27;" not in shown


def test_an_answered_question_says_why_it_stays(event, entry, by):
    key = event.questions[0]["key"]
    answer = signed_in(by).post(url("manage-questions", event), {"remove": key})
    assert answer.status_code == 409
    assert "“Stanza?” already has answers." in answer.content.decode()


def test_a_guest_answers_and_the_error_stands_beside_the_field(event):
    guest, address = Client(headers=ENGLISH), url("register", event)
    assert "Foto in diretta" in page(guest, "register", event)
    refused = guest.post(address, {"name": "Anna"} | sent(event, SAID, "XL", None, None))
    assert refused.status_code == 400
    wrong = sent(event, None, "", "", "").keys()
    assert refused.context["form"].errors.keys() == set(wrong)
    assert SAID in refused.content.decode()
    assert not event.entries.exists()
    taken = guest.post(address, {"name": "Anna"} | sent(event, SAID, "M", "no", "on"))
    assert taken.status_code == 302
    assert stored(event) == [SAID, "M", False, True]


def test_somebody_with_an_account_answers_too(event):
    person = make.user(name="Bruno")
    client = Client(headers=ENGLISH)
    client.force_login(person)
    assert "Register as Bruno" not in page(client, "event", event)  # which would ask nothing
    client.post(url("register", event), {"name": "Bruno"} | sent(event, "", "", "yes", "on"))
    assert list(Entry.objects.get(user=person).answers.values()) == [True, True]


def test_a_player_changes_answers_until_it_closes(event, entry, by):
    phone, address = by_link(entry, by), url("my-answers", event)
    assert address in page(phone, "me", event)
    assert SAID in page(phone, "my-answers", event)
    assert phone.post(address, sent(event, "Due", "S", "yes", "on")).status_code == 302
    assert stored(event) == ["Due", "S", True, True]
    refused = phone.post(address, sent(event, "Tre", "S", "yes", None))
    assert refused.status_code == 400
    assert len(refused.context["form"].errors) == 1
    change_event_state(event=event, action="close_registration", by=by)
    shown = page(phone, "my-answers", event)
    assert "<dd>Due</dd>" in shown
    assert "To change an answer, ask the staff." in shown
    late = phone.post(address, sent(event, "Tre", "S", "yes", "on"))
    assert late.status_code == 409
    assert stored(event) == ["Due", "S", True, True]


def test_the_staff_fill_in_answers(event, by):
    make.players(event, 1, by)
    client, address = signed_in(by), url("manage-player-answers", event, 1)
    assert client.post(address, sent(event, SAID, "", "no", None)).status_code == 302
    assert stored(event) == [SAID, False, False]
    shown = page(client, "manage-player", event, 1)
    assert SAID in shown
    assert '<option value="no" selected>' in shown
    refused = client.post(address, sent(event, "x" * 301, "", "", None))
    assert refused.status_code == 400
    assert refused.context["answers"].errors
    assert stored(event) == [SAID, False, False]


@pytest.mark.deep
def test_nobody_else_reads_an_answer(event, entry, by):
    (other,) = make.players_more(event, ("Bea",), by)
    names = ("event", "players", "register", "workbook", "me", "my-answers", "my-data-here")
    for client in (Client(headers=ENGLISH), by_link(other, by)):
        found = [client.get(url(name, event)) for name in names]
        api = reverse("tournaments_api:players", args=[event.slug])
        found.append(client.get(api))
        assert not [a.request["PATH_INFO"] for a in found if SAID.encode() in a.content]


def test_an_event_that_asks_nothing_shows_nothing_of_it(by):
    event = make.open_event(by)
    (entry,) = make.players(event, 1, by)
    phone = by_link(entry, by)
    assert "Your answers" not in page(phone, "me", event)
    assert "This event has no questions" in page(phone, "my-answers", event)
    assert 'id="answers"' not in page(signed_in(by), "manage-player", event, 1)
