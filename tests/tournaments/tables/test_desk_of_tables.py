"""The desk of tables: seats are buttons, the line says names, who is absent is said first."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from rules.matches.match_rules import Claim
from rules.results import MatchEnding, SeatMark, Winner
from tests import factories as make
from tests.browsers import ENGLISH, signed_in, text, url
from tests.reporting import row_at_desk
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.matches.selectors import sides_absent_last_round
from tournaments.models import Event, Match
from tournaments.models.play import matches_with_players
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.players.services.entries import change_entry
from tournaments.results.services.reports import confirm_result, dispute_result, report_result
from tournaments.results.services.results import decide_result, mark_absent
from tournaments.rounds.selectors.desk_rows import load_round_reports, round_desk_rows
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 4, **make.TABLES)


def match_of(event):
    return Match.objects.select_related("round__event", "group__stage").get(round__event=event)


def names(event):
    return [player.display_name for player in match_of(event).players]


def row(event):
    with override("en"):
        return row_at_desk(match_of(event))


def tones(event):
    return [(seat.words, seat.tone) for seat in row(event).seats]


def test_each_seat_is_a_button_that_says_it_won(event, by):
    client, match = signed_in(by), match_of(event)
    page = text(client.get(url("desk", event)))
    assert re.findall(r'seat "\s+name="text" value="(\d)"', page) == ["1", "2", "3", "4"]
    assert "Tap the winner" in page
    client.post(url("desk-save", event, match.pk), {"version": 0, "text": "3"})
    assert match_of(event).decision.places == [2, 2, 1, 2]
    assert tones(event) == [("", ""), ("", ""), ("Winner", "won"), ("", "")]
    assert 'value="3"' not in text(client.get(url("desk", event))).partition("data-match")[2]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3", "{2} wins · Points: {2} 5 · {0}, {1}, {3} 0"),
        ("3124", "1st {2}, 2nd {0}, 3rd {1}, 4th {3} · Points: {2} 5 · {0}, {1}, {3} 0"),
        ("=13", "A draw: {0} – {2} · Points: {0}, {2} 1 · {1}, {3} 0"),
        ("0", "Nobody wins · Points: {0}, {1}, {2}, {3} 0"),
        ("1 a2", "{0} wins, absent: {1} · Points: {0} 5 · {1}, {2}, {3} 0"),
    ],
)
def test_the_line_says_names_and_stores_nothing(event, by, typed, said):
    answer = signed_in(by).get(url("desk-said", event, match_of(event).pk), {"text": typed})
    assert (answer.status_code, text(answer)) == (200, said.format(*names(event)))
    assert match_of(event).version == 0


def test_a_long_name_keeps_its_surname_and_tells_two_of_a_table_apart(event, by):
    named = ("Massimiliano Rossi", "Maria Antonietta Rossi", "Bartolomeo Riva", "Ada Conti")
    for player, name in zip(match_of(event).players, named, strict=True):
        change_entry(entry=player, changes={"name": name}, by=by)
    cells = row(event).seats
    assert [cell.short for cell in cells] == [*named[:2], "B. Riva", "Ada Conti"]
    assert [cell.name for cell in cells] == [*named]


def test_the_line_says_why_a_result_cannot_be(event, by):
    answer = signed_in(by).get(url("desk-said", event, match_of(event).pk), {"text": "25"})
    assert answer.status_code == 400
    assert "There is no seat 5." in text(answer)


@pytest.mark.deep
def test_a_report_is_shown_at_its_seat_with_how_many_agree(event, by):
    first, second, third, _fourth = match_of(event).players
    report_result(match=match_of(event), claim=Claim(first=2), by=Actor(entry=first))
    assert tones(event)[1] == ("Winner", "claimed")
    assert row(event).agreed == "Agreed: 1 of 3"
    confirm_result(match=match_of(event), version=1, by=Actor(entry=third))
    assert row(event).agreed == "Agreed: 2 of 3"
    assert ">Accept<" in re.sub(r"\s*([<>])\s*", r"\1", text(signed_in(by).get(url("desk", event))))
    dispute_result(match=match_of(event), version=2, by=Actor(entry=second))
    assert [tone for _words, tone in tones(event)] == ["", "disputed", "", ""]


def test_what_became_of_each_seat_is_shown_and_a_correction_begins_with_it(event, by):
    client, match = signed_in(by), match_of(event)
    client.post(url("desk-save", event, match.pk), {"version": 0, "text": "=13 a4"})
    assert tones(event) == [("draw", "drawn"), ("", ""), ("draw", "drawn"), ("absent", "away")]
    page = text(client.get(url("match-correct", event, match.pk)))
    assert 'value="=13 a4"' in page
    assert re.findall(r'name="drawn" value="(\d)" checked', page) == ["1", "3"]
    assert re.findall(r'name="absent" value="(\d)" checked', page) == ["4"]
    sent = {"version": match_of(event).version, "press": "2", "text": "=13 a4"}
    effects = client.post(url("match-correct", event, match.pk), sent, headers=ENGLISH)
    assert effects.status_code == 200
    assert f"{names(event)[1]} wins" in text(effects)


def test_a_seat_whose_player_left_is_named_and_the_others_play_on(event, by):
    left = match_of(event).players[1]
    left.event = event
    withdraw(entry=left, by=by)
    assert tones(event)[1] == ("no longer plays", "away")
    assert row(event).agreed == "Present: 3 of 4"


def test_a_dispute_is_decided_by_one_tap(event, by):
    first, second, *_others = match_of(event).players
    report_result(match=match_of(event), claim=Claim(first=1), by=Actor(entry=first))
    report_result(match=match_of(event), claim=Claim(drawn=(2, 3)), by=Actor(entry=second))
    assert [version["typed"] for version in row(event).versions] == ["1", "=23"]
    client, match = signed_in(by), match_of(event)
    page = text(client.get(url("desk", event)))
    buttons = re.findall(r'name="report" value="(\d)"\s+title="([^"]+)">([^<]+)<', page)
    assert [(title.partition(" ")[0], label) for _version, title, label in buttons] == [
        (first.display_name.partition(" ")[0], "1"),
        ("A", "=23"),
    ]
    chosen = {"version": match.version, "report": buttons[1][0]}
    assert client.post(url("match-take", event, match.pk), chosen).status_code == 302
    assert match_of(event).decision.places == [3, 1, 1, 3]


@pytest.mark.parametrize(
    ("sent", "places", "absent"),
    [
        ({"press": "2"}, [2, 1, 2, 2], []),
        ({"press": "drawn", "drawn": ["1", "3"]}, [1, 3, 1, 3], []),
        ({"press": "drawn", "drawn": ["1", "3", "4"], "absent": ["4"]}, [1, 3, 1, None], ["4"]),
        ({"press": "1", "absent": ["2", "3"]}, [1, None, None, 2], ["2", "3"]),
        ({"press": "order", **{f"place_{s}": p for s, p in enumerate("2114", start=1)}},
         [3, 1, 1, 4], []),
        ({"press": "nobody"}, [2, 2, 2, 2], []),
        ({"text": "2143"}, [2, 1, 4, 3], []),
        ({"text": "3", "absent": ["1"]}, [None, 2, 1, 2], ["1"]),
    ],
)  # fmt: skip
def test_the_panel_takes_taps_ticks_and_what_is_typed(event, by, sent, places, absent):
    client, match = signed_in(by), match_of(event)
    answer = client.post(url("desk-result", event, match.pk), {"version": 0, "press": ""} | sent)
    assert answer.status_code == 302, text(answer)
    decision = match_of(event).decision
    assert decision.places == places
    assert sorted(decision.marks or ()) == absent


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Choose one of the options."),
        ({"press": "drawn", "drawn": ["2"]}, "A drawn match needs at least two players."),
        ({"press": "drawn"}, "A drawn match needs at least two players."),
        ({"press": "order", "place_1": "1"}, "Enter a place for seat 2."),
        ({"press": "2", "absent": ["2"]}, "The player in seat 2 has left or is absent."),
    ],
)
def test_the_panel_says_why_a_result_cannot_be_and_keeps_what_was_ticked(event, by, sent, said):
    address = url("desk-result", event, match_of(event).pk)
    answer = signed_in(by).post(address, {"version": 0} | sent, headers=ENGLISH)
    assert answer.status_code == 400
    assert said in text(answer)
    ticked = re.findall(r'name="absent" value="(\d)" checked', text(answer))
    assert ticked == sent.get("absent", [])
    assert match_of(event).version == 0


def test_who_is_absent_can_be_withdrawn_at_once(event, by):
    sent = {"version": 0, "press": "1", "absent": ["4"], "leaves": "on"}
    signed_in(by).post(url("desk-result", event, match_of(event).pk), sent)
    assert [player.plays for player in match_of(event).players] == [True, True, True, False]


def test_ticks_of_a_draw_are_asked_with_all_who_are_there(event, by):
    page = signed_in(by).get(url("desk-result", event, match_of(event).pk), {"pick": "drawn"})
    assert re.findall(r'name="drawn" value="(\d)" checked', text(page)) == ["1", "2", "3", "4"]
    assert "data-focus" in text(page)


@pytest.mark.deep
def test_where_points_go_by_place_seats_are_tapped_in_their_order(by):
    event = make.playing(by, 4, **make.TABLES, table_points={"preset": "places"})
    client, match = signed_in(by), match_of(event)
    page = text(client.get(url("desk", event), headers=ENGLISH))
    assert "Tap in finishing order" in page
    assert 'data-places="1st 2nd 3rd 4th"' in page
    assert re.findall(r'data-seat="(\d)"', page) == ["1", "2", "3", "4"]
    one = client.get(url("desk-said", event, match.pk), {"text": "2"}, headers=ENGLISH)
    first, second, third, fourth = names(event)
    assert text(one) == f"{second} wins · Points: {second} 4 · {first}, {third}, {fourth} 2"
    panel = text(client.get(url("desk-result", event, match.pk), {"first": "3"}))
    assert re.findall(r'name="place_(\d)" value="(\d)"\s+checked', panel) == [("3", "1")]
    client.post(url("desk-save", event, match.pk), {"version": 0, "text": "3124"})
    assert [words for words, _tone in tones(event)] == ["2nd", "3rd", "1st", "4th"]


@pytest.mark.deep
def test_reports_by_accounts_cost_one_query_for_all_tables(by):
    event = make.playing(by, 8, **make.TABLES)
    counts = []
    for match in Match.objects.filter(round__event=event).order_by("table"):
        player = match.players[0]
        player.user = make.user()
        player.save()
        match = Match.objects.select_related("round__event", "group__stage").get(pk=match.pk)
        report_result(match=match, claim=Claim(first=1), by=Actor(user=player.user))
        facts = load_facts(event)
        stage = facts.open_stage
        reports = load_round_reports(stage.rounds[0])
        with CaptureQueriesContext(connection) as asked:
            rows = round_desk_rows(facts, stage, stage.rounds[0], reports)
        counts.append(len(asked))
    assert counts == [1, 1]
    assert [each.agreed for each in rows] == ["D’accordo: 1 su 3"] * 2


@pytest.mark.deep
def test_who_missed_a_table_is_known_at_the_match_of_two_after_it(by):
    event = make.playing(
        by, 6, **make.TABLES | {"options": {"rounds": 2, "cut": 4, "sizes": [4, 2]}}
    )
    four, two = sorted(Match.objects.filter(round__event=event), key=lambda match: -match.size)
    here, absent = four.seats[0], tuple((seat, SeatMark.ABSENT) for seat in (2, 3, 4))
    decide_result(match=four, version=0, claim=Claim(marks=absent), by=by)
    decide_result(
        match=two, version=0, claim=Claim(winner=Winner.A, ended_by=MatchEnding.NO_SHOW), by=by
    )
    came = {here, two.seats[0]}
    (match,) = make.next_round(event, by).matches.of_two()
    expected = [side for player, side in zip(match.seats, "ab", strict=True) if player not in came]
    assert sides_absent_last_round(match) == "".join(expected) != ""


class Desk:
    """The desk of an event whose first round has one table of four."""

    def __init__(self, by: Actor, **settings: object) -> None:
        self.event = make.playing(by, 4, **make.TABLES, **settings)
        self.by, self.client = by, signed_in(by)

    @property
    def match(self) -> Match:
        found = Match.objects.select_related("round__event", "group__stage", "decision")
        return found.get(round__event=self.event)

    def post(self, name: str, **sent: object) -> int:
        sent = {"version": self.match.version, **sent}
        return self.client.post(url(name, self.event, self.match.pk), sent).status_code

    def seats(self) -> list[str]:
        with override("en"):
            return [seat.words for seat in row_at_desk(self.match).seats]

    def player(self, seat: int) -> Actor:
        return Actor(entry=self.match.players[seat - 1])

    def found(self) -> list[str]:
        return [str(each) for each in verify_event(Event.objects.get(pk=self.event.pk))]


@pytest.fixture
def desk(by):
    return Desk(by)


@pytest.mark.deep
def test_the_line_says_who_is_absent_and_the_others_play_on(desk, by):
    third = desk.match.players[2]
    said = desk.client.get(url("desk-said", desk.event, desk.match.pk), {"text": "a3"})
    assert (said.status_code, text(said)) == (
        200,
        f"absent: {third.display_name}",
    )
    mark = row_at_desk(desk.match).mark
    assert desk.post("desk-save", text="a3") == 302
    assert row_at_desk(desk.match).mark != mark  # another desk asks for the row
    assert (desk.match.state, desk.match.absent, desk.seats()[2]) == (
        "open",
        [third.number],
        "absent",
    )
    assert "3" in row_at_desk(desk.match).agreed
    page = text(desk.client.get(url("desk", desk.event)))
    assert re.findall(r'name="text" value="(\d)"\s+disabled', page) == ["3"]
    assert desk.post("desk-save", text="a4") == 302
    assert desk.seats() == ["", "", "absent", "absent"]
    undo(event=desk.event, expected=desk.event.log.last().number, by=by)
    assert desk.match.absent == [third.number]
    assert desk.post("desk-save", text="2") == 302
    assert (desk.match.decision.places, desk.match.decision.marks) == (
        [2, 1, None, 2],
        {"3": "absent"},
    )
    assert desk.found() == []


@pytest.mark.deep
def test_who_comes_after_all_is_ticked_away_with_the_result_or_before(desk):
    desk.post("desk-result", press="absent", absent=["2", "3"])
    second, third = (desk.match.players[seat].number for seat in (1, 2))
    assert desk.match.absent == [second, third]
    assert desk.post("desk-save", text="3") == 400, "seat 3 is absent"
    page = text(desk.client.get(url("desk-result", desk.event, desk.match.pk)))
    ticked = re.findall(r'type="checkbox" name="(absent|drawn)"[^>]* checked', page)
    assert sorted(ticked) == ["absent", "absent", "drawn", "drawn"], "two absent, two still in"
    desk.post("desk-result", press="absent", absent=["2"])
    assert desk.match.absent == [second]
    desk.post("desk-result", press="3")
    assert (desk.match.decision.places, desk.match.decision.marks) == ([2, 2, 1, 2], None)
    assert desk.found() == []


@pytest.mark.deep
def test_nobody_waits_for_who_is_absent(desk):
    report_result(match=desk.match, claim=Claim(first=1), by=desk.player(1))
    confirm_result(match=desk.match, version=1, by=desk.player(2))
    assert desk.match.state == "reported"
    desk.post("desk-save", text="a4")
    match = desk.match
    assert (match.state, match.decision.places) == ("final", [1, 2, 2, None])
    assert match.decision.marks == {"4": "absent"}
    assert desk.found() == []
    undo(event=desk.event, expected=desk.event.log.last().number, by=desk.by)
    assert (desk.match.state, desk.match.absent) == ("reported", [])
    assert desk.found() == []


def test_reports_of_before_and_after_an_absence_agree_on_what_the_others_did(desk):
    report_result(match=desk.match, claim=Claim(drawn=()), by=desk.player(1))
    desk.post("desk-save", text="a4")
    report_result(match=desk.match, claim=Claim(drawn=()), by=desk.player(2))
    assert (desk.match.state, desk.match.decision.places) == ("final", [1, 1, 1, None])
    assert desk.found() == []


def test_where_the_disqualified_had_won_a_judge_decides(desk, by):
    report_result(match=desk.match, claim=Claim(first=4), by=desk.player(1))
    confirm_result(match=desk.match, version=1, by=desk.player(2))
    disqualify(entry=desk.match.players[3], reason="Cheating", by=by)
    assert desk.match.state == "reported"
    refused = make.refusal(confirm_result, match=desk.match, version=2, by=desk.player(3))
    assert refused == "impossible_result"
    assert desk.found() == []


def test_where_one_is_left_that_is_a_result(desk):
    desk.post("desk-save", text="a4")
    claim = Claim(marks=((2, SeatMark.ABSENT), (3, SeatMark.ABSENT)))
    refused = make.refusal(mark_absent, match=desk.match, version=0, claim=claim, by=desk.by)
    assert refused == "impossible_result"
    desk.post("desk-save", text="a23")
    assert (desk.match.state, desk.match.decision.places) == ("final", [1, None, None, None])
    assert desk.found() == []


def test_who_drops_at_a_table_leaves_the_others_playing(event, by):
    match = next(each for each in matches_with_players(round__event=event) if each.size == 4)
    gone = match.players[0]
    leave = url("match-leave", event, match.pk)
    sent = {"number": gone.number, "action": "withdraw", "back": "desk"}
    answer = signed_in(by).post(leave, sent, follow=True)
    assert f"Saved: {gone.name}" in text(answer)
    assert Match.objects.get(pk=match.pk).state == Match.State.OPEN
