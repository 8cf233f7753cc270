"""Each way that once forged a record after its fingerprint was printed breaks a law."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from tests import factories as make
from tournaments.chain import laws
from tournaments.chain.kept_digests import log_digests, of_rows, of_snapshot
from tournaments.chain.laws import BrokenLaw
from tournaments.core.permissions import Actor
from tournaments.judging.services.notes import announce as announce_words
from tournaments.keeping_apart.services import keep_apart
from tournaments.models import Entry, Event, Match, Report, Seat
from tournaments.models.touched import touched
from tournaments.players.services import departures
from tournaments.players.services.entries import remove_entry
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot
from tournaments.strikes.services import lift_strike, strike
from tournaments.undo.selectors import acts_to_offer
from tournaments.undo.services.undo import undo
from tournaments.verification.event import notes_on, verify_event

pytestmark = pytest.mark.django_db

GROUP = {"formula": "single-group", "format": "creatures-of-exo"}


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def announce(event: Event, by: Actor) -> None:
    """Press a button that has nothing to do with what was changed."""
    announce_words(event=event, text="Pausa", minutes=5, by=by)


def first_match(event: Event) -> Match:
    return Match.objects.filter(round__event=event, round__ordinal=1, b__isnull=False)[0]


def other_winner(event: Event) -> None:
    """Let the other win the first match, by SQL."""
    report = Report.objects.filter(pk=first_match(event).decision_id)
    QuerySet.update(report, winner="b")


def edited_result(event: Event, by: Actor) -> None:
    for report in Report.objects.filter(pk=first_match(event).decision_id):
        report.winner = "b"
        report.save()
    announce(event, by)


def edited_result_struck(event: Event, by: Actor) -> None:
    gone = first_match(event).b
    departures.withdraw(entry=gone, by=by)
    other_winner(event)
    strike(entry=gone, reason="Una sola partita", by=by)
    lift_strike(entry=gone, reason="Errore", by=by)


def edited_draw(event: Event, by: Actor) -> None:
    draw = event.draws.get(number=1)
    draw.order = draw.order[::-1]
    draw.save()
    announce(event, by)


def edited_seats(event: Event, by: Actor) -> None:
    seats = list(Seat.objects.filter(stage__event=event, number__in=(1, 2)))
    one, other = (seat.entry for seat in seats)
    for seat, entry in zip(seats, (other, one), strict=True):
        seat.delete()
        seat.entry = entry
    Seat.objects.bulk_create(seats)
    announce(event, by)


def disqualified(event: Event, by: Actor) -> None:
    Entry.objects.filter(event=event, number=1).update(status="disqualified")
    announce(event, by)


def other_criteria(event: Event, by: Actor) -> None:
    event = fresh(event)
    event.criteria = ["points", "head_to_head", "lots"]
    event.save()
    announce(event, by)


def other_points(event: Event, by: Actor) -> None:
    event = fresh(event)
    event.points_win = 7
    event.save()
    announce(event, by)


def edited_kept_rows(event: Event, by: Actor) -> None:
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    line = acts_to_offer(fresh(event)).last.line
    kept = event.kept_rows.get(line=line.number)
    for row in kept.rows["removed"]["Report"].values():
        row["winner"] = "b"
    kept.save()
    log_digests(event, of_rows(kept))  # or the undo is refused
    undo(event=event, expected=line.number, by=by)


def edited_snapshot(event: Event, by: Actor) -> None:
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    snapshot = event.snapshots.get()
    document = json.loads(gzip.decompress(snapshot.document))
    for row in document["tables"]["reports"]:
        row["winner"] = "b"
    snapshot.document = gzip.compress(json.dumps(document).encode())
    snapshot.save()
    log_digests(event, of_snapshot(snapshot))
    restore_snapshot(event=event, snapshot_id=snapshot.pk, by=by)


@dataclass(frozen=True)
class Forgery:
    """A way to forge, and what ``verify`` says of the line that tells of it."""

    forge: Callable[[Event, Actor], None]
    says: str

    def __str__(self) -> str:
        return self.forge.__name__


FORGERIES = (
    Forgery(edited_result, "changes a result that was told before (law 2). Round 1, match 1"),
    Forgery(edited_result_struck, "changes a result that was told before (law 2). Round 1, match"),
    Forgery(edited_draw, "(law 3). Draw 1: order."),
    Forgery(edited_seats, "tells what this act does not write (law 1). Stage 1: groups."),
    Forgery(disqualified, "(law 1). Player 1 (Ada): status."),
    Forgery(other_criteria, "(law 1). The event: criteria."),
    Forgery(other_points, "(law 1). The event: points_win."),
    Forgery(edited_kept_rows, "brings back what was never there (law 4). Round 1, match 1"),
    Forgery(edited_snapshot, "brings back what was never there (law 4). Round 1, match 1"),
)


@pytest.fixture
def event(by: Actor) -> Event:
    event = make.started(by, 6, **GROUP)
    make.play_round(make.next_round(event, by), by)
    return event


@pytest.fixture
def signs_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.chain.lines.check_new_line", lambda event, line: None)


@pytest.mark.usefixtures("signs_anything")
@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_verify_names_line_law_and_place(event: Event, by: Actor, forgery: Forgery) -> None:
    before = event.log.count()
    forgery.forge(event, by)
    with override("en"):
        said = [str(found) for found in verify_event(fresh(event)) if found.check == "laws"]
    assert any(forgery.says in words for words in said), said
    lines = {int(words.split()[2]) for words in said}
    assert min(lines) > before


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_no_line_that_tells_of_it_is_signed(
    event: Event, by: Actor, forgery: Forgery, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(BrokenLaw) as broken:
        forgery.forge(event, by)
    assert any(f"({what[:5]})" in forgery.says for what in broken.value.args)
    assert all(what in caplog.text for what in broken.value.args)
    assert "Ada" not in caplog.text
    written = event.log.values_list("action", flat=True)
    assert not {"announcement.made", "entry.struck", "act.undone", "event.restored"} & {*written}
    assert fresh(event).version == event.log.count()


def test_the_act_is_a_fault_and_leaves_nothing(event: Event, by: Actor) -> None:
    browser = Client(raise_request_exception=False)
    browser.force_login(by.user)
    path = f"/api/v1/events/{event.slug}/players/1/"
    other_winner(event)
    touched().matches.add(first_match(event).pk)
    before = fresh(event)
    body = {"status": "withdrawn"}
    assert browser.patch(path, body, content_type="application/json").status_code == 500
    now = fresh(event)
    assert (now.version, now.head) == (before.version, before.head)
    assert event.entries.get(number=1).status == "registered"
    assert browser.patch(path, body, content_type="application/json").status_code == 200


def reads_of_the_log(act: Callable[[], None]) -> int:
    """Return how often an act reads lines of the log."""
    with CaptureQueriesContext(connection) as made:
        act()
    return sum('FROM "tournaments_logline"' in one["sql"] for one in made.captured_queries)


class TestWhatAProcessHolds:
    def test_it_reads_the_log_once(self, event: Event, by: Actor) -> None:
        laws.held.clear()
        assert [reads_of_the_log(lambda: announce(event, by)) for _time in range(3)] == [1, 0, 0]

    def test_it_follows_the_lines_of_another(self, event: Event, by: Actor) -> None:
        announce(event, by)
        mine = laws.held.pop(event.pk)
        for _line in range(2):
            announce(event, by)
        laws.held[event.pk] = mine
        assert reads_of_the_log(lambda: announce(event, by)) == 1
        with pytest.raises(BrokenLaw):
            edited_result(event, by)

    def test_it_forgets_what_was_rolled_back(self, event: Event, by: Actor) -> None:
        for lines in (1, 2, 3):
            with transaction.atomic():
                for _line in range(lines):
                    departures.withdraw(entry=event.entries.get(number=lines), by=by)
                    departures.come_back(entry=event.entries.get(number=lines), by=by)
                transaction.set_rollback(True)
            departures.withdraw(entry=event.entries.get(number=lines), by=by)
        assert list(verify_event(fresh(event))) == []
        with pytest.raises(BrokenLaw):
            disqualified(event, by)

    def test_it_holds_a_few_events(self, event: Event, by: Actor) -> None:
        for _event in range(laws.MOST_EVENTS):
            make.open_event(by)
        assert len(laws.held) == laws.MOST_EVENTS
        assert event.pk not in laws.held

    @pytest.mark.parametrize("fault", [{"digest": "0" * 64}, {"facts": 7}, {"number": 999}])
    def test_a_log_that_cannot_be_followed_stops_nobody(
        self, event: Event, by: Actor, fault: dict[str, Any]
    ) -> None:
        laws.held.clear()
        event.log.filter(number=event.version).update(**fault)
        announce(event, by)
        assert list(verify_event(fresh(event))) != []


def test_the_first_line_under_the_laws_says_so(event: Event) -> None:
    told = [line.number for line in event.log.all() if "laws" in line.facts]
    assert told == [1]
    assert not [note for note in notes_on(event) if note.check == "laws"]


def test_verify_notes_where_the_laws_begin(by: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr("tournaments.chain.lines.check_new_line", lambda event, line: None)
        event = make.started(by, 4, **GROUP)
    make.next_round(event, by)
    with override("en"):
        said = [note.words for note in notes_on(event) if note.check == "laws"]
    line = event.log.get(action="round.drafted").number
    assert said == [f"The laws of the record were asked of each line from line {line} on."]


def test_a_player_kept_apart_can_be_removed(by: Actor) -> None:
    event = make.open_event(by)
    one, other, _third = make.players(event, 3, by)
    keep_apart(event=event, numbers=(one.number, other.number), by=by)
    remove_entry(entry=one, by=by)
    assert not event.kept_apart.exists()
    assert verify_event(event) == []
