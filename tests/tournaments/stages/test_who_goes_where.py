"""Who goes on, straight to a later stage, or out, and what becomes of the places of who leaves."""

import re

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import override

from rules.formulas import FORMULAS
from rules.formulas.custom import definition_to_json
from rules.formulas.starting_points import CONSOLATION, EXAMPLES
from rules.matches.match_rules import Claim
from rules.results import MatchEnding
from tests import factories as make
from tests.browsers import read, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.labels import final_label
from tournaments.core.permissions import Actor
from tournaments.formulas.services import save_formula
from tournaments.lots import services as draws
from tournaments.lots.selectors import tiebreaking_draws_context
from tournaments.models import Entry, Event, Seat
from tournaments.personal.selectors.rounds import upcoming_matches
from tournaments.players.services import departures
from tournaments.players.services.entries import make_link
from tournaments.public.selectors.running_event import running_event
from tournaments.rounds.services import make_extra_round
from tournaments.stages.selectors import AdvancePage, advance_page
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def second_groups_played(by: Actor) -> Event:
    """Return an event of twelve whose second groups wait to be closed."""
    event = make.started(by, 12)
    make.play_stage(event, by)
    make.close_stage(event, by)
    make.play_stage(event, by)
    make.draw_lots(event, by)
    return event


def pages_of(event: Event, by: Actor) -> list[AdvancePage]:
    """Play an event to its end; return what was said before each stage was closed."""
    found = []
    while load_facts(event).open_stage is not None:
        make.play_stage(event, by)
        make.draw_lots(event, by)
        found.append(advance_page(load_facts(event)))
        make.close_stage(event, by)
    return found


@pytest.mark.deep
def test_who_holds_x_goes_straight_to_the_last_three(by: Actor) -> None:
    event = second_groups_played(by)
    facts = load_facts(event)
    holder = facts.entries[facts.open_stage.outcome.places["X"]].name
    page = text(signed_in(by).get(url("advance", event)))
    assert re.search(rf">{holder}</bdi>((?!</tr>).)*→ Last three", page, re.S)
    assert "Eliminated after this stage" not in page
    italian = read(signed_in(by), url("advance", event), "it")
    assert re.search(rf">{holder}</bdi>((?!</tr>).)*→ Ultimi tre", italian, re.S)


SHIPPED = [
    pytest.param(formula.key, max(formula.minimum, players), marks=marks)
    for formula in FORMULAS
    for players, marks in ((9, ()), (12, pytest.mark.deep))
]


@pytest.mark.deep
@pytest.mark.parametrize(("formula", "players"), SHIPPED)
def test_nobody_of_a_shipped_formula_is_called_out_who_plays_on(
    by: Actor, formula: str, players: int
) -> None:
    check(make.started(by, players, formula=formula), by)


@pytest.mark.deep
@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_nobody_of_an_example_is_called_out_who_plays_on(by: Actor, example) -> None:
    saved = save_formula(owner=by.user, data=definition_to_json(example.definition(str)))
    check(make.started(by, example.lowest, formula=saved.slug), by)


def check(event: Event, by: Actor) -> None:
    """Check that each player goes where it was said of them when a stage was closed."""
    for page in pages_of(event, by):
        number = page.stage.stage.number
        seats = Seat.objects.filter(stage__event=event, entry__isnull=False)
        later = set(seats.filter(stage__number__gt=number).values_list("entry", flat=True))
        following = set(seats.filter(stage__number=number + 1).values_list("entry", flat=True))
        straight = {entry.pk for _words, entries in page.straight for entry in entries}
        out = {entry.pk for entry in page.out}
        here = {page.stage.event.entries.get(number=n).pk for n in page.stage.state.players}
        if page.is_last:
            assert not straight | out | later
            continue
        assert out == here - later
        assert straight == (here & later) - following


@pytest.mark.deep
def test_who_loses_a_quarter_final_reads_where_to_go_on(by: Actor) -> None:
    saved = save_formula(owner=by.user, data=definition_to_json(CONSOLATION.definition(str)))
    event = make.started(by, 8, formula=saved.slug)
    make.play_stage(event, by)
    make.close_stage(event, by)
    quarters = make.next_round(event, by)
    match = quarters.matches.order_by("number").first()
    with override("en"):
        waiting = upcoming_matches(
            load_facts(event), Entry.objects.get(event=event, pk=match.seats[0])
        )
    assert "If you lose: Places 5 to 8" in waiting.sentences
    assert "If you win: Semi-finals and final" in waiting.sentences
    make.play_round(quarters, by)
    loser = Entry.objects.get(event=event, pk=match.seats[1])
    with override("en"):
        told = upcoming_matches(load_facts(event), loser)
    assert not told.is_out
    assert told.sentences == ("Next match: Places 5 to 8",)


@pytest.mark.deep
def test_the_last_round_of_a_preliminary_says_that_the_loser_is_out(by: Actor) -> None:
    event = make.playing(by, 14)
    match = event.rounds.get().matches.filter(match_seats__number=2).first()
    with override("en"):
        waiting = upcoming_matches(load_facts(event), Entry.objects.get(pk=match.seats[0]))
        now = running_event(load_facts(event))
    assert waiting.sentences == ("If you win: Groups", "If you lose: Out")
    assert now["where"] == "Preliminary, round 1"  # the stage is named once
    for path in (
        *(url("pairings", event), url("sheets", event)),
        *(url("player", event, match.players[0].number), url("desk-round", event, 1)),
    ):
        said = re.sub(r"<[^>]+>", "", read(signed_in(by), path))
        assert "ound 1" in said, path
        assert not re.search(r"Preliminary\s*[–·]?\s*Preliminary, round", said), path
    desk = re.sub(r"<[^>]+>", "", read(signed_in(by), url("desk", event)))
    assert re.search(r"Preliminary, round 1(?!\s*Preliminary)", desk)


def leave(event: Event, number: int, by: Actor) -> None:
    departures.withdraw(entry=event.entries.get(number=number), by=by)


def faults(event: Event) -> list[object]:
    return list(verify_event(Event.objects.get(pk=event.pk)))


def played_in(by: Actor, players: int) -> tuple[Event, int]:
    """Return an event whose play-in is played, and the best seed, who has just left."""
    event = make.started(by, players)
    make.play_stage(event, by, lambda match, index: Claim(score=(40, 10)))
    seed = load_facts(event).open_stage.state.players[0]
    leave(event, seed, by)
    return event, seed


@pytest.mark.deep
def test_the_best_of_those_out_takes_the_place_of_a_seed_who_left(by):
    event, seed = played_in(by, 13)
    make.close_stage(event, by)
    facts = load_facts(event)
    seated = facts.open_stage.state.players
    assert len(set(seated)) == 12
    assert seed not in seated
    assert facts.ranking == ((seed,),)
    assert faults(event) == []
    make.play_event(event, by)
    assert sorted(n for level in load_facts(event).ranking for n in level) == [*range(1, 14)]
    assert faults(event) == []


@pytest.mark.deep
@pytest.mark.parametrize("extra", [False, True])
def test_lots_or_an_extra_match_decide_who_moves_up(by, extra):
    event, _seed = played_in(by, 14)
    facts = load_facts(event)
    (tied,) = facts.open_stage.outcome.lots_needed
    with translation.override("en"):
        (shown,) = tiebreaking_draws_context(facts)["sets"]
    assert shown.decides
    assert {entry.number for entry in shown.players} == set(tied)
    assert shown.where == "Places 13–14"
    if extra:
        ordinal = facts.last_ordinal + 1
        item = make_extra_round(
            event=event, sets=[tied], expected_round=ordinal, publish=True, by=by
        )
        make.play_round(item, by)
        first = item.matches.get().players[0].number
    else:
        first = draws.draw_tied_order(event=event, tied=tied, by=by).order[0]
    make.close_stage(event, by)
    seated = load_facts(event).open_stage.state.players
    assert set(tied) & set(seated) == {first}
    assert len(seated) == 12
    assert faults(event) == []


@pytest.mark.deep
def test_who_leaves_after_the_stage_closed_keeps_the_seat_and_the_rank_it_is_worth(by):
    event = make.started(by, 8)
    make.play_stage(event, by)
    make.close_stage(event, by)
    waiting = load_facts(event).stages[0].stage.places["X"]
    leave(event, waiting, by)
    assert waiting not in ranked(event), "the third rank is theirs at the least"
    make.play_stage(event, by)
    make.draw_lots(event, by)
    assert waiting not in ranked(event)
    make.close_stage(event, by)
    facts = load_facts(event)
    assert facts.open_stage.state.players[0] == waiting
    make.play_stage(event, by)
    key = facts.entries[waiting].pk
    own = [m for m in load_facts(event).open_stage.matches if key in m.seats]
    assert {match.decision.ended_by for match in own} == {MatchEnding.CONCESSION}
    make.close_stage(event, by)
    assert load_facts(event).ranking[0] == (waiting,)
    assert faults(event) == []


def ranked(event: Event) -> set[int]:
    return {int(number) for level in load_facts(event).ranking for number in level}


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event whose losers of quarter-finals play their first matches."""
    saved = save_formula(owner=by.user, data=definition_to_json(CONSOLATION.definition(str)))
    event = make.started(by, 8, formula=saved.slug)
    for _stage in (1, 2):
        make.play_stage(event, by)
        make.close_stage(event, by)
    make.next_round(event, by)
    return event


def test_its_last_matches_are_for_the_fifth_and_the_seventh_place(event: Event) -> None:
    plan = load_facts(event).open_stage.plan
    with translation.override("en"):
        assert [final_label(plan, number) for number in (3, 4)] == ["For place 7", "For place 5"]
    page = Client(headers={"Accept-Language": "en"}).get(f"/events/{event.slug}/formula/")
    text = page.content.decode()
    assert text.count("For place 7") == text.count("Third place") > 0
    assert text.count("For place 5") > 0


def test_a_player_reads_for_which_place_comes_next(event: Event, by: Actor) -> None:
    seat = load_facts(event).open_stage.state.rounds[0][0][0].seats[0]
    link = make_link(entry=Entry.objects.get(event=event, number=seat), by=by)
    reader = Client(headers={"Accept-Language": "en"})
    page = reader.get(f"/p/{link}/", follow=True).content.decode()
    assert "For place " in page
    assert "Third place" not in page


@pytest.mark.deep
def test_it_is_played_to_its_end_and_verified(event: Event, by: Actor) -> None:
    make.play_round(event.rounds.latest("ordinal"), by)
    make.play_event(event, by)
    ranking = load_facts(event).ranking
    assert [len(level) for level in ranking] == [1] * 8
    event.refresh_from_db()
    assert not list(verify_event(event))
