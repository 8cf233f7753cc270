"""A phone asks to sign in as a player: who may be asked for, who confirms, what ends."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from config.shown_once import token_hash
from rules.errors import RuleError
from rules.events.joining import pick_free_code
from tests import factories as make
from tests.browsers import by_link
from tournaments.arrivals.services import check_in_many
from tournaments.core.names import name_matches
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.joining.selectors import (
    joinable_players,
    pending_request_rows,
    request_state,
)
from tournaments.joining.services import (
    confirm_by_code,
    confirm_request,
    fetch_link,
    refuse_request,
    request_sign_in,
)
from tournaments.models import Entry, Event, JoinClaim, PersonalLink
from tournaments.players.services import departures, entries
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    event = make.open_event(by)
    make.players(event, 4, by)
    return event


def now(event):
    return Event.objects.get(pk=event.pk)


def ask(event, number=1, **more):
    return request_sign_in(event=now(event), number=number, **more)


def later(minutes):
    JoinClaim.objects.update(asked_at=timezone.now() - timedelta(minutes=minutes))


def link_of(event, secret):
    """Return the token that a phone fetches, which opens the page of a player; None without."""
    found = fetch_link(event=now(event), secret=secret)
    return found and found[1]


def player_of(token):
    live = PersonalLink.objects.filter(token_hash=token_hash(token), revoked_at__isnull=True)
    return live.get().entry.number


def held(event, number=1):
    return event.entries.with_holders().get(number=number).held


def findings(event):
    return list(verify_event(now(event)))


def test_one_click_signs_a_phone_in_and_its_link_is_told_once(event, by):
    before = now(event).version
    claim, secret = ask(event)
    assert now(event).version == before
    (row,) = pending_request_rows(now(event))
    assert (row.code, row.held, row.several) == (claim.code, False, False)
    assert link_of(event, secret) is None
    confirm_request(event=event, claim_id=claim.pk, by=by)
    assert player_of(link_of(event, secret)) == 1
    assert link_of(event, secret) is None
    assert pending_request_rows(now(event)) == ()
    assert held(event)
    line = event.log.latest("number")
    assert (line.action, line.subject) == ("join.confirmed", event.entries.get(number=1).name)
    assert findings(event) == []


def test_only_hashes_of_the_secret_and_the_link_are_stored(event, by):
    claim, secret = ask(event)
    confirm_request(event=event, claim_id=claim.pk, by=by)
    token = link_of(event, secret)
    stored = str([*JoinClaim.objects.values(), *PersonalLink.objects.values()])
    stored += str(list(event.log.values()))
    assert secret not in stored
    assert token not in stored
    assert token_hash(token) not in str(list(event.log.values()))
    assert len(secret) >= 22  # 128 bits, six a sign


def test_a_code_is_given_once_and_not_again_for_an_hour(event):
    codes = [ask(event, n).claim.code for n in (1, 2, 3, 4)]
    assert len(set(codes)) == 4
    assert all(len(code) == 4 and code.isdigit() for code in codes)
    later(70)
    ask(event, 1)
    assert JoinClaim.objects.count() == 5
    later(76)
    ask(event, 1)
    assert JoinClaim.objects.count() == 1


def test_codes_are_drawn_among_those_that_are_free():
    taken = [f"{n:04}" for n in range(10_000) if n != 4711]
    assert pick_free_code(taken, lambda n: n - 1) == "4711"
    with pytest.raises(RuleError) as refused:
        pick_free_code([*taken, "4711"], lambda n: 0)
    assert refused.value.code == "ask_at_the_desk"


def test_at_most_three_wait_for_a_player_and_two_for_each_player_of_the_event(event):
    for _each in range(3):
        ask(event, 1)
    assert make.refusal(ask, event, 1) == "ask_at_the_desk"
    for number in (2, 2, 3, 3, 4):
        ask(event, number)
    assert make.refusal(ask, event, 4) == "ask_at_the_desk"
    later(16)
    ask(event, 1)


def test_who_taps_another_name_gives_the_first_back(event):
    _claim, secret = ask(event, 1)
    ask(event, 2, former=secret)
    assert [row.entry.number for row in pending_request_rows(now(event))] == [2]


def test_two_phones_that_claim_one_name_need_the_code_of_one(event, by):
    first, second = ask(event), ask(event)
    assert [(row.code, row.several) for row in pending_request_rows(now(event))] == [("", True)] * 2
    assert (
        make.refusal(confirm_request, event=event, claim_id=first.claim.pk, by=by) == "code_wrong"
    )
    code = second.claim.code
    refused = make.refusal(confirm_request, event=event, claim_id=first.claim.pk, code=code, by=by)
    assert refused == "code_wrong"
    confirm_by_code(event=event, number=1, code=code, by=by)
    assert link_of(event, first.secret) is None
    assert player_of(link_of(event, second.secret)) == 1


def test_who_is_confirmed_and_has_not_fetched_the_link_holds_it_already(event, by):
    first = ask(event)
    confirm_request(event=event, claim_id=first.claim.pk, by=by)
    second = ask(event)
    assert (
        make.refusal(confirm_request, event=event, claim_id=second.claim.pk, by=by) == "code_wrong"
    )


def test_a_player_who_is_held_needs_the_typed_code_always(event, by):
    entry = event.entries.get(number=1)
    entries.make_link(entry=entry, by=by)
    assert not held(event)  # nobody has opened it
    by_link(entry, by)
    assert held(event)
    claim, secret = ask(event)
    (row,) = pending_request_rows(now(event))
    assert (row.code, row.held) == ("", True)
    assert make.refusal(confirm_request, event=event, claim_id=claim.pk, by=by) == "code_wrong"
    confirm_request(event=event, claim_id=claim.pk, code=claim.code, by=by)
    assert event.entries.get(number=1).links.filter(revoked_at=None).count() == 1
    assert player_of(link_of(event, secret)) == 1


def test_a_link_that_was_mailed_holds_and_one_that_was_only_made_does_not(event, by):
    entry = event.entries.get(number=1)
    entries.make_link(entry=entry, by=by)
    ask(event)
    assert [row.held for row in pending_request_rows(now(event))] == [False]
    entries.mark_links_mailed(entry)
    assert [row.held for row in pending_request_rows(now(event))] == [True]
    entries.revoke_link(entry=entry, by=by)
    assert not held(event)


def test_an_account_stays_and_is_told_who_confirmed(event, by):
    user = make.user()
    Entry.objects.filter(event=event, number=1).update(user=user)
    claim, _secret = ask(event)
    assert held(event)
    confirm_request(event=event, claim_id=claim.pk, code=claim.code, by=by)
    entry = event.entries.get(number=1)
    assert entry.user == user
    assert entry.links.get().by == by.user


def test_who_holds_the_player_may_refuse_and_nobody_else_outside_the_staff(event, by):
    entry = event.entries.get(number=1)
    claim, secret = ask(event)
    with pytest.raises(PermissionDenied):
        refuse_request(entry=entry, by=Actor(entry=event.entries.get(number=2)))
    refuse_request(entry=entry, by=Actor(entry=entry))
    claim.refresh_from_db()
    assert request_state(now(event), claim) == "refused"
    assert event.log.latest("number").action == "join.refused"
    with pytest.raises(JoinClaim.DoesNotExist):
        confirm_request(event=event, claim_id=claim.pk, by=by)
    assert link_of(event, secret) is None
    assert findings(event) == []


def test_nobody_but_the_staff_confirms(event):
    claim, _secret = ask(event)
    entry = event.entries.get(number=1)
    for actor in (Actor(), Actor(entry=entry), Actor(user=make.user())):
        with pytest.raises(PermissionDenied):
            confirm_request(event=event, claim_id=claim.pk, by=actor)
    confirm_request(event=event, claim_id=claim.pk, by=make.staff(event))


def test_a_request_lasts_fifteen_minutes(event, by):
    claim, secret = ask(event)
    later(16)
    claim.refresh_from_db()
    assert request_state(now(event), claim) == "expired"
    with pytest.raises(JoinClaim.DoesNotExist):
        confirm_request(event=event, claim_id=claim.pk, by=by)
    assert link_of(event, secret) is None


@pytest.mark.deep
def test_undo_ends_the_new_link_and_revives_none(event, by):
    entry = event.entries.get(number=1)
    by_link(entry, by)
    first = entry.links.get()
    claim, secret = ask(event)
    confirm_request(event=event, claim_id=claim.pk, code=claim.code, by=by)
    confirmed = now(event).version
    undo(event=event, expected=confirmed, by=by)
    first.refresh_from_db()
    assert first.revoked_at
    assert not entry.links.filter(revoked_at=None).exists()
    assert link_of(event, secret) is None
    claim.refresh_from_db()
    assert request_state(now(event), claim) == "refused"
    redo(event=event, expected=now(event).version, by=by)
    assert entry.links.filter(revoked_at=None).get() != first
    assert findings(event) == []


def test_undo_of_a_link_that_ended_since_ends_nothing_else(event, by):
    claim, _secret = ask(event)
    confirm_request(event=event, claim_id=claim.pk, by=by)
    confirmed = now(event).version
    entry = event.entries.get(number=1)
    entries.make_link(entry=entry, by=by)
    undo(event=event, expected=confirmed, by=by)
    assert entry.links.filter(revoked_at=None).count() == 1


def test_a_check_in_by_the_staff_confirms_the_single_request(event, by):
    _claim, secret = ask(event)
    entries.check_in(entry=event.entries.get(number=1), by=by)
    assert player_of(link_of(event, secret)) == 1
    assert [*event.log.order_by("-number").values_list("action", flat=True)[:2]] == [
        *("join.confirmed", "entry.check_in"),
    ]
    assert findings(event) == []


def test_a_check_in_confirms_nothing_that_needs_a_code(event, by):
    first, second = ask(event, 1), ask(event, 1)
    entries.check_in(entry=event.entries.get(number=1), by=by)
    assert link_of(event, first.secret) is link_of(event, second.secret) is None
    entry = event.entries.get(number=2)
    by_link(entry, by)
    third = ask(event, 2)
    entries.check_in(entry=entry, by=by)
    assert link_of(event, third.secret) is None


def test_neither_a_player_nor_all_at_once_confirm_by_checking_in(event, by):
    own, many = ask(event, 1), ask(event, 2)
    Event.objects.filter(pk=event.pk).update(here_minutes=10_000)
    entry = event.entries.get(number=1)
    entry.event = now(event)
    entries.check_in(entry=entry, by=Actor(entry=entry))
    check_in_many(event=event, numbers=[2], by=by)
    assert link_of(event, own.secret) is link_of(event, many.secret) is None


def test_a_player_of_the_waiting_list_is_signed_in_when_let_in(by):
    event = make.open_event(by, capacity=2)
    make.players(event, 3, by)
    _claim, secret = ask(event, 3)
    entries.check_in(entry=event.entries.get(number=1), by=by)
    departures.withdraw(entry=event.entries.get(number=2), by=by)
    entries.admit_waiting_player(entry=event.entries.get(number=3), by=by)
    assert player_of(link_of(event, secret)) == 3


def test_a_player_who_left_or_was_removed_can_not_be_joined(event, by):
    claim, _secret = ask(event, 1)
    gone, _other = ask(event, 2)
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    entries.remove_entry(entry=event.entries.get(number=2), by=by)
    assert pending_request_rows(now(event)) == ()
    for each in (claim, gone):
        with pytest.raises(JoinClaim.DoesNotExist):
            confirm_request(event=event, claim_id=each.pk, by=by)
    for number in (1, 2, 99):
        with pytest.raises(Entry.DoesNotExist):
            ask(event, number)
    assert not JoinClaim.objects.filter(pk=gone.pk).exists()
    undo(event=event, expected=now(event).version, by=by)
    assert findings(event) == []


def test_a_link_that_comes_back_with_its_player_counts_as_opened(event, by):
    entry = event.entries.get(number=1)
    entries.make_link(entry=entry, by=by)
    entries.remove_entry(entry=entry, by=by)
    undo(event=event, expected=now(event).version, by=by)
    assert held(event)


@pytest.mark.deep
def test_after_the_start_phones_join_as_before_and_not_once_it_is_over(by):
    event = make.playing(by, 4, formula="single-group")
    claim, secret = ask(event)
    confirm_request(event=event, claim_id=claim.pk, by=by)
    assert player_of(link_of(event, secret)) == 1
    assert findings(event) == []
    over = make.played(by, 4, formula="single-group")
    assert make.refusal(ask, over) == "event_finished"
    assert make.refusal(confirm_request, event=over, claim_id=claim.pk, by=by) == "event_finished"


def test_an_erased_player_leaves_no_request(event, by):
    ask(event, 1)
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    erase_player(event=event, number=1, confirm=event.entries.get(number=1).name, by=by)
    assert not JoinClaim.objects.exists()


@pytest.mark.deep
def test_a_snapshot_ends_what_waits_and_verifies(event, by):
    _claim, secret = ask(event, 1)
    with transaction.atomic():
        kept = take_snapshot(now(event), "round.discarded", by=by)
    restore_snapshot(event=now(event), snapshot_id=kept.pk, confirm=event.name, by=by)
    assert link_of(event, secret) is None
    assert pending_request_rows(now(event)) == ()


def test_names_are_found_by_the_letters_of_any_of_their_words(event, by):
    make.players_more(event, ["Anna Rossi", "Anna Rossi", "Nicolò D'Andrea"], by)
    players = joinable_players(now(event))
    found = {
        typed: [each for each in players if name_matches(each.name, typed)]
        for typed in ("ros", "ann ros", "dandr")
    }
    assert [each.name for each in found["ros"]] == ["Anna Rossi", "Anna Rossi"]
    assert len({each.display_name for each in found["ann ros"]}) == 2
    assert [each.name for each in found["dandr"]] == ["Nicolò D'Andrea"]
