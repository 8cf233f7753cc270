"""One way in for a result of the staff: decided, corrected, the same again, or another."""

from copy import deepcopy

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import EndedBy
from tests import factories as make
from tests.browsers import signed_in, url
from tournaments.matches import services as matches
from tournaments.models import Match, Round
from tournaments.results.services import results

pytestmark = pytest.mark.django_db
FIRST, OTHER = Claim(score=(40, 22)), Claim(score=(22, 40))


@pytest.fixture
def match(by):
    return make.playing(by, 12).rounds.get().matches.get(table=1)


def enter(match, claim, by, *, version=0, reason="slip", **more):
    return results.enter_result(
        match=match, version=version, claim=claim, reason=reason, by=by, **more
    )


def stored(match):
    match.refresh_from_db()
    return (match.version, match.decision.score_a, match.decision.score_b)


def test_an_open_match_is_decided_and_a_final_one_corrected(match, by):
    first = enter(match, FIRST, by)
    assert (first.match.state, first.effects, first.refused) == (Match.State.FINAL, None, None)
    corrected = enter(match, OTHER, by, version=1)
    assert corrected.effects is not None
    assert stored(match) == (2, 22, 40)
    assert [line.action for line in match.round.event.log.order_by("number")][-2:] == [
        "result.entered",
        "result.corrected",
    ]


def test_the_state_that_counts_is_the_one_under_the_lock(match, by):
    """Whoever loaded the match before somebody else's result, and sends the version after it."""
    open_still = deepcopy(match)
    enter(match, FIRST, by)
    assert open_still.state == Match.State.OPEN
    assert enter(open_still, OTHER, by, version=1).effects is not None
    assert stored(match) == (2, 22, 40)


def test_without_a_reason_a_final_result_stays(match, by):
    enter(match, FIRST, by)
    with pytest.raises(RuleError) as refused:
        enter(match, OTHER, by, version=1, reason=None)
    assert refused.value.code == "match_final"
    with pytest.raises(matches.StaleError):
        enter(match, OTHER, by, reason=None)
    with pytest.raises(BadInput):
        enter(match, OTHER, by, version=1, reason=" ")
    assert stored(match) == (1, 40, 22)


@pytest.mark.parametrize("version", [0, 1])
def test_compared_the_same_result_is_one_and_another_is_told(match, by, version):
    enter(match, FIRST, by)
    same = enter(match, FIRST, by, version=version, reason=None, compare=True)
    assert (same.match.version, same.refused) == (1, None)
    other = enter(match, OTHER, by, version=version, reason=None, compare=True)
    assert (other.match.version, other.refused.score) == (1, (22, 40))
    assert stored(match) == (1, 40, 22)


def test_compared_an_impossible_result_is_an_error_all_the_same(match, by):
    enter(match, FIRST, by)
    with pytest.raises(BadInput) as refused:
        enter(
            match,
            Claim(score=(1, 1), tie_break=None, ended_by=EndedBy.PLAYED),
            by,
            reason=None,
            compare=True,
        )
    assert refused.value.code == "impossible_result"


def test_an_open_choice_is_asked_for_before_anything_is_stored(by):
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event, round__ordinal=1).first()
    turned = Claim(games=("b", "b"))
    with (
        CaptureQueriesContext(
            connection,
        ) as sent,
        pytest.raises(results.ChoiceNeededError) as asked,
    ):
        enter(match, turned, by, version=match.version, take_back=None)
    assert asked.value.effects.reaches_further
    assert not [q["sql"] for q in sent if q["sql"].startswith(("INSERT", "UPDATE"))]
    assert enter(match, turned, by, version=match.version, take_back=True).effects is not None
    assert list(Round.objects.filter(event=event).values_list("ordinal", flat=True)) == [1]


def test_a_result_saved_at_the_desk_is_settled_once(match, by, monkeypatch):
    settled, settle = [], results.settle
    monkeypatch.setattr(results, "settle", lambda *args: settled.append(args) or settle(*args))
    address = url("desk-save", match.round.event, match.pk)
    desk = signed_in(by)
    for text in ("40-22", "40-22", "22-40"):
        desk.post(address, {"version": 0, "text": text})
        assert len(settled) == 1, text
        settled.clear()
    assert stored(match) == (1, 40, 22)
