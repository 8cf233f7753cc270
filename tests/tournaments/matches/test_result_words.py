"""The words of results, and the seats of matches."""

import re
from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from rules.matches.match_rules import Claim, MatchRules
from rules.matches.shorthand import parse_shorthand
from rules.results import MatchEnding, TieBreak, Winner, outcome_by_winner
from tests import factories as make
from tests.browsers import by_link, page, read, signed_in, text, url
from tests.tournaments.exports.books import book, rows
from tournaments.core.event_state import load_facts
from tournaments.core.labels import tie_break_label
from tournaments.core.mapping import report_from_outcome
from tournaments.core.permissions import Actor
from tournaments.core.rows import match_rows
from tournaments.matches.words import (
    describe_own_result,
    result_sentence,
    result_text,
    result_with_names,
)
from tournaments.models import Event, KeptRows, Match, MatchSeat, Round
from tournaments.models.play import matches_with_players
from tournaments.players.services.late_entries import add_late_entry
from tournaments.results.forms.desk import initial_result_values
from tournaments.results.services import results
from tournaments.rounds.services import discard_round
from tournaments.undo.services import restore_rows
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(by: Actor) -> Match:
    """Return a match of three games at table 1."""
    event = make.playing(by, 4, formula="single-group", format="creatures-of-exo")
    return event.rounds.get().matches.get(table=1)


def decided(match: Match, by: Actor, **claim) -> Match:
    return results.decide_result(match=match, version=0, claim=Claim(**claim), by=by)


@pytest.mark.parametrize("winner", ["a", "b"])
def test_who_did_not_come_is_named_absent(match: Match, by: Actor, winner: str) -> None:
    decided(match, by, winner=Winner(winner), ended_by=MatchEnding.NO_SHOW)
    won, absent = match.players if winner == "a" else (match.players[1], match.players[0])
    event = match.round.event
    desk = page(signed_in(by), "desk", event)
    assert f"{absent.name} is absent" in desk
    assert 'class="desk-row final where"' in desk
    assert f"{won.name} is absent" not in desk
    shown = page(signed_in(by), "match", event, match.pk)
    assert f"{won.name} wins: {absent.name} is absent" in shown
    assert f"{absent.name} is absent" in page(signed_in(by), "pairings", event)
    italian = read(signed_in(by), url("match", event, match.pk), "it")
    assert f"vince {won.name}: assente {absent.name}" in italian


@pytest.mark.parametrize(
    ("ended_by", "words"),
    [(MatchEnding.CONCESSION, "concedes"), (MatchEnding.DISQUALIFICATION, "is disqualified")],
)
def test_who_gave_in_or_had_to_go_is_named(match: Match, by: Actor, ended_by, words) -> None:
    decided(match, by, games=("b",), winner=Winner.A, ended_by=ended_by)
    shown = page(signed_in(by), "match", match.round.event, match.pk)
    assert f"{match.players[0].name} wins: 0–1, {match.players[1].name} {words}" in shown


def test_the_figures_of_the_winner_come_first(match: Match, by: Actor, in_english) -> None:
    decided(match, by, score=(0, 2))
    report = Match.objects.get(pk=match.pk).decision
    names = (match.players[0].name, match.players[1].name)
    assert result_with_names(report, *names) == f"{match.players[1].name} wins: 2–0"
    report.games_drawn = 1
    assert result_with_names(report, *names) == f"{match.players[1].name} wins: 2–0–1"


def test_a_level_score_says_what_decided_it(in_english) -> None:
    outcome = outcome_by_winner(
        Winner.A, MatchEnding.TIME, score=(33, 33), tie_break=TieBreak.EXTRA_TURNS
    )
    assert describe_own_result(outcome, "a") == f"you won 33–33, {tie_break_label('extra_turns')}"
    assert describe_own_result(outcome, "b") == f"you lost 33–33, {tie_break_label('extra_turns')}"


@pytest.mark.deep
def test_an_intentional_draw_is_called_so(match: Match, by: Actor, in_english) -> None:
    decided(match, by, games=("draw", "draw", "draw"))
    event = match.round.event
    assert "intentional draw (ID)" in page(signed_in(by), "desk", event)
    player = by_link(match.players[0], by)
    assert "intentional draw (ID)" in page(player, "me", event)
    report = Match.objects.get(pk=match.pk).decision
    assert result_with_names(report, "Ada", "Bea") == "Intentional draw (ID)"
    assert any("intentional draw (ID)" in row for row in rows(book(event)["Results"]))
    program = signed_in(by)
    matches = f"/api/v1/events/{event.slug}/matches"
    (told,) = program.get(f"{matches}/").json()["results"][:1]
    assert (told["games_won"], told["ended_by"]) == ([0, 0, 3], "agreed")
    csv = program.get(f"/api/v1/events/{event.slug}/matches.csv").content.decode()
    assert ("agreed" in csv, "time" in csv.replace("time_", "")) == (True, False)
    sent = {"version": told["version"], "games": ["draw"] * 3, "ended_by": "agreed", "note": "x"}
    again = program.put(f"{matches}/{told['id']}/result/", sent, "application/json")
    assert (again.status_code, again.json()["ended_by"]) == (200, "agreed")
    refused = program.put(
        f"{matches}/{told['id']}/result/", sent | {"games": ["a", "a"]}, "application/json"
    )
    assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result")
    report.games_a = report.games_b = report.games_drawn = 1
    assert result_with_names(report, "Ada", "Bea") == "A draw: 1–1–1"
    report.winner, report.ended_by = Winner.NONE, MatchEnding.DOUBLE_LOSS
    report.games_a = report.games_b = report.games_drawn = None
    assert result_with_names(report, "Ada", "Bea") == "Both lose"
    assert "pareggio concordato" in read(signed_in(by), url("desk", event), "it")


@pytest.mark.parametrize(("games", "typed"), [((2, 0, 0), "2-0"), ((1, 1, 1), "1-1-1")])
def test_a_form_is_filled_in_as_the_result_is_written(games, typed) -> None:
    outcome = outcome_by_winner(Winner.DRAW if games[2] else Winner.A, games_won=games)
    report = report_from_outcome(outcome)
    assert initial_result_values(report)["text"] == typed
    assert result_text(report) == typed.replace("-", "–")
    rules = MatchRules(best_of=3, draws=True, score="games", timed=True)
    whole = "-".join(map(str, games))
    assert parse_shorthand(whole, rules) == parse_shorthand(typed, rules)


@pytest.mark.deep
def test_a_round_has_one_number(by: Actor) -> None:
    """In a later stage too: the one that the buttons, the addresses and the API use."""
    event = make.started(by, 12)
    make.play_stage(event, by)
    make.close_stage(event, by)
    client = signed_in(by)
    client.post(url("desk-draft", event), {"expected_round": 4})
    draft = page(client, "desk-round", event, 4)
    assert "Round 4" in draft
    assert "Round 1" not in draft
    client.post(url("desk-publish", event, 4))
    assert "Round 4" in page(client, "desk", event)
    me = by_link(Event.objects.get(pk=event.pk).entries.get(number=1), by)
    seated = load_facts(event).stages[1].state.players
    if 1 in seated:
        assert "Round 4" in page(me, "me", event)
    assert "Turno 4" in read(client, url("pairings", event), "it")


def test_two_letters_are_no_drawn_match(match: Match, by: Actor) -> None:
    event, client = match.round.event, signed_in(by)
    desk = page(client, "desk", event)
    assert "+aba" in desk
    sent = {"ordinal": 1, "table": 1, "text": "ab"}
    refused = client.post(url("desk-quick", event), sent)
    assert refused.status_code == 400
    assert "To enter games in order, begin with a plus: +ab" in text(refused)
    match.refresh_from_db()
    assert match.decision is None
    assert client.post(url("desk-quick", event), sent | {"text": "+aba"}).status_code == 302
    match.refresh_from_db()
    assert match.decision.games == ["a", "b", "a"]


def test_a_conflict_names_who_entered_the_saved_result(match: Match, by: Actor) -> None:
    event, client = match.round.event, signed_in(by)
    save = url("desk-save", event, match.pk)
    as_script = {"headers": {"accept": "application/json", "accept-language": "en"}}
    client.post(save, {"version": 0, "text": "2-0"})
    for sender, version in ((client, 1), (signed_in(make.staff(event)), 0)):
        answer = sender.post(save, {"version": version, "text": "2-1"}, **as_script)
        assert (answer.status_code, answer.json()["status"]) == (409, "conflict")
        assert answer.json()["sentence"] == "Table 1 already has a different result. Choose one."
        told = " ".join(answer.json()["conflict"].split())
        assert re.search(rf"Saved at \d\d:\d\d:\d\d – <bdi>{by.user}</bdi>", told)
    form = url("match-correct", event, match.pk)
    sent = {"version": 0, "text": "2-1", "confirm": "yes", "reason": "slip"}
    stale = client.post(form, sent)
    assert stale.status_code == 409
    assert "This is no longer possible. Reload the page." in text(stale)


def test_a_draw_of_one_game_is_half_a_point_each(in_english) -> None:
    """Never 0–0, which in chess is what two have who both lose."""
    drawn = outcome_by_winner(Winner.DRAW, games_won=(0, 0, 1))
    assert describe_own_result(drawn, "a") == "you drew ½–½"
    assert result_sentence(drawn, "Ada", "Bice") == "A draw: ½–½"
    assert result_text(report_from_outcome(drawn)) == "½–½"


@pytest.mark.parametrize(
    ("ended_by", "words", "lost"),
    [
        (MatchEnding.NO_SHOW, "opponent: No-show", "you lost, No-show"),
        (MatchEnding.DISQUALIFICATION, "opponent: Disqualification", "you lost, Disqualif"),
    ],
)
def test_what_the_opponent_did_is_not_said_of_the_winner(ended_by, words, lost, in_english) -> None:
    won = outcome_by_winner(Winner.A, ended_by)
    assert describe_own_result(won, "a") == f"you won, {words}"
    assert describe_own_result(won, "b").startswith(lost)


numbering = import_module("tournaments.migrations.0035_number_seats")
SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 0}}


def of_three(event: Event) -> Match:
    """Store a match of three in place of the first two, as no service does yet."""
    first, other = Match.objects.of_two().filter(round__event=event)[:2]
    players = [*first.seats, other.seats[1]]
    other.delete()
    first.match_seats.all().delete()
    MatchSeat.objects.bulk_create(
        MatchSeat(round=first.round, match=first, entry_id=key, number=number)
        for number, key in enumerate(reversed(players), start=1)
    )
    return Match.objects.get(pk=first.pk)


def test_who_plays_has_the_seats_in_order(by):
    event = make.playing(by, 5, **SWISS)
    for match in Match.objects.filter(round__event=event):
        numbers = match.match_seats.order_by("number").values_list("number", flat=True)
        assert list(numbers) == list(range(1, match.size + 1))
        seated = match.match_seats.order_by("number").values_list("entry", flat=True)
        assert match.seats == tuple(seated)
        assert tuple(player.pk for player in match.players) == match.seats
        (row,) = [m for m in match_rows(event.pk)[match.round_id] if m.pk == match.pk]
        assert (row.size, row.seats) == (match.size, match.seats)


@pytest.mark.parametrize("number", [0, 6])
def test_a_match_has_seats_1_to_5(by, number):
    event = make.playing(by, 4, formula="single-group")
    seat = MatchSeat.objects.filter(round__event=event).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchSeat.objects.filter(pk=seat.pk).update(number=number)


def test_nobody_shares_a_seat(by):
    event = make.playing(by, 4, formula="single-group")
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchSeat.objects.filter(round__event=event).update(number=1)


def test_any_number_is_read_in_the_order_of_seats_without_a_query_more(
    by, django_assert_num_queries
):
    event = make.playing(by, 4, formula="single-group")
    with django_assert_num_queries(2):
        match_rows(event.pk)
    match = of_three(event)
    assert len(match.seats) == 3
    assert tuple(player.pk for player in match.players) == match.seats
    with django_assert_num_queries(2):
        (rows,) = match_rows(event.pk).values()
    assert [row.seats for row in rows if row.size == 3] == [match.seats]
    with django_assert_num_queries(1):
        (found,) = matches_with_players("round__event", pk=match.pk)
        assert (found.seats, found.players, found.size) == (match.seats, match.players, 3)
        assert found.round.event == event


def test_seats_exchanged_in_the_database_are_noticed(by):
    event = make.playing(by, 4, formula="single-group")
    one, other = Match.objects.filter(round__event=event)[0].match_seats.order_by("number")
    with connection.cursor() as cursor:
        for seat, number in ((one, 5), (other, 1), (one, 2)):
            cursor.execute(
                "UPDATE tournaments_matchseat SET number = %s WHERE id = %s", [number, seat.pk]
            )
    assert {found.check for found in verify_event(event)} & {"ledger", "chain", "pairings"}


def test_programs_are_told_seats_and_places(by):
    event = make.halfway(by, 5, **SWISS)
    add_late_entry(event=event, name="Zoe", missed="loss", by=by)
    shown = Client().get(f"/api/v1/events/{event.slug}/matches/").json()["results"]
    places = {"a": [1, 2], "b": [2, 1], "draw": [1, 1], "none": [2, 2], None: None}
    assert {row["winner"] for row in shown} >= {"a", "none"}
    for row in shown:
        assert row["seats"] == [side for side in (row["a"], row["b"]) if side]
        told = places[row["winner"]]
        assert row["places"] == (told and told[: len(row["seats"])])
    facts = load_facts(Event.objects.get(pk=event.pk))
    for stage in facts.stages:
        for played in stage.state.rounds:
            assert all(pairing.seats == result.seats for pairing, result in played)


@pytest.mark.deep
def test_rows_kept_before_seats_had_numbers_come_back_with_them(by):
    event = make.started(by, 5, **SWISS)
    item = make.next_round(event, by)
    seats = set(item.match_seats.values_list("entry", "number"))
    players = {match.number: match.seats for match in item.matches.all()}
    discard_round(event=Event.objects.get(pk=event.pk), ordinal=1, confirm="Round 1", by=by)
    kept = KeptRows.objects.filter(event=event).latest("line")
    for part in ("added", "removed"):
        for row in kept.rows[part].get("Match", {}).values():
            row |= {"a_id": players[row["number"]][0], "b_id": [*players[row["number"]], None][1]}
        for row in kept.rows[part].get("MatchSeat", {}).values():
            del row["number"]
    restore_rows(Event.objects.get(pk=event.pk), kept, by=by)
    assert set(Round.objects.get(event=event).match_seats.values_list("entry", "number")) == seats
    again = Match.objects.filter(round__event=event)
    assert {match.number: match.seats for match in again} == players
