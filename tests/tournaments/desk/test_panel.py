"""The panel of a match: tiles that are whole results, and acts that answer a script."""

from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from rules.errors import RuleError
from rules.matches.match_rules import Claim, MatchRules
from rules.results import MatchEnding, Points, Winner
from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.core.permissions import Actor
from tournaments.matches.selectors import sides_absent_last_round
from tournaments.models import Entry, Match, StaffRole
from tournaments.results.forms.desk import claim_from_button, result_buttons
from tournaments.results.services.results import decide_and_withdraw
from tournaments.rounds.selectors.desk_rows import preset_buttons

pytestmark = pytest.mark.django_db
THREE = MatchRules(best_of=3, draws=True, score="games", timed=True)
KNOCK_OUT = MatchRules(best_of=3, draws=False, score="games", timed=False)
POINTS = MatchRules(best_of=1, draws=True, score="promotion", timed=True)
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def match(by: Actor) -> Match:
    event = make.playing(by, 8, **SWISS)
    loaded = Match.objects.select_related("round__event", "group__stage")
    return loaded.get(round__event=event, table=1)


@pytest.fixture
def browser(by: Actor) -> Client:
    return signed_in(by)


def post(browser: Client, match: Match, name: str = "desk-result", **data: Any) -> Any:
    headers = data.pop("headers", {})
    return browser.post(url(name, match.round.event, match.pk), data, headers=headers)


def test_each_players_own_figures_come_first(in_english) -> None:
    tiles = result_buttons(THREE, "Anna Ricci", "Bruno Costa")
    assert [(tile.value, tile.words) for tile in tiles.b] == [
        ("0-2", "2–0"),
        ("1-2", "2–1"),
        ("0-1", "1–0"),
    ]
    assert tiles.b[0].says == "Bruno Costa wins: 2–0"
    assert [tile.words for tile in tiles.draws] == ["A draw 1–1", "Intentional draw (ID)"]
    assert tiles.unplayed[0].words == "Anna Ricci is absent"
    assert tiles.unplayed[0].says == "Bruno Costa wins: Anna Ricci is absent"


def test_a_tile_says_what_both_get_in_the_standings(in_english) -> None:
    tiles = result_buttons(THREE, "Anna Ricci", "Bruno Costa", Points(win=2, draw=1, loss=0))
    assert tiles.b[0].worth == "Points: Anna Ricci 0 · Bruno Costa 2"
    assert tiles.draws[0].worth == "Points: Anna Ricci 1 · Bruno Costa 1"
    assert {tile.value: tile.worth for tile in tiles.rare}["void"] == ""
    assert {tile.worth for tile in result_buttons(KNOCK_OUT, "Anna", "Bruno").a} == {""}


def test_a_player_is_called_by_the_whole_name_whichever_part_comes_first(in_english) -> None:
    tiles = result_buttons(THREE, "Ferrari Giulia", "Anna Sala")
    words = [tile.words for tile in (*tiles.unplayed, *tiles.rare)]
    assert "Ferrari Giulia is absent" in words
    assert "Anna Sala concedes" in words
    assert "Ferrari Giulia is awarded the win" in words


def test_a_knock_out_has_no_tile_for_a_draw_or_a_void_match() -> None:
    tiles = result_buttons(KNOCK_OUT, "Anna", "Bruno")
    assert tiles.draws == ()
    assert "void" not in {tile.value for tile in tiles.rare}


def test_every_tile_is_a_result_that_the_rules_accept() -> None:
    for rules in (THREE, KNOCK_OUT, POINTS):
        tiles = result_buttons(rules, "Anna", "Bruno")
        for tile in (*tiles.a, *tiles.b, *tiles.draws, *tiles.unplayed, *tiles.rare):
            assert isinstance(claim_from_button(tile.value, rules, "seen"), Claim)
            assert tile.says


@pytest.mark.parametrize(
    ("rules", "keys"),
    [
        (THREE, ["2-0", "2-1", "1-1", "1-2", "0-2"]),
        (KNOCK_OUT, ["2-0", "2-1", "1-2", "0-2"]),
        (POINTS, []),
        (MatchRules(best_of=1, draws=True, score="games", timed=True), ["1-0", "0-0-1", "0-1"]),
    ],
)
def test_a_row_has_buttons_for_the_usual_results(rules, keys, in_english) -> None:
    with override("it"):
        shown = dict(preset_buttons(rules))
    assert list(shown) == keys
    assert shown.get("0-0-1", "Pareggio") == "Pareggio", "not the random draw"


@pytest.mark.parametrize(
    ("pick", "winner", "ended_by"),
    [
        ("2-1", "a", "played"),
        ("absent_a", "b", "no_show"),
        ("concedes_b", "a", "concession"),
        ("absent_both", "none", "double_loss"),
    ],
)
def test_a_tile_is_the_whole_result(browser, match, pick, winner, ended_by) -> None:
    contradicting = {"winner": "draw", "ended_by": "void"}
    assert post(browser, match, version=0, pick=pick, **contradicting).status_code == 302
    match.refresh_from_db()
    assert (match.decision.winner, match.decision.ended_by) == (winner, ended_by)


@pytest.mark.parametrize("pick", ["both", "wins_a", "void"])
def test_a_decision_of_the_staff_needs_its_reason(browser, match, pick) -> None:
    refused = post(browser, match, version=0, pick=pick)
    assert refused.status_code == 400
    assert "Give a reason." in text(refused)
    assert post(browser, match, version=0, pick=pick, note="Both left").status_code == 302


def test_an_unknown_tile_is_refused_with_a_sentence(browser, match) -> None:
    refused = post(browser, match, version=0, pick="absent_c")
    assert refused.status_code == 400
    assert "Choose one of the options." in text(refused)


def test_who_did_not_come_is_withdrawn_with_the_result(browser, match) -> None:
    assert post(browser, match, version=0, pick="absent_b", leaves="on").status_code == 302
    assert Entry.objects.get(pk=match.seats[1]).status == Entry.Status.WITHDRAWN
    assert Entry.objects.get(pk=match.seats[0]).plays


def test_nothing_is_stored_where_the_result_is_refused(match, by) -> None:
    claim = Claim(winner=Winner.A, ended_by=MatchEnding.NO_SHOW)
    with pytest.raises(RuleError) as refused:
        decide_and_withdraw(match=match, version=7, claim=claim, leaving="b", by=by)
    assert refused.value.code == "stale"
    assert Entry.objects.get(pk=match.seats[1]).plays


def test_who_missed_the_round_before_is_known(match, by) -> None:
    event = match.round.event
    make.play_round(
        match.round, by, lambda _m, _i: Claim(winner=Winner.A, ended_by=MatchEnding.NO_SHOW)
    )
    item = make.next_round(event, by)
    absent = {match.seats[1] for match in Match.objects.filter(round__ordinal=1)}
    for each in item.matches.select_related("round__event"):
        expected = "a" * (each.seats[0] in absent) + "b" * (each.seats[1] in absent)
        assert sides_absent_last_round(each) == expected


def test_without_a_script_the_desk_says_who_left(browser, match) -> None:
    sent = {"number": match.players[1].number, "action": "withdraw", "back": "desk"}
    answer = post(browser, match, "match-leave", **sent)
    assert answer.url == url("desk", match.round.event)
    shown = text(browser.get(answer.url))
    assert f"Saved: {match.players[1].name}" in shown
    assert "no longer plays" in shown


def test_a_scorekeeper_has_no_tile_to_withdraw_as_a_judge_has_none(match) -> None:
    event = match.round.event
    for role, shown in ((StaffRole.Role.SCOREKEEPER, True), (StaffRole.Role.JUDGE, False)):
        page = text(signed_in(make.staff(event, role)).get(url("desk-result", event, match.pk)))
        assert ("Also drop from the event" in page) is shown, role


def test_the_window_over_the_desk_asks_for_the_panel_alone(browser, match) -> None:
    address = url("desk-result", match.round.event, match.pk)
    part = browser.get(address, headers={"HX-Request": "true"})
    assert text(part).lstrip().startswith('<div class="match-panel"')
    assert "<html" in text(browser.get(address))
