"""Drafts and seatings of tables, and faults planted in both."""

import io
import re

import pytest
from django.test import Client
from pypdf import PdfReader

from rules.drafts.tables import edit_cost, exchange_players
from rules.errors import RuleError
from rules.stages import table_cut
from rules.tables.results import UNITS, TablePoints
from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.names import listed_name
from tournaments.drafts.selectors import draft_check
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.models import Event, Match, MatchSeat, Report, Round
from tournaments.players.services.departures import withdraw
from tournaments.rounds.selectors.discards import draft_matches, state_before_draft
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.rounds.services import draft_round, publish_round
from tournaments.screen.selectors import default_parts
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(by):
    """Seven after a round at tables of four and three: the second round as a draft."""
    event = make.halfway(by, 7, **make.TABLES)
    return draft_round(event=event, expected_round=2, by=by)


def seats(round_: Round) -> dict[int, list[int]]:
    """Return the players of each match by its number, in the order of their seats."""
    numbers = dict(round_.event.entries.values_list("pk", "number"))
    return {match.number: [numbers[key] for key in match.seats] for match in round_.matches.all()}


def changed(round_: Round, by: object, **asked: object) -> Round:
    request = ChangeRequest(**asked)  # type: ignore[arg-type]
    event = Event.objects.get(pk=round_.event_id)
    return change_draft(event=event, ordinal=round_.ordinal, asked=request, by=by)  # type: ignore[arg-type]


def test_two_are_exchanged_seat_for_seat_and_the_cost_is_counted_again(draft, by):
    before = seats(draft)
    four, three = sorted(before, key=lambda number: -len(before[number]))
    one, other = before[four][1], before[three][0]
    changed(draft, by, action="swap", players=(one, other), note="They came by one car")
    after = seats(draft)
    assert after[four] == [other if player == one else player for player in before[four]]
    assert after[three] == [one if player == other else player for player in before[three]]
    draft.refresh_from_db()
    assert draft.cost["proven"] is False
    published = publish_round(event=Event.objects.get(pk=draft.event_id), ordinal=2, by=by)
    assert all(match.reason["by_hand"] for match in published.matches.all())
    assert [str(found) for found in verify_event(draft.event)] == []


def test_who_left_since_the_draft_still_counts_in_what_its_tables_cost(draft, by):
    first, second = seats(draft).values()
    withdraw(entry=draft.event.entries.get(number=first[0]), by=by)
    changed(draft, by, action="swap", players=(first[1], second[0]))
    assert [str(found) for found in verify_event(draft.event)] == []
    publish_round(event=Event.objects.get(pk=draft.event_id), ordinal=2, by=by)
    assert [str(found) for found in verify_event(draft.event)] == []


def test_an_undone_exchange_brings_back_seats_and_cost(draft, by):
    before, cost = seats(draft), Round.objects.get(pk=draft.pk).cost
    first, second = before.values()
    changed(draft, by, action="swap", players=(first[0], second[0]))
    assert seats(draft) != before
    event = Event.objects.get(pk=draft.event_id)
    undo(event=event, expected=event.version, by=by)
    assert seats(draft) == before
    assert Round.objects.get(pk=draft.pk).cost == cost
    assert [str(found) for found in verify_event(draft.event)] == []


def test_a_player_moves_where_both_tables_then_have_an_allowed_size(draft, by):
    before = seats(draft)
    four, three = sorted(before, key=lambda number: -len(before[number]))
    pk = {match.number: match.pk for match in draft.matches.all()}
    refused = make.refusal(
        changed, draft, by, action="move", players=(before[three][0],), matches=(pk[four],)
    )
    assert refused == "table_full"
    changed(draft, by, action="move", players=(before[four][0],), matches=(pk[three],))
    after = seats(draft)
    assert after[three] == [*before[three], before[four][0]]
    assert after[four] == before[four][1:]
    refused = make.refusal(changed, draft, by, action="bye", players=(after[four][0],))
    assert refused == "size_not_allowed"


def test_a_bye_takes_a_player_from_a_table_of_four(draft, by):
    before = seats(draft)
    four = max(before, key=lambda number: len(before[number]))
    player = before[four][2]
    changed(draft, by, action="bye", players=(player,))
    after = seats(draft)
    assert [player] in after.values()
    assert after[four] == [one for one in before[four] if one != player]
    bye = draft.matches.exclude(match_seats__number=2).get()
    assert (bye.state, bye.table) == (Match.State.FINAL, None)
    with pytest.raises(RuleError, match="no longer possible"):
        changed(draft, by, action="bye", players=(player,))
    publish_round(event=Event.objects.get(pk=draft.event_id), ordinal=2, by=by)
    assert [str(found) for found in verify_event(draft.event)] == []


def test_broken_tables_leave_their_players_to_be_placed(draft, by):
    match = min(draft.matches.all(), key=lambda each: each.size)
    left = seats(draft)[match.number]
    changed(draft, by, action="break", matches=(match.pk,))
    event = Event.objects.get(pk=draft.event_id)
    facts = load_facts(event)
    stage, item = facts.round_at(2)
    check = draft_check(facts, stage, item)
    assert sorted(entry.number for entry, _points in check.unpaired) == sorted(left)
    with pytest.raises(RuleError, match="Pair these players"):
        publish_round(event=event, ordinal=2, by=by)


def test_acts_of_two_are_none_of_tables_and_the_order_of_seats_is_asked(draft, by):
    for action in ("meet", "repair"):
        assert make.refusal(changed, draft, by, action=action, players=(1, 2)) == "bad_change"
    before = seats(draft)
    number, table = next(iter(before.items()))
    changed(draft, by, action="order", players=tuple(reversed(table)))
    assert seats(draft)[number] == table[::-1]
    assert make.refusal(changed, draft, by, action="order", players=tuple(table[1:])) == "bad_order"


def test_the_check_list_and_the_price_of_an_exchange_say_who_meets_again(draft, by):
    facts = load_facts(Event.objects.get(pk=draft.event_id))
    stage, item = facts.round_at(2)
    codes = [line.remark.code for line in draft_check(facts, stage, item).lines]
    assert codes.count("rematch") == draft.cost["repeats"] == 3
    assert codes.count("small_again") == 1
    before = state_before_draft(facts, stage, item)
    drafted = draft_matches(facts, stage, item)
    prices = {}
    for one in drafted[0].seats:
        for other in drafted[1].seats:
            change = exchange_players(drafted, one, other, fixed={})
            prices[one, other] = edit_cost(before, change, (one, other))
    assert min(price.repeats for price in prices.values()) >= 3
    assert not any(price.free for price in prices.values())


def test_the_page_of_a_draft_has_a_column_a_seat_and_says_what_it_costs(draft, by):
    page = text(signed_in(by).get(url("desk-round", draft.event, 2)))
    assert "Rematches: 3 (fewest possible)" in page
    assert "At a small table again: 1" in page
    assert re.findall(r'<th scope="col">Seat (\d)', page) == ["1", "2", "3", "4"]
    assert "table of 3" in page
    assert "Player 2" not in page
    assert re.findall(r'name="action" value="(\w+)"', page) == [
        *("swap", "price", "order", "move", "bye", "break", "table")
    ]
    assert len(re.findall(r"data-small", page)) == 3
    first, second = seats(draft).values()
    changed(draft, by, action="swap", players=(first[0], second[0]))
    page = text(signed_in(by).get(url("desk-round", draft.event, 2)))
    assert "fewest possible" not in page
    assert "Rematches: " in page


def test_a_first_round_meets_nobody_again(by):
    event = make.started(by, 7, **make.TABLES)
    item = draft_round(event=event, expected_round=1, by=by)
    page = text(signed_in(by).get(url("desk-round", item.event, 1)))
    assert "Rematches: 0 (fewest possible)" in page
    assert "At a small table again: 0" in page


@pytest.mark.deep
def test_without_a_script_a_swap_says_its_price_before_it_is_made(draft, by):
    client, before = signed_in(by), seats(draft)
    four, three = sorted(before.values(), key=len, reverse=True)
    page = url("desk-change", draft.event, draft.ordinal)
    sent = {"expected": draft.event.version, "action": "price"}

    def priced(*players: int) -> tuple[int, str]:
        answer = client.post(page, sent | {"player": players})
        told = re.search(r'class="draft-told"[^>]*>([^<]*)<', text(answer))
        return answer.status_code, told[1] if told else ""

    found = {priced(one, other) for one in four for other in three}
    assert {status for status, _words in found} == {200}
    assert {words for _status, words in found} == {f"Rematches: {n}" for n in (3, 4, 6)}
    assert priced(four[0]) == (400, ""), "two are to be chosen"
    assert seats(draft) == before
    assert [str(each) for each in verify_event(draft.event)] == []


@pytest.fixture
def event(by):
    """Return an event of five: a table of four, and a bye."""
    return make.playing(by, 5, **make.TABLES)


def text_of(answer):
    """Return the words of a page, without its tags."""
    return re.sub(r"<[^>]+>", " ", answer.content.decode())


def players_at(event):
    return (
        Match.objects.exclude(match_seats__number=5)
        .get(round__event=event, match_seats__number=4)
        .players
    )


def sheet(event, by, name):
    client = signed_in(by)
    answer = client.get(f"/events/{event.slug}/print/{name}.pdf")
    assert answer.status_code == 200
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def test_each_player_has_a_seat_and_the_rest_a_bye(event):
    shown = pairings_page(load_facts(event, for_staff=False))
    seats = {row.entry.pk: (row.seat, len(row.others)) for row in shown.names}
    expected = {player.pk: (at, 3) for at, player in enumerate(players_at(event), start=1)}
    assert sorted(seats.values(), key=str) == [(1, 3), (2, 3), (3, 3), (4, 3), (None, 0)]
    assert expected.items() <= seats.items()


def test_the_page_says_seats_and_who_begins(event):
    client = Client(headers={"accept-language": "en"})
    text = text_of(client.get(url("pairings", event)))
    numbers = re.findall(
        r'<i class="seat-number">(\d)</i>', client.get(url("pairings", event)).content.decode()
    )
    assert numbers == ["1", "2", "3", "4"]
    assert text.count("goes first") == 1
    names = [player.display_name for player in players_at(event)]
    by_table = text.rpartition("By table")[2]
    assert sorted(names, key=by_table.index) == names


def test_two_who_play_have_an_opponent_and_no_seat(by):
    event = make.playing(by, 4, formula="swiss-cut")
    shown = pairings_page(load_facts(event, for_staff=False))
    assert {(row.seat, len(row.others)) for row in shown.names} == {(None, 1)}
    text = text_of(Client().get(url("pairings", event)))
    assert "goes first" not in text


def test_few_tables_are_on_the_screen_by_table_and_many_by_name(event, by, monkeypatch):
    screen = default_parts(load_facts(event, for_staff=False))
    assert [row.table for column in screen.tables for row in column] == [1, None]
    assert screen.names == ()
    client = Client(headers={"accept-language": "en"})
    drawn = client.get(url("screen", event)).content.decode()
    assert drawn.count('class="seat-number begins">1<') == 1
    assert "Seat 1 goes first" in drawn
    assert "Small number: your seat" in drawn
    monkeypatch.setattr("tournaments.screen.selectors.FEW_TABLES", 1)
    screen = default_parts(load_facts(event, for_staff=False))
    assert screen.tables == ()
    assert len([row for page in screen.names for c in page["columns"] for row in c]) == 5


@pytest.mark.deep
def test_paper_says_seats_and_who_begins(event, by):
    names = [listed_name(player) for player in players_at(event)]
    by_name = sheet(event, by, "pairings")
    assert [by_name.count(f"Seat {seat}") for seat in (1, 2, 3, 4)] == [1, 1, 1, 1]
    assert "Seat 1 · begins" in by_name
    for name, words in (
        ("tables", ("begins",)),
        ("slips", ("begins", "Drawn between", "concedes")),
    ):
        text = sheet(event, by, name)
        order = [text.index(str(each.surname)) for each in names]
        assert order == sorted(order), name
        assert all(word in text for word in words)
    assert all(str(each.surname) in sheet(event, by, "blank") for each in names)


WITH_BYES = make.TABLES | {"options": {"rounds": 2, "cut": 4, "sizes": [4]}}


def seats_of(match):
    return list(MatchSeat.objects.filter(match=match).order_by("number"))


def seat_players(rows, players):
    """Let these players sit on the seats of some rows."""
    MatchSeat.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row, player in zip(rows, players, strict=True):
        row.entry_id = player
        row.save(force_insert=True)


def second_round(event):
    return Match.objects.filter(round__event=event, round__ordinal=2)


def another_cost(event, _patch):
    item = Round.objects.get(event=event, ordinal=2)
    item.cost["spread"] += 1
    item.save()


def another_order_of_seats(event, _patch):
    rows = seats_of(second_round(event).filter(match_seats__number=4).first())
    seat_players(rows, [row.entry_id for row in reversed(rows)])


def another_bye(event, _patch):
    rows = [
        *seats_of(second_round(event).exclude(match_seats__number=2).get()),
        seats_of(second_round(event).filter(match_seats__number=4)[0])[0],
    ]
    seat_players(rows, [row.entry_id for row in reversed(rows)])


def nobody_on_a_seat(event, _patch):
    match = second_round(event).filter(match_seats__number=4).first()
    seats_of(match)[-1].delete()
    for report in Report.objects.filter(match=match):
        report.places = report.places[:3]
        report.save()


def points_too_many(_event, patch):
    usual = TablePoints.of
    patch.setattr(
        TablePoints, "of", lambda self, table: tuple(n + UNITS for n in usual(self, table))
    )


def another_order_of_the_cut(_event, patch):
    usual = table_cut.cut_order
    patch.setattr(table_cut, "cut_order", lambda state: usual(state)[::-1])


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (another_cost, "table_cost"),
        (another_order_of_seats, "table_seats"),
        (another_bye, "table_byes"),
        (nobody_on_a_seat, "table_sizes"),
        (points_too_many, "standings"),
        (another_order_of_the_cut, "order"),
    ],
)
def test_a_fault_at_tables_is_found(by, monkeypatch, plant, check):
    event = make.played(by, 9, **WITH_BYES | {"table_points": {"preset": "places"}})
    plant(event, monkeypatch)
    assert check in {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}
