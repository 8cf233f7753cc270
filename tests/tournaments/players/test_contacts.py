"""Contacts as services and pages keep them: who reads them, where they are not, until when."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from rules.errors import BadInput
from tests import factories as make
from tests.browsers import by_link
from tests.canary import told
from tournaments.archive.writer import archive
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import data_of_entry
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services.events import change_event
from tournaments.models import Contact, Event
from tournaments.players.selectors.answers import KnownContact, contact_of
from tournaments.players.services import departures, entries
from tournaments.players.services.contacts import change_contact
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.staff.services import make_token
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
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


def test_it_stands_in_its_own_table_and_the_log_says_that_it_changed(event, by):
    assert contact_of(event.entries.get(number=1)) == KnownContact(**FULL)
    assert holding() == {"Contact.email", "Contact.memberships"}
    line = event.log.latest("number")
    assert (line.action, line.after) == ("contact.changed", {"number": 1})
    assert EMAIL.encode() not in archive(event)


def test_the_same_again_is_no_act_and_nothing_left_is_no_row(event, by):
    entry, lines = event.entries.get(number=1), event.log.count()
    change_contact(entry=entry, **FULL, by=by)
    assert event.log.count() == lines
    change_contact(entry=entry, email="", memberships={}, by=by)
    assert not Contact.objects.exists()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"email": "zibibbo"}, "bad_email"),
        ({"memberships": {"konami": NUMBER.lower()}}, "membership_twice"),
        ({"memberships": {"!": "7"}}, "bad_membership"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_stored(event, by, sent, code):
    with pytest.raises(BadInput) as refused:
        change_contact(entry=event.entries.get(number=2), **sent, by=by)
    assert refused.value.code == code
    assert Contact.objects.count() == 1


def test_nobody_but_organisers_changes_it(event):
    entry = event.entries.get(number=1)
    staff = [make.staff(event, role) for role in ("judge", "scorekeeper", "head_judge")]
    for actor in (Actor(), Actor(entry=entry), *staff):
        with pytest.raises(PermissionDenied):
            change_contact(entry=entry, email="", by=actor)
    assert contact_of(entry).email == EMAIL


def test_a_removed_player_leaves_nothing_for_undo(event, by):
    entries.remove_entry(entry=event.entries.get(number=1), by=by)
    assert holding() == set()
    event.refresh_from_db()
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert event.entries.filter(number=1).exists()
    assert holding() == set()


def test_a_snapshot_has_none_and_leaves_those_that_are_there(event, by):
    kept = take_snapshot(event, "round.discarded", by=by)
    change_contact(entry=event.entries.get(number=2), email="due@example.org", by=by)
    restore_snapshot(event=Event.objects.get(), snapshot_id=kept.pk, by=by)
    found = dict(Contact.objects.values_list("entry__number", "email"))
    assert found == {1: EMAIL, 2: "due@example.org"}


def test_it_is_in_the_data_and_erased_with_the_person(event, by):
    entry = event.entries.get(number=1)
    assert data_of_entry(entry)["contact"] == FULL
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
    address = reverse("tournaments:register", args=[event.slug])
    return Client(headers={"accept-language": "en"}).post(address, {"name": "Zita Ro", **fields})


def test_registration_asks_with_the_reason_and_says_what_is_wrong_at_the_field(event, by):
    change_event(event=event, changes={"contact_terms": TERMS}, by=by)
    page = register(event, email="zibibbo", member_konami=NUMBER).content.decode()
    assert "Le iscrizioni vanno a Konami – Read by the organisers alone, deleted 90 days" in page
    assert "This is not an e-mail address." in page
    for fields, words in (
        ({"email": "zita@example.org", "member_konami": NUMBER}, "Another player of this event"),
        ({"email": "zita@example.org"}, "This field is required"),
    ):
        answer = register(event, **fields)
        assert (answer.status_code, words in answer.content.decode()) == (400, True)
    assert event.entries.count() == 2
    assert register(event, email="zita@example.org", member_konami="7").status_code == 302
    found = contact_of(event.entries.get(number=3))
    assert found == KnownContact(email="zita@example.org", memberships={"konami": "7"})


def test_what_is_not_asked_for_is_not_stored(event):
    assert register(event, email="zita@example.org", member_konami="7").status_code == 302
    assert Contact.objects.count() == 1


def test_organisers_change_it_by_the_page_and_others_of_the_staff_do_not_see_it(event, by):
    page = reverse("tournaments:manage-player", args=[event.slug, 2])
    to = reverse("tournaments:manage-player-contact", args=[event.slug, 2])
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
    page = reverse("tournaments:my-contact", args=[event.slug])
    shown = player.get(page).content.decode()
    assert EMAIL in shown
    assert NUMBER in shown
    assert EMAIL not in other.get(page).content.decode()
    for sent, words in (
        ({"member_konami": NUMBER, "email": "zibibbo"}, "This is not an e-mail address."),
        ({"member_konami": "!"}, "A membership has a name"),
    ):
        refused = player.post(page, sent)
        assert (refused.status_code, words in refused.content.decode()) == (400, True)
    twice = other.post(page, {"member_play": "7", "member_konami": "9", "email": "b@example.org"})
    assert twice.status_code == 302
    sent = {"email": "", "member_konami": NUMBER, "member_play": "7"}
    refused = player.post(page, sent)
    assert "id_member_play_error" in refused.content.decode()
    assert player.post(page, sent | {"member_play": "8"}).status_code == 302
    assert contact_of(event.entries.get(number=1)).as_json() == {
        "email": "",
        "memberships": {"konami": NUMBER, "play": "8"},
    }
    assert contact_of(event.entries.get(number=2)).as_json() == {
        "email": "",
        "memberships": {"play": "7"},
    }
    line = event.log.latest("number")
    assert (line.action, line.after) == ("contact.changed", {"number": 1})
    assert (
        reverse("tournaments:my-contact", args=[event.slug])
        in player.get(reverse("tournaments:me", args=[event.slug])).content.decode()
    )


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
    assert (event.entries.count(), contact_of(event.entries.get(number=1)).email) == (2, EMAIL)


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
    to = reverse("tournaments:manage-contact", args=[event.slug])
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
            token = make_token(event=event, level=level, by=by)
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
