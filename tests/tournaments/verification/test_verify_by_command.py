"""What somebody with the database changes behind the program's back, ``verify`` says."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, LogLine, Match, MatchSeat, Report, Round
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event in the middle of its group: two rounds were played, somebody had to go."""
    event = make.halfway(by, 6, rounds=2, formula="single-group")
    departures.disqualify(entry=event.entries.get(number=6), reason="Cards marked", by=by)
    return Event.objects.get(pk=event.pk)


def said(event: Event) -> tuple[int, str]:
    """Return the exit code of ``verify`` and what it printed."""
    out = StringIO()
    try:
        call_command("verify", event.slug, stdout=out, stderr=out)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    return 0, out.getvalue()


def won(event: Event) -> Report:
    """Return the report of a match that was played and won."""
    played = Report.objects.filter(match__round__event=event, winner__in=("a", "b"))
    return played.exclude(score_a=None).earliest("pk")


def flip_a_winner(event: Event) -> None:
    report = won(event)
    winner = {"a": "b", "b": "a"}[report.winner]
    Report.objects.filter(pk=report.pk).update(
        winner=winner, score_a=F("score_b"), score_b=F("score_a")
    )


def write_999(event: Event) -> None:
    report = won(event)
    scores = {"score_a": 999, "score_b": 0} if report.winner == "a" else {"score_b": 999}
    Report.objects.filter(pk=report.pk).update(**scores)


def set_back(event: Event) -> None:
    Entry.objects.filter(event=event, number=6).update(status=Entry.Status.CHECKED_IN)


def exchange_names(event: Event) -> None:
    one, other = event.entries.get(number=1), event.entries.get(number=2)
    for entry, from_ in ((one, other), (other, one)):
        Entry.objects.filter(pk=entry.pk).update(name=from_.name, name_key=f"key {entry.pk}")


def empty_a_line(event: Event) -> None:
    line = LogLine.objects.filter(event=event, number=3)
    line.update(before={}, after={}, subject="")


def delete_the_last_line(event: Event) -> None:
    last = LogLine.objects.filter(event=event).order_by("number").last()
    assert last is not None
    LogLine.objects.filter(pk=last.pk).delete()


def delete_the_last_round(event: Event) -> None:
    last = Round.objects.filter(event=event).order_by("ordinal").last()
    assert last is not None
    MatchSeat.objects.filter(round=last).delete()
    Match.objects.filter(round=last).update(state=Match.State.OPEN, decision=None)
    Report.objects.filter(match__round=last).delete()
    Match.objects.filter(round=last).delete()
    Round.objects.filter(pk=last.pk).delete()


@pytest.mark.parametrize(
    "change",
    [
        flip_a_winner,
        write_999,
        set_back,
        exchange_names,
        empty_a_line,
        delete_the_last_line,
        delete_the_last_round,
    ],
)
def test_a_change_in_the_database_is_named(event: Event, change: Callable[[Event], None]) -> None:
    assert said(event)[0] == 0
    change(event)
    code, words = said(event)
    assert code == 1
    assert words.strip()
