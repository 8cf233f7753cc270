"""The next event of a chain by the services: what it takes along, its regulars, what cuts links."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from rules.errors import BadInput
from tests import factories as make
from tests.factories import refusal
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.core.visibility import former_announcements
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event, change_event_state, delete_event
from tournaments.models import Announcement, Contact, Entry, Event, KeptRows, StaffRole
from tournaments.plan_changes.services import change_plan
from tournaments.players.services.contacts import (
    change_contact,
    change_own_contact,
    delete_expired_contacts,
)
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.players.services.entries import register, remove_entry
from tournaments.repeats.selectors import event_to_repeat, next_event, regular_rows
from tournaments.repeats.services import SETTINGS, add_regulars, repeat_event
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.undo.selectors import next_undo_and_redo
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
ROME = ZoneInfo("Europe/Rome")
FRIDAY = datetime(2090, 10, 27, 20, 30, tzinfo=ROME)  # clocks change two days later
EVENING: dict[str, Any] = {"formula": "single-group", "name": "Serata 3", "starts_at": FRIDAY}


def evening(by: Actor, players: int = 4, **more: Any) -> Event:
    """Return a finished event with ``players``."""
    return make.played(by, players, **{**EVENING, **more})


def again(event: Event, by: Actor, **more: Any) -> Event:
    """Return the next event, played by the regulars whom ``more`` names by number."""
    players = [(event.slug, number) for number in more.pop("numbers", (1, 2, 3, 4))]
    made = repeat_event(source=event, players=players, by=by, **more)
    change_event_state(event=made, action="open_registration", by=by)
    return made


def play(event: Event, by: Actor) -> Event:
    draw = make.draws.draw_start_order(event=event, seed="seed", by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    return make.play_event(Event.objects.get(pk=event.pk), by)


def offered(event: Event, by: Actor) -> dict[str, tuple[int, bool]]:
    return {row.entry.name: (row.times, row.comes) for row in regular_rows(event, by)}


def test_the_next_event_has_the_settings_the_staff_the_texts_and_nobody(by):
    judge = make.user()
    source = make.open_event(
        by,
        **EVENING,
        options={"legs": 2},
        tables="21-40",
        venue="Sala",
        fee="5 €",
        capacity=40,
        listed=False,
        breaks=[{"at": "22:00", "minutes": 10, "label": ""}],
        registration_opens=FRIDAY - timedelta(days=20),
        registration_closes=FRIDAY - timedelta(hours=1),
        decklist_deadline=FRIDAY.replace(hour=19, minute=0),
    )
    changes = {"information": "# Premi", "rulings": "Bustine opache"}
    change_event(event=source, changes=changes, by=by)
    StaffRole.objects.create(event=source, user=judge, role="judge")
    make.players(source, 4, by)
    Announcement.objects.create(event=source, text="Il bar è aperto", by=by.user, until=FRIDAY)
    source = Event.objects.get(pk=source.pk)

    made = repeat_event(source=source, by=by)

    for setting in SETTINGS:
        assert getattr(made, setting) == getattr(source, setting), setting
    assert (made.name, made.source, made.state) == ("Serata 4", source, Event.State.DRAFT)
    assert made.rulings == ""
    wall = "%d %H:%M"
    for name, told in {
        "starts_at": "03 20:30",
        "registration_closes": "03 19:30",
        "decklist_deadline": "03 19:00",
        "registration_opens": "14 20:30",
    }.items():
        assert f"{getattr(made, name).astimezone(ROME):{wall}}" == told, name
    assert set(made.staff.values_list("user", "role")) == {
        (by.user.pk, "organiser"),
        (judge.pk, "judge"),
    }
    assert former_announcements(made) == ("Il bar è aperto",)
    assert not made.entries.exists()
    assert list(verify_event(made)) == []


@pytest.mark.deep
def test_changes_of_the_plan_do_not_carry(by):
    source = make.playing(
        by, 8, **{**EVENING, "formula": "swiss-cut"}, options={"rounds": 3, "cut": 2}, minutes=50
    )
    change_plan(event=source, change={"rounds": 2, "minutes": 35}, by=by)
    change_plan(event=source, change={"minutes": 30}, by=by)
    source = Event.objects.get(pk=source.pk)
    made = repeat_event(source=source, by=by)
    assert (made.options["rounds"], made.minutes, source.minutes) == (3, 50, 30)
    assert made.plan is None


@pytest.mark.deep
def test_the_third_goes_on_as_the_first_two_did(by):
    first = evening(by, name="Serata 1")
    second = repeat_event(
        source=first, starts_at=FRIDAY + timedelta(days=14), name="Serata 3", by=by
    )
    third = repeat_event(source=second, by=by)
    assert third.name == "Serata 5"
    assert third.starts_at.astimezone(ROME).date() == (FRIDAY + timedelta(days=28)).date()


@pytest.mark.deep
def test_only_organisers_who_may_make_events_repeat(by):
    source = evening(by)
    for actor in (Actor(), make.organiser(), make.staff(source, "head_judge")):
        with pytest.raises(PermissionDenied):
            repeat_event(source=source, by=actor)
    other = make.staff(source, "organiser")
    other.user.can_create_events = False
    with pytest.raises(PermissionDenied):
        repeat_event(source=source, by=other)
    assert Event.objects.count() == 1


def test_once_makes_one_and_a_deleted_one_may_be_made_again(by):
    source = evening(by)
    made = repeat_event(source=source, once=True, by=by)
    assert refusal(repeat_event, source=source, once=True, by=by) == "repeated_already"
    assert next_event(source, by) == made
    assert event_to_repeat(by) is None
    delete_event(event=made, by=by)
    assert event_to_repeat(by) == source
    assert repeat_event(source=source, once=True, by=by).pk != made.pk


def test_a_source_that_goes_leaves_its_repeats(by):
    source = make.event(by, **EVENING)
    made = repeat_event(source=source, by=by)
    delete_event(event=source, by=by)
    made.refresh_from_db()
    assert made.source is None
    assert list(verify_event(made)) == []


def test_regulars_come_with_name_club_and_numbers_and_a_link_to_where_they_came_from(by):
    source = evening(by)
    ada = source.entries.get(number=1)
    Entry.objects.filter(pk=ada.pk).update(club="Lucca", surname="Ada", answers={"x": "y"})
    change_contact(entry=ada, email="ada@example.org", memberships={"dci": "77"}, by=by)
    made = repeat_event(source=source, by=by)
    assert offered(made, by) == dict.fromkeys(("Ada", "Bea", "Carlo", "Dora"), (1, True))
    (came, _bea) = add_regulars(event=made, keys=[(source.slug, 1), (source.slug, 2)], by=by)
    assert (came.name, came.club, came.origin, came.answers) == ("Ada", "Lucca", ada, {})
    assert came.contact.memberships == {"dci": "77"}
    assert came.contact.email == ""
    assert offered(made, by) == {"Carlo": (1, True), "Dora": (1, True)}
    assert list(verify_event(Event.objects.get(pk=made.pk))) == []


def test_one_undo_takes_all_of_them_and_a_redo_brings_them_with_their_links(by):
    source = evening(by)
    made = repeat_event(source=source, by=by)
    add_regulars(event=made, keys=[(source.slug, number) for number in (1, 2, 3)], by=by)
    undone = undo(event=made, expected=next_undo_and_redo(made)[0].line.number, by=by)
    assert undone.action == "entry.pasted"
    assert not made.entries.exists()
    assert len(offered(made, by)) == 4
    made.refresh_from_db()
    redo(event=made, expected=made.version, by=by)
    assert [entry.origin.number for entry in made.entries.order_by("number")] == [1, 2, 3]
    made.refresh_from_db()
    assert list(verify_event(made)) == []


@pytest.mark.deep
def test_who_comes_is_ticked_and_who_may_not_is_not_offered(by):
    first = evening(by, 6)
    second = again(first, by, numbers=(1, 2, 3, 4, 5))
    added = make.players_more(second, ["Zoe", "Late"], by)
    withdraw(entry=added[1], reason="", by=by)
    second = play(second, by)
    third = again(second, by, numbers=(1, 2, 3))
    third = play(third, by)
    fourth = repeat_event(source=third, by=by)
    assert offered(fourth, by) == {
        **dict.fromkeys(("Ada", "Bea", "Carlo"), (3, True)),
        **dict.fromkeys(("Dora", "Elio"), (2, True)),
        **dict.fromkeys(("Fosca", "Zoe"), (1, False)),
    }
    make.players_more(fourth, ["elio"], by)
    assert "Elio" not in offered(fourth, by)


@pytest.mark.deep
def test_who_was_disqualified_or_erased_is_never_offered(by):
    source = make.stage_played(by, 4, **EVENING)
    disqualify(entry=source.entries.get(number=2), reason="Ladra", by=by)
    source = make.play_event(Event.objects.get(pk=source.pk), by)
    erase_player(event=source, number=3, confirm="Carlo", by=by)
    made = repeat_event(source=source, by=by)
    assert set(offered(made, by)) == {"Ada", "Dora"}
    for number in (2, 3, 99):
        with pytest.raises(BadInput) as refused:
            add_regulars(event=made, keys=[(source.slug, 1), (source.slug, number)], by=by)
        assert refused.value.code == "not_regular"
        assert refused.value.sentence.values["path"] == "players[1]"
    with pytest.raises(BadInput) as refused:
        add_regulars(event=made, keys=[(source.slug, 1)] * 2, by=by)
    assert refused.value.code == "player_twice"
    assert not made.entries.exists()


@pytest.mark.deep
def test_only_events_that_the_actor_manages_count(by):
    source = evening(by)
    made = repeat_event(source=source, by=by)
    other = make.staff(made, "organiser")
    assert offered(made, other) == {}
    key = (source.slug, 1)
    assert refusal(add_regulars, event=made, keys=[key], by=other) == "not_regular"
    with pytest.raises(PermissionDenied):
        add_regulars(event=made, keys=[key], by=make.staff(made, "scorekeeper"))


def test_nobody_is_added_once_the_event_has_started(by):
    source = evening(by)
    made = again(source, by, numbers=(1, 2))
    draw = make.draws.draw_start_order(event=made, seed="seed", by=by)
    make.starting.start_event(event=made, draw_number=draw.number, by=by)
    keys = [(source.slug, 3)]
    assert refusal(add_regulars, event=made, keys=keys, by=by) == "event_started"


@pytest.mark.deep
def test_an_archive_names_both_links_which_come_back_where_they_are_managed(by):
    source = evening(by)
    made = again(source, by, numbers=(1, 4))
    content = event_archive(Event.objects.get(pk=made.pk))
    assert f'"source": "{source.slug}"'.encode() in content
    copy = restore_archive(content, slug="copia", caller=by.user)
    assert copy.source == source
    assert [entry.origin.number for entry in copy.entries.order_by("number")] == [1, 4]
    assert event_archive(copy).replace(b'"copia"', f'"{made.slug}"'.encode()) == content
    stranger = restore_archive(content, slug="altrove", caller=make.user())
    assert stranger.source is None
    assert not stranger.entries.exclude(origin=None).exists()
    erase_player(event=source, number=4, confirm="Dora", by=by)
    later = restore_archive(content, slug="dopo", caller=by.user)
    assert [e.origin and e.origin.number for e in later.entries.order_by("number")] == [1, None]


@pytest.mark.deep
@pytest.mark.parametrize("wrong", ["7", '["x"]', '["x", 0]', '["x y", 1]', '{"x": 1}'])
def test_an_archive_with_another_link_is_refused(by, wrong):
    made = again(evening(by), by, numbers=(1,))
    content = event_archive(Event.objects.get(pk=made.pk)).decode()
    start = content.index('"origin": [')
    end = content.index("]", start) + 1
    with pytest.raises(BadInput) as refused:
        restore_archive(
            (content[:start] + f'"origin": {wrong}' + content[end:]).encode(), slug="copia"
        )
    assert refused.value.sentence.values["path"].startswith("tables.entries[0].origin")


@pytest.mark.deep
def test_an_erasure_cuts_the_links_of_later_events_in_rows_and_copies(by):
    source = evening(by)
    made = again(source, by, numbers=(1, 2, 3, 4))
    remove_entry(entry=made.entries.get(number=3), by=by)
    snapshot = take_snapshot(Event.objects.get(pk=made.pk), "test", by=by)
    kept = KeptRows.objects.filter(event=made).latest("line")
    former = source.entries.get(number=3)
    assert str(former.pk) in str(kept.rows)
    for number, name in ((2, "Bea"), (3, "Carlo")):
        erase_player(event=source, number=number, confirm=name, by=by)
    made.refresh_from_db()
    assert [e.origin and e.origin.number for e in made.entries.order_by("number")] == [1, None, 4]
    assert made.log.filter(action="person.erased").count() == 2
    kept.refresh_from_db()
    rows = kept.rows["removed"]["Entry"].values()
    assert [row["origin_id"] for row in rows] == [None]
    assert list(verify_event(made)) == []
    undo(event=made, expected=kept.line, by=by)
    assert made.entries.get(number=3).origin is None
    restore_snapshot(event=made, snapshot_id=snapshot.pk, confirm=made.name, by=by)
    made.refresh_from_db()
    assert made.source == source
    assert [e.origin and e.origin.number for e in made.entries.order_by("number")] == [1, None, 4]
    assert list(verify_event(made)) == []


@pytest.mark.deep
def test_who_is_erased_comes_from_nowhere(by):
    made = again(evening(by), by, numbers=(1, 2))
    made = play(made, by)
    erase_player(event=made, number=2, confirm="Bea", by=by)
    assert made.entries.get(number=2).origin is None
    assert list(verify_event(Event.objects.get(pk=made.pk))) == []


ASKING = {"email": True, "memberships": [], "why": "", "days": 90}


def registered(event: Event, *, later: bool, name: str = "Zoe Rossi") -> Entry:
    return register(
        event=event, name=name, email="zoe@example.org", later=later, user=None, by=Actor()
    )


def tidied(days: int) -> int:
    return delete_expired_contacts(timezone.now() + timedelta(days=days))


@pytest.mark.deep
@pytest.mark.parametrize("later", [True, False])
def test_an_address_comes_along_if_its_player_agreed_to_it(by, later):
    source = make.open_event(by, **EVENING, contact_terms=ASKING)
    zoe = registered(source, later=later)
    make.players(source, 3, by)
    source = play(source, by)
    since = zoe.contact.later_since
    assert (since is not None) is later
    made = repeat_event(source=source, by=by)
    (came,) = add_regulars(event=made, keys=[(source.slug, zoe.number)], by=by)
    if not later:
        assert not hasattr(came, "contact")
        return
    came = made.entries.get()
    assert (came.contact.email, came.contact.later_since) == ("zoe@example.org", since)
    again_later = restore_archive(event_archive(made, contacts=True), slug="copia", caller=by.user)
    assert again_later.entries.get().contact.later_since == since
    delete_event(event=again_later, by=by)
    assert tidied(80) == 0
    assert tidied(91) >= 1  # of an event in 2090
    came.contact.refresh_from_db()
    assert (came.contact.email, came.contact.later_since) == ("", None)


@pytest.mark.deep
def test_the_days_count_from_the_first_consent_and_end(by):
    source = make.open_event(by, **EVENING, contact_terms=ASKING)
    zoe = registered(source, later=True)
    make.players(source, 3, by)
    source = play(source, by)
    Contact.objects.filter(entry=zoe).update(later_since=timezone.now() - timedelta(days=91))
    made = repeat_event(source=source, by=by)
    (came,) = add_regulars(event=made, keys=[(source.slug, zoe.number)], by=by)
    assert not hasattr(came, "contact")


def test_a_player_takes_the_consent_back_and_another_address_has_none(by):
    source = make.open_event(by, **EVENING, contact_terms=ASKING)
    zoe = registered(source, later=True)
    since, own = zoe.contact.later_since, Actor(entry=zoe)
    sent = {"entry": zoe, "memberships": {}, "by": own}
    change_own_contact(**sent, email="zoe@example.org", later=True)
    assert Contact.objects.get().later_since == since
    change_contact(entry=zoe, email="other@example.org", by=by)
    assert Contact.objects.get().later_since is None
    change_own_contact(**sent, email="zoe@example.org", later=True)
    assert Contact.objects.get().later_since > since
    change_own_contact(**sent, email="zoe@example.org")
    assert Contact.objects.get().later_since is None
