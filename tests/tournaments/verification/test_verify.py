"""Verification: a sound event is clean, and every planted fault is found."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from decks.models import Decklist
from tests import factories as make
from tests.planting import sql
from tests.reporting import correct
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import (
    DeckSubmission,
    Draw,
    Entry,
    Event,
    Group,
    LogLine,
    Match,
    MatchSeat,
    Report,
    Round,
    Seat,
    Stage,
)
from tournaments.players.services import departures
from tournaments.verification import event as checks
from tournaments.verification.event import verify_event
from tournaments.verification.stages import check_standings

pytestmark = pytest.mark.django_db


def found(event):
    event.refresh_from_db()
    return {finding.check for finding in verify_event(event)}


@pytest.fixture
def played(by):
    return make.played(by, 8, decklists="required")


def test_a_running_event_with_results_missing_is_clean(by):
    event = make.started(by, 12)
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    assert not found(event)


@pytest.mark.deep
def test_who_leaves_after_advancing_makes_no_difference(by):
    event = make.started(by, 12)
    make.play_stage(event, by)
    make.close_stage(event, by)
    number = Stage.objects.get(event=event, number=1).places["A1"]
    entry = Entry.objects.get(event=event, number=number)
    departures.withdraw(entry=entry, by=Actor(entry=entry))
    assert not found(event)


def first_match(event):
    return Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")[0]


def skip_a_round(event):
    Round.objects.filter(event=event, number=2, stage__number=1).update(number=9, ordinal=99)


def open_a_match(event):
    match = Match.objects.filter(round__event=event, pk=first_match(event).pk)
    match.update(state=Match.State.OPEN, decision=None)


def swap_opponents(event):
    one, other = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")[:2]
    exchanged = (one, other.seats[1]), (other, one.seats[1])
    MatchSeat.objects.filter(match__in=(one, other), number=2).delete()
    for match, opponent in exchanged:
        MatchSeat(round=match.round, match=match, entry_id=opponent, number=2).save()


def meet_again(event):
    one = first_match(event)
    again = Match.objects.filter(round__event=event, round__ordinal=2, group=one.group)[0]
    MatchSeat.objects.filter(round=again.round, entry__in=(*one.seats, *again.seats)).delete()
    seat_again(again, one.seats)


def lose_a_seat(event):
    MatchSeat.objects.filter(match=first_match(event))[0].delete()


def lose_a_report(event):
    Match.objects.filter(pk=first_match(event).pk).update(version=7)


def win_too_many_games(event):
    Report.objects.filter(match=first_match(event)).update(games_a=4, games_b=0)


def draw_the_final(event):
    final = Match.objects.filter(round__event=event, draws=False).last()
    Report.objects.filter(match=final).update(winner="draw")


def change_a_place(event):
    stage = Stage.objects.get(event=event, number=1)
    stage.places |= {"M": stage.places["N"], "N": stage.places["M"]}
    stage.save()


def advance_twice(event):
    stage = Stage.objects.get(event=event, number=1)
    stage.places |= {"M": stage.places["N"]}
    stage.save()


def change_seats(event):
    seats = Seat.objects.filter(group=Group.objects.filter(stage__event=event)[0])
    one, other = seats[0], seats[1]
    entry = one.entry_id
    Seat.objects.filter(pk=one.pk).update(entry=None)
    Seat.objects.filter(pk=other.pk).update(entry_id=entry)
    Seat.objects.filter(pk=one.pk).update(entry_id=other.entry_id)


def change_a_seed(event):
    Draw.objects.filter(event=event, kind="start").update(seed="another")


def change_an_order(event):
    draw = Draw.objects.get(event=event, kind="start")
    draw.order = draw.order[::-1]
    draw.save()


def deck_of(event):
    return Decklist.objects.filter(submissions__current_of__event=event)[:1].get()


def change_a_list(event):
    deck = deck_of(event)
    Decklist.objects.filter(pk=deck.pk).update(text=deck.text + "1 Altra carta\n")


def change_a_verdict(event):
    Decklist.objects.filter(pk=deck_of(event).pk).update(legal=False)


def unlock_a_list(event):
    DeckSubmission.objects.filter(current_of__event=event).update(locked_at=None)


def lose_a_line(event):
    LogLine.objects.filter(event=event, number=3).delete()


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (skip_a_round, "round_numbers"),
        (open_a_match, "results_missing"),
        (swap_opponents, "pairings"),
        (meet_again, "meetings"),
        (lose_a_seat, "seats_of_match"),
        (lose_a_report, "reports"),
        (win_too_many_games, "impossible_result"),
        (draw_the_final, "impossible_result"),
        (change_a_place, "places"),
        (advance_twice, "advancing"),
        (change_seats, "seats"),
        (change_a_seed, "fingerprint"),
        (change_an_order, "draw"),
        (change_a_list, "deck_fingerprint"),
        (change_a_verdict, "deck_legality"),
        (unlock_a_list, "deck_lock"),
        (lose_a_line, "log"),
    ],
)
def test_a_planted_fault_is_found(played, plant, check):
    plant(played)
    assert check in found(played)


@pytest.fixture
def swiss_played(by):
    options = {"rounds": 3, "cut": 0}
    return make.played(by, 9, formula="swiss-cut", options=options)


def seat_again(match, entries):
    """Put others at a table."""
    MatchSeat.objects.filter(match=match).delete()
    for number, entry in enumerate(entries, start=1):
        seat = MatchSeat(round=match.round, match=match, entry_id=entry, number=number)
        seat.save()


def exchange(event, ordinal, player, other):
    """Let two players change places in a round, as if it had been paired so."""
    matches = Match.objects.filter(round__event=event, round__ordinal=ordinal)
    changed = {player: other, other: player}
    touched = [(m, m.seats) for m in matches if {*m.seats} & set(changed)]
    MatchSeat.objects.filter(match__in=[match for match, _seats in touched]).delete()
    for match, seats in touched:
        seat_again(match, [changed.get(entry, entry) for entry in seats])


def rematch(event):
    one = Match.objects.filter(round__event=event, round__ordinal=1, match_seats__number=2)[0]
    second = Match.objects.filter(round__event=event, round__ordinal=2)
    now = next(m for m in second if one.seats[0] in m.seats)
    opponent = next(entry for entry in now.seats if entry != one.seats[0])
    exchange(event, 2, opponent, one.seats[1])


def second_bye(event):
    byes = (
        Match.objects.exclude(match_seats__number=2)
        .filter(round__event=event)
        .order_by("round__ordinal")
    )
    exchange(event, 2, byes[0].seats[0], byes[1].seats[0])


def wrong_pairing(event):
    one, other = Match.objects.filter(round__event=event, round__ordinal=3).order_by("number")[:2]
    exchange(event, 3, one.seats[1], other.seats[1])


def other_seed(event):
    Stage.objects.filter(event=event, kind="swiss").update(seed="another")


@pytest.mark.parametrize("plant", [rematch, second_bye, wrong_pairing, other_seed])
def test_a_planted_fault_in_swiss_rounds_is_found(swiss_played, plant):
    plant(swiss_played)
    assert "pairings" in found(swiss_played)


def test_a_wrong_table_is_found(played):
    facts = load_facts(played)
    stage = facts.stages[0]
    (group, table), *rest = stage.outcome.standings.items()
    wrong = table.rows[0]._replace(played=99)
    spoilt = replace(table, rows=(wrong, *table.rows[1:]))
    stage.__dict__["outcome"] = replace(stage.outcome, standings={group: spoilt, **dict(rest)})
    assert {finding.check for finding in check_standings(facts)} == {"standings"}
    backwards = replace(table, rows=table.rows[::-1])
    stage.__dict__["outcome"] = replace(stage.outcome, standings={group: backwards})
    assert "order" in {finding.check for finding in check_standings(facts)}


def test_the_command_says_by_its_exit_code_what_it_found(played, capsys):
    call_command("verify", played.slug)
    capsys.readouterr()
    change_an_order(played)
    with pytest.raises(SystemExit) as left:
        call_command("verify", played.slug)
    assert left.value.code == 1
    assert "draw: " in capsys.readouterr().out
    with pytest.raises(CommandError) as unknown:
        call_command("verify", "no-such-event")
    assert unknown.value.returncode == 2


def told(event):
    return [str(finding) for finding in verify_event(Event.objects.get(pk=event.pk))]


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
    former_counts = "UPDATE tournaments_match SET decision_id = %s, version = 1 WHERE id = %s"
    sql(former_counts, former.pk, match.pk)
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
def halfway(by):
    """Return a halfway group with a correction, somebody disqualified, and a second round."""
    event = make.halfway(by, 6, formula="single-group")
    match = first(event)
    correct(match, by, score=(41, 3))
    make.next_round(event, by)
    departures.disqualify(entry=event.entries.get(number=6), reason="cheat", by=by)
    event = Event.objects.get(pk=event.pk)
    assert told(event) == []
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
        (empty_a_line, "Line 2 ("),
        (delete_the_last_line, "Fingerprint of the log"),
    ],
)
def test_what_went_unnoticed_is_named(halfway, in_english, plant, where):
    plant(halfway)
    assert any(where in words for words in told(halfway)), told(halfway)


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        ({"winner": "b"}, "b · "),
        ({"score_a": 1000}, "1000–"),
        ({"score_a": 999, "winner": "b"}, "b · 999–"),
        ({"ended_by": "bye"}, " · bye"),
    ],
)
def test_a_result_that_contradicts_itself_needs_no_log(
    halfway, in_english, monkeypatch, columns, wanted
):
    match = first(halfway)
    telling(halfway, **columns)
    monkeypatch.setattr(checks, "check_ledger", lambda *_given: ())
    (words,) = [each for each in told(halfway) if each.startswith("impossible_result")]
    names = " – ".join(player.name for player in match.players)
    where = f"Round 1, match {match.number}, Table 1 ({names})"
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
        ("event", "plan", '{"stages": 3}', "Event: "),
        ("event", "criteria", '["unknown"]', "Event: "),
        ("event", "formula", "nothing", "Event: "),
        ("draw", "entrants", '"x"', "Random draw 1"),
        ("logline", "facts", '{"rows": 3}', "Line 4 ("),
        ("logline", "facts", "[]", "Line 4 ("),
        ("logline", "words", '{"entry/1": 3}', "Line 4 ("),
        ("logline", "after", "[]", "Line 4 ("),
    ],
)
def test_rows_that_nothing_can_read_end_in_findings(
    halfway, in_english, table, column, value, where
):
    own = {
        "report": f"id = {first(halfway).decision_id}",
        "event": f"id = {halfway.pk}",
        "logline": f"event_id = {halfway.pk} AND number = 4",
        "draw": f"event_id = {halfway.pk} AND number = 1",
        "stage": f"event_id = {halfway.pk} AND number = 1",
    }
    sql(f"UPDATE tournaments_{table} SET {column} = %s WHERE {own[table]}", value)  # noqa: S608
    said = told(halfway)
    assert any(where in words for words in said), said


def test_a_check_that_stops_is_one_finding_and_the_others_go_on(halfway, in_english, monkeypatch):
    def stops(_facts):
        raise ZeroDivisionError("nobody there")
        yield

    monkeypatch.setattr(checks, "CHECKS", (stops, *checks.CHECKS))
    telling(halfway, winner="b")
    said = told(halfway)
    stopped = [words for words in said if words.startswith("unreadable")]
    assert stopped == ["unreadable: stops: stopped by an error (ZeroDivisionError: nobody there)."]
    assert any(words.startswith("impossible_result") for words in said)


def test_what_a_database_refuses_is_no_finding(halfway, monkeypatch):
    def gone(_facts):
        raise OperationalError("gone")

    monkeypatch.setattr(checks, "CHECKS", (gone,))
    with pytest.raises(OperationalError):
        told(halfway)
