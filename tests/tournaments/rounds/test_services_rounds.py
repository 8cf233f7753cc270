"""Rounds: drafted once, published, taken back, kept after a correction, the best table first."""

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, DeskRights
from tournaments.desk.selectors.desk import desk_content
from tournaments.lots import services as draws
from tournaments.models import Event, Match, MatchSeat, Round
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.stages import services as stages
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
ALL = DeskRights(run=True, rule=True, manage=True)


def draft(event, by, expected=1, **kwargs):
    return rounds.draft_round(event=event, expected_round=expected, by=by, **kwargs)


def test_the_first_round_of_twelve_seats_everybody_once_at_six_tables(event, by):
    item = draft(event, by)
    seated = [n for m in item.matches.all() for n in m.seats]
    assert item.state == Round.State.DRAFT
    assert len(seated) == len(set(seated)) == 12
    assert sorted(item.matches.values_list("table", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_a_page_from_the_future_is_stale(event, by):
    with pytest.raises(RuleError) as refused:
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


def test_no_result_is_taken_in_a_draft(event, by):
    match = draft(event, by).matches.first()
    with pytest.raises(RuleError) as refused:
        results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    assert refused.value.code == "round_not_published"


@pytest.mark.deep
def test_a_round_in_which_players_rest_can_be_taken_back(by):
    event = make.started(by, 16)  # eight of the preliminary rest
    item = draft(event, by)
    byes = item.matches.exclude(match_seats__number=2)
    assert [*byes.values_list("state", "decision__ended_by")] == [(Match.State.FINAL, "bye")] * 8
    assert item.matches.exclude(table=None).count() == 4
    rounds.delete_last_round(event=event, ordinal=1, by=by)
    assert not Round.objects.filter(event=event).exists()


def seated(item):
    return [(match.table, match.seats) for match in item.matches.all()]


def test_the_last_round_is_taken_back_and_made_again_the_same(event, by):
    first = seated(draft(event, by, publish=True))
    rounds.delete_last_round(event=event, ordinal=1, by=by)
    assert not event.rounds.exists()
    assert seated(draft(event, by)) == first


def test_only_the_last_round_is_taken_back(event, by):
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    with pytest.raises(RuleError) as refused:
        rounds.delete_last_round(event=event, ordinal=1, by=by)
    assert refused.value.code == "not_last_round"


@pytest.mark.deep
def test_after_the_last_round_the_stage_is_complete(event, by):
    make.play_stage(event, by)
    with pytest.raises(RuleError) as refused:
        draft(event, by, expected=4)
    assert refused.value.code == "stage_complete"


@pytest.mark.deep
def test_a_second_leg_makes_six_rounds_with_the_seats_swapped(event, by):
    make.next_round(event, by)
    stages.decide_second_leg(event=event, expected_stage=1, by=by)
    make.play_round(event.rounds.get(), by)
    make.play_stage(event, by)
    assert event.rounds.count() == 6
    first, fourth = (event.rounds.get(ordinal=n) for n in (1, 4))
    pairs = {m.seats for m in first.matches.all()}
    assert {(m.seats[1], m.seats[0]) for m in fourth.matches.all()} == pairs


@pytest.mark.deep
def test_no_second_leg_is_decided_once_lots_are_drawn(event, by):
    make.play_stage(event, by, lambda _match, _index: Claim(score=(30, 30)))
    current = load_facts(event).open_stage
    assert desk_content(load_facts(event), ALL).second_leg is not None
    draws.draw_tied_order(event=event, tied=current.outcome.lots_needed[0], seed="seme", by=by)
    assert desk_content(load_facts(event), ALL).second_leg is None
    with pytest.raises(RuleError) as refused:
        stages.decide_second_leg(event=event, expected_stage=1, by=by)
    assert refused.value.code == "lots_drawn"


@pytest.mark.deep
def test_advancing_seats_the_second_groups_by_their_places(event, by):
    make.play_stage(event, by)
    make.close_stage(event, by)
    facts = load_facts(event)
    places = facts.stages[0].stage.places
    seats = facts.stages[1].state.seats
    assert seats["I"] == tuple(places[name] for name in ("A1", "B2", "C1", "R2"))
    assert seats["II"] == tuple(places[name] for name in ("A2", "B1", "C2", "R1"))


@pytest.mark.deep
def test_a_stage_opened_too_early_is_taken_back(event, by):
    make.play_stage(event, by)
    make.close_stage(event, by)
    stages.reopen_previous_stage(event=event, expected_stage=2, by=by)
    facts = load_facts(event)
    assert facts.open_stage.stage.number == 1
    assert facts.stages[1].state.seats == {}
    assert facts.stages[0].stage.places == {}
    stages.close_stage(event=event, expected_stage=1, by=by)
    assert load_facts(event).open_stage.stage.number == 2


@pytest.mark.deep
def test_a_stage_with_a_round_is_not_taken_back(event, by):
    make.play_stage(event, by)
    make.close_stage(event, by)
    make.next_round(event, by)
    with pytest.raises(RuleError) as refused:
        stages.reopen_previous_stage(event=event, expected_stage=2, by=by)
    assert refused.value.code == "stage_has_rounds"


def turned(match, by):
    """Give a match to the other player; what was made from it stays."""
    claim = Claim(score=(0, 40)) if match.best_of == 1 else Claim(games=("b", "b"))
    match.refresh_from_db()
    version = match.version
    results.correct_result(match=match, version=version, claim=claim, reason="Scambio", by=by)


def checks(event):
    return {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}


def matches(event, ordinal):
    return Match.objects.filter(round__event=event, round__ordinal=ordinal, match_seats__number=2)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("formula", "players"), [("swiss-cut", 9), ("single-elimination", 8), ("groups-knockout", 6)]
)
def test_a_round_kept_after_a_correction_before_it_is_sound(formula, players, by):
    event = make.started(by, players, formula=formula)
    make.play_round(make.next_round(event, by), by)
    make.play_round(make.next_round(event, by), by)
    for match in matches(event, 1):
        turned(match, by)
    assert checks(event) == set()
    turned(matches(event, 2)[0], by)
    make.next_round(event, by)
    assert checks(event) == set()


@pytest.mark.deep
def test_places_kept_after_a_correction_in_a_closed_stage_are_sound(by):
    event = make.started(by, 12)
    make.play_stage(event, by)
    make.close_stage(event, by)
    for match in matches(event, 1):
        turned(match, by)
    assert checks(event) == set()
    make.play_round(make.next_round(event, by), by)
    assert checks(event) == set()


def test_a_round_that_follows_from_neither_result_is_found(by):
    event = make.started(by, 8, formula="swiss-cut")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    turned(matches(event, 1)[0], by)
    one, other = matches(event, 2)[:2]
    exchanged = (one, other.seats[1]), (other, one.seats[1])
    MatchSeat.objects.filter(match__in=(one, other), number=2).delete()
    for match, opponent in exchanged:
        MatchSeat(round=match.round, match=match, entry_id=opponent, number=2).save()
    assert "pairings" in checks(event)


@pytest.mark.deep
def test_the_final_is_at_table_one_and_keeps_its_number(by: Actor) -> None:
    event = make.started(by, 4, formula="single-elimination", options={"third_place": True})
    make.play_round(make.next_round(event, by), by)
    last = make.next_round(event, by)
    assert list(last.matches.order_by("table").values_list("table", "number")) == [(1, 4), (2, 3)]
    make.play_round(last, by)
    assert not list(verify_event(Event.objects.get(pk=event.pk)))


@pytest.mark.deep
def test_a_swiss_round_begins_with_its_best_pair(by: Actor) -> None:
    event = make.started(by, 13, formula="swiss-cut")
    for _round in range(3):
        make.play_round(make.next_round(event, by), by)
    points = {
        row.player: row.values["points"]
        for row in load_facts(event).open_stage.outcome.standings["Swiss"].rows
    }
    item = make.next_round(event, by)
    worth = [
        (max(pair), sum(pair))
        for match in Match.objects.filter(round=item, table__isnull=False).order_by("table")
        for pair in [(points[match.players[0].number], points[match.players[1].number])]
    ]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) > 1
    make.play_round(item, by)
    assert not list(verify_event(Event.objects.get(pk=event.pk)))


@pytest.mark.deep
def test_rounds_stored_with_the_older_order_of_tables_stay_true(
    by: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round drafted before the order changed is published, played and gone on from after it."""
    monkeypatch.setattr(rounds, "order_by_table", lambda state, pairings: tuple(pairings))
    event = make.started(by, 4, formula="single-elimination", options={"third_place": True})
    make.play_round(make.next_round(event, by), by)
    rounds.draft_round(event=event, expected_round=2, by=by)
    swiss = make.started(by, 12, formula="swiss-cut", options={"rounds": 4, "cut": 2})
    make.play_round(make.next_round(swiss, by), by)
    rounds.draft_round(event=swiss, expected_round=2, by=by)
    monkeypatch.undo()
    for going in (event, swiss):
        assert not list(verify_event(Event.objects.get(pk=going.pk)))
        make.play_round(rounds.publish_round(event=going, ordinal=2, by=by), by)
        assert not list(verify_event(Event.objects.get(pk=going.pk)))
    stored = event.rounds.get(ordinal=2).matches.order_by("table").values_list("table", "number")
    assert list(stored) == [(1, 3), (2, 4)]
    make.play_event(swiss, by)
    assert not list(verify_event(Event.objects.get(pk=swiss.pk)))
