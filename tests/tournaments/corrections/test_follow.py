"""A corrected result whose consequences follow: who belongs there gets the seat."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.utils.translation import override

from rules.corrections import Fate
from rules.events.own_page import PlayerState
from rules.matches.match_rules import Claim
from rules.results import PlayerId
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.labels import ordinal
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED
from tournaments.corrections.selectors.choices import Correction, ShortNames, correction_of
from tournaments.corrections.selectors.page import exchange_of
from tournaments.corrections.selectors.wording import sentences
from tournaments.corrections.services import results as services
from tournaments.models import Event, Match, Stage
from tournaments.personal.selectors.decisions import moment_words
from tournaments.personal.selectors.player import player_page
from tournaments.results.services.results import checked_correction
from tournaments.stages.services import close_stage
from tournaments.undo.selectors import last_act, undone_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
EARLIER = datetime(2026, 1, 2, 10, tzinfo=UTC)
DOOMTROOPER = {"formula": "mutant-chronicles", "format": "doomtrooper-original"}


def settled(event: Event, by: Actor) -> None:
    """Draw the lots that the stage in progress needs."""
    from tournaments.lots import services as drawing

    while needed := load_facts(event).open_stage.outcome.lots_needed:
        drawing.draw_lots(event=event, tied=needed[0], seed="s", by=by)


def turned(match: Match) -> Claim:
    """Return the opposite of a result."""
    decision = match.decision
    return Claim(score=(decision.score_b, decision.score_a))


def foretold(match: Match, by: Actor, void: tuple[int, ...] = ()) -> Correction:
    claim = turned(match)
    outcome = checked_correction(match, match.version, claim, reason="x", by=by)
    return correction_of(load_facts(match.round.event), match, outcome, void)


def corrections(event: Event, by: Actor, stage: int = 1) -> Iterator[tuple[Match, Correction]]:
    """Yield the matches of a stage with what turning each would change, if that reaches on."""
    found = Match.objects.of_two().filter(round__event=event, round__stage__number=stage)
    for match in found.select_related("round__event", "group__stage", "decision"):
        shown = foretold(match, by)
        if shown.reaches_further:
            yield match, shown


def two_groups(by: Actor, how_many: int = 12) -> Event:
    """Return an event of groups whose second groups have played a round, the next one published."""
    event = make.started(by, how_many, **DOOMTROOPER)
    make.play_stage(event, by)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    return Event.objects.get(pk=event.pk)


def sound(event: Event) -> list[str]:
    return list(map(str, verify_event(Event.objects.get(pk=event.pk))))


def test_who_belongs_there_gets_the_seat_and_plays_again(by: Actor) -> None:
    event = two_groups(by)
    before = load_facts(event)
    match, shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    assert {each.fate for each in shown.changes} == {Fate.AGAIN, Fate.PASSES}
    done = services.follow(
        match=match,
        version=match.version,
        claim=turned(match),
        reason="Swapped",
        shown=shown.mark,
        by=by,
    )
    after = load_facts(event)
    assert after.stages[1].state == shown.follows.state == done.follows.state
    assert after.stages[0].stage.places == shown.places != before.stages[0].stage.places
    assert sound(event) == []
    assert event.snapshots.count() == 1
    told = own_page(event, done.follows.seats[0].before)
    assert told[0].startswith("You play in group ")
    assert told[0].endswith(" Reason: Swapped")
    assert told[1].startswith("Your match of round 4 against ")
    undo(event=event, expected=last_act(event).line.number, by=by)
    back = load_facts(event)
    assert [stage.state for stage in back.stages] == [stage.state for stage in before.stages]
    assert back.stages[0].stage.places == before.stages[0].stage.places
    assert sound(event) == []
    assert not any("Swapped" in " ".join(own_page(event, number)) for number in back.entries)
    moved = own_page(event, done.follows.seats[0].before)
    assert moved[0].startswith("You play in group ")
    assert moved[0].endswith(" Reason: a correction was undone.")


def own_page(event: Event, number: PlayerId) -> list[str]:
    """Return what a player's own page says of decisions, in English."""
    facts = load_facts(Event.objects.get(pk=event.pk), drafts=False)
    entry = event.entries.select_related("event").get(number=number)
    with override("en"):
        page = player_page(facts, entry)
        shut_out = page.state.state is PlayerState.SEAT_LOST
        return [*[page.seat.line] * shut_out, *(each.told for each in page.decisions)]


def other_pairs(event: Event) -> Iterator[list[PlayerId]]:
    """Yield who stays in each match that a correction gave another opponent."""
    for match in Match.objects.filter(round__event=event).exclude(earlier=[]):
        had = match.earlier[-1]["seats"]
        yield [entry.number for entry in match.players if entry.number in had]


def test_the_place_of_whoever_loses_a_seat_comes_after_those_who_play_on(by: Actor) -> None:
    event = two_groups(by)
    every = [each for each in corrections(event, by) if each[1].why_not is None]
    outs = [exchange_of(shown, ShortNames(shown.facts.entries)).out for _match, shown in every]
    assert {*outs} - {""}
    assert {*outs} - {""} <= {ordinal(rank) for rank in range(9, 13)}
    match, shown = every[next(at for at, out in enumerate(outs) if out)]
    had = {seat.before for seat in shown.follows.seats}
    (seat,) = (each for each in shown.follows.seats if each.after not in had)
    values = {"version": match.version, "claim": turned(match), "reason": "Swapped"}
    services.follow(match=match, shown=shown.mark, by=by, **values)
    out = next(iter(had - {each.after for each in shown.follows.seats}))
    told = own_page(event, out)
    assert told[0].startswith("Your seat in group ")
    assert f" is now that of {event.entries.get(number=seat.after).name}, given on " in told[0]
    assert told[0].endswith(" Reason: Swapped")
    assert all(" is now that of " in each for each in told[1:-1])
    assert told[-1].startswith("The staff changed the result of your match of round ")
    stays = {number for match in other_pairs(event) for number in match if number not in had}
    assert stays
    assert all(" is against " in " ".join(own_page(event, number)) for number in stays)
    came = own_page(event, seat.after)
    assert came[0].startswith("You play in group ")
    assert f" now, in the place of {event.entries.get(number=seat.before).name}: " in came[0]
    undo(event=event, expected=last_act(event).line.number, by=by)
    told = own_page(event, seat.after)[0]
    assert told.startswith("Your seat in group ")
    assert f" is now that of {event.entries.get(number=out).name}, given " in told
    assert told.endswith(" Reason: a correction was undone.")
    assert own_page(event, out)[0].startswith("You play in group ")
    redo(event=event, expected=undone_act(event).number, by=by)
    event.log.filter(action=FOLLOWED.key).update(at=EARLIER)
    told = own_page(event, out)[0]
    assert told.endswith(" Reason: Swapped")
    with override("en"):
        assert moment_words(event, EARLIER) not in told
    for item in event.rounds.filter(stage__number=2):
        make.play_round(item, by)
    assert not any(" is against " in " ".join(own_page(event, number)) for number in stays)
    event.stages.filter(number=2).update(state=Stage.State.CLOSED)
    assert not any(" in the place of " in each for each in own_page(event, seat.after))


def test_a_corrected_semifinal_names_who_belongs_in_the_final_and_who_in_the_other(
    by: Actor,
) -> None:
    event = make.halfway(by, 4, formula="single-elimination", format="doomtrooper-original")
    make.next_round(event, by)
    match = event.rounds.first().matches.select_related("round__event", "decision")[0]
    shown = foretold(match, by)
    winner, loser = match.players[0].name, match.players[1].name
    with override("en"):
        said = list(sentences(shown, ShortNames(shown.facts.entries)))
    assert set(said) == {
        f"{loser}, not {winner}, belongs in “Final”.",
        f"{winner}, not {loser}, belongs in “Third place”.",
    }


def test_who_goes_on_by_another_seat_is_not_told_to_be_elsewhere(by: Actor) -> None:
    """Three of the cut change places: only the one who comes in and the one who goes are named."""
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 4}}
    event = make.stage_played(by, 8, format="doomtrooper-original", **options)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    stayed = set()
    for _match, shown in corrections(event, by):
        names = ShortNames(shown.facts.entries)
        before, after = (
            {getattr(change, side) for change in shown.effects.places}
            for side in ("before", "after")
        )
        stayed |= before & after
        with override("en"):
            said = [each for each in sentences(shown, names) if " belongs " in each]
        assert len(said) == len(before - after)
        assert not any(names.of(one) in each for one in before & after for each in said)
    assert stayed
