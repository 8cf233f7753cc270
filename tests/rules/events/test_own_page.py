"""What a player's own page says, of those too who leave and return."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from rules.events.lifecycle import (
    OPEN,
    Departure,
    RejoinInput,
    RejoinStatus,
    classify_departure,
    rejoin_status,
    was_played,
)
from rules.events.own_page import (
    AT_TABLE,
    DONE,
    DeckState,
    DropConsequence,
    ExclusionReason,
    NextStep,
    PlayerPageInput,
    PlayerState,
    current_match_index,
    player_page_state,
)
from rules.results import MatchEnding
from rules.scenarios.final_places import FinalPlaces
from rules.scenarios.verdicts import FutureMatches

IN_ROUND = (
    *(PlayerState.BETWEEN, PlayerState.PLAYING, PlayerState.REPORTED, PlayerState.TO_CONFIRM),
    *(PlayerState.DISPUTED, PlayerState.DECIDED, PlayerState.BYE, PlayerState.RESTS),
    PlayerState.MISSED,
)
DAY = datetime(2026, 12, 4, 23, 0, tzinfo=UTC)
HERE = DAY + timedelta(hours=9)
HOUR = timedelta(hours=1)


def at(now=HERE, **facts):
    """Return the state of a player's page."""
    usual = {
        "event_state": "registration",
        "player_status": "registered",
        "day": DAY,
        "check_in_from": HERE,
    }
    return player_page_state(PlayerPageInput(**usual | facts), now)


def playing(**facts):
    return at(**{"event_state": "running", "player_status": "checked_in"} | facts)


@pytest.mark.parametrize(
    ("now", "facts", "state", "step"),
    [
        (DAY - 12 * 24 * HOUR, {"registration_open": True}, "signed_up", "nothing"),
        (DAY - HOUR, {}, "registered", "nothing"),
        (DAY + HOUR, {}, "early", "nothing"),
        (HERE, {}, "arriving", "say_here"),
        (HERE, {"player_status": "checked_in"}, "here", "wait"),
        (HERE, {"deck": DeckState.MISSING, "deck_open": True}, "arriving", "hand_in"),
        (HERE, {"deck": DeckState.ILLEGAL, "deck_open": True}, "arriving", "mend"),
        (HERE, {"deck": DeckState.MISSING}, "arriving", "say_here"),
        (DAY - HOUR, {"deck": DeckState.OPTIONAL, "deck_open": True}, "registered", "nothing"),
        (DAY - HOUR, {"deck": DeckState.LEGAL, "deck_open": True}, "registered", "nothing"),
    ],
)
def test_before_the_start_time_and_list_decide(now, facts, state, step):
    found = at(now, **facts)
    assert (found.state, found.step, found.leaving) == (state, step, DropConsequence.FREES_PLACE)


def test_an_event_is_overdue_until_it_begins():
    begins = HERE + HOUR
    assert not at(begins - HOUR, begins=begins).overdue
    assert at(begins, begins=begins).overdue
    assert at(begins, begins=begins, player_status="checked_in").overdue
    assert not playing(now=begins + HOUR, begins=begins).overdue
    assert not at(begins + HOUR, begins=begins, event_state="finished").overdue


def test_nobody_is_asked_whether_they_are_here_before_the_day():
    week = HERE - timedelta(days=7)
    found = at(week + HOUR, check_in_from=week)
    assert (found.state, found.here_at) == (PlayerState.REGISTERED, DAY)
    assert at(DAY, check_in_from=week).step is NextStep.SAY_HERE


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({"in_round": PlayerState.PLAYING, "plays_on": FutureMatches.NO}, "playing"),
        ({"in_round": PlayerState.DISPUTED, "plays_on": FutureMatches.UNSURE}, "disputed"),
        ({"in_round": PlayerState.DECIDED}, "decided"),
        ({"in_round": PlayerState.DECIDED, "round_over": True}, "between"),
        ({"in_round": PlayerState.DECIDED, "plays_on": FutureMatches.UNSURE}, "unsure"),
        ({"in_round": PlayerState.DECIDED, "plays_on": FutureMatches.NO}, "out"),
        ({"in_round": PlayerState.BYE}, "bye"),
        ({"in_round": PlayerState.RESTS, "plays_on": FutureMatches.NO}, "out"),
        ({}, "between"),
        ({"plays_on": FutureMatches.NO}, "out"),
        ({"plays_on": FutureMatches.NO, "exclusion": ExclusionReason.SEAT}, "seat_lost"),
        ({"plays_on": FutureMatches.SURE, "exclusion": ExclusionReason.SEAT}, "between"),
        ({"plays_on": FutureMatches.NO, "exclusion": ExclusionReason.LOTS}, "lots_lost"),
        ({"player_status": "withdrawn", "exclusion": ExclusionReason.TAKEN_OUT}, "taken_out"),
        ({"player_status": "withdrawn", "exclusion": ExclusionReason.SEAT}, "left"),
        ({"player_status": "withdrawn", "in_round": PlayerState.DECIDED}, "left"),
        ({"player_status": "disqualified", "event_state": "finished"}, "disqualified"),
        ({"event_state": "finished", "in_round": PlayerState.DECIDED}, "over"),
    ],
)
def test_while_it_runs_an_open_match_comes_first(facts, state):
    assert playing(**facts).state == state


@pytest.mark.parametrize(
    ("in_round", "leaving"),
    [
        (PlayerState.PLAYING, DropConsequence.LOSES_MATCH),
        (PlayerState.TO_CONFIRM, DropConsequence.LEAVES_REPORT),
        (PlayerState.DISPUTED, DropConsequence.LEAVES_REPORT),
        (PlayerState.DECIDED, DropConsequence.NO_MORE),
        (PlayerState.BETWEEN, DropConsequence.NO_MORE),
    ],
)
def test_leaving_costs_the_match_only_while_it_is_played(in_round, leaving):
    assert playing(in_round=in_round).leaving is leaving


@pytest.mark.parametrize("event", ["registration", "running"])
def test_who_waits_gives_up_no_place(event):
    found = at(event_state=event, player_status="waiting", plays_on=FutureMatches.NO)
    assert (found.state, found.step) == (PlayerState.WAITING, NextStep.NOTHING)
    assert found.leaving is DropConsequence.LEAVES_LINE


def test_a_place_is_told_only_to_who_is_done():
    places = {"places": FinalPlaces(5, 8), "plays_on": FutureMatches.NO}
    assert playing(**places).places == FinalPlaces(5, 8)
    assert playing(**places).place == 0
    assert playing(**places | {"places": FinalPlaces(5, 5)}).place == 5
    assert playing(**places | {"plays_on": FutureMatches.SURE}).places is None
    assert [playing(**places | {"places": FinalPlaces(1, last)}).has_won for last in (1, 2)] == [
        True,
        False,
    ]


def test_who_has_left_is_told_a_place_when_the_event_is_over():
    facts = {"player_status": "withdrawn", "places": FinalPlaces(7, 7)}
    assert (playing(**facts).place, playing(**facts, event_state="finished").place) == (0, 7)
    assert playing(**facts, returning=RejoinStatus.MAY_ASK).place == 0


def test_who_has_left_for_good_is_told_the_place_that_everybody_reads():
    gone = {"player_status": "withdrawn", "returning": RejoinStatus.ALL_PLAYED}
    assert playing(**gone, places=FinalPlaces(21, 21)).place == 21
    assert playing(**gone, places=FinalPlaces(13, 14)).places == FinalPlaces(13, 14)


def test_only_who_has_left_returns():
    asks = {"returning": RejoinStatus.MAY_ASK}
    left, thrown_out = (playing(player_status=one, **asks) for one in ("withdrawn", "disqualified"))
    assert (left.returning, left.step) == (RejoinStatus.MAY_ASK, NextStep.ASK_BACK)
    assert (thrown_out.returning, thrown_out.step) == (RejoinStatus.NOT_OFFERED, NextStep.NOTHING)


def test_who_has_asked_is_not_asked_to_ask_again():
    for word in set(RejoinStatus) - {RejoinStatus.MAY_ASK}:
        assert playing(player_status="withdrawn", returning=word).step is NextStep.NOTHING


def test_what_a_state_offers_agrees_with_it():
    """Whatever the facts: nobody waits, calls, reports or leaves who cannot play again."""
    seen = set()
    for event, status, in_round, more, over, deck, shut in product(
        ("draft", "registration", "closed", "running", "finished"),
        ("registered", "waiting", "checked_in", "withdrawn", "disqualified"),
        IN_ROUND,
        FutureMatches,
        (False, True),
        (DeckState.NONE, DeckState.MISSING),
        ExclusionReason,
    ):
        facts = PlayerPageInput(
            event_state=event,
            player_status=status,
            day=DAY,
            check_in_from=HERE,
            in_round=in_round,
            plays_on=more,
            round_over=over,
            deck=deck,
            deck_open=True,
            places=FinalPlaces(3, 4),
            returning=RejoinStatus.MAY_ASK,
            exclusion=shut,
        )
        found = player_page_state(facts, HERE)
        seen.add(found.state)
        assert found.at_table == (found.state in AT_TABLE)
        assert found.plays == (found.state not in DONE)
        if not found.plays:
            assert found.leaving is DropConsequence.NOT_OFFERED
            assert (found.step is NextStep.ASK_BACK) == (found.state is PlayerState.LEFT)
            assert found.step in (NextStep.ASK_BACK, NextStep.NOTHING)
        assert not (found.waits and not found.plays)
        assert (found.returning is RejoinStatus.MAY_ASK) == (found.state is PlayerState.LEFT)
        assert not (found.places and found.plays)
    before = {PlayerState.SIGNED_UP, PlayerState.REGISTERED, PlayerState.EARLY}
    assert seen == set(PlayerState) - before


def test_of_several_matches_the_page_is_about_the_first_that_the_player_can_do_something_at():
    here = PlayerState
    assert current_match_index([here.PLAYING, here.PLAYING]) == 0
    assert current_match_index([here.DECIDED, here.PLAYING]) == 1
    assert current_match_index([here.REPORTED, here.BYE, here.PLAYING]) == 2
    assert current_match_index([here.PLAYING, here.TO_CONFIRM]) == 0
    assert current_match_index([here.REPORTED, here.DISPUTED]) == 1
    assert current_match_index([here.DECIDED, here.REPORTED]) == 1
    assert current_match_index([here.BYE, here.DECIDED]) == 0


@pytest.mark.parametrize(
    ("ended_by", "scored", "played"),
    [
        (MatchEnding.PLAYED, False, True),
        (MatchEnding.TIME, True, True),
        (MatchEnding.CONCESSION, True, True),
        (MatchEnding.CONCESSION, False, False),
        (MatchEnding.NO_SHOW, False, False),
        (MatchEnding.BYE, False, False),
        (MatchEnding.DOUBLE_LOSS, False, False),
        (MatchEnding.PENALTY, False, False),
    ],
)
def test_a_match_is_played_at_the_table(ended_by: MatchEnding, scored: bool, played: bool) -> None:
    assert was_played(ended_by, scored=scored) is played


def test_what_was_said_comes_before_what_was_played() -> None:
    assert classify_departure("", played=False) is Departure.NO_SHOW
    assert classify_departure("", played=True) is Departure.DROPPED
    assert classify_departure("dropped", played=False) is Departure.DROPPED
    assert classify_departure("no_show", played=True) is Departure.NO_SHOW


def left(event="running", status="withdrawn", **facts):
    return rejoin_status(RejoinInput(event=event, status=status, **facts))


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"event": "registration"}, "may_ask"),
        ({"event": "closed", "asked": True}, "asked"),
        ({"event": "closed", "asked": True, "refused": True}, "refused"),
        ({"seated": True, "plays": True}, "may_ask"),
        ({"seated": True, "plays": True, "asked": True}, "asked"),
        ({"seated": True, "plays": True, "asked": True, "refused": True}, "refused"),
        ({"seated": True, "plays": False, "asked": True}, "all_played"),
        ({"seated": True, "plays": True, "struck": True}, "struck"),
        ({"admits": True}, "may_ask"),
        ({"admits": False, "asked": True}, "no_place"),
        ({"event": "finished", "seated": True, "plays": True}, "not_offered"),
        ({"status": "disqualified", "seated": True, "plays": True}, "not_offered"),
    ],
)
def test_what_is_left_to_play_decides(facts, found):
    assert left(**facts) == found


def test_only_who_has_left_has_a_way_back():
    seen = set()
    flags = ("seated", "struck", "admits", "plays", "asked", "refused")
    for event, status, *values in product(
        ("draft", "registration", "closed", "running", "finished"),
        ("registered", "waiting", "checked_in", "withdrawn", "disqualified"),
        *[(False, True)] * len(flags),
    ):
        facts = dict(zip(flags, values, strict=True))
        found = left(event, status, **facts)
        seen.add(found)
        gone = status == "withdrawn" and event != "finished"
        assert (found is RejoinStatus.NOT_OFFERED) == (not gone)
        if gone and event != "running":
            assert found in OPEN
        if found in OPEN and event == "running":
            assert not facts["struck"]
            assert facts["plays"] if facts["seated"] else facts["admits"]
    assert seen == set(RejoinStatus)
