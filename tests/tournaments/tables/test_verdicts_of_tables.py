"""Who is through or out by points alone where three and more play."""

import pytest

from rules.matches.match_rules import Claim
from rules.scenarios.verdicts import Verdict
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Match
from tournaments.results.services.results import decide_result
from tournaments.standings.selectors.rank_details import certain_verdicts

pytestmark = pytest.mark.django_db
THROUGH, OUT = Verdict.THROUGH, Verdict.OUT


def certain(event):
    facts = load_facts(event)
    stage = facts.open_stage
    ((group, standings),) = stage.outcome.standings.items()
    return certain_verdicts(facts, stage, group, standings)


def one_round(by, **values):
    """Return an event of two tables whose best four go on after one round, and its matches."""
    settings = make.TABLES | {"options": {"rounds": 1, "cut": 4}} | values
    event = make.playing(by, 8, **settings)
    return event, Match.objects.filter(round__event=event).order_by("table")


def numbers(match):
    return [player.number for player in match.players]


def test_whoever_may_still_win_a_table_is_neither_through_nor_out(by):
    event, (first, second) = one_round(by)
    decide_result(match=first, version=0, claim=Claim(drawn=()), by=by)
    assert certain(event) == {}
    decide_result(match=second, version=0, claim=Claim(first=1), by=by)
    winner, *others = numbers(second)
    assert certain(event) == {winner: THROUGH, **dict.fromkeys(others, OUT)}


def test_points_by_place_make_certain_too(by):
    event, matches = one_round(by, table_points={"preset": "places"})
    for match in matches:
        decide_result(match=match, version=0, claim=Claim(order=(1, 2, 3, 4)), by=by)
    found = certain(event)
    assert {found[one] for match in matches for one in numbers(match)[:2]} == {THROUGH}
    assert {found[one] for match in matches for one in numbers(match)[2:]} == {OUT}


def test_rounds_to_come_leave_all_open(by):
    assert certain(make.halfway(by, 8, **make.TABLES)) == {}
