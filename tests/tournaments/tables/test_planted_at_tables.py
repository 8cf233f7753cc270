"""Faults planted in events of tables, in rows and in what the rules make of them: all are found."""

import pytest

from rules.stages import table_cut
from rules.tables.results import UNITS, TablePoints
from tests import factories as make
from tournaments.models import Event, Match, MatchSeat, Report, Round
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
WITH_BYES = make.TABLES | {"options": {"rounds": 2, "cut": 4, "sizes": [4]}}


def seats(match):
    return list(MatchSeat.objects.filter(match=match).order_by("number"))


def seat_players(rows, players):
    """Let these players sit on the seats of some rows."""
    MatchSeat.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row, player in zip(rows, players, strict=True):
        row.entry_id = player
        row.save(force_insert=True)


def second_round(event):
    return Match.objects.filter(round__event=event, round__ordinal=2)


def another_cost(event, _patch):
    item = Round.objects.get(event=event, ordinal=2)
    item.cost["spread"] += 1
    item.save()


def another_order_of_seats(event, _patch):
    rows = seats(second_round(event).filter(match_seats__number=4).first())
    seat_players(rows, [row.entry_id for row in reversed(rows)])


def another_bye(event, _patch):
    rows = [
        *seats(second_round(event).exclude(match_seats__number=2).get()),
        seats(second_round(event).filter(match_seats__number=4)[0])[0],
    ]
    seat_players(rows, [row.entry_id for row in reversed(rows)])


def nobody_on_a_seat(event, _patch):
    match = second_round(event).filter(match_seats__number=4).first()
    seats(match)[-1].delete()
    for report in Report.objects.filter(match=match):
        report.places = report.places[:3]
        report.save()


def points_too_many(_event, patch):
    usual = TablePoints.of
    patch.setattr(
        TablePoints, "of", lambda self, table: tuple(n + UNITS for n in usual(self, table))
    )


def another_order_of_the_cut(_event, patch):
    usual = table_cut.in_order
    patch.setattr(table_cut, "in_order", lambda state: usual(state)[::-1])


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (another_cost, "table_cost"),
        (another_order_of_seats, "table_seats"),
        (another_bye, "table_byes"),
        (nobody_on_a_seat, "table_sizes"),
        (points_too_many, "standings"),
        (another_order_of_the_cut, "order"),
    ],
)
def test_a_fault_at_tables_is_found(by, monkeypatch, plant, check):
    event = make.played(by, 9, **WITH_BYES | {"table_points": {"preset": "places"}})
    plant(event, monkeypatch)
    assert check in {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}
