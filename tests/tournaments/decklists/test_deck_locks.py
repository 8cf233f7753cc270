"""When a list can be handed in, by the clock of the server.

Safety notes, T04 and I17.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone, translation

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, Role
from tournaments.decklists import services as deck_locks
from tournaments.decklists.selectors.versions import deck_window, time_left
from tournaments.events import services as events
from tournaments.lots import services as draws
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.starting import services as starting
from tournaments.verification.records import check_decks

pytestmark = pytest.mark.django_db

ROME = ZoneInfo("Europe/Rome")
DEADLINE = datetime(2026, 12, 5, 9, 30, tzinfo=ROME)
SECOND = timedelta(seconds=1)
EXO = "creatures-of-exo"


@pytest.fixture
def clock(monkeypatch):
    """Return a function that sets the server's clock; it stands at a day before the deadline."""

    def at(moment):
        monkeypatch.setattr(timezone, "now", lambda: moment.astimezone(UTC))

    at(DEADLINE - timedelta(days=1))
    return at


@pytest.fixture
def by(clock):
    return make.organiser()


@pytest.fixture
def event(by):
    return make.open_event(by, format=EXO, decklists="required", decklist_deadline=DEADLINE)


def begin(event, by):
    draw = draws.draw_start_order(event=event, by=by)
    starting.start_event(event=event, draw_number=draw.number, override="so be it", by=by)
    return Event.objects.get(pk=event.pk)


def test_a_second_before_and_a_second_after_the_deadline(clock, ada):
    clock(DEADLINE - SECOND)
    kept = make.hand_in(ada)
    for moment in (DEADLINE, DEADLINE + SECOND):
        clock(moment)
        assert make.refusal(make.hand_in, ada, 2) == "deck_locked"
    assert Entry.objects.get(pk=ada.pk).submission == kept
    assert DeckSubmission.objects.filter(entry=ada).count() == 1


def test_a_judge_corrects_after_the_lock_with_a_reason(clock, event, ada):
    first = make.hand_in(ada)
    clock(DEADLINE + SECOND)
    judge, lines = make.staff(event), event.log.count()
    assert make.refusal(make.hand_in, ada, 2, by=judge) == "reason_missing"
    mended = make.hand_in(ada, 2, by=judge, reason="A card was misspelt")
    line = event.log.last()
    assert event.log.count() == lines + 1
    assert (line.action, line.by, line.reason) == (
        "deck.submitted",
        judge.user,
        "A card was misspelt",
    )
    assert line.before["fingerprint"] == first.decklist.fingerprint
    assert line.after["fingerprint"] == mended.decklist.fingerprint
    assert list(ada.submissions.all()) == [first, mended]


@pytest.mark.parametrize(
    ("deadline", "before"),
    [
        # clocks go forward at 2:00 on 28 March 2027, back at 3:00 on 31 October 2027
        (datetime(2027, 3, 28, 3, 30, tzinfo=ROME), datetime(2027, 3, 28, 1, 29, 59, tzinfo=UTC)),
        (datetime(2027, 3, 28, 1, 30, tzinfo=ROME), datetime(2027, 3, 28, 0, 29, 59, tzinfo=UTC)),
        (datetime(2027, 10, 31, 2, 30, tzinfo=ROME), datetime(2027, 10, 31, 0, 29, 59, tzinfo=UTC)),
        (
            datetime(2027, 10, 31, 2, 30, tzinfo=ROME, fold=1),
            datetime(2027, 10, 31, 1, 29, 59, tzinfo=UTC),
        ),
        (datetime(2027, 10, 31, 3, 30, tzinfo=ROME), datetime(2027, 10, 31, 2, 29, 59, tzinfo=UTC)),
    ],
)
def test_the_deadline_holds_when_the_clocks_change(clock, by, deadline, before):
    event = make.open_event(by, format=EXO, decklists="required", decklist_deadline=deadline)
    ada = make.players(event, 1, by)[0]
    clock(before)
    make.hand_in(ada)
    clock(before + SECOND)
    assert make.refusal(make.hand_in, ada, 2) == "deck_locked"


def test_the_time_that_remains_counts_hours_that_pass():
    until = datetime(2027, 3, 28, 4, 0, tzinfo=ROME)
    now = datetime(2027, 3, 28, 1, 0, tzinfo=ROME)
    with translation.override("en"):
        assert time_left(until, now) == "2 hours"
        assert time_left(until, until - timedelta(seconds=20)) == "less than a minute"
    with translation.override("it"):
        assert time_left(until, now) == "2 ore"


def test_everything_locks_at_the_start_though_the_deadline_is_later(clock, event, ada, by):
    clock(DEADLINE - timedelta(hours=2))
    make.hand_in(ada)
    event = begin(event, by)
    assert make.refusal(make.hand_in, ada, 2) == "deck_locked"
    assert not deck_window(event, ada).open
    assert Entry.objects.get(pk=ada.pk).submission.locked_at == timezone.now()


def test_a_deadline_moved_later_opens_the_lists_again(clock, event, ada, by):
    clock(DEADLINE + SECOND)
    assert make.refusal(make.hand_in, ada) == "deck_locked"
    events.change_event(
        event=event, changes={"decklist_deadline": DEADLINE + timedelta(minutes=10)}, by=by
    )
    assert make.hand_in(ada).decklist.legal


def test_a_list_opened_for_one_player_is_open_until_the_moment(clock, event, ada):
    judge, until = make.staff(event), DEADLINE + timedelta(minutes=15)
    clock(DEADLINE + SECOND)
    deck_locks.unlock_decklist(entry=ada, until=until, reason="The train was late", by=judge)
    line = event.log.last()
    assert (line.action, line.reason) == ("deck.opened", "The train was late")
    assert line.after == {"number": 1, "until": "2026-12-05T09:45+01:00"}
    clock(until - SECOND)
    ada.refresh_from_db()
    assert deck_window(event, ada).grace
    assert make.hand_in(ada).reason == "The train was late"
    bea = event.entries.get(number=2)
    assert make.refusal(make.hand_in, bea) == "deck_locked"
    clock(until)
    assert make.refusal(make.hand_in, ada, 2) == "deck_locked"


def test_a_list_opened_after_the_start_is_in_order_for_verify(clock, event, ada, by):
    event = begin(event, by)
    until = timezone.now() + timedelta(minutes=10)
    deck_locks.unlock_decklist(entry=ada, until=until, reason="Missing", by=make.staff(event))
    clock(until - SECOND)
    assert make.hand_in(ada).locked_at == timezone.now()
    assert list(check_decks(load_facts(event))) == []


def test_a_correction_by_a_judge_closes_the_list(clock, event, ada):
    judge, until = make.staff(event), DEADLINE + timedelta(minutes=15)
    clock(DEADLINE + SECOND)
    deck_locks.unlock_decklist(entry=ada, until=until, reason="The train was late", by=judge)
    make.hand_in(ada, 2)
    mended = make.hand_in(ada, 3, by=judge, reason="Agreed at the desk")
    assert make.refusal(make.hand_in, ada, 2) == "deck_locked"
    assert Entry.objects.get(pk=ada.pk).submission == mended
    deck_locks.unlock_decklist(entry=ada, until=until, reason="Once more", by=judge)
    assert make.hand_in(ada, 2).reason == "Once more"


def test_a_list_is_closed_again(clock, event, ada):
    judge = make.staff(event)
    clock(DEADLINE + SECOND)
    assert make.refusal(deck_locks.lock_decklist, entry=ada, by=judge) == "list_not_open"
    until = DEADLINE + timedelta(minutes=15)
    deck_locks.unlock_decklist(entry=ada, until=until, reason="The train was late", by=judge)
    deck_locks.lock_decklist(entry=ada, by=judge)
    assert make.refusal(make.hand_in, ada) == "deck_locked"
    assert event.log.last().action == "deck.closed"


@pytest.mark.parametrize(
    ("until", "reason", "code"),
    [
        (DEADLINE, "", "reason_missing"),
        (DEADLINE, "  ", "reason_missing"),
        (DEADLINE - timedelta(days=1), "late", "until_past"),
    ],
)
def test_a_list_is_opened_with_a_reason_and_for_a_time_to_come(event, ada, until, reason, code):
    lines = event.log.count()
    refused = make.refusal(
        deck_locks.unlock_decklist, entry=ada, until=until, reason=reason, by=make.staff(event)
    )
    assert refused == code
    assert event.log.count() == lines


def test_who_may_open_a_list(event, ada, by):
    until = timezone.now() + timedelta(hours=1)
    for actor in (Actor(entry=ada), Actor(), make.staff(event, Role.SCOREKEEPER)):
        with pytest.raises(PermissionDenied):
            deck_locks.unlock_decklist(entry=ada, until=until, reason="friend", by=actor)
        with pytest.raises(PermissionDenied):
            deck_locks.lock_decklist(entry=ada, by=actor)
    for role in (Role.JUDGE, Role.HEAD_JUDGE, Role.ORGANISER):
        deck_locks.unlock_decklist(
            entry=ada, until=until, reason="late", by=make.staff(event, role)
        )


def test_nothing_is_opened_where_no_lists_are_or_the_event_is_over(by):
    event = make.event(by)
    entry = make.players(event, 1, by)[0]
    until = timezone.now() + timedelta(hours=1)
    known = {"entry": entry, "until": until, "reason": "late", "by": by}
    assert make.refusal(deck_locks.unlock_decklist, **known) == "decklists_off"
    Event.objects.filter(pk=event.pk).update(decklists="optional", state=Event.State.FINISHED)
    assert make.refusal(deck_locks.unlock_decklist, **known) == "event_finished"


def test_an_organiser_who_plays_is_a_player_like_others_without_a_reason(clock, event, ada, by):
    Entry.objects.filter(pk=ada.pk).update(user=by.user)
    ada.refresh_from_db()
    clock(DEADLINE)
    assert make.refusal(make.hand_in, ada, by=by) == "deck_locked"
    assert make.hand_in(ada, by=by, reason="Typed wrongly").reason == "Typed wrongly"


def test_the_page_knows_until_when_and_since_when(clock, event, ada, by):
    clock(DEADLINE - timedelta(hours=2, minutes=5))
    with translation.override("en"):
        window = deck_window(event, ada)
    assert (window.open, window.until, window.left) == (True, DEADLINE, "2 hours, 5 minutes")
    clock(DEADLINE + SECOND)
    window = deck_window(event, ada)
    assert (window.open, window.since, window.until) == (False, DEADLINE, None)
    Event.objects.filter(pk=event.pk).update(decklist_deadline=None)
    window = deck_window(Event.objects.get(pk=event.pk), ada)
    assert (window.open, window.until, window.left) == (True, None, "")
