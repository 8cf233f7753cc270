"""Results whose consequences follow: who belongs there gets the seat, also of who has left."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from rest_framework.test import APIClient

from rules.corrections import CorrectionEffect
from rules.events.own_page import PlayerState
from rules.matches.match_rules import Claim
from rules.results import PlayerId
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.recipes import recipe
from tests.scenes.base import GROUP
from tournaments.core.event_state import load_facts
from tournaments.core.labels import ordinal
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED
from tournaments.corrections.selectors import page
from tournaments.corrections.selectors.choices import (
    Correction,
    DisplayNames,
    next_seat_replacement,
    result_correction,
    seat_loss_correction,
)
from tournaments.corrections.selectors.page import changed_standings, cut_position, swapped_players
from tournaments.corrections.selectors.wording import place_change_texts
from tournaments.corrections.services import results as services
from tournaments.corrections.services.carrying import give_seat_to_next
from tournaments.models import Event, Match, Stage
from tournaments.personal.selectors.decisions import format_event_time
from tournaments.personal.selectors.player import player_page
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.results.services.results import checked_correction
from tournaments.rounds.services import close_and_draft, publish_round
from tournaments.stages.services import close_stage
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


EARLIER = datetime(2026, 1, 2, 10, tzinfo=UTC)
DOOMTROOPER = {"formula": "mutant-chronicles", "format": "doomtrooper-original"}


def settled(event: Event, by: Actor) -> None:
    """Draw the lots that the stage in progress needs."""
    from tournaments.lots import services as drawing

    while needed := load_facts(event).open_stage.outcome.lots_needed:
        drawing.draw_tied_order(event=event, tied=needed[0], seed="s", by=by)


def turned(match: Match) -> Claim:
    """Return the opposite of a result."""
    decision = match.decision
    return Claim(score=(decision.score_b, decision.score_a))


def foretold(match: Match, by: Actor, void: tuple[int, ...] = ()) -> Correction:
    claim = turned(match)
    outcome = checked_correction(match, match.version, claim, reason="x", by=by)
    return result_correction(load_facts(match.round.event), match, outcome, void)


def corrections(event: Event, by: Actor, stage: int = 1) -> Iterator[tuple[Match, Correction]]:
    """Yield the matches of a stage with what turning each would change, if that reaches on."""
    found = Match.objects.of_two().filter(round__event=event, round__stage__number=stage)
    for match in found.select_related("round__event", "group__stage", "decision"):
        shown = foretold(match, by)
        if shown.reaches_further:
            yield match, shown


@recipe
def two_groups(by: Actor) -> Event:
    """Return an event of groups whose second groups have played a round, the next one published."""
    event = make.started(by, 12, **DOOMTROOPER)
    make.play_stage(event, by)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    return Event.objects.get(pk=event.pk)


def confirmed(client: Client, address: str, page: str, **sent: Any) -> tuple[list[str], Any]:
    """Confirm what a page foretells, with a reason, on a page that is not old.

    Return the matches to be played again, and the answer.
    """
    again = re.findall(r'name="again" value="(\d+)"', page)
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    sent |= {"shown": shown, "later": "follow", "confirm": "follow", "again": again}
    assert client.post(address, sent).status_code == 400
    assert client.post(address, sent | {"reason": "x", "shown": "other"}).status_code == 409
    return again, client.post(address, sent | {"reason": "Not as it was"}, follow=True)


def asking(by: Actor, event: Event, path: str, **body: Any) -> Callable[..., Any]:
    """Return how a program asks for a correction."""
    client = APIClient()
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{event.slug}/{path}/"
    return lambda **more: client.post(address, body | more, format="json")


def sound(event: Event) -> list[str]:
    return list(map(str, verify_event(Event.objects.get(pk=event.pk))))


def test_who_belongs_there_gets_the_seat_and_plays_again(by: Actor) -> None:
    event = two_groups(by)
    before = load_facts(event)
    match, shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    assert {each.fate for each in shown.changes} == {
        CorrectionEffect.AGAIN,
        CorrectionEffect.PASSES,
    }
    done = services.correct_and_reseat(
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
    assert told[0].startswith("You now play in: Group ")
    assert told[0].endswith(" Reason: Swapped")
    assert told[1].startswith("Round 4 · ")
    undo(event=event, expected=last_act(event).line.number, by=by)
    back = load_facts(event)
    assert [stage.state for stage in back.stages] == [stage.state for stage in before.stages]
    assert back.stages[0].stage.places == before.stages[0].stage.places
    assert sound(event) == []
    assert not any("Swapped" in " ".join(own_page(event, number)) for number in back.entries)
    moved = own_page(event, done.follows.seats[0].before)
    assert moved[0].startswith("You now play in: Group ")
    assert moved[0].endswith(" Reason: Undone")


def own_page(event: Event, number: PlayerId) -> list[str]:
    """Return what a player's own page says of decisions, in English."""
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
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


@pytest.mark.deep
def test_the_place_of_whoever_loses_a_seat_comes_after_those_who_play_on(by: Actor) -> None:
    event = two_groups(by)
    every = [each for each in corrections(event, by) if each[1].why_not is None]
    outs = [
        swapped_players(shown, DisplayNames(shown.facts.entries)).out for _match, shown in every
    ]
    assert {*outs} - {""}
    assert {*outs} - {""} <= {ordinal(rank) for rank in range(9, 13)}
    match, shown = every[next(at for at, out in enumerate(outs) if out)]
    had = {seat.before for seat in shown.follows.seats}
    (seat,) = (each for each in shown.follows.seats if each.after not in had)
    values = {"version": match.version, "claim": turned(match), "reason": "Swapped"}
    services.correct_and_reseat(match=match, shown=shown.mark, by=by, **values)
    out = next(iter(had - {each.after for each in shown.follows.seats}))
    told = own_page(event, out)
    gone = "The staff gave your place to "
    assert told[0].startswith(f"{gone}{event.entries.get(number=seat.after).name} (Group ")
    assert told[0].endswith(" Reason: Swapped")
    assert all(": you are no longer in this match." in each for each in told[1:-1])
    assert ", changed by the staff: " in told[-1]
    stays = {number for match in other_pairs(event) for number in match if number not in had}
    assert stays
    assert all(": your opponent is now " in " ".join(own_page(event, number)) for number in stays)
    came = own_page(event, seat.after)
    assert came[0].startswith("You now play in: Group ")
    undo(event=event, expected=last_act(event).line.number, by=by)
    told = own_page(event, seat.after)[0]
    assert told.startswith(f"{gone}{event.entries.get(number=out).name} (Group ")
    assert told.endswith(" Reason: Undone")
    assert own_page(event, out)[0].startswith("You now play in: Group ")
    redo(event=event, expected=find_redoable_undo(event).number, by=by)
    event.log.filter(action=FOLLOWED.key).update(at=EARLIER)
    told = own_page(event, out)[0]
    assert told.endswith(" Reason: Swapped")
    with override("en"):
        assert format_event_time(event, EARLIER) not in told
    for item in event.rounds.filter(stage__number=2):
        make.play_round(item, by)
    assert not any(
        ": your opponent is now " in " ".join(own_page(event, number)) for number in stays
    )
    event.stages.filter(number=2).update(state=Stage.State.CLOSED)
    assert not any("You now play in: " in each for each in own_page(event, seat.after))


def test_a_corrected_semifinal_names_who_belongs_in_the_final_and_who_in_the_other(
    by: Actor,
) -> None:
    event = make.halfway(by, 4, formula="single-elimination", format="doomtrooper-original")
    make.next_round(event, by)
    match = event.rounds.first().matches.select_related("round__event", "decision")[0]
    shown = foretold(match, by)
    winner, loser = match.players[0].name, match.players[1].name
    with override("en"):
        said = list(place_change_texts(shown, DisplayNames(shown.facts.entries)))
    assert set(said) == {
        f"Final: {winner} → {loser}",
        f"Third place: {loser} → {winner}",
    }


@pytest.mark.deep
def test_who_goes_on_by_another_seat_is_not_told_to_be_elsewhere(by: Actor) -> None:
    """Three of the cut change places: only the one who comes in and the one who goes are named."""
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 4}}
    event = make.stage_played(by, 8, format="doomtrooper-original", **options)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    stayed = set()
    for _match, shown in corrections(event, by):
        names = DisplayNames(shown.facts.entries)
        before, after = (
            {getattr(change, side) for change in shown.effects.places}
            for side in ("before", "after")
        )
        stayed |= before & after
        with override("en"):
            said = [
                each for each in place_change_texts(shown, names) if each.startswith("Knock-out: ")
            ]
        assert len(said) == len(before - after)
        assert not any(names.of(one) in each for one in before & after for each in said)
    assert stayed


@pytest.mark.deep
def test_page_of_a_seat(by: Actor) -> None:
    event = two_groups(by)
    before = load_facts(event).stages[1].state
    out = before.seats["I"][0]
    client, address = signed_in(by), url("manage-player-seat", event, out)
    assert client.get(address).status_code == 302  # who plays keeps the seat
    disqualify(entry=event.entries.get(number=out), reason="Not a member", by=by)
    assert address in text(client.get(url("manage-player", event, out)))
    page = text(client.get(address))
    again, done = confirmed(client, address, page)
    assert len(again) == 2  # others move up, too
    assert "Saved." in text(done)
    after = load_facts(event).stages[1].state
    assert out not in after.players
    assert len(set(after.players) - set(before.players)) == 1
    given = Match.objects.filter(round__event=event).exclude(earlier=[])
    assert {str(each.pk) for each in given} > set(again)
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert load_facts(event).stages[1].state.seats == before.seats
    assert sound(event) == []


@pytest.mark.deep
def test_where_nobody_comes_next_a_seat_becomes_free(by: Actor) -> None:
    event = make.started(by, 7, **DOOMTROOPER)
    make.play_stage(event, by)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    out, *others = load_facts(event).stages[1].state.players
    for entry in event.entries.exclude(number__in=others):
        disqualify(entry=entry, reason="Not members", by=by)
    shown = seat_loss_correction(load_facts(event), out)
    entry = event.entries.get(number=out)
    give_seat_to_next(entry=entry, reason="Not a member", shown=shown.mark, by=by)
    assert load_facts(event).stages[1].state.seats["last three"] == (*others, None)
    assert sound(event) == []


@pytest.mark.deep
def test_when_all_have_left_every_seat_becomes_free(by: Actor) -> None:
    event = make.started(by, 7, **DOOMTROOPER)
    make.play_stage(event, by)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    seated = load_facts(event).stages[1].state.players
    for entry in event.entries.all():
        disqualify(entry=entry, reason="Not members", by=by)
    for number in seated:
        shown = seat_loss_correction(load_facts(event), number)
        entry = event.entries.get(number=number)
        give_seat_to_next(entry=entry, reason="Not a member", shown=shown.mark, by=by)
        assert sound(event) == []
    assert load_facts(event).stages[1].state.seats["last three"] == (None, None, None)


@recipe
def drafted_cut(by: Actor) -> Event:
    """Return an event of Swiss rounds, closed, whose semi-finals are a draft."""
    event = make.started(
        by, 8, formula="swiss-cut", format="creatures-of-exo", options={"rounds": 3, "cut": 4}
    )
    make.play_stage(event, by)
    settled(event, by)
    close_and_draft(event=event, expected_stage=1, expected_round=4, by=by)
    return Event.objects.get(pk=event.pk)


def swiss_order(event: Event) -> list[PlayerId]:
    (table,) = load_facts(event).stages[0].outcome.standings.values()
    return [row.player for row in table.rows]


@pytest.mark.deep
def test_who_is_next_moves_up_by_one_act_before_the_round(by: Actor) -> None:
    event = drafted_cut(by)
    before = load_facts(event)
    order = swiss_order(event)
    assert next_seat_replacement(before) is None
    withdraw(entry=event.entries.get(number=order[1]), by=by)
    shown = next_seat_replacement(load_facts(event))
    assert (shown.gone.number, shown.comes.number) == (order[1], order[4])
    for number, is_next in ((order[4], True), (order[5], False)):
        seat = player_page(load_facts(event), event.entries.get(number=number)).seat
        assert (event.entries.get(number=order[1]).name in seat.line) == is_next
    client, name = signed_in(by), event.entries.get(number=order[4]).name
    for where in ("desk", "advance"):
        said = text(client.get(url(where, event)))
        assert "dropped after qualifying" in said
        assert f"Give the seat to {name}" in said
    address, sent = url("next-in-line", event), {"number": order[1], "shown": shown.mark}
    assert client.post(address, sent | {"shown": "other"}).status_code == 409
    assert client.post(address, sent | {"number": 99}).status_code == 404
    done = client.post(address, sent, follow=True)
    assert "Saved." in text(done)
    assert "dropped after qualifying" not in text(done)
    after = load_facts(event).stages[1].state
    assert set(after.players) == {order[0], *order[2:5]}
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert set(load_facts(event).stages[1].state.players) == set(order[:4])
    assert sound(event) == []


@pytest.mark.deep
def test_nobody_moves_up_once_the_round_is_published(by: Actor) -> None:
    event = drafted_cut(by)
    withdraw(entry=event.entries.get(number=load_facts(event).stages[1].state.players[0]), by=by)
    assert next_seat_replacement(load_facts(event)) is not None
    publish_round(event=event, ordinal=4, by=by)
    assert next_seat_replacement(load_facts(event)) is None
    assert "Give the seat to" not in text(signed_in(by).get(url("advance", event)))


@pytest.mark.deep
def test_who_left_for_good_is_named_where_nobody_is_left(by: Actor) -> None:
    event = drafted_cut(by)
    order = swiss_order(event)
    for player in (*order[4:], order[0]):
        withdraw(entry=event.entries.get(number=player), by=by)
    shown = next_seat_replacement(load_facts(event))
    assert (shown.gone.number, shown.comes) == (order[0], None)
    assert shown.why_not
    page = text(signed_in(by).get(url("desk", event)))
    assert "Not possible:" in page
    sent = {"number": order[0], "shown": shown.mark}
    assert signed_in(by).post(url("next-in-line", event), sent).status_code == 409
    assert set(load_facts(event).stages[1].state.players) == set(order[:4])


def first_match(event: Event, **only: object) -> Match:
    found = Match.objects.select_related("round__event", "group__stage", "decision")
    return found.filter(round__event=event, **only).first()


def drawn(match: Match, by: Actor) -> Correction:
    """Return what follows if a match was a draw."""
    claim = Claim(score=(10, 10))
    outcome = checked_correction(match, match.version, claim, reason="x", by=by)
    return result_correction(load_facts(match.round.event), match, outcome)


def test_ranks_that_lots_would_have_to_settle_are_shown_as_shared(by: Actor) -> None:
    event = make.playing(by, 4, **GROUP)
    won = Claim(score=(20, 10))
    make.play_round(
        event.rounds.get(), by, lambda m, index: Claim(score=(10, 10)) if index else won
    )
    match = first_match(event, decision__score_a=20)
    with override("en"):
        (table,) = changed_standings(foretold(match, by))
        assert [row["rank"] for row in table["rows"]] == [1, 4]
        assert [row["gap"] for row in table["rows"]] == [False, True]
        assert all(row["changes"] and not row["shared"] for row in table["rows"])
        assert table["rows"][1]["figures"][0] == "Pts 3 → 0"
        assert table["through"] == 0
        (table,) = changed_standings(drawn(match, by))
        assert all(row["shared"] for row in table["rows"])


@pytest.fixture
def swiss(by: Actor) -> Event:
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 4}}
    return make.stage_played(by, 8, format="doomtrooper-original", **options)


def test_who_changes_and_who_stands_at_the_line_is_shown_on_both_sides(
    swiss: Event, by: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with override("en"):
        for ordinal in (1, 3):
            match = first_match(swiss, round__ordinal=ordinal)
            (table,) = changed_standings(foretold(match, by))
            ranks_shown = [row["rank"] for row in table["rows"]]
            assert {4, 5} <= {*ranks_shown}
            assert [row["rank"] for row in table["rows"] if row["last_before"]] == [4]
            assert [row["rank"] for row in table["rows"] if row["last_after"]] == [4]
            assert [row["rank"] for row in table["rows"] if row["line"]] == [4]
            assert (table["through"], table["every"]) == (4, ())
            before = {row["before"] for row in table["rows"]}
            after = {row["after"]: row["figures"] for row in table["rows"]}
            for player in match.players:
                assert str(player) in before
                assert " → " in after[str(player)][0]
            assert not {*after} & {name for name, _words in table["others"]}
            gaps = [row["rank"] for row in table["rows"] if row["gap"]]
            assert gaps == [r for r in ranks_shown if r > 1 and r - 1 not in ranks_shown]
        monkeypatch.setattr(page, "MOST_RANKS", 2)
        (short,) = changed_standings(foretold(match, by))
        assert short["every"] in (table["rows"], ())
        assert {row["rank"] for row in short["rows"]} <= {*ranks_shown}
        assert {4, 5} <= {row["rank"] for row in short["rows"]}


def test_the_line_lies_below_who_goes_on_though_somebody_above_has_left(
    swiss: Event, by: Actor
) -> None:
    (standings,) = load_facts(swiss).stages[0].outcome.standings.values()
    players = [row.player for row in standings.rows]
    assert cut_position(standings.rows, 4, ()) == 4
    assert cut_position(standings.rows, 4, {players[1], players[6]}) == 5
    assert cut_position(standings.rows, 4, {players[5]}) == 4
    assert cut_position(standings.rows, 0, ()) == 0
    assert cut_position(standings.rows, 9, ()) == 8


@pytest.mark.deep
def test_a_rank_compared_across_groups_shows_who_goes_on_there(by: Actor) -> None:
    event = make.stage_played(by, 12, formula="mutant-chronicles", format="doomtrooper-original")
    found = Match.objects.select_related("round__event", "group__stage", "decision")
    label = "Groups: comparison of players ranked 3 in their group"
    with override("en"):
        tables = [
            {table["label"]: table for table in changed_standings(foretold(match, by))}
            for match in found.filter(round__event=event, group__name="A")
        ]
    compared = [shown[label] for shown in tables if label in shown]
    assert {table["through"] for table in compared} == {2}
    assert any(row["changes"] for table in compared for row in table["rows"])
