"""Players struck from their group, and taken back into it."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils.translation import override

from rules.errors import BadInput, RuleError
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Event, LogLine, Match, Seat
from tournaments.personal.selectors.decisions import staff_decisions
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.strikes.services import lift_strike, strike, strike_context
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """One group of five: everybody plays four matches."""
    return make.halfway(by, 5, rounds=2, formula="single-group", format="doomtrooper-original")


def findings(event):
    return list(verify_event(Event.objects.get(pk=event.pk)))


def table(event):
    return {row.player: (row.played, row.values["points"]) for row in _rows(event)}


def leaver(event, played):
    """Return a withdrawn player who has played that number of matches."""
    number = next(n for n, (count, _points) in table(event).items() if count == played)
    return event.entries.get(number=number)


@pytest.fixture
def gone(event, by):
    entry = leaver(event, 1)
    departures.withdraw(entry=entry, reason="Treno", by=by)
    return entry


def test_results_stay_until_they_are_struck_and_come_back(event, gone, by):
    before = table(event)
    assert before[gone.number][0] == 1
    strike(entry=gone, reason="Una sola partita", by=by)
    after = table(event)
    assert after[gone.number] == (0, 0)
    counted = [sum(count for count, _points in each.values()) for each in (before, after)]
    assert counted[1] == counted[0] - 2
    assert findings(event) == []
    struck = Match.objects.filter(decision__winner="void", round__event=event)
    (void,) = struck.exclude(decision__version=1)
    other = void.players[1] if void.players[0] == gone else void.players[0]
    with override("en"):
        (told,) = (each.told for each in staff_decisions(load_facts(event), other, plays=True))
    assert told.startswith(f"Round {void.round.ordinal} · {gone.name}: this match is void.")
    assert told.endswith(f"Reason: Removed from the group: {gone.name}")
    lift_strike(entry=gone, reason="Errore", by=by)
    with override("en"):
        (told,) = (each.told for each in staff_decisions(load_facts(event), other, plays=True))
    assert told.startswith(f"Round {void.round.ordinal} · {gone.name}, changed by the staff: you ")
    assert "Before: does not count." in told
    assert table(event) == before
    assert findings(event) == []
    actions = list(LogLine.objects.filter(event=event).values_list("action", flat=True))
    assert actions[-2:] == ["entry.struck", "entry.strike_lifted"]


@pytest.mark.deep
def test_the_matches_to_come_are_void_too_and_forfeits_afterwards(event, gone, by):
    strike(entry=gone, reason="Una sola partita", by=by)
    make.play_stage(event, by)
    own = Match.objects.filter(round__event=event, match_seats__entry=gone)
    assert {match.decision.winner for match in own} == {"void"}
    assert findings(event) == []
    lift_strike(entry=gone, reason="Errore", by=by)
    won = [match for match in own.all() if match.decision.ended_by == "concession"]
    assert len(won) == 3
    assert all(match.decision.winner in ("a", "b") for match in won)
    assert table(event)[gone.number][0] == 4
    assert findings(event) == []


@pytest.mark.deep
def test_a_stage_with_a_struck_player_comes_to_its_end(event, gone, by):
    strike(entry=gone, reason="Una sola partita", by=by)
    make.play_event(event, by)
    assert findings(event) == []


@pytest.mark.deep
def test_the_match_of_two_struck_players_waits_for_both(by):
    event = make.started(by, 7, formula="single-group", format="doomtrooper-original")
    make.play_round(make.next_round(event, by), by)
    match = Match.objects.filter(round__event=event).first()
    for entry in match.players:
        departures.withdraw(entry=entry, by=by)
        strike(entry=entry, reason="Via", by=by)
    lift_strike(entry=match.players[0], reason="Errore", by=by)
    match.refresh_from_db()
    assert match.decision.winner == "void"
    assert findings(event) == []
    lift_strike(entry=match.players[1], reason="Errore", by=by)
    match.refresh_from_db()
    assert (match.decision.winner, match.decision.score_a) == ("a", 40)
    assert findings(event) == []


def test_only_who_left_with_fewer_than_half_played(event, gone, by):
    half = leaver(event, 2)
    with pytest.raises(RuleError) as refused:
        strike(entry=half, reason="Via", by=by)
    assert refused.value.code == "half_played"
    departures.withdraw(entry=half, by=by)
    with pytest.raises(RuleError) as refused:
        strike(entry=half, reason="Via", by=by)
    assert refused.value.code == "half_played"
    assert not Seat.objects.filter(struck_at__isnull=False).exists()


def test_a_strike_needs_an_organiser_and_a_reason_once(event, gone, by):
    with pytest.raises(PermissionDenied):
        strike(entry=gone, reason="Via", by=make.staff(event, "head_judge"))
    with pytest.raises(BadInput):
        strike(entry=gone, reason=" ", by=by)
    with pytest.raises(RuleError):
        lift_strike(entry=gone, reason="Via", by=by)
    strike(entry=gone, reason="Via", by=by)
    with pytest.raises(RuleError) as refused:
        strike(entry=gone, reason="Via", by=by)
    assert refused.value.code == "struck_already"


def test_a_struck_result_is_not_corrected_and_the_player_does_not_come_back(event, gone, by):
    strike(entry=gone, reason="Via", by=by)
    own = Match.objects.filter(match_seats__entry=gone)
    match = own.filter(round__event=event).first()
    claim = make.a_wins(match)
    with pytest.raises(RuleError) as refused:
        results.correct_result(
            match=match, version=match.version, claim=claim, reason="Errore", by=by
        )
    assert refused.value.code == "player_struck"
    with pytest.raises(RuleError) as refused:
        departures.rejoin(entry=gone, by=by)
    assert refused.value.code == "player_struck"
    lift_strike(entry=gone, reason="Errore", by=by)
    departures.rejoin(entry=gone, by=by)
    assert findings(event) == []


def test_the_effects_shown_are_those_that_come(event, gone, by):
    shown = strike_context(load_facts(event), gone)
    ranks = {row.player: row.rank for row in _rows(event)}
    strike(entry=gone, reason="Via", by=by)
    moved = {row.player: row.rank for row in _rows(event) if row.rank != ranks[row.player]}
    names = {str(event.entries.get(number=number)): rank for number, rank in moved.items()}
    assert {move.name: move.after for move in shown["moves"]} == names
    assert len(shown["matches"]) == 1


def _rows(event):
    (standings,) = load_facts(event).stages[0].outcome.standings.values()
    return standings.rows


def test_verification_finds_a_result_that_counts_though_its_player_is_struck(event, gone, by):
    Seat.objects.filter(entry=gone).update(struck_at=event.starts_at)
    assert {finding.check for finding in findings(event)} == {"strikes", "ledger"}


@pytest.mark.deep
def test_the_page_shows_the_effects_strikes_and_takes_it_back(event, gone, by, client):
    client.force_login(by.user)
    player = f"/events/{event.slug}/manage/players/{gone.number}/"
    assert f"{player}strike/" in client.get(player).content.decode()
    page = client.get(f"{player}strike/").content.decode()
    assert 'value="strike"' in page
    refused = client.post(f"{player}strike/", {"action": "strike", "reason": ""})
    assert refused.status_code == 400
    sent = client.post(f"{player}strike/", {"action": "strike", "reason": "Via"})
    assert sent.status_code == 302
    assert 'value="lift"' in client.get(f"{player}strike/").content.decode()
    assert (
        client.post(f"{player}strike/", {"action": "lift", "reason": "Errore"}).status_code == 302
    )
    assert not Seat.objects.filter(struck_at__isnull=False).exists()


def test_the_page_says_why_nobody_is_struck_from_swiss_rounds(by, client):
    event = make.started(by, 8, formula="swiss-cut", format="creatures-of-exo")
    client.force_login(by.user)
    address = f"/events/{event.slug}/manage/players/1/strike/"
    assert (
        "matches of a group in progress"
        in client.get(address, headers={"accept-language": "en"}).content.decode()
    )
    assert client.post(address, {"action": "strike", "reason": "Via"}).status_code == 409
