"""Changes by SQL that once went unnoticed, results that contradict themselves, unreadable rows."""

import pytest
from django.db import connection

from tests import factories as make
from tournaments.models import Event, Match
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.verification import event as checks
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def found(event):
    return [str(finding) for finding in verify_event(Event.objects.get(pk=event.pk))]


def sql(statement, *values):
    """Change the database behind the program's back."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def first(event):
    """Return the match at table 1 of the event's first round, which a has won."""
    return Match.objects.filter(round__event=event, round__ordinal=1).order_by("table")[0]


def telling(event, **columns):
    """Write columns of the report that counts at table 1."""
    sets = ", ".join(f"{name} = %s" for name in columns)
    key = first(event).decision_id
    sql(f"UPDATE tournaments_report SET {sets} WHERE id = %s", *columns.values(), key)  # noqa: S608


def flip_the_winner(event):
    report = first(event).decision
    telling(event, winner="b", score_a=report.score_b, score_b=report.score_a)


def write_999(event):
    telling(event, score_a=999, score_b=0)


def make_void(event):
    telling(event, winner="void", ended_by="void", score_a=None, score_b=None)


def hide_a_correction(event):
    match = Match.objects.get(round__event=event, version=2)
    former = match.reports.get(version=1)
    sql(
        "UPDATE tournaments_match SET decision_id = %s, version = 1 WHERE id = %s",
        former.pk,
        match.pk,
    )
    sql("DELETE FROM tournaments_report WHERE match_id = %s AND version = 2", match.pk)


def set_back_the_disqualified(event):
    sql(
        "UPDATE tournaments_entry SET status = 'active' WHERE event_id = %s AND status = %s",
        event.pk,
        "disqualified",
    )


def delete_the_last_round(event):
    item = event.rounds.order_by("ordinal").last()
    matches = "SELECT id FROM tournaments_match WHERE round_id = %s"
    undecided = (
        "UPDATE tournaments_match SET decision_id = NULL, state = 'open' WHERE round_id = %s"
    )
    sql(undecided, item.pk)
    sql(f"DELETE FROM tournaments_report WHERE match_id IN ({matches})", item.pk)  # noqa: S608
    for table in ("matchseat", "match"):
        sql(f"DELETE FROM tournaments_{table} WHERE round_id = %s", item.pk)  # noqa: S608
    sql("DELETE FROM tournaments_round WHERE id = %s", item.pk)


def exchange_names(event):
    write = "UPDATE tournaments_entry SET name = %s, name_key = %s WHERE id = %s"
    one, other = event.entries.filter(number__in=(1, 2)).order_by("number")
    sql(write, "between", "between", one.pk)
    sql(write, one.name, one.name_key, other.pk)
    sql(write, other.name, other.name_key, one.pk)


def empty_a_line(event):
    sql(
        "UPDATE tournaments_logline SET subject = '', before = %s, after = %s "
        "WHERE event_id = %s AND number = 2",
        "{}",
        "{}",
        event.pk,
    )


def delete_the_last_line(event):
    last = event.log.order_by("number").last()
    sql("DELETE FROM tournaments_logline WHERE id = %s", last.pk)
    sql("UPDATE tournaments_event SET version = version - 1 WHERE id = %s", event.pk)


@pytest.fixture
def running(by):
    """Return a running group with a correction, somebody disqualified, and a second round."""
    event = make.halfway(by, 6, formula="single-group")
    match = first(event)
    results.correct_result(
        match=match, version=1, claim=make.Claim(score=(41, 3)), reason="typo", by=by
    )
    make.next_round(event, by)
    departures.disqualify(entry=event.entries.get(number=6), reason="cheat", by=by)
    event = Event.objects.get(pk=event.pk)
    assert found(event) == []
    return event


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        (flip_the_winner, "Round 1, match"),
        (write_999, "Round 1, match"),
        (make_void, "Round 1, match"),
        (hide_a_correction, "Round 1, match"),
        (set_back_the_disqualified, "Player 6 "),
        (delete_the_last_round, "Round 2"),
        (exchange_names, "Player 1 "),
        (empty_a_line, "Line 2 of the log"),
        (delete_the_last_line, "the last line of its log"),
    ],
)
def test_what_went_unnoticed_is_named(running, in_english, plant, where):
    plant(running)
    assert any(where in words for words in found(running)), found(running)


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        ({"winner": "b"}, "the winner that the figures name"),
        ({"score_a": 1000}, "points from 0 to 999"),
        ({"score_a": 999, "winner": "b"}, "the winner that the figures name"),
        ({"ended_by": "bye"}, "somebody who has won, or a draw"),
    ],
)
def test_a_result_that_contradicts_itself_needs_no_log(
    running, in_english, monkeypatch, columns, wanted
):
    match = first(running)
    telling(running, **columns)
    monkeypatch.setattr(checks, "check_ledger", lambda *_given: ())
    (words,) = [each for each in found(running) if each.startswith("impossible_result")]
    names = " – ".join(player.name for player in match.players)
    where = f"Round 1, match {match.number}, table 1 ({names})"
    assert where in words
    assert wanted in words


@pytest.mark.parametrize(
    ("table", "column", "value", "where"),
    [
        ("report", "winner", "who", "Round 1, match"),
        ("report", "ended_by", "never", "Round 1, match"),
        ("report", "games", '{"a": 1}', "Round 1, match"),
        ("stage", "places", '["x"]', "Stage 1"),
        ("stage", "kind", "nothing", "Stage 1"),
        ("event", "plan", '{"stages": 3}', "The event"),
        ("event", "criteria", '["unknown"]', "The event"),
        ("event", "formula", "nothing", "The event"),
        ("draw", "entrants", '"x"', "Draw 1"),
        ("logline", "facts", '{"rows": 3}', "Line 4 of the log"),
        ("logline", "facts", "[]", "Line 4 of the log"),
        ("logline", "words", '{"entry/1": 3}', "Line 4 of the log"),
        ("logline", "after", "[]", "Line 4 of the log"),
    ],
)
def test_rows_that_nothing_can_read_end_in_findings(
    running, in_english, table, column, value, where
):
    own = {
        "report": f"id = {first(running).decision_id}",
        "event": f"id = {running.pk}",
        "logline": f"event_id = {running.pk} AND number = 4",
        "draw": f"event_id = {running.pk} AND number = 1",
        "stage": f"event_id = {running.pk} AND number = 1",
    }
    sql(f"UPDATE tournaments_{table} SET {column} = %s WHERE {own[table]}", value)  # noqa: S608
    said = found(running)
    assert any(where in words for words in said), said


def test_a_check_that_stops_is_one_finding_and_the_others_go_on(running, in_english, monkeypatch):
    def stops(_facts):
        raise ZeroDivisionError("nobody there")
        yield

    monkeypatch.setattr(checks, "CHECKS", (stops, *checks.CHECKS))
    telling(running, winner="b")
    said = found(running)
    stopped = [words for words in said if words.startswith("unreadable")]
    assert stopped == [
        "unreadable: stops: stopped by what is stored, ZeroDivisionError: nobody there. "
        "Other findings say where."
    ]
    assert any(words.startswith("impossible_result") for words in said)


def test_what_a_database_refuses_is_no_finding(running, monkeypatch):
    from django.db import OperationalError

    def gone(_facts):
        raise OperationalError("gone")

    monkeypatch.setattr(checks, "CHECKS", (gone,))
    with pytest.raises(OperationalError):
        found(running)
