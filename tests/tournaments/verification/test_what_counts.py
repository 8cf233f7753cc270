"""Changes beside the results that ``verify`` notices: accounts, lists and seats."""

from hashlib import sha256

import pytest

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.planting import sql
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.erasing.services.erase import erase_account
from tournaments.models import DeckSubmission, Entry, Event, LogLine, MatchSeat, Seat, Stage
from tournaments.players.services import departures
from tournaments.players.services.entries import register
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def checks(event: Event) -> list[str]:
    return [finding.check for finding in verify_event(Event.objects.get(pk=event.pk))]


@pytest.fixture
def with_account(by) -> Entry:
    """Return a player who registered with an account."""
    event = make.open_event(by)
    person = make.user()
    return register(event=event, name="Ada", user=person, by=Actor(user=person))


def test_an_account_that_becomes_another_is_noticed(with_account):
    event, other = with_account.event, make.user()
    assert checks(event) == []
    sql("UPDATE tournaments_entry SET user_id = %s WHERE id = %s", other.pk, with_account.pk)
    assert checks(event) == ["ledger"]
    sql("UPDATE tournaments_entry SET user_id = NULL WHERE id = %s", with_account.pk)
    assert checks(event) == []


def test_accounts_that_go_are_no_finding(with_account, by):
    event = with_account.event
    back = restore_archive(event_archive(event), slug="altrove", caller=by.user)
    assert checks(back) == []
    told = with_account.event.log.last().words[f"entry/{with_account.number}"]["account"]
    assert told not in ("", str(with_account.user_id))
    user = with_account.user
    departures.withdraw(entry=with_account, by=by)
    erase_account(user=user, confirm=user.email)
    assert not any("account" in str(line.words) for line in event.log.all())


def test_the_same_account_is_told_otherwise_in_another_event(by):
    person = make.user()
    told = set()
    for _turn in range(2):
        event = make.open_event(by)
        entry = register(event=event, name="Ada", user=person, by=Actor(user=person))
        told.add(event.log.last().words[f"entry/{entry.number}"]["account"])
    assert len(told) == 2


@pytest.fixture
def handed_in(by) -> DeckSubmission:
    """Return the first of two lists that a player handed in."""
    event = make.open_event(by, decklists="required")
    (entry,) = make.players(event, 1, by)
    for number in (1, 2):
        submit_decklist(entry=entry, text=sample_deck(event.format, number), by=by)
    assert checks(event) == []
    return entry.submissions.first()


def test_former_lists_are_compared_too(handed_in):
    event, pk = handed_in.entry.event, handed_in.pk
    assert sha256(handed_in.decklist.text.encode()).hexdigest() == handed_in.decklist.fingerprint
    sql("UPDATE decks_decklist SET text = 'x' WHERE id = %s", handed_in.decklist_id)
    assert checks(event) == ["deck_fingerprint"]
    handed_in.decklist.save(update_fields=["text"])
    assert checks(event) == []
    sql("UPDATE tournaments_decksubmission SET submitted_at = '2020-01-01' WHERE id = %s", pk)
    assert checks(event) == ["ledger"]
    DeckSubmission.objects.filter(pk=pk).update(submitted_at=handed_in.submitted_at)
    assert checks(event) == []
    handed_in.delete()
    assert checks(event) == ["ledger"]


def test_lists_of_before_are_not_compared(handed_in):
    event = handed_in.entry.event
    place = f"entry/{handed_in.entry.number}"
    for line in event.log.all():
        if place in line.words:
            line.words[place].pop("lists", None)
            LogLine.objects.filter(pk=line.pk).update(words=line.words)
    handed_in.delete()
    assert "ledger" not in checks(event)


def test_seats_belong_to_the_stage_and_round_of_their_places(by):
    event = make.played(by, 8)
    seat = Seat.objects.filter(stage__event=event).first()
    other = Stage.objects.filter(event=event).exclude(pk=seat.stage_id).first()
    sql("UPDATE tournaments_seat SET stage_id = %s WHERE id = %s", other.pk, seat.pk)
    assert "seats" in checks(event)
    sql("UPDATE tournaments_seat SET stage_id = %s WHERE id = %s", seat.stage_id, seat.pk)
    assert checks(event) == []
    seats = MatchSeat.objects.filter(round__event=event)
    last = event.rounds.last()
    held = seats.exclude(entry__in=seats.filter(round=last).values("entry")).first()
    sql("UPDATE tournaments_matchseat SET round_id = %s WHERE id = %s", last.pk, held.pk)
    assert "seats_of_match" in checks(event)


def test_what_dates_lists_is_told(by):
    event = make.open_event(by, decklists="required")
    sql("UPDATE tournaments_event SET lists_dated = '2020-01-01' WHERE id = %s", event.pk)
    assert checks(event) == ["ledger"]
