"""A match for third place that is not played: void, both are third, wherever that is told."""

import pytest

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import Winner
from tests import factories as make
from tests.browsers import by_link, page, signed_in, url
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.events import services as events
from tournaments.models import Event
from tournaments.plan_changes.services import change_plan
from tournaments.results.services.results import correct_result, decide_result
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return a knock-out of eight in its last round."""
    found = make.halfway(
        by, 8, rounds=2, formula="single-elimination", options={"third_place": True}
    )
    make.next_round(found, by)
    return found


def fresh(event):
    return Event.objects.get(pk=event.pk)


def third_and_final(event):
    """Return the match for third place and the final."""
    return [event.rounds.get(ordinal=3).matches.get(number=number) for number in (7, 8)]


def leave_out(event, by):
    """Enter at the desk, with one tile, that the match for third place is not played."""
    third, final = third_and_final(event)
    sent = {"pick": "void", "version": third.version}
    assert signed_in(by).post(url("desk-result", event, third.pk), sent).status_code == 302
    third.refresh_from_db()
    assert third.decision.winner == Winner.VOID
    return third, final


def places(event):
    rows = ranking_page(load_facts(fresh(event))).rows
    return [(row.rank, row.last, row.shared) for row in rows][:4]


@pytest.mark.deep
def test_both_are_third_and_every_page_can_be_read(event, by, client):
    third, final = leave_out(event, by)
    make.play_round(final.round, by)
    make.close_stage(event, by)
    events.change_event_state(event=event, action="finish", by=by)
    both = [(1, 1, False), (2, 2, False), (3, 3, True), (3, 3, True)]
    assert places(event) == both
    assert verify_event(fresh(event)) == []
    for number in third.players:
        page(client, "player", event, number.number)
        page(by_link(number, by), "me", event)
    page(client, "bracket", event)
    page(client, "public-match", event, 3, third.number)
    again = restore_archive(event_archive(fresh(event)), slug="tornato")
    assert (places(again), verify_event(again)) == (both, [])


def test_one_undo_brings_the_match_back_and_redo_leaves_it_out_again(event, by):
    third, _final = leave_out(event, by)
    undo(event=event, expected=fresh(event).version, by=by)
    third.refresh_from_db()
    assert third.decision is None
    redo(event=event, expected=fresh(event).version, by=by)
    third.refresh_from_db()
    assert third.decision.winner == Winner.VOID
    assert verify_event(fresh(event)) == []


def test_programs_say_so_too_and_it_can_be_played_after_all(event, by):
    third, _final = third_and_final(event)
    path = f"/api/v1/events/{event.slug}/matches/{third.pk}/result/"
    sent = {"version": third.version, "winner": "void"}
    answer = signed_in(by).put(path, sent, content_type="application/json")
    assert answer.status_code in (200, 201), answer.content
    third.refresh_from_db()
    claim = make.a_wins(third)
    correct_result(match=third, version=third.version, claim=claim, reason="Played", by=by)
    third.refresh_from_db()
    assert third.decision.winner == Winner.A


def test_the_final_can_not_be_left_out(event, by):
    _third, final = third_and_final(event)
    with pytest.raises(BadInput) as refused:
        decide_result(match=final, version=final.version, claim=Claim(winner=Winner.VOID), by=by)
    assert "needs a winner" in str(refused.value)


def test_once_its_round_is_made_the_plan_keeps_it(event, by):
    with pytest.raises(RuleError) as refused:
        change_plan(event=event, change={"third_place": False}, by=by)
    assert refused.value.code == "plan_fixed"
