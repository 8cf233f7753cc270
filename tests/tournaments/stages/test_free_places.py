"""Who leaves when a place in a later stage is theirs: before its stage closes, and after."""

import pytest
from django.utils import translation

from rules.matches.match_rules import Claim
from rules.results import EndedBy
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.extra_matches.services import make_extra_round
from tournaments.lots import services as draws
from tournaments.lots.selectors import lots_page
from tournaments.models import Event, Match
from tournaments.players.services import departures
from tournaments.stages import services as stages
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def leave(event: Event, number: int, by: Actor) -> None:
    departures.withdraw(entry=event.entries.get(number=number), by=by)


def close(event: Event, by: Actor) -> None:
    stages.close_stage(event=event, expected_stage=load_facts(event).open_stage.stage.number, by=by)


def faults(event: Event) -> list[object]:
    return list(verify_event(Event.objects.get(pk=event.pk)))


def all_alike(match: Match, index: int) -> Claim:
    return Claim(score=(40, 10))


def played_in(by: Actor, players: int) -> tuple[Event, int]:
    """Return an event whose play-in is played, and the best seed, who has just left."""
    event = make.started(by, players)
    make.play_stage(event, by, all_alike)
    seed = load_facts(event).open_stage.state.players[0]
    leave(event, seed, by)
    return event, seed


def test_the_best_of_those_out_takes_the_place_of_a_seed_who_left(by):
    event, seed = played_in(by, 13)
    close(event, by)
    facts = load_facts(event)
    seated = facts.open_stage.state.players
    assert len(set(seated)) == 12
    assert seed not in seated
    assert facts.ranking == ((seed,),)
    assert faults(event) == []
    make.play_event(event, by)
    assert sorted(n for level in load_facts(event).ranking for n in level) == [*range(1, 14)]
    assert faults(event) == []


@pytest.mark.parametrize("extra", [False, True])
def test_lots_or_an_extra_match_decide_who_moves_up(by, extra):
    event, _seed = played_in(by, 14)
    facts = load_facts(event)
    (tied,) = facts.open_stage.outcome.lots_needed
    with translation.override("en"):
        (shown,) = lots_page(facts).sets
    assert shown.decides
    assert {entry.number for entry in shown.players} == set(tied)
    assert shown.where == "Places 13 to 14"
    if extra:
        ordinal = facts.last_ordinal + 1
        item = make_extra_round(
            event=event, sets=[tied], expected_round=ordinal, publish=True, by=by
        )
        make.play_round(item, by)
        first = item.matches.get().players[0].number
    else:
        first = draws.draw_lots(event=event, tied=tied, by=by).order[0]
    close(event, by)
    seated = load_facts(event).open_stage.state.players
    assert set(tied) & set(seated) == {first}
    assert len(seated) == 12
    assert faults(event) == []


def test_who_leaves_after_the_stage_closed_keeps_the_seat_and_the_rank_it_is_worth(by):
    event = make.started(by, 8)
    make.play_stage(event, by)
    settle(event, by)
    close(event, by)
    waiting = load_facts(event).stages[0].stage.places["X"]
    leave(event, waiting, by)
    assert waiting not in ranked(event), "the third rank is theirs at the least"
    make.play_stage(event, by)
    settle(event, by)
    assert waiting not in ranked(event)
    close(event, by)
    facts = load_facts(event)
    assert facts.open_stage.state.players[0] == waiting
    make.play_stage(event, by)
    key = facts.entries[waiting].pk
    own = [m for m in load_facts(event).open_stage.matches if key in m.seats]
    assert {match.decision.ended_by for match in own} == {EndedBy.CONCESSION}
    settle(event, by)
    close(event, by)
    assert load_facts(event).ranking[0] == (waiting,)
    assert faults(event) == []


def settle(event: Event, by: Actor) -> None:
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        draws.draw_lots(event=event, tied=needed[0], by=by)


def ranked(event: Event) -> set[int]:
    return {int(number) for level in load_facts(event).ranking for number in level}
