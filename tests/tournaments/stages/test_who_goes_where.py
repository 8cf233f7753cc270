"""What the page on closing a stage says of everybody: on, straight to a later stage, or out."""

import re

import pytest
from django.utils.translation import override

from rules.formulas import FORMULAS
from rules.formulas.custom import write_definition
from rules.formulas.examples import CONSOLATION, EXAMPLES
from tests import factories as make
from tests.browsers import read, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.formulas.services import save_formula
from tournaments.models import Entry, Event, Seat
from tournaments.personal.selectors.upcoming_match import upcoming_matches
from tournaments.public.selectors.running_event import running_event
from tournaments.stages import services as stages
from tournaments.stages.selectors import AdvancePage, advance_page

pytestmark = pytest.mark.django_db


def second_groups_played(by: Actor) -> Event:
    """Return an event of twelve whose second groups wait to be closed."""
    event = make.started(by, 12)
    make.play_stage(event, by)
    draw(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    make.play_stage(event, by)
    draw(event, by)
    return event


def draw(event: Event, by: Actor) -> None:
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_lots(event=event, tied=needed[0], seed=str(needed[0]), by=by)


def pages_of(event: Event, by: Actor) -> list[AdvancePage]:
    """Play an event to its end; return what was said before each stage was closed."""
    found = []
    while (stage := load_facts(event).open_stage) is not None:
        make.play_stage(event, by)
        draw(event, by)
        found.append(advance_page(load_facts(event)))
        stages.close_stage(event=event, expected_stage=stage.stage.number, by=by)
    return found


def test_who_holds_x_goes_straight_to_the_last_three(by: Actor) -> None:
    event = second_groups_played(by)
    facts = load_facts(event)
    holder = facts.entries[facts.open_stage.outcome.places["X"]].name
    page = text(signed_in(by).get(url("advance", event)))
    assert re.search(rf">{holder}</bdi>((?!</tr>).)*straight to “Last three”", page, re.S)
    assert "Out after this stage" not in page
    italian = read(signed_in(by), url("advance", event), "it")
    assert re.search(rf">{holder}</bdi>((?!</tr>).)*direttamente a “Ultimi tre”", italian, re.S)


SHIPPED = [
    pytest.param(formula.key, max(formula.minimum, players), marks=marks)
    for formula in FORMULAS
    for players, marks in ((9, ()), (12, pytest.mark.deep))
]


@pytest.mark.parametrize(("formula", "players"), SHIPPED)
def test_nobody_of_a_shipped_formula_is_called_out_who_plays_on(
    by: Actor, formula: str, players: int
) -> None:
    check(make.started(by, players, formula=formula), by)


@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_nobody_of_an_example_is_called_out_who_plays_on(by: Actor, example) -> None:
    saved = save_formula(owner=by.user, data=write_definition(example.definition(str)))
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


def test_who_loses_a_quarter_final_reads_where_to_go_on(by: Actor) -> None:
    saved = save_formula(owner=by.user, data=write_definition(CONSOLATION.definition(str)))
    event = make.started(by, 8, formula=saved.slug)
    make.play_stage(event, by)
    draw(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    quarters = make.next_round(event, by)
    match = quarters.matches.order_by("number").first()
    with override("en"):
        waiting = upcoming_matches(
            load_facts(event), Entry.objects.get(event=event, pk=match.seats[0])
        )
    assert "If you lose you go on to: Places 5 to 8." in waiting.sentences
    assert "If you win you go on to: Semi-finals and final." in waiting.sentences
    make.play_round(quarters, by)
    loser = Entry.objects.get(event=event, pk=match.seats[1])
    with override("en"):
        told = upcoming_matches(load_facts(event), loser)
    assert not told.is_out
    assert told.sentences == ("You go on to: Places 5 to 8.",)


def test_the_last_round_of_a_preliminary_says_that_the_loser_is_out(by: Actor) -> None:
    event = make.playing(by, 14)
    match = event.rounds.get().matches.filter(match_seats__number=2).first()
    with override("en"):
        waiting = upcoming_matches(load_facts(event), Entry.objects.get(pk=match.seats[0]))
        now = running_event(load_facts(event))
    assert waiting.sentences == ("If you win you go on to: Groups.", "If you lose you are out.")
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
