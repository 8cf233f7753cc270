"""Verification: a sound event is clean, and every planted fault is found."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from decks.models import Decklist
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import (
    DeckSubmission,
    Draw,
    Entry,
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
from tournaments.verification.event import verify_event
from tournaments.verification.standings import check_standings

pytestmark = pytest.mark.django_db


def found(event):
    event.refresh_from_db()
    return {finding.check for finding in verify_event(event)}


@pytest.fixture
def played():
    by = make.organiser()
    return make.played(by, 8, decklists="required")


@pytest.mark.parametrize(
    ("how_many", "options"),
    [
        (5, {}),
        (13, {}),
        (12, {"decklists": "required"}),
        (9, {"formula": "groups-knockout", "format": "creatures-of-exo", "decklists": "required"}),
    ],
)
def test_a_sound_event_is_clean(how_many, options):
    by = make.organiser()
    assert not found(make.played(by, how_many, **options))


def test_a_running_event_with_results_missing_is_clean():
    by = make.organiser()
    event = make.started(by, 12)
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    assert not found(event)


def test_who_leaves_after_advancing_makes_no_difference():
    by = make.organiser()
    event = make.started(by, 12)
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_lots(event=event, tied=needed[0], by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
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
def swiss_played():
    by = make.organiser()
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


def test_a_sound_swiss_event_is_clean(swiss_played):
    assert not found(swiss_played)


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
