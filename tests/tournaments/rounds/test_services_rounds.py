"""Rounds: drafted once, published, taken back while nobody has reported."""

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Rights
from tournaments.desk.selectors.desk import desk_of
from tournaments.lots import services as draws
from tournaments.models import Match, Round
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db

ALL = Rights(run=True, rule=True, manage=True)


@pytest.fixture
def event(by):
    return make.started(by, 12)


def draft(event, by, expected=1, **kwargs):
    return rounds.draft_round(event=event, expected_round=expected, by=by, **kwargs)


def test_the_first_round_of_twelve_seats_everybody_once_at_six_tables(event, by):
    item = draft(event, by)
    seated = [n for m in item.matches.all() for n in m.seats]
    assert item.state == Round.State.DRAFT
    assert len(seated) == len(set(seated)) == 12
    assert sorted(item.matches.values_list("table", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_a_second_click_is_refused_with_who_was_first(event, by):
    draft(event, by)
    with pytest.raises(RuleError) as refused:
        draft(event, by)
    assert refused.value.code == "round_exists"
    assert str(by.user) in str(refused.value)
    assert event.rounds.count() == 1


def test_a_page_from_the_future_is_stale(event, by):
    with pytest.raises(RuleError, match="out of date") as refused:
        draft(event, by, expected=3)
    assert refused.value.code == "stale"


def test_the_next_round_waits_for_publication_and_results(event, by):
    item = draft(event, by)
    with pytest.raises(RuleError) as refused:
        draft(event, by, expected=2)
    assert refused.value.code == "round_not_published"
    rounds.publish_round(event=event, ordinal=1, by=by)
    with pytest.raises(RuleError) as refused:
        draft(event, by, expected=2)
    assert refused.value.code == "results_missing"
    assert refused.value.sentence.values["tables"] == ("1", "2", "3", "4", "5", "6")
    make.play_round(item, by)
    assert draft(event, by, expected=2).number == 2


def test_publishing_twice_is_refused(event, by):
    draft(event, by, publish=True)
    with pytest.raises(RuleError) as refused:
        rounds.publish_round(event=event, ordinal=1, by=by)
    assert refused.value.code == "round_published"


def test_no_result_is_taken_in_a_draft(event, by):
    match = draft(event, by).matches.first()
    with pytest.raises(RuleError) as refused:
        results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    assert refused.value.code == "round_not_published"


def test_a_round_in_which_players_rest_can_be_taken_back(by):
    event = make.started(by, 16)  # eight of the preliminary rest
    item = draft(event, by)
    assert item.matches.exclude(match_seats__number=2).filter(state=Match.State.FINAL).count() == 8
    rounds.take_back_round(event=event, ordinal=1, by=by)
    assert not Round.objects.filter(event=event).exists()


def seated(item):
    return [(match.table, match.seats) for match in item.matches.all()]


def test_the_last_round_is_taken_back_and_made_again_the_same(event, by):
    first = seated(draft(event, by, publish=True))
    rounds.take_back_round(event=event, ordinal=1, by=by)
    assert not event.rounds.exists()
    assert seated(draft(event, by)) == first


def test_a_round_with_a_result_stays(event, by):
    item = draft(event, by, publish=True)
    match = item.matches.first()
    results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    with pytest.raises(RuleError) as refused:
        rounds.take_back_round(event=event, ordinal=1, by=by)
    assert refused.value.code == "round_has_results"


def test_only_the_last_round_is_taken_back(event, by):
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    with pytest.raises(RuleError) as refused:
        rounds.take_back_round(event=event, ordinal=1, by=by)
    assert refused.value.code == "not_last_round"


def test_after_the_last_round_the_stage_is_complete(event, by):
    make.play_stage(event, by)
    with pytest.raises(RuleError) as refused:
        draft(event, by, expected=4)
    assert refused.value.code == "stage_complete"


def test_a_second_leg_makes_six_rounds_with_the_seats_swapped(event, by):
    make.next_round(event, by)
    stages.decide_second_leg(event=event, expected_stage=1, by=by)
    make.play_round(event.rounds.get(), by)
    make.play_stage(event, by)
    assert event.rounds.count() == 6
    first, fourth = (event.rounds.get(ordinal=n) for n in (1, 4))
    pairs = {m.seats for m in first.matches.all()}
    assert {(m.seats[1], m.seats[0]) for m in fourth.matches.all()} == pairs


def test_the_second_leg_is_decided_once(event, by):
    stages.decide_second_leg(event=event, expected_stage=1, by=by)
    with pytest.raises(RuleError) as refused:
        stages.decide_second_leg(event=event, expected_stage=1, by=by)
    assert refused.value.code == "second_leg_decided"


def test_no_second_leg_is_decided_once_lots_are_drawn(event, by):
    make.play_stage(event, by, lambda _match, _index: Claim(score=(30, 30)))
    current = load_facts(event).open_stage
    assert desk_of(load_facts(event), ALL).second_leg is not None
    draws.draw_lots(event=event, tied=current.outcome.lots_needed[0], seed="seme", by=by)
    assert desk_of(load_facts(event), ALL).second_leg is None
    with pytest.raises(RuleError) as refused:
        stages.decide_second_leg(event=event, expected_stage=1, by=by)
    assert refused.value.code == "lots_drawn"


def test_a_play_in_gives_the_top_of_the_draw_a_bye_that_is_final_at_once(by):
    event = make.started(by, 16)
    item = draft(event, by, publish=True)
    byes = item.matches.exclude(match_seats__number=2)
    assert byes.count() == 8
    assert set(byes.values_list("state", "decision__ended_by")) == {(Match.State.FINAL, "bye")}
    assert item.matches.exclude(table=None).count() == 4


def test_advancing_seats_the_second_groups_by_their_places(event, by):
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    facts = load_facts(event)
    places = facts.stages[0].stage.places
    seats = facts.stages[1].state.seats
    assert seats["I"] == tuple(places[name] for name in ("A1", "B2", "C1", "R2"))
    assert seats["II"] == tuple(places[name] for name in ("A2", "B1", "C2", "R1"))


def test_a_stage_is_closed_once(event, by):
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    with pytest.raises(RuleError) as refused:
        stages.close_stage(event=event, expected_stage=1, by=by)
    assert refused.value.code == "stale"


def test_a_stage_opened_too_early_is_taken_back(event, by):
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    stages.take_back_stage(event=event, expected_stage=2, by=by)
    facts = load_facts(event)
    assert facts.open_stage.stage.number == 1
    assert facts.stages[1].state.seats == {}
    assert facts.stages[0].stage.places == {}
    stages.close_stage(event=event, expected_stage=1, by=by)
    assert load_facts(event).open_stage.stage.number == 2


def test_a_stage_with_a_round_is_not_taken_back(event, by):
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    with pytest.raises(RuleError) as refused:
        stages.take_back_stage(event=event, expected_stage=2, by=by)
    assert refused.value.code == "stage_has_rounds"
