"""Each way that once forged a record after its fingerprint was printed breaks a law."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.db.models import QuerySet
from django.utils.translation import override

from tests import factories as make
from tournaments.chain.kept import of_rows, of_snapshot, tell
from tournaments.core.permissions import Actor
from tournaments.judging.services.notes import announce as announce_words
from tournaments.models import Entry, Event, Match, Report, Seat
from tournaments.players.services import departures
from tournaments.players.services.strikes import lift_strike, strike
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot
from tournaments.undo.selectors import undoing
from tournaments.undo.services.undo import undo
from tournaments.verification.event import verify_event

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
    line = undoing(fresh(event)).last.line
    kept = event.kept_rows.get(line=line.number)
    for row in kept.rows["removed"]["Report"].values():
        row["winner"] = "b"
    kept.save()
    tell(event, of_rows(kept))  # or the undo is refused
    undo(event=event, expected=line.number, by=by)


def edited_snapshot(event: Event, by: Actor) -> None:
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    snapshot = event.snapshots.get()
    document = json.loads(gzip.decompress(snapshot.document))
    for row in document["tables"]["reports"]:
        row["winner"] = "b"
    snapshot.document = gzip.compress(json.dumps(document).encode())
    snapshot.save()
    tell(event, of_snapshot(snapshot))
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


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_verify_names_line_law_and_place(event: Event, by: Actor, forgery: Forgery) -> None:
    before = event.log.count()
    forgery.forge(event, by)
    with override("en"):
        said = [str(found) for found in verify_event(fresh(event)) if found.check == "laws"]
    assert any(forgery.says in words for words in said), said
    lines = {int(words.split()[2]) for words in said}
    assert min(lines) > before
