"""Players, staff, links, decklists and draws, through their services."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from rules.errors import BadInput, RuleError
from rules.people.person_names import read_people
from rules.ties.draws import drawn_order, fingerprint
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.events.services import events
from tournaments.lots import services as draws
from tournaments.models import Draw, Entry, Event, PersonalLink, StaffRole
from tournaments.pages.access import LINKS, entry_by_link
from tournaments.players.selectors.players import link_of_token
from tournaments.players.services import departures, entries
from tournaments.players.services import entries as links
from tournaments.players.services import entries as pasted
from tournaments.staff import services as staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.open_event(by, capacity=3)


def test_a_pasted_list_numbers_the_players_and_fills_the_waiting_list(event, by):
    added = pasted.add_entries(
        event=event, people=read_people("Ada; Drago\n\nBea\nCarlo\nDora\n"), by=by
    )
    assert [(e.number, e.name, e.club) for e in added[:2]] == [(1, "Ada", "Drago"), (2, "Bea", "")]
    assert [e.status for e in added] == ["registered"] * 3 + ["waiting"]


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 81, "\u200b", "a\x00b", "Z\u0301\u0301\u0301\u0301\u0301"]
)
def test_names_that_can_not_be_read_are_refused(event, by, name):
    with pytest.raises(BadInput):
        entries.add_entry(event=event, name=name, by=by)
    assert not event.entries.exists()


@pytest.mark.parametrize("name", ["Đặng", "O’Neill", "José Ñandú", "محمد", "李小龍", "X Æ A-12"])
def test_names_of_the_world_are_kept(event, by, name):
    assert entries.add_entry(event=event, name=name, by=by).name == name


def test_who_withdraws_before_the_start_makes_room_for_the_first_who_waits(event, by):
    added = make.players(event, 5, by)
    departures.withdraw(entry=added[0], by=by)
    statuses = list(event.entries.values_list("status", flat=True))
    assert statuses == ["withdrawn", "registered", "registered", "registered", "waiting"]


def test_more_places_move_up_the_waiting_list(event, by):
    make.players(event, 5, by)
    events.change_event(event=event, changes={"capacity": 5}, by=by)
    assert not event.entries.waiting().exists()


def test_one_registers_once_and_only_while_registration_is_open(event, by):
    player = make.user()
    register = {"event": event, "name": "Ada", "user": player, "by": Actor(user=player)}
    entries.register(**register)
    with pytest.raises(RuleError) as refused:
        entries.register(**register)
    assert refused.value.code == "registered_already"
    events.move_event(event=event, action="close_registration", by=by)
    with pytest.raises(RuleError) as refused:
        entries.register(event=event, name="Bea", user=None, by=Actor())
    assert refused.value.code == "registration_closed"


def test_registration_ends_at_its_time(event, by):
    past = timezone.now() - timedelta(minutes=1)
    events.change_event(event=event, changes={"registration_closes": past}, by=by)
    with pytest.raises(RuleError) as refused:
        entries.register(event=event, name="Ada", user=None, by=Actor())
    assert refused.value.code == "registration_closed"


def test_a_personal_link_is_stored_as_a_hash_and_the_new_one_ends_the_old(event, by):
    entry = entries.add_entry(event=event, name="Ada", by=by)
    first = links.make_link(entry=entry, by=by)
    opened = link_of_token(first)
    asking = SimpleNamespace(session={LINKS: {str(event.pk): opened.pk}})
    assert opened.entry == entry_by_link(asking, event) == entry
    assert first not in str(PersonalLink.objects.values())
    second = links.make_link(entry=entry, by=by)
    assert link_of_token(first) is None
    assert entry_by_link(asking, event) is None
    links.revoke_link(entry=entry, by=by)
    assert link_of_token(second) is None


def test_a_token_has_at_least_128_bits():
    tokens = {links.new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert min(len(token) for token in tokens) * 6 >= 128


def test_only_the_organiser_gives_roles_and_the_last_one_stays(event, by):
    friend = make.user("judge@example.org")
    judge = staff.give_role(event=event, email="Judge@example.org", role="judge", by=by)
    with pytest.raises(PermissionDenied):
        staff.give_role(event=event, email=friend.email, role="organiser", by=Actor(user=friend))
    staff.take_role(event=event, role_id=judge.pk, by=by)
    own = StaffRole.objects.get(event=event, user=by.user)
    with pytest.raises(RuleError) as refused:
        staff.take_role(event=event, role_id=own.pk, by=by)
    assert refused.value.code == "last_organiser"


def test_strangers_change_nothing(event):
    stranger = make.organiser()
    with pytest.raises(PermissionDenied):
        entries.add_entry(event=event, name="Ada", by=stranger)
    with pytest.raises(PermissionDenied):
        events.change_event(event=event, changes={"name": "Mine"}, by=stranger)
    assert Event.objects.get().name != "Mine"


def test_after_the_start_formula_and_format_are_locked_but_minutes_are_not(by):
    event = make.started(by, 4)
    with pytest.raises(RuleError) as refused:
        events.change_event(event=event, changes={"formula": "single-group"}, by=by)
    assert refused.value.code == "event_started"
    changed = events.change_event(event=event, changes={"minutes": 40}, by=by)
    assert changed.log.last().after == {"minutes": 40}


def deck_event(by, **values):
    return make.open_event(by, format="creatures-of-exo", decklists="required", **values)


def test_lists_lock_at_the_deadline_and_a_judge_needs_a_reason(by):
    event = deck_event(by, decklist_deadline=timezone.now() - timedelta(seconds=1))
    ada = make.players(event, 1, by)[0]
    with pytest.raises(RuleError) as refused:
        decklists.submit_decklist(entry=ada, text="2 Fulminara", by=Actor(entry=ada))
    assert refused.value.code == "deck_locked"
    with pytest.raises(BadInput):
        decklists.submit_decklist(entry=ada, text="2 Fulminara", by=by)
    kept = decklists.submit_decklist(entry=ada, text="2 Fulminara", reason="typing error", by=by)
    assert Entry.objects.get(pk=ada.pk).submission == kept


def test_others_can_not_hand_in_a_list(by):
    event = deck_event(by)
    ada, bea = make.players(event, 2, by)
    with pytest.raises(PermissionDenied):
        decklists.submit_decklist(entry=ada, text="2 Fulminara", by=Actor(entry=bea))


def test_the_seed_of_the_next_draw_is_known_by_its_fingerprint_only(event, by):
    make.players(event, 3, by)
    announced = event.draws.get(state=Draw.State.ANNOUNCED)
    draw = draws.draw_start_order(event=event, by=by)
    assert draw.pk == announced.pk
    assert draw.fingerprint == announced.fingerprint == fingerprint(draw.seed)
    assert draw.order == list(drawn_order(draw.seed, [1, 2, 3]))
    assert event.draws.get(state=Draw.State.ANNOUNCED).number == draw.number + 1


def test_an_event_finishes_only_after_its_last_stage(by):
    event = make.started(by, 4, formula="single-group")
    with pytest.raises(RuleError) as refused:
        events.move_event(event=event, action="finish", by=by)
    assert refused.value.code == "stage_open"
    assert make.play_event(event, by).state == Event.State.FINISHED
