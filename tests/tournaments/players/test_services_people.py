"""Players as services and pages keep them: names, surnames, byes, roles and links."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from rules.errors import BadInput
from rules.people.person_names import read_people
from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tests.recipes import recipe
from tests.transcripts import draws_of
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import fold_for_search, listed_name, surname_sort_key
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.erasing.selectors import entry_data_json
from tournaments.events import services as events
from tournaments.events.services import change_event
from tournaments.exports.views import event_transcript
from tournaments.lots.services import draw_start_order
from tournaments.models import Entry, Event, PersonalLink, StaffRole
from tournaments.pages.access import LINKS, entry_by_link
from tournaments.players.selectors.players import find_valid_link
from tournaments.players.services import entries
from tournaments.players.services import entries as links
from tournaments.players.services import entries as pasted
from tournaments.players.services.entries import add_entry, change_entry
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.staff import services as staff
from tournaments.starting.services import start_event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def small(by):
    return make.open_event(by, capacity=3)


def test_a_pasted_list_fills_the_waiting_list_and_more_places_empty_it(small, by):
    added = pasted.add_entries(
        event=small, people=read_people("Ada; Drago\n\nBea\nCarlo\nDora\n"), by=by
    )
    assert [(e.number, e.name, e.club) for e in added[:2]] == [(1, "Ada", "Drago"), (2, "Bea", "")]
    assert [e.status for e in added] == ["registered"] * 3 + ["waiting"]
    events.change_event(event=small, changes={"capacity": 5}, by=by)
    assert not small.entries.waiting().exists()


def test_one_registers_once_and_only_while_registration_is_open(small, by):
    player = make.user()
    register = {"event": small, "name": "Ada", "user": player, "by": Actor(user=player)}
    entries.register(**register)
    assert make.refusal(entries.register, **register) == "registered_already"
    events.change_event_state(event=small, action="close_registration", by=by)
    refused = make.refusal(entries.register, event=small, name="Bea", user=None, by=Actor())
    assert refused == "registration_closed"


def test_registration_ends_at_its_time(small, by):
    past = timezone.now() - timedelta(minutes=1)
    events.change_event(event=small, changes={"registration_closes": past}, by=by)
    refused = make.refusal(entries.register, event=small, name="Ada", user=None, by=Actor())
    assert refused == "registration_closed"


def test_a_personal_link_is_stored_as_a_hash_and_the_new_one_ends_the_old(small, by):
    entry = entries.add_entry(event=small, name="Ada", by=by)
    first = links.make_link(entry=entry, by=by)
    opened = find_valid_link(first)
    asking = SimpleNamespace(session={LINKS: {str(small.pk): opened.pk}})
    assert opened.entry == entry_by_link(asking, small) == entry
    assert first not in str(PersonalLink.objects.values())
    second = links.make_link(entry=entry, by=by)
    assert find_valid_link(first) is None
    assert entry_by_link(asking, small) is None
    links.revoke_link(entry=entry, by=by)
    assert find_valid_link(second) is None


def test_a_token_has_at_least_128_bits():
    tokens = {links.new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert min(len(token) for token in tokens) * 6 >= 128


def test_only_the_organiser_gives_roles_and_the_last_one_stays(small, by):
    friend = make.user("judge@example.org")
    judge = staff.give_role(event=small, email="Judge@example.org", role="judge", by=by)
    with pytest.raises(PermissionDenied):
        staff.give_role(event=small, email=friend.email, role="organiser", by=Actor(user=friend))
    staff.remove_role(event=small, role_id=judge.pk, by=by)
    own = StaffRole.objects.get(event=small, user=by.user)
    assert make.refusal(staff.remove_role, event=small, role_id=own.pk, by=by) == "last_organiser"


def test_others_can_not_hand_in_a_list(by):
    event = make.open_event(by, format="creatures-of-exo", decklists="required")
    ada, bea = make.players(event, 2, by)
    with pytest.raises(PermissionDenied):
        decklists.submit_decklist(entry=ada, text="2 Fulminara", by=Actor(entry=bea))


@pytest.mark.deep
def test_an_event_finishes_only_after_its_last_stage(by):
    event = make.started(by, 4, formula="single-group")
    assert (
        make.refusal(events.change_event_state, event=event, action="finish", by=by)
        == "rounds_missing"
    )
    assert make.play_event(event, by).state == Event.State.FINISHED


NAMES = [
    *("Zoe Àbate", "Anna De Luca", "Gaia D’Amico", "Ugo Đorđević", "Bea Dario", "Ada Zeta"),
    *("Ada Rossi", "Bo Rossi"),
]
SORTED = [
    *("Àbate Zoe", "D’Amico Gaia", "Dario Bea", "De Luca Anna", "Đorđević Ugo", "Rossi Ada"),
    *("Rossi Bo", "Zeta Ada"),
]


@pytest.fixture
def event(by):
    return make.open_event(by)


def test_lists_are_sorted_by_surname_where_people_look(event, by):
    make.players_more(event, NAMES, by)
    found = sorted(event.entries.all(), key=surname_sort_key)
    assert [str(listed_name(entry)) for entry in found] == SORTED
    assert fold_for_search("Őry-D’Ångelo") == "ory dangelo"


@pytest.mark.deep
def test_the_pairings_by_name_begin_with_surnames(by):
    event = make.playing(by, 8, formula="swiss-cut")
    for entry, name in zip(event.entries.order_by("number"), NAMES, strict=True):
        change_entry(entry=entry, changes={"name": name}, by=by)
    event.refresh_from_db()
    rows = pairings_page(read_facts(event)).names
    assert [str(listed_name(row.entry)) for row in rows] == SORTED


def test_a_player_gives_both_or_one(event):
    phone = Client(headers={"accept-language": "en"})
    address = url("register", event)
    phone.post(address, {"name": "Anna Maria", "surname": "Rossi Bo"})
    entry = event.entries.get()
    assert (entry.name, entry.surname) == ("Anna Maria Rossi Bo", "Rossi Bo")
    Client().post(address, {"name": "Ugo Rossi", "surname": "rossi"})
    assert event.entries.filter(name="Ugo Rossi", surname="").exists()
    Client().post(address, {"name": "Ada Verdi"})
    assert listed_name(event.entries.get(name="Ada Verdi")).surname == "Verdi"


def test_the_organiser_corrects_the_guess_and_takes_it_back(event, by, signed):
    entry = add_entry(event=event, name="Mario Rossi Bo", by=by)
    assert listed_name(entry).surname == "Bo"
    address = url("manage-player", event, entry.number)
    sent = {"name": entry.name, "surname": "Rossi Bo"}
    assert signed.post(address, sent).status_code == 302
    entry.refresh_from_db()
    assert listed_name(entry)[:2] == ("Rossi Bo", "Mario")
    assert 'value="Rossi Bo"' in signed.get(address).content.decode()
    line = event.log.latest("number")
    assert line.after["surname"] == "Rossi Bo"
    undo(event=event, expected=line.number, by=by)
    entry.refresh_from_db()
    assert entry.surname == ""


def test_a_surname_is_a_part_of_the_name_and_goes_with_it(event, by, signed):
    entry = add_entry(event=event, name="Mario Rossi", by=by)
    address = url("manage-player", event, entry.number)
    answer = signed.post(address, {"name": "Mario Rossi", "surname": "Verdi"})
    assert answer.status_code == 400
    assert "The name must begin or end with" in answer.content.decode()
    with pytest.raises(BadInput):
        change_entry(entry=entry, changes={"surname": "Verdi"}, by=by)
    entry = add_entry(event=event, name="Mario Rossi Bo", surname="Rossi Bo", by=by)
    address = url("manage-player", event, entry.number)
    signed.post(address, {"name": "Mario Verdi", "surname": "Rossi Bo"})
    entry.refresh_from_db()
    assert (entry.surname, listed_name(entry).surname) == ("", "Verdi")


def test_programs_read_and_write_it(event, by, signed):
    sent = {"name": "Mario Rossi Bo", "surname": "rossi bo"}
    address = f"/api/v1/events/{event.slug}/players/"
    made = signed.post(address, sent, content_type="application/json")
    assert (made.status_code, made.json()["surname"]) == (201, "Rossi Bo")
    one = signed.patch(f"{address}1/", {"surname": ""}, content_type="application/json")
    assert one.json()["surname"] == "Bo"
    wrong = signed.patch(f"{address}1/", {"surname": "Verdi"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_surname")
    assert Entry.objects.get().surname == ""


SWISS = {"formula": "swiss-cut", "format": "thoom", "options": {"rounds": 3, "cut": 2}}


@recipe
def to_come(by: Actor, **values: object) -> Event:
    """Return an event before its start: 1 has two byes, 2 has one."""
    event = make.open_event(by, **(SWISS | values))
    make.players(event, 9, by)
    for number, byes in ((1, 2), (2, 1)):
        change_entry(entry=event.entries.get(number=number), changes={"byes": byes}, by=by)
    return Event.objects.get(pk=event.pk)


def begun(event: Event, by: Actor) -> Event:
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def resting(event: Event, ordinal: int) -> set[int]:
    matches = event.rounds.get(ordinal=ordinal).matches
    return set(
        matches.exclude(match_seats__number=2).values_list("match_seats__entry__number", flat=True)
    )


@pytest.mark.deep
def test_they_are_given_first_and_everything_agrees(by: Actor) -> None:
    event = begun(to_come(by), by)
    for ordinal, rest in ((1, {1, 2}), (2, {1}), (3, set())):
        make.play_round(make.next_round(event, by), by)
        assert resting(event, ordinal) >= rest
        assert len(resting(event, ordinal) - rest) == (9 - len(rest)) % 2
    assert list(verify_event(event)) == []
    found = draws_of(event_transcript(make.play_event(event, by)))
    assert [found[f"round {ordinal}"][:5] for ordinal in (1, 2, 3)] == ["right"] * 3
    written = event_archive(event)
    Event.objects.all().delete()
    again = restore_archive(written, caller=by.user)
    assert again.entries.get(number=1).byes == 2
    assert event_archive(again) == written


def test_the_start_says_where_awarded_byes_are_not_given(by: Actor) -> None:
    client, event = signed_in(by), to_come(by)
    page = text(client.get(url("manage-start", event)))
    unused = "Byes given to players don’t apply in"
    assert unused not in page
    for formula in ("single-elimination", "single-group", "tables-cut"):
        changes = {"formula": formula, "options": {}, "criteria": ["points", "lots"]}
        change_event(event=event, changes=changes, by=by)
        assert unused in text(client.get(url("manage-start", event)))
    change_event(event=event, changes={"formula": "single-group", "options": {}}, by=by)
    started = begun(Event.objects.get(pk=event.pk), by)
    assert "byes" not in started.plan["stages"][0]


@pytest.mark.deep
def test_form_and_undo_change_them_until_the_start(by: Actor) -> None:
    event, client = to_come(by), signed_in(by)
    page = url("manage-player", event, 3)
    client.post(page, {"name": "Carla", "byes": "3"})
    assert event.entries.get(number=3).byes == 3
    wrong = client.post(page, {"name": "Carla", "byes": "10"})
    assert wrong.status_code == 400
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert event.entries.get(number=3).byes == 0
    assert entry_data_json(event.entries.get(number=1))["player"]["byes"] == 2
    event = begun(event, by)
    refused = make.refusal(
        change_entry, entry=event.entries.get(number=3), changes={"byes": 1}, by=by
    )
    assert refused == "event_started"
    client.post(page, {"name": "Carla Blu", "byes": "3"})
    assert (event.entries.get(number=3).byes, event.entries.get(number=1).byes) == (0, 2)


def test_a_list_and_a_program_bring_them(by: Actor) -> None:
    event = make.open_event(by, **SWISS)
    client = signed_in(by)
    path = url("manage-players-paste", event)
    shown = text(client.post(path, {"text": "Ada; ; ; 2\nBea"}))
    assert "Byes" in shown
    client.post(path, {"text": "Ada; ; ; 2\nBea", "sure": "on"})
    assert list(event.entries.values_list("byes", flat=True)) == [2, 0]
    api = Client()
    api.force_login(by.user)
    address = f"/api/v1/events/{event.slug}/players/"
    made = api.post(address, {"name": "Ugo", "byes": 1}, "application/json")
    assert (made.status_code, made.json()["byes"]) == (201, 1)
    changed = api.patch(f"{address}3/", {"byes": 0}, "application/json")
    assert changed.json()["byes"] == 0
    refused = api.patch(f"{address}3/", {"byes": 10}, "application/json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["byes"])
    started = begun(event, by)
    late = api.patch(f"{address}3/", {"byes": 1}, "application/json")
    assert (late.status_code, late.json()["code"]) == (409, "event_started")
    assert load_facts(started).stages[0].plan.byes == ((1, 2),)


@pytest.mark.deep
def test_who_has_byes_still_is_not_told_to_wait_for_a_table(by: Actor) -> None:
    event = begun(to_come(by), by)

    def told(number: int) -> str:
        page = text(by_link(event.entries.get(number=number), by).get(url("me", event)))
        return page.partition('id="my-match-heading"')[2].partition("</section>")[0]

    first = "Next match: Round %d"
    for number, round_ in ((1, 3), (2, 2)):
        assert first % round_ in told(number)
        assert "automatically" not in told(number)
    assert "Your table will appear here automatically." in told(3)
    make.next_round(event, by)
    assert first % 3 in told(1)
    assert "Your table will appear here automatically." in told(2)


@pytest.mark.deep
def test_after_the_start_a_row_drops_a_player_and_makes_a_link(by):
    event = make.open_event(by)
    make.players(event, 3, by)
    entries.check_in(entry=event.entries.get(number=1), by=by)
    client = signed_in(by)
    before = text(client.get(url("manage-players", event)))
    assert ("Undo check-in" in before, "Drop" in before) == (True, False)
    event = make.started(by, 3)
    after = text(client.get(url("manage-players", event)))
    assert ("Undo check-in" in after, after.count("<span>Drop now</span>")) == (False, 3)
    client.post(url("manage-player-leave", event, 2), {"action": "withdraw"})
    rest = text(client.get(url("manage-players", event)))
    assert rest.count("<span>Drop now</span>") == 2
    assert rest.count(f'{event.slug}/manage/players/3/link/"') == 1
