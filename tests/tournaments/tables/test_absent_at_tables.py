"""Who is absent at a table while the others play: said by the desk before there is a result.

Source: tables, 7 and 8.
"""

import re

import pytest
from django.utils.translation import override

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from rules.results import Mark
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.reporting import row_at_desk
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.players.services.departures import disqualify
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.results import say_absent
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


class Desk:
    """The desk of an event whose first round has one table of four."""

    def __init__(self, by: Actor, **settings: object) -> None:
        self.event = make.playing(by, 4, **make.TABLES, **settings)
        self.by, self.client = by, signed_in(by)

    @property
    def match(self) -> Match:
        found = Match.objects.select_related("round__event", "group__stage", "decision")
        return found.get(round__event=self.event)

    def post(self, name: str, **sent: object) -> int:
        sent = {"version": self.match.version, **sent}
        return self.client.post(url(name, self.event, self.match.pk), sent).status_code

    def seats(self) -> list[str]:
        with override("en"):
            return [seat.words for seat in row_at_desk(self.match).seats]

    def player(self, seat: int) -> Actor:
        return Actor(entry=self.match.players[seat - 1])

    def found(self) -> list[str]:
        return [str(each) for each in verify_event(Event.objects.get(pk=self.event.pk))]


@pytest.fixture
def desk(by):
    return Desk(by)


def test_the_line_says_who_is_absent_and_the_others_play_on(desk, by):
    third = desk.match.players[2]
    said = desk.client.get(url("desk-said", desk.event, desk.match.pk), {"text": "a3"})
    assert (said.status_code, text(said)) == (
        200,
        f"{third.display_name} is absent, the others play on",
    )
    mark = row_at_desk(desk.match).mark
    assert desk.post("desk-save", text="a3") == 302
    assert row_at_desk(desk.match).mark != mark  # another desk asks for the row
    assert (desk.match.state, desk.match.absent, desk.seats()[2]) == (
        "open",
        [third.number],
        "absent",
    )
    assert row_at_desk(desk.match).agreed.startswith("3 ")
    page = text(desk.client.get(url("desk", desk.event)))
    assert re.findall(r'name="text" value="(\d)"\s+disabled', page) == ["3"]
    assert desk.post("desk-save", text="a4") == 302
    assert desk.seats() == ["", "", "absent", "absent"]
    undo(event=desk.event, expected=desk.event.log.last().number, by=by)
    assert desk.match.absent == [third.number]
    assert desk.post("desk-save", text="2") == 302
    assert (desk.match.decision.places, desk.match.decision.marks) == (
        [2, 1, None, 2],
        {"3": "absent"},
    )
    assert desk.found() == []


def test_who_comes_after_all_is_ticked_away_with_the_result_or_before(desk):
    desk.post("desk-result", press="absent", absent=["2", "3"])
    second, third = (desk.match.players[seat].number for seat in (1, 2))
    assert desk.match.absent == [second, third]
    assert desk.post("desk-save", text="3") == 400, "seat 3 is absent"
    page = text(desk.client.get(url("desk-result", desk.event, desk.match.pk)))
    assert page.count("checked") - page.count('name="drawn"') == 0, "two absent, two still in"
    desk.post("desk-result", press="absent", absent=["2"])
    assert desk.match.absent == [second]
    desk.post("desk-result", press="3")
    assert (desk.match.decision.places, desk.match.decision.marks) == ([2, 2, 1, 2], None)
    assert desk.found() == []


def test_nobody_waits_for_who_is_absent(desk):
    report_result(match=desk.match, claim=Claim(first=1), by=desk.player(1))
    confirm_result(match=desk.match, version=1, by=desk.player(2))
    assert desk.match.state == "reported"
    desk.post("desk-save", text="a4")
    match = desk.match
    assert (match.state, match.decision.places) == ("final", [1, 2, 2, None])
    assert match.decision.marks == {"4": "absent"}
    assert desk.found() == []
    undo(event=desk.event, expected=desk.event.log.last().number, by=desk.by)
    assert (desk.match.state, desk.match.absent) == ("reported", [])
    assert desk.found() == []


def test_reports_of_before_and_after_an_absence_agree_on_what_the_others_did(desk):
    report_result(match=desk.match, claim=Claim(drawn=()), by=desk.player(1))
    desk.post("desk-save", text="a4")
    report_result(match=desk.match, claim=Claim(drawn=()), by=desk.player(2))
    assert (desk.match.state, desk.match.decision.places) == ("final", [1, 1, 1, None])
    assert desk.found() == []


def test_where_the_disqualified_had_won_a_judge_decides(desk, by):
    report_result(match=desk.match, claim=Claim(first=4), by=desk.player(1))
    confirm_result(match=desk.match, version=1, by=desk.player(2))
    disqualify(entry=desk.match.players[3], reason="Cheating", by=by)
    assert desk.match.state == "reported"
    with pytest.raises(RuleError) as refused:
        confirm_result(match=desk.match, version=2, by=desk.player(3))
    assert refused.value.code == "impossible_result"
    assert desk.found() == []


def test_where_one_is_left_that_is_a_result(desk):
    desk.post("desk-save", text="a4")
    claim = Claim(marks=((2, Mark.ABSENT), (3, Mark.ABSENT)))
    with pytest.raises(RuleError) as refused:
        say_absent(match=desk.match, version=0, claim=claim, by=desk.by)
    assert refused.value.code == "impossible_result"
    desk.post("desk-save", text="a23")
    assert (desk.match.state, desk.match.decision.places) == ("final", [1, None, None, None])
    assert desk.found() == []
