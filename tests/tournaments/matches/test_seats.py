"""Seats of a match: numbers from 1, and what a match of each size may hold."""

from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.row_queries import match_rows
from tournaments.models import Event, KeptRows, Match, MatchSeat, Round
from tournaments.models.match import matches_with_players
from tournaments.players.services.late_entries import add_late_entry
from tournaments.rounds.services import discard_round
from tournaments.undo.services import restore_rows
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
numbering = import_module("tournaments.migrations.0035_number_seats")
SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 0}}


def of_three(event: Event) -> Match:
    """Store a match of three in place of the first two, as no service does yet."""
    first, other = Match.objects.of_two().filter(round__event=event)[:2]
    players = [*first.seats, other.seats[1]]
    other.delete()
    first.match_seats.all().delete()
    MatchSeat.objects.bulk_create(
        MatchSeat(round=first.round, match=first, entry_id=key, number=number)
        for number, key in enumerate(reversed(players), start=1)
    )
    return Match.objects.get(pk=first.pk)


def test_who_plays_has_the_seats_in_order(by):
    event = make.playing(by, 5, **SWISS)
    for match in Match.objects.filter(round__event=event):
        numbers = match.match_seats.order_by("number").values_list("number", flat=True)
        assert list(numbers) == list(range(1, match.size + 1))
        seated = match.match_seats.order_by("number").values_list("entry", flat=True)
        assert match.seats == tuple(seated)
        assert tuple(player.pk for player in match.players) == match.seats
        (row,) = [m for m in match_rows(event.pk)[match.round_id] if m.pk == match.pk]
        assert (row.size, row.seats) == (match.size, match.seats)


@pytest.mark.parametrize("number", [0, 6])
def test_a_match_has_seats_1_to_5(by, number):
    event = make.playing(by, 4, formula="single-group")
    seat = MatchSeat.objects.filter(round__event=event).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchSeat.objects.filter(pk=seat.pk).update(number=number)


def test_nobody_shares_a_seat(by):
    event = make.playing(by, 4, formula="single-group")
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchSeat.objects.filter(round__event=event).update(number=1)


def test_any_number_is_read_in_the_order_of_seats_without_a_query_more(
    by, django_assert_num_queries
):
    event = make.playing(by, 4, formula="single-group")
    with django_assert_num_queries(2):
        match_rows(event.pk)
    match = of_three(event)
    assert len(match.seats) == 3
    assert tuple(player.pk for player in match.players) == match.seats
    with django_assert_num_queries(2):
        (rows,) = match_rows(event.pk).values()
    assert [row.seats for row in rows if row.size == 3] == [match.seats]
    with django_assert_num_queries(1):
        (found,) = matches_with_players("round__event", pk=match.pk)
        assert (found.seats, found.players, found.size) == (match.seats, match.players, 3)
        assert found.round.event == event


def test_seats_exchanged_in_the_database_are_noticed(by):
    event = make.playing(by, 4, formula="single-group")
    one, other = Match.objects.filter(round__event=event)[0].match_seats.order_by("number")
    with connection.cursor() as cursor:
        for seat, number in ((one, 5), (other, 1), (one, 2)):
            cursor.execute(
                "UPDATE tournaments_matchseat SET number = %s WHERE id = %s", [number, seat.pk]
            )
    assert {found.check for found in verify_event(event)} & {"ledger", "chain", "pairings"}


def test_programs_are_told_seats_and_places(by):
    event = make.halfway(by, 5, **SWISS)
    add_late_entry(event=event, name="Zoe", missed="loss", by=by)
    shown = Client().get(f"/api/v1/events/{event.slug}/matches/").json()["results"]
    places = {"a": [1, 2], "b": [2, 1], "draw": [1, 1], "none": [2, 2], None: None}
    assert {row["winner"] for row in shown} >= {"a", "none"}
    for row in shown:
        assert row["seats"] == [side for side in (row["a"], row["b"]) if side]
        told = places[row["winner"]]
        assert row["places"] == (told and told[: len(row["seats"])])
    facts = load_facts(Event.objects.get(pk=event.pk))
    for stage in facts.stages:
        for played in stage.state.rounds:
            assert all(pairing.seats == result.seats for pairing, result in played)


def test_rows_kept_before_seats_had_numbers_come_back_with_them(by):
    event = make.started(by, 5, **SWISS)
    item = make.next_round(event, by)
    seats = set(item.match_seats.values_list("entry", "number"))
    players = {match.number: match.seats for match in item.matches.all()}
    discard_round(event=Event.objects.get(pk=event.pk), ordinal=1, confirm="Round 1", by=by)
    kept = KeptRows.objects.filter(event=event).latest("line")
    for part in ("added", "removed"):
        for row in kept.rows[part].get("Match", {}).values():
            row |= {"a_id": players[row["number"]][0], "b_id": [*players[row["number"]], None][1]}
        for row in kept.rows[part].get("MatchSeat", {}).values():
            del row["number"]
    restore_rows(Event.objects.get(pk=event.pk), kept, by=by)
    assert set(Round.objects.get(event=event).match_seats.values_list("entry", "number")) == seats
    again = Match.objects.filter(round__event=event)
    assert {match.number: match.seats for match in again} == players
