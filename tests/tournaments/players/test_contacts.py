"""Answers and contacts of players: who may, until when, and where they are found."""

import json
from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook
from rest_framework.test import APIClient

from rules.events.questions import Question
from tests import factories as make
from tests.browsers import by_link, url
from tests.canary import told
from tournaments.archive.writer import event_archive
from tournaments.core.acts import NoUndo
from tournaments.core.permissions import Actor
from tournaments.core.visibility import EVERY_LIST
from tournaments.erasing.selectors import entry_data_json
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event
from tournaments.exports.workbook import event_workbook
from tournaments.models import Contact, Event, KeptRows, LogLine
from tournaments.players.acts import ANSWERS_CHANGED
from tournaments.players.selectors.answers import ContactDetails, player_contact
from tournaments.players.services import departures, entries
from tournaments.players.services.contacts import change_contact
from tournaments.players.services.entries import change_answers
from tournaments.questions.services import add_question, remove_question
from tournaments.repeats.services import repeat_event
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.staff.services import create_event_token
from tournaments.undo.selectors import last_act, undo_options
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


SAID = "Zibibbo Risposta"


@pytest.fixture
def asking(by):
    """Return an open event that asks for a room, and must have a consent."""
    asking = make.open_event(by)
    add_question(event=asking, kind="text", text="Stanza?", by=by)
    add_question(event=asking, kind="consent", text="Foto in diretta", required=True, by=by)
    asking.refresh_from_db()
    return asking


def keys(event):
    return [one["key"] for one in event.questions]


def registered(event, **said):
    room, photos = keys(event)
    answers = {room: SAID, photos: True} | said
    return entries.register(event=event, name="Anna", user=None, answers=answers, by=Actor())


def test_answers_are_stored_with_the_registration(asking):
    room, photos = keys(asking)
    assert registered(asking).answers == {room: SAID, photos: True}


def test_without_a_required_answer_nobody_registers_and_the_staff_adds_anybody(asking, by):
    assert make.refusal(registered, asking, **{keys(asking)[1]: False}) == "answer_missing"
    assert not asking.entries.exists()
    make.players(asking, 2, by)
    entries.add_entry(event=asking, name="Zita", by=by)
    assert list(asking.entries.values_list("answers", flat=True)) == [{}, {}, {}]


def test_nobody_changes_the_answers_of_another(asking, by):
    entry = registered(asking)
    (other,) = make.players_more(asking, ("Bea",), by)
    for actor in (Actor(), Actor(entry=other), make.staff(asking, "judge")):
        with pytest.raises(PermissionDenied):
            change_answers(entry=entry, answers={}, by=actor)
    entry.refresh_from_db()
    assert entry.answers


def test_the_staff_fill_in_what_is_known_while_the_event_runs(by):
    event = make.playing(by, 4, formula="single-group")
    asked = [
        Question(key="a", kind="consent", text="Foto", required=True).as_json(),
        Question(key="b", kind="yes_no", text="Pranzo?").as_json(),
    ]
    Event.objects.filter(pk=event.pk).update(questions=asked)
    entry = event.entries.get(number=1)
    change_answers(entry=entry, answers={"b": False}, by=make.staff(event, "scorekeeper"))
    entry.refresh_from_db()
    assert entry.answers == {"b": False}


def test_no_line_of_the_log_and_no_kept_row_holds_an_answer(asking, by):
    entry = registered(asking)
    change_answers(entry=entry, answers={keys(asking)[0]: f"{SAID} due"}, by=by)
    line = asking.log.order_by("number").last()
    assert (line.action, line.after) == ("answers.changed", {"number": 1})
    told = [*LogLine.objects.values_list("before", "after", "facts", "words", "subject")]
    assert SAID not in str([*told, *KeptRows.objects.values_list("rows", flat=True)])


def test_the_same_answers_are_no_act_and_others_are_not_taken_back(asking, by):
    entry = registered(asking)
    before = asking.log.count()
    change_answers(entry=entry, answers=entry.answers, by=by)
    assert asking.log.count() == before
    change_answers(entry=entry, answers={}, by=by)
    asking.refresh_from_db()
    acts = undo_options(asking)
    assert acts.last is not None
    assert "answers.changed" not in {act.line.action for act in (acts.last, *acts.others)}
    assert isinstance(ANSWERS_CHANGED.undo, NoUndo)


def test_adding_a_question_is_taken_back_unless_it_was_answered(by):
    event = make.open_event(by)
    event = add_question(event=event, kind="text", text="Stanza?", by=by)
    undo(event=event, expected=last_act(event).line.number, by=by)
    event.refresh_from_db()
    assert event.questions == []
    event = add_question(event=event, kind="text", text="Stanza?", by=by)
    line = last_act(event).line
    said = {keys(event)[0]: SAID}
    entries.register(event=event, name="Anna", user=None, answers=said, by=Actor())
    refused = make.refusal(change_event, event=event, changes=line.before, by=by)
    assert refused == "question_answered"


def test_after_the_start_nothing_more_is_asked(by):
    event = make.playing(by, 4, formula="single-group")
    refused = make.refusal(add_question, event=event, kind="text", text="Stanza?", by=by)
    assert refused == "event_started"


def test_only_organisers_ask(asking):
    for actor in (Actor(), make.staff(asking, "scorekeeper")):
        with pytest.raises(PermissionDenied):
            add_question(event=asking, kind="text", text="Altro?", by=actor)
        with pytest.raises(PermissionDenied):
            remove_question(event=asking, key=keys(asking)[0], by=actor)


def test_the_next_event_asks_the_same_and_has_no_answers(asking, by):
    registered(asking)
    copy = repeat_event(source=asking, by=by)
    assert copy.questions == asking.questions
    assert not copy.entries.exists()


def test_who_is_erased_leaves_no_answer_anywhere(asking, by):
    entry = registered(asking)
    departures.withdraw(entry=entry, reason="", by=by)
    assert SAID in event_archive(Event.objects.get(pk=asking.pk)).decode()
    erase_player(event=asking, number=entry.number, confirm=entry.name, by=by)
    entry.refresh_from_db()
    assert entry.answers == {}
    assert SAID not in event_archive(Event.objects.get(pk=asking.pk)).decode()


def test_who_was_removed_and_is_erased_leaves_no_answer_in_what_undo_keeps(asking, by):
    entry = registered(asking)
    number = entry.number
    entries.remove_entry(entry=entry, by=by)
    assert SAID in str([*KeptRows.objects.values_list("rows", flat=True)])
    erase_player(event=asking, number=number, confirm=str(number), by=by)
    assert SAID not in str([*KeptRows.objects.values_list("rows", flat=True)])


def test_who_asks_for_their_data_gets_their_answers(asking):
    with translation.override("en"):
        assert entry_data_json(registered(asking))["answers"] == [
            {"question": "Stanza?", "answer": SAID},
            {"question": "Foto in diretta", "answer": "yes"},
        ]


def test_the_workbook_of_the_staff_alone_has_a_column_for_each_question(asking, by):
    registered(asking)
    make.players_more(asking, ("Bea",), by)
    found = {}
    for staff in (True, False):
        with translation.override("en"):
            content = event_workbook(Event.objects.get(pk=asking.pk), staff=staff, sight=EVERY_LIST)
        sheet = load_workbook(BytesIO(content))["Players"]
        found[staff] = [tuple(row) for row in sheet.iter_rows(values_only=True)]
    assert found[True][0][-2:] == ("Stanza?", "Foto in diretta")
    assert found[True][1][-2:] == (SAID, "yes")
    assert not any(found[True][2][-2:])
    assert "Stanza?" not in str(found[False])
    assert SAID not in str(found[False])


EMAIL, NUMBER = "zibibbo@example.org", "ZB-0123"
FULL = {"email": EMAIL, "memberships": {"konami": NUMBER}}
TERMS = {"email": True, "memberships": ["Konami"], "why": "Le iscrizioni vanno a Konami"}


@pytest.fixture
def event(by):
    """Return an open event with two players, of whom the first has a contact."""
    event = make.open_event(by)
    make.players(event, 2, by)
    change_contact(entry=event.entries.get(number=1), **FULL, by=by)
    event.refresh_from_db()
    return event


def holding() -> set[str]:
    """Return the columns of the database that hold the address or the number."""
    return {at.strip() for at, text in told() if EMAIL in text or NUMBER in text}


def test_it_stands_in_its_own_table_and_the_same_again_is_no_act(event, by):
    assert player_contact(event.entries.get(number=1)) == ContactDetails(**FULL)
    assert holding() == {"Contact.email", "Contact.memberships"}
    line = event.log.latest("number")
    assert (line.action, line.after) == ("contact.changed", {"number": 1})
    assert EMAIL.encode() not in event_archive(event)
    entry, lines = event.entries.get(number=1), event.log.count()
    change_contact(entry=entry, **FULL, by=by)
    assert event.log.count() == lines
    change_contact(entry=entry, email="", memberships={}, by=by)
    assert not Contact.objects.exists()


def test_nobody_but_organisers_changes_it(event):
    entry = event.entries.get(number=1)
    staff = [make.staff(event, role) for role in ("judge", "scorekeeper", "head_judge")]
    for actor in (Actor(), Actor(entry=entry), *staff):
        with pytest.raises(PermissionDenied):
            change_contact(entry=entry, email="", by=actor)
    assert player_contact(entry).email == EMAIL


@pytest.mark.deep
def test_a_removed_player_leaves_nothing_for_undo(event, by):
    entries.remove_entry(entry=event.entries.get(number=1), by=by)
    assert holding() == set()
    event.refresh_from_db()
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert event.entries.filter(number=1).exists()
    assert holding() == set()


@pytest.mark.deep
def test_a_snapshot_has_none_and_leaves_those_that_are_there(event, by):
    kept = take_snapshot(event, "round.discarded", by=by)
    change_contact(entry=event.entries.get(number=2), email="due@example.org", by=by)
    restore_snapshot(event=Event.objects.get(), snapshot_id=kept.pk, by=by)
    found = dict(Contact.objects.values_list("entry__number", "email"))
    assert found == {1: EMAIL, 2: "due@example.org"}


def test_it_is_in_the_data_and_erased_with_the_person(event, by):
    entry = event.entries.get(number=1)
    assert entry_data_json(entry)["contact"] == {**FULL, "later_since": None}
    departures.withdraw(entry=entry, reason="", by=by)
    erase_player(event=Event.objects.get(), number=1, confirm=entry.name, by=by)
    assert holding() == set()


def test_it_is_deleted_as_many_days_after_the_event_as_its_organisers_chose(event, by):
    change_event(event=event, changes={"contact_terms": {"days": 7}}, by=by)
    now = timezone.now()
    finished = {"state": Event.State.FINISHED}
    for days, left in ((6, 1), (8, 0)):
        Event.objects.update(finished_at=now - timedelta(days=days), **finished)
        call_command("tidy", stdout=(said := StringIO()))
        assert (Contact.objects.count(), bool(said.getvalue())) == (left, not left)


def test_an_event_that_still_goes_on_keeps_them_and_one_forgotten_does_not(event):
    Event.objects.update(starts_at=timezone.now() - timedelta(days=200))
    call_command("tidy")
    assert Contact.objects.exists(), "something was done in it today"
    event.log.update(at=timezone.now() - timedelta(days=91))
    call_command("tidy")
    assert not Contact.objects.exists()


def register(event, **fields):
    address = url("register", event)
    return Client(headers={"accept-language": "en"}).post(address, {"name": "Zita Ro", **fields})


def test_registration_asks_with_the_reason_and_says_what_is_wrong_at_the_field(event, by):
    change_event(event=event, changes={"contact_terms": TERMS}, by=by)
    page = register(event, email="zibibbo", member_konami=NUMBER).content.decode()
    assert (
        "Le iscrizioni vanno a Konami Only organisers can read this. It is deleted 90 days" in page
    )
    assert "Enter an address such as name@example.org." in page
    for fields, words in (
        (
            {"email": "zita@example.org", "member_konami": NUMBER},
            "Another player already has number",
        ),
        ({"email": "zita@example.org"}, "This field is required"),
    ):
        answer = register(event, **fields)
        assert (answer.status_code, words in answer.content.decode()) == (400, True)
    assert event.entries.count() == 2
    assert register(event, email="zita@example.org", member_konami="7").status_code == 302
    found = player_contact(event.entries.get(number=3))
    assert found == ContactDetails(email="zita@example.org", memberships={"konami": "7"})


def test_what_is_not_asked_for_is_not_stored(event):
    assert register(event, email="zita@example.org", member_konami="7").status_code == 302
    assert Contact.objects.count() == 1


def test_organisers_change_it_by_the_page_and_others_of_the_staff_do_not_see_it(event, by):
    page = url("manage-player", event, 2)
    to = url("manage-player-contact", event, 2)
    organiser, scorekeeper = Client(), Client()
    organiser.force_login(by.user)
    scorekeeper.force_login(make.staff(event, "scorekeeper").user)
    change_event(event=event, changes={"contact_terms": TERMS}, by=by)
    refused = organiser.post(to, {"email": "due@example.org", "member_konami": NUMBER})
    assert "id_member_konami_error" in refused.content.decode()
    assert refused.status_code == 400
    sent = {"email": "due@example.org", "member_konami": "8"}
    assert scorekeeper.post(to, sent).status_code == 403
    assert organiser.post(to, sent).status_code == 302
    assert "due@example.org" in organiser.get(page).content.decode()
    assert "due@example.org" not in scorekeeper.get(page).content.decode()


def test_a_player_changes_their_own(event, by):
    """What the event asks for and what is known of them, nothing else; the log says no value."""
    change_event(event=event, changes={"contact_terms": {"memberships": ["Play!"]}}, by=by)
    player, other = (by_link(event.entries.get(number=n), by) for n in (1, 2))
    page = url("my-contact", event)
    shown = player.get(page).content.decode()
    assert EMAIL in shown
    assert NUMBER in shown
    assert EMAIL not in other.get(page).content.decode()
    for sent, words in (
        (
            {"member_konami": NUMBER, "email": "zibibbo"},
            "Enter an address such as name@example.org.",
        ),
        ({"member_konami": "!"}, "Enter a membership number"),
    ):
        refused = player.post(page, sent)
        assert (refused.status_code, words in refused.content.decode()) == (400, True)
    twice = other.post(page, {"member_play": "7", "member_konami": "9", "email": "b@example.org"})
    assert twice.status_code == 302
    sent = {"email": "", "member_konami": NUMBER, "member_play": "7"}
    refused = player.post(page, sent)
    assert "id_member_play_error" in refused.content.decode()
    assert player.post(page, sent | {"member_play": "8"}).status_code == 302
    assert player_contact(event.entries.get(number=1)).columns() == {
        "email": "",
        "memberships": {"konami": NUMBER, "play": "8"},
        "later_since": None,
    }
    assert player_contact(event.entries.get(number=2)).columns() == {
        "email": "",
        "memberships": {"play": "7"},
        "later_since": None,
    }
    line = event.log.latest("number")
    assert (line.action, line.after) == ("contact.changed", {"number": 1})
    assert url("my-contact", event) in player.get(url("me", event)).content.decode()


@pytest.mark.parametrize(
    ("sent", "code"),
    [({"email": "zibibbo"}, "bad_email"), ({"membership": {"konami": "!"}}, "bad_membership")],
)
def test_a_program_that_sends_no_contact_is_told_so_and_nothing_is_stored(event, by, sent, code):
    api = APIClient()
    api.force_authenticate(by.user)
    many = reverse("tournaments_api:players", args=[event.slug])
    refused = api.post(many, {"name": "Bea Nera", **sent}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    one = api.patch(reverse("tournaments_api:player", args=[event.slug, 1]), sent, format="json")
    assert (one.status_code, one.json()["code"]) == (400, code)
    assert (event.entries.count(), player_contact(event.entries.get(number=1)).email) == (2, EMAIL)


def test_answers_kept_for_the_same_question_hold_no_contact(event, by):
    api = APIClient()
    api.force_authenticate(by.user)
    many = reverse("tournaments_api:players", args=[event.slug])
    sent = {"name": "Bea Nera", "email": "zibibbo-due@example.org", "membership": {"konami": "77"}}
    answer = api.post(many, sent, format="json", headers={"idempotency-key": "k1"})
    assert answer.status_code == 201
    assert not answer.json().keys() & {"email", "membership"}
    held = {at.strip() for at, text in told() if "zibibbo-due" in text}
    assert held == {"Contact.email"}


def test_the_organiser_says_what_is_asked_for(event, by):
    to = url("manage-contact", event)
    organiser = Client()
    organiser.force_login(by.user)
    sent = {"email": "on", "memberships": "Play! ID\nKonami", "why": "", "days": "30"}
    assert organiser.post(to, sent | {"memberships": "A\na"}).status_code == 400
    assert organiser.post(to, sent).status_code == 302
    event.refresh_from_db()
    assert event.contact_terms["memberships"] == ["Play! ID", "Konami"]
    assert event.contact_terms["days"] == 30


def test_a_program_says_what_is_asked_for(event, by):
    api = APIClient()
    api.force_authenticate(by.user)
    change_event(event=event, changes={"contact_terms": {"days": 30}}, by=by)
    address = reverse("tournaments_api:event", args=[event.slug])
    twice, once = ({"memberships": names} for names in (["konami", "Konami"], ["konami"]))
    assert api.patch(address, twice, format="json").status_code == 400
    assert api.patch(address, once, format="json").json()["memberships"] == ["konami"]
    event.refresh_from_db()
    assert (event.contact_terms["days"], event.contact_terms["memberships"]) == (30, ["konami"])


def test_the_api_gives_it_to_organisers_alone(event, by):
    address = reverse("tournaments_api:player", args=[event.slug, 1])

    def asked(level=None):
        headers = {}
        if level is not None:
            token = create_event_token(event=event, level=level, by=by)
            headers = {"authorization": f"Token {token}"}
        return Client(headers=headers)

    assert asked("manage").get(address).json()["membership"] == {"konami": NUMBER}
    for level in ("read", None):
        assert not asked(level).get(address).json().keys() & {"email", "membership"}
    sent = json.dumps({"membership": {"club": "9"}})
    answer = asked("manage").patch(address, sent, content_type="application/json").json()
    assert (answer["email"], answer["membership"]) == (EMAIL, {"club": "9"})
    wrong = json.dumps({"name": "Bea", "membership": {"club": "9"}})
    many = reverse("tournaments_api:players", args=[event.slug])
    refused = asked("manage").post(many, wrong, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "membership_twice")
    assert event.entries.count() == 2
