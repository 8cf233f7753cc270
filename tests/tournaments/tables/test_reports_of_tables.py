"""Results told by the players of a table: more than half decide, one who contradicts stops it.

Source: tables, 7 and 12 (example 13).
"""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import Mark, Winner
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.matches.selectors import match_page
from tournaments.matches.words import reporter_name
from tournaments.models import Match, Report
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.results import confirm_if_due, decide_result
from tournaments.results.services.table_reports import contradict_result
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
WON = Claim(first=1)


class Told:
    """A table whose players tell its result."""

    def __init__(self, by: Actor, size: int = 4) -> None:
        self.event = make.playing(by, 7, **make.TABLES, confirm_after=10)
        played = Match.objects.filter(round__event=self.event)
        self.pk = next(match for match in played if match.size == size).pk

    @property
    def match(self) -> Match:
        return Match.objects.select_related("round__event", "group__stage").get(pk=self.pk)

    def actor(self, seat: int) -> Actor:
        return Actor(entry=self.match.players[seat - 1])

    def says(self, seat: int, claim: Claim = WON) -> str:
        report_result(match=self.match, claim=claim, by=self.actor(seat))
        return self.match.state

    def confirms(self, seat: int) -> str:
        confirm_result(match=self.match, version=self.match.version, by=self.actor(seat))
        return self.match.state

    def denies(self, seat: int) -> str:
        contradict_result(match=self.match, version=self.match.version, by=self.actor(seat))
        return self.match.state


@pytest.fixture
def table(by):
    return Told(by)


def test_three_of_four_make_a_result(table):
    assert table.says(1) == "reported"
    assert table.confirms(3) == "reported"
    assert table.confirms(4) == "final"
    assert table.match.decision.places == [1, 2, 2, 2]
    assert [str(found) for found in verify_event(table.event)] == []


def test_who_contradicts_stops_it_until_they_confirm(table):
    table.says(1)
    table.confirms(3)
    assert table.denies(2) == "disputed"
    assert table.confirms(4) == "disputed"
    assert table.confirms(2) == "final"
    assert table.match.decision.kind == Report.Kind.CONFIRMATION
    assert [str(found) for found in verify_event(table.event)] == []


def test_another_result_is_a_dispute_and_taken_back_it_is_reported_again(table):
    table.says(1)
    assert table.says(2, Claim(first=2)) == "disputed"
    assert table.says(2) == "reported"
    assert table.says(4) == "final"


def test_two_of_three_are_enough(by):
    table = Told(by, size=3)
    assert table.says(1) == "reported"
    assert table.says(2) == "final"


def test_said_twice_nothing_is_stored(table):
    table.says(1)
    version = table.match.version
    table.says(1)
    table.confirms(1)
    assert table.match.version == version
    table.denies(2)
    version = table.match.version
    table.denies(2)
    assert table.match.version == version


def test_a_judge_decides_a_dispute(table, by):
    table.says(1)
    table.denies(2)
    decide_result(match=table.match, version=table.match.version, claim=Claim(first=2), by=by)
    assert table.match.state == "final"
    for act in (lambda: table.says(3), lambda: table.denies(3)):
        with pytest.raises(RuleError):
            act()
    assert table.match.decision.places == [2, 1, 2, 2]


def test_nobody_contradicts_an_open_table_or_their_own_report(table):
    with pytest.raises(RuleError) as refused:
        table.denies(1)
    assert refused.value.code == "match_not_reported"
    table.says(1)
    with pytest.raises(RuleError) as refused:
        table.denies(1)
    assert refused.value.code == "own_report"


def test_players_say_their_own_concession_and_nothing_of_the_staff(table):
    own = Claim(first=1, marks=((2, Mark.CONCEDED),))
    assert table.says(2, own) == "reported"
    assert table.match.reports.get().marks == {"2": "conceded"}
    for claim in (
        Claim(first=1, marks=((3, Mark.CONCEDED),)),
        Claim(first=1, marks=((4, Mark.ABSENT),)),
        Claim(winner=Winner.NONE),
        Claim(winner=Winner.VOID),
    ):
        with pytest.raises(BadInput) as refused:
            table.says(4, claim)
        assert refused.value.code == "impossible_result"
    assert table.match.version == 1


def test_somebody_else_tells_nothing(table, by):
    with pytest.raises(PermissionDenied):
        report_result(match=table.match, claim=WON, by=by)


def test_who_has_left_is_not_counted(table, by):
    table.says(1)
    withdraw(entry=table.match.players[3], by=by)
    assert table.match.state == "reported"
    assert table.confirms(2) == "final"


@pytest.mark.usefixtures("in_english")
def test_who_leaves_makes_final_what_more_than_half_of_the_others_said(table, by):
    table.says(1)
    assert table.confirms(2) == "reported"
    left = table.match.players[3]
    withdraw(entry=left, by=by)
    match = table.match
    assert (match.state, match.decision.places) == ("final", [1, 2, 2, 2])
    told = match.decision
    assert (told.kind, told.by, told.by_entry) == ("confirmation", None, None)
    assert match_page(match).reports[-1].who == f"nobody: the others are enough without {left}"
    assert reporter_name(told) == "by rule", "where there is no room for more"
    line = table.event.log.last()
    assert (line.action, line.after["agreed"]) == ("entry.withdraw", [match.table])
    assert [str(found) for found in verify_event(table.event)] == []
    undo(event=table.event, expected=line.number, by=by)
    assert (table.match.state, table.match.decision) == ("reported", None)
    left.refresh_from_db()
    assert left.plays
    assert table.confirms(3) == "final"
    assert [str(found) for found in verify_event(table.event)] == []


def test_a_dispute_ends_with_whoever_contradicted_alone(table, by):
    table.says(1)
    assert table.denies(4) == "disputed"
    disqualify(entry=table.match.players[3], reason="Cheating", by=by)
    assert table.match.state == "reported"
    undo(event=table.event, expected=table.event.log.last().number, by=by)
    assert table.match.state == "disputed"
    assert table.confirms(2) == "disputed"
    disqualify(entry=table.match.players[3], reason="Cheating", by=by)
    assert (table.match.state, table.match.decision.places) == ("final", [1, 2, 2, None])
    assert [str(found) for found in verify_event(table.event)] == []


def test_a_report_that_nobody_contradicts_becomes_final_by_time(table, monkeypatch):
    table.says(1)
    later = timezone.now() + timezone.timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    confirm_if_due(table.event)
    assert table.match.state == "final"
    assert table.match.decision.places == [1, 2, 2, 2]


def test_an_old_page_is_refused(table):
    table.says(1)
    version = table.match.version
    table.denies(2)
    with pytest.raises(RuleError) as refused:
        confirm_result(match=table.match, version=version, by=table.actor(3))
    assert refused.value.code == "stale"
