"""What players read of changed results, penalties, disqualifications and seats given."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils.translation import override

from rules.events.penalties import LADDER
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import by_link, read, signed_in, text, url
from tests.reporting import decide, report
from tests.told.reading import ENGLISH
from tests.tournaments.corrections.test_follow import sound
from tournaments.core.event_state import load_facts
from tournaments.match_pages.selectors import public_match_context
from tournaments.models import Event, Match, Penalty
from tournaments.penalties.services import give_penalty
from tournaments.personal.selectors.beside import LoggedCorrection
from tournaments.personal.selectors.decisions import format_event_time, result_changes
from tournaments.personal.selectors.player import moved_up_text
from tournaments.players.services import departures, entries
from tournaments.results.services.results import correct_result
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db


OFFENCE = "Carte segnate"
TURNED = "you won 40–22. Before: you lost 22–40."


@pytest.fixture
def match(by, in_english) -> Match:
    event = make.playing(by, 4, formula="single-group", format="doomtrooper-original")
    found = Match.objects.select_related("round__event", "group__stage")
    return found.get(round__event=event, table=1)


def told(match: Match, entry) -> list[str]:
    facts = load_facts(match.round.event, for_staff=False)
    return [each.told for each in result_changes(facts, facts.entries[entry.number])]


@pytest.mark.deep
def test_a_changed_result_is_told_to_both_until_the_second_round_after_it(by, match):
    decide(match, by, 40, 22)
    assert (told(match, match.players[0]), told(match, match.players[1])) == ([], [])
    match.refresh_from_db()
    turned = Claim(score=(22, 40))
    correct_result(match=match, version=match.version, claim=turned, reason=OFFENCE, by=by)
    (won,), (lost,) = told(match, match.players[1]), told(match, match.players[0])
    label = f"Round 1 · {match.players[0].name}"
    assert won.startswith(f"{label}, changed by the staff: {TURNED} (")
    assert "changed by the staff: you lost 22–40. Before: you won 40–22." in lost
    shown = text(by_link(match.players[1], by).get(url("me", match.round.event)))
    assert won in shown
    assert OFFENCE not in shown
    event = match.round.event
    for words in ([won], []):
        item = event.rounds.order_by("ordinal").last()
        make.play_round(item, by)
        make.next_round(event, by)
        assert told(match, match.players[1]) == words


def test_results_of_any_round_are_told_the_latest_change_first(by, match):
    event = match.round.event
    make.play_round(match.round, by)
    make.play_round(make.next_round(event, by), by)
    mine = Match.objects.filter(round__event=event, match_seats__entry=match.players[0])
    for one in mine.select_related("decision", "round__event").order_by("-round__ordinal"):
        score = one.decision.score_b, one.decision.score_a
        turned = Claim(score=score)
        correct_result(match=one, version=one.version, claim=turned, reason=OFFENCE, by=by)
    first, second = told(match, match.players[0])
    assert first.startswith("Round 1 · ")
    assert second.startswith("Round 2 · ")


@pytest.mark.deep
def test_a_correction_that_is_undone_and_done_again_is_told_again(by, match):
    decide(match, by, 40, 22)
    match.refresh_from_db()
    turned = Claim(score=(22, 40))
    correct_result(match=match, version=match.version, claim=turned, reason=OFFENCE, by=by)
    event = match.round.event
    undo(event=event, expected=last_act(event).line.number, by=by)
    (words,) = told(match, match.players[0])
    assert TURNED in words
    redo(event=event, expected=find_redoable_undo(event).number, by=by)
    (words,) = told(match, match.players[0])
    assert "you lost 22–40. Before: you won 40–22." in words
    facts = load_facts(event, for_staff=False)
    page = public_match_context(facts, (match.round.ordinal, match.number), {})
    assert page["was"] == f"{match.players[0]} wins: 40–22"


def test_a_report_that_the_staff_overrule_is_told(by, match):
    report(match, match.players[0], 40, 22)
    match.refresh_from_db()
    decide(match, by, 22, 40)
    (words,) = told(match, match.players[0])
    assert "you lost 22–40. Before: you won 40–22." in words


def test_a_confirmed_entry_of_the_same_result_changes_nothing(by, match):
    report(match, match.players[0], 40, 22)
    match.refresh_from_db()
    decide(match, by, 40, 22)
    assert told(match, match.players[0]) == []


def test_a_game_loss_tells_the_opponent_of_the_game_and_not_of_the_offence(by, match):
    give_penalty(entry=match.players[0], level="game_loss", infraction=OFFENCE, by=by)
    assert told(match, match.players[0]) == []
    one, other = match.players
    (words,) = told(match, other)
    assert words == f"Round 1 · {one.name}: a judge awarded you a game."
    shown = text(by_link(match.players[1], by).get(url("me", match.round.event)))
    assert words in shown
    assert OFFENCE not in shown
    decide(match, by, 22, 40)
    assert told(match, match.players[1]) == []


def test_the_day_of_a_change_is_told_short_and_its_year_where_it_is_another():
    event = Event(starts_at=datetime(2026, 11, 28, 9, tzinfo=UTC), time_zone="Europe/Rome")
    before, last_year = (
        datetime(2026, 11, 26, 15, 39, tzinfo=UTC),
        datetime(2025, 12, 31, tzinfo=UTC),
    )
    with override("it"):
        assert format_event_time(event, event.starts_at) == "10:00"
        assert format_event_time(event, before) == "giovedì 26 novembre alle 16:39"
        assert format_event_time(event, last_year) == "mercoledì 31 dicembre 2025, ore 1"
    with override("en"):
        assert format_event_time(event, before) == "Thu 26 November, 16:39"


def anybody(match: Match, name: str, *args: object) -> str:
    """Return what a reader without account reads."""
    return text(Client(headers=ENGLISH).get(url(name, match.round.event, *args)))


@pytest.mark.parametrize("level", LADDER)
def test_nobody_else_reads_what_a_penalty_was_for(by, match, level):
    give_penalty(entry=match.players[0], level=level, infraction=OFFENCE, by=by)
    assert OFFENCE in text(by_link(match.players[0], by).get(url("me", match.round.event)))
    shown = anybody(match, "public-match", 1, match.number) + anybody(
        match, "player", match.players[0].number
    )
    opponent = text(by_link(match.players[1], by).get(url("me", match.round.event)))
    assert OFFENCE not in shown + opponent
    assert ("loses because of a penalty" in shown) == (level == "match_loss")
    assert ("Disqualified" in shown) == (level == "disqualification")
    assert ("awarded you a game" in opponent) == (level == "game_loss")


REASON, NOTE, HEAD_JUDGE = "Carte segnate dietro", "Visto da Zoe", "speak to the head judge"


@pytest.fixture
def disqualified(by):
    event = make.playing(by, 4)
    return event, event.entries.get(number=1)


def own(entry, by):
    return text(by_link(entry, by).get(url("me", entry.event)))


def test_the_reason_of_the_act_is_read_by_the_player(disqualified, by):
    _event, entry = disqualified
    departures.disqualify(entry=entry, reason=REASON, by=by)
    page = own(entry, by)
    assert "You have been disqualified" in page
    assert page.count(REASON) == 1
    assert HEAD_JUDGE in page
    for other in ("Ask to come back", "Was it a mistake?", "Drop from the event", "to-come"):
        assert other not in page


@pytest.mark.deep
def test_of_a_penalty_what_happened_is_read_and_never_the_note(disqualified, by):
    event, entry = disqualified
    level = Penalty.Level.DISQUALIFICATION
    penalty = give_penalty(entry=entry, level=level, infraction=REASON, note=NOTE, by=by)
    page = own(entry, by)
    assert (REASON in page, NOTE in page, "A penalty was given" in page) == (True, False, False)
    lifted = "<small>Lifted</small>"
    assert lifted not in page
    undo(event=event, expected=last_act(Event.objects.get(pk=event.pk)).line.number, by=by)
    assert lifted in own(entry, by)
    redo(event=event, expected=find_redoable_undo(Event.objects.get(pk=event.pk)).number, by=by)
    to = url("penalty-take-back", event, penalty.pk)
    done = text(signed_in(by).post(to, follow=True, headers={"accept-language": "en"}))
    assert "The player stays disqualified. Reinstate them" in done
    assert "Reinstate" in done
    page = own(entry, by)
    assert (REASON in page, NOTE in page) == (False, False)


def test_matches_made_later_are_lost_by_it_and_not_conceded(disqualified, by):
    event, entry = disqualified
    departures.disqualify(entry=entry, reason=REASON, by=by)
    make.play_round(event.rounds.get(), by)
    later = make.next_round(event, by).matches.get(match_seats__entry=entry)
    assert later.decision.ended_by == "disqualification"
    assert sound(event) == []


def test_nobody_else_reads_the_reason(disqualified, by):
    event, entry = disqualified
    departures.disqualify(entry=entry, reason=REASON, by=by)
    other = by_link(event.entries.get(number=2), by)
    for client in (other, Client()):
        for name, parts in (("event", ()), ("player", (1,)), ("players", ()), ("standings", ())):
            assert REASON not in text(client.get(url(name, event, *parts)))
    assert REASON not in text(other.get(url("me", event)))
    assert REASON in text(signed_in(by).get(url("log", event)))


def test_who_is_taken_back_or_only_left_reads_no_reason(disqualified, by):
    _event, entry = disqualified
    departures.disqualify(entry=entry, reason=REASON, by=by)
    departures.rejoin(entry=entry, by=by)
    assert REASON not in own(entry, by)
    departures.withdraw(entry=entry, reason=REASON, by=by)
    assert REASON not in own(entry, by)


def test_before_the_start_the_reason_is_read_too(by):
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    departures.disqualify(entry=entry, reason=REASON, by=by)
    assert REASON in own(entry, by)


def test_in_italian_the_capo_giudice_is_named(disqualified, by):
    event, entry = disqualified
    departures.disqualify(entry=entry, reason=REASON, by=by)
    client = Client()
    client.get(f"/p/{entries.make_link(entry=entry, by=by)}/")
    page = read(client, url("me", event), "it")
    assert "capo giudice" in page
    assert REASON in page


WHEN = datetime(2026, 12, 5, 10, tzinfo=UTC)


def decision(*seats):
    return LoggedCorrection(
        at=WHEN,
        reason="",
        stage="cut",
        seats=tuple({"group": "A", "seat": 1, "out": out, "in": come} for out, come in seats),
        matches=frozenset(),
        taken_out=0,
        deleted_rounds=(),
    )


def test_whoever_moves_up_comes_for_who_is_out():
    moved = decision((2, 3), (3, 6))
    assert moved.came_for(2) == 6
    assert moved.came_for(6) is None
    assert decision((2, 3), (3, None)).came_for(2) is None
    assert decision((2, 3), (3, 2)).came_for(2) in (2, 3)


@pytest.mark.deep
@pytest.mark.django_db
def test_who_goes_on_because_somebody_left_reads_who_it_was(by, in_english):
    event = make.halfway(by, 8, rounds=3, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    (stage, _later) = load_facts(event).stages
    (table,) = stage.outcome.standings.values()
    first, *others = [row.player for row in table.rows]
    assert {moved_up_text(load_facts(event), number) for number in others} == {""}
    gone = event.entries.get(number=first)
    departures.withdraw(entry=gone, by=by)
    facts = load_facts(event)
    came = {*facts.stages[0].outcome.places.values()} - {others[0]}
    told = {number: words for number in others if (words := moved_up_text(facts, number))}
    assert told == dict.fromkeys(came, f"You advance in place of {gone.name}.")
    assert len(told) == 1
