"""Extra matches on pages and in files, and for several sets of players in one round."""

import json
import re
from io import BytesIO

import pytest
from django.test import Client
from openpyxl import load_workbook

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, signed_in, text, url
from tests.extra_rounds import extra, extra_round, faults, play, table
from tests.level_players import all_drawn, four_level, two_groups_level, two_level
from tests.reporting import correct
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.labels import round_label
from tournaments.core.permissions import DeskRights
from tournaments.desk.selectors.desk import desk_content
from tournaments.lots.selectors import tiebreaking_draws_context
from tournaments.models import Event, Match
from tournaments.players.services import departures
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.rounds.services import make_extra_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def tied(by) -> Event:
    return four_level(by)


@pytest.fixture
def desk(by) -> Client:
    return signed_in(by)


def ask(desk: Client, event: Event, tied: str = "1,2,3,4"):
    expected = load_facts(event).last_ordinal + 1
    return desk.post(url("lots-extra", event), {"tied": tied, "expected_round": expected})


def played_out(event: Event, by) -> None:
    while load_facts(event).open_stage.outcome.lots_needed:
        play(extra(event, by), by)


@pytest.mark.deep
def test_the_page_offers_lots_an_order_by_hand_and_extra_matches(tied, desk, by):
    shown = page(desk, "lots", tied)
    for words in (
        "Make the random draw",
        "Random draw made manually",
        "Prepare tiebreaker round 1 of 3",
    ):
        assert words in shown
    answer = ask(desk, tied)
    assert answer.status_code == 302
    assert answer.headers["Location"] == url("desk-round", tied, 4)
    draft = page(desk, "desk-round", tied, 4)
    assert "Tiebreaker matches: Places 1–4 · round 1 of 3" in draft
    shown = page(desk, "lots", tied)
    assert "In progress:" in shown
    assert "Make the random draw" not in shown
    assert ask(desk, tied).status_code == 409
    desk.post(url("desk-publish", tied, 4))
    assert "Decide between tied players" in page(desk, "desk", tied)
    play(tied.rounds.get(ordinal=4), by)
    assert "Prepare tiebreaker round 2 of 3" in page(desk, "lots", tied)


def test_a_stale_or_unreadable_button_does_nothing(tied, desk):
    late = {"tied": "1,2,3,4", "expected_round": 3}
    assert desk.post(url("lots-extra", tied), late).status_code == 409
    assert desk.post(url("lots-extra", tied), {"tied": "x"}).status_code == 400
    assert ask(desk, tied, "1,2").status_code == 409
    assert tied.rounds.count() == 3


def test_nobody_sees_a_draft_and_everybody_the_round(tied, desk):
    ask(desk, tied)
    everybody = Client(headers=ENGLISH)
    assert "Tiebreaker match" not in page(everybody, "pairings", tied)
    desk.post(url("desk-publish", tied, 4))
    shown = page(everybody, "pairings", tied)
    assert "Tiebreaker matches: Places 1–4 · round 1 of 3" in shown
    assert "These matches only decide the order of tied players." in shown


@pytest.mark.deep
def test_a_player_is_told_what_the_match_is_for(by):
    event = make.started(by, 6, formula="single-group")
    make.play_stage(event, by, all_drawn)
    departures.withdraw(entry=event.entries.get(number=6), by=by)
    item = extra(event, by, table(event).tied[0])
    pairs = {key for match in item.matches.all() for key in match.seats if key}
    (resting,) = event.entries.exclude(pk__in=pairs)
    for entry in event.entries.exclude(number=6):
        shown = page(by_link(entry, by), "me", event)
        assert "Tiebreaker matches: Places 1–6" in shown
        assert "You won the event" not in shown
        said = "This tiebreaker match can’t end in a draw." in shown
        assert said is (entry != resting)


@pytest.mark.deep
def test_reasons_name_the_extra_match_on_page_and_in_the_workbook(tied, desk, by):
    played_out(tied, by)
    shown = page(desk, "standings", tied)
    assert "Tiebreaker match (" in shown
    book = load_workbook(BytesIO(desk.get(url("workbook", tied) + "?whole=1").content))
    cells = {cell.value for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "Tiebreaker match" in cells
    assert "Tiebreaker matches: Places 1–4 · round 3 of 3" in cells
    listed = page(desk, "lots", tied)
    assert ">Tiebreaker matches</caption>" in listed
    assert re.search(r"<td>\s*counts\s*</td>", listed)


@pytest.mark.deep
def test_the_correction_page_says_that_it_would_count_for_nothing(desk, by):
    event = two_level(by)
    pair = load_facts(event).open_stage.outcome.lots_needed[0]
    match = make.among(Match.objects.filter(round__event=event), pair).get()
    played_out(event, by)
    data = {"version": match.version, "score_a": 40, "score_b": 20}
    answer = desk.post(url("match-correct", event, match.pk), data)
    assert "No longer counts:" in text(answer)
    assert "Round 4: Tiebreaker matches: Places 2–3" in text(answer)


@pytest.mark.deep
def test_shared_ranks_of_the_end_are_offered_as_optional(by, desk):
    def alike(match: Match, index: int) -> Claim:
        return make.a_wins(match) if match.best_of > 1 else Claim(score=(40, 10))

    event = make.started(by, 8)
    while (stage := load_facts(event).open_stage) is not None:
        make.play_stage(event, by, alike)
        make.draw_lots(event, by)
        if stage.stage.number == len(load_facts(event).stages):
            break
        make.close_stage(event, by)
    shared = tiebreaking_draws_context(load_facts(event))["shared"]
    assert shared, "the fourth of both groups share a rank"
    assert (shared[0].first, shared[0].last) == (7, 8)
    shown = page(desk, "lots", event)
    assert "Make a random draw only if prizes depend on it." in shown
    assert "Ranks 7 to 8" in shown
    answer = desk.post(url("lots-draw", event), {"tied": shared[0].numbers})
    assert answer.status_code == 302
    assert tiebreaking_draws_context(load_facts(event))["shared"] == ()


@pytest.mark.deep
@pytest.mark.parametrize("name", ["lots", "desk", "pairings", "standings"])
@pytest.mark.parametrize("rounds", [0, 3])
def test_extra_rounds_cost_no_query(tied, desk, by, name, rounds, django_assert_max_num_queries):
    desk.get(url(name, tied))
    with django_assert_max_num_queries(30) as before:
        desk.get(url(name, tied))
    if rounds:
        played_out(tied, by)
        with django_assert_max_num_queries(len(before) + (1 if name == "desk" else 0)):
            desk.get(url(name, tied))


BOTH = "Tiebreaker matches: Group A, places 2–3; Group B, places 2–4 · round 1 of 3"


@pytest.fixture
def event(by) -> Event:
    return two_groups_level(by)


def ask_for(desk: Client, event: Event, *tied: str):
    expected = load_facts(event).last_ordinal + 1
    return desk.post(url("lots-extra", event), {"tied": tied, "expected_round": expected})


@pytest.mark.deep
def test_one_round_for_all_who_are_marked(event, desk, by):
    shown = page(desk, "lots", event)
    assert "Tiebreaker matches in one round" in shown
    first, second = tiebreaking_draws_context(load_facts(event))["together"]
    assert ask_for(desk, event, first.numbers, second.numbers).status_code == 302
    item = event.rounds.get(ordinal=4)
    assert item.level_sets == ((3, 6), (1, 2, 5))
    assert [match.table for match in item.matches.order_by("number")] == [1, 2]
    assert BOTH in page(desk, "desk-round", event, 4)
    desk.post(url("desk-publish", event, 4))
    assert f"<b>{BOTH}</b>" in page(desk, "lots", event)
    assert "Tiebreaker matches in one round" not in page(desk, "lots", event)
    play(item, by)
    assert [*map(set, load_facts(event).open_stage.outcome.lots_needed)] == [{1, 2, 5}]
    assert faults(event) == []


def ticked(shown: str) -> list[str]:
    """Return the sets that stand marked in the form of a joint round."""
    boxes = re.findall(r'<input type="checkbox"[^>]* name="tied"[^>]*>', shown)
    return [re.search(r'value="([^"]*)"', box)[1] for box in boxes if " checked" in box]


@pytest.mark.deep
def test_a_refused_form_keeps_the_marks(event, desk):
    first, second = (
        tied.numbers for tied in tiebreaking_draws_context(load_facts(event))["together"]
    )
    assert ticked(page(desk, "lots", event)) == [first, second]
    address, going = url("lots-extra", event), {"together": "yes", "expected_round": 4}
    for marked in ([], [second], [first, second]):
        stale = desk.post(address, going | {"tied": marked, "expected_round": 3})
        assert stale.status_code in (400, 409)
        assert ticked(stale.content.decode()) == marked
    nothing = desk.post(address, going)
    assert (nothing.status_code, ticked(nothing.content.decode())) == (400, [])
    assert "Enter at least one." in nothing.content.decode()
    # The button of one set alone says nothing about the marks.
    alone = desk.post(address, {"tied": [second], "expected_round": 3})
    assert ticked(alone.content.decode()) == [first, second]


@pytest.mark.deep
def test_who_needs_more_rounds_goes_on_alone(event, by):
    play(extra_round(event, by), by)
    for number in (2, 3):
        item = extra_round(event, by)
        label = round_label(load_facts(event).open_stage, item)
        assert label == f"Tiebreaker matches: Group B, places 2–4 · round {number} of 3"
        play(item, by)
    tables = load_facts(event).open_stage.outcome.standings
    assert [row.player for row in tables["A"].rows] == [7, 6, 3, 4]
    assert [row.player for row in tables["B"].rows] == [8, 5, 2, 1]
    assert faults(event) == []
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    assert faults(event) == []


@pytest.mark.deep
def test_each_table_names_what_it_is_for(event, desk, by):
    item = extra_round(event, by)
    shown = page(Client(headers=ENGLISH), "pairings", event)
    assert BOTH in shown
    facts = load_facts(event)
    rows = pairings_page(facts).tables
    assert [row.group for row in rows] == ["Group A, places 2–3", "Group B, places 2–4"]
    assert all(row.group in shown for row in rows)
    desk_rows = desk_content(facts, DeskRights(run=True, rule=True, manage=True)).rows
    assert [row.bracket for row in desk_rows] == [row.group for row in rows]
    alone, several = item.matches.order_by("number")
    for match, words in (
        (alone, "Tiebreaker matches: Group A, places 2–3"),
        (several, "Tiebreaker matches: Group B, places 2–4 · round 1 of 3"),
    ):
        assert words in page(by_link(match.players[0], by), "me", event)
    play(item, by)
    book = load_workbook(BytesIO(desk.get(url("workbook", event) + "?whole=1").content))
    cells = {cell.value for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "Tiebreaker matches: Group A, places 2–3" in cells


@pytest.mark.deep
def test_the_desk_of_a_joint_round_asks_nothing_more_for_its_tables(
    event, desk, by, django_assert_max_num_queries
):
    desk.get(url("desk", event))
    with django_assert_max_num_queries(40) as before:
        desk.get(url("desk", event))
    extra_round(event, by)
    with django_assert_max_num_queries(len(before) + 1):
        desk.get(url("desk", event))


def test_a_set_alone_names_its_group(event, by):
    item = extra_round(event, by, [(3, 6)])
    label = round_label(load_facts(event).open_stage, item)
    assert label == "Tiebreaker matches: Group A, places 2–3"


def test_who_stands_in_two_sets_or_is_not_level_is_refused(event, desk, by):
    for sets, said in (
        ([(3, 6), (6, 3)], "sets_overlap"),
        ([(3, 6), (1, 2)], "not_tied"),
        ([], "not_tied"),
    ):
        with pytest.raises(RuleError) as refused:
            make_extra_round(event=event, sets=sets, expected_round=4, by=by)
        assert refused.value.code == said
    nothing = ask_for(desk, event)
    assert nothing.status_code == 400
    assert "Enter at least one." in nothing.content.decode()
    assert event.rounds.count() == 3


def test_a_correction_that_ends_one_tie_keeps_the_round(event, by):
    item = extra_round(event, by)
    play(item, by)
    match = make.among(Match.objects.exclude(round=item).filter(round__event=event), (3, 6)).get()
    _match, effects = correct(match, by, take_back=True, score=(40, 10))
    assert (effects.rounds, effects.idle) == ((), ())
    counts = {tuple(row["counts"] for row in tiebreaking_draws_context(load_facts(event))["extra"])}
    assert counts == {(False, True)}
    assert [*map(set, load_facts(event).open_stage.outcome.lots_needed)] == [{1, 2, 5}]
    assert faults(event) == []


def test_a_result_of_the_round_is_corrected(event, by):
    item = extra_round(event, by)
    play(item, by)
    match = item.matches.get(match_seats__number=1, match_seats__entry__number__in=(3, 6))
    correct(match, by, score=(10, 40) if match.players[0].number == 6 else (40, 10))
    rows = load_facts(event).open_stage.outcome.standings["A"].rows
    assert [row.player for row in rows] == [7, 3, 6, 4]
    assert faults(event) == []


@pytest.mark.deep
def test_it_goes_into_an_archive_and_out_of_it(event, by):
    play(extra_round(event, by), by)
    first = event_archive(Event.objects.get(pk=event.pk))
    Event.objects.filter(pk=event.pk).delete()
    again = restore_archive(first)
    assert event_archive(again) == first
    assert faults(again) == []


def test_a_match_of_strangers_in_it_is_found(event, by):
    item = extra_round(event, by)
    play(item, by)
    item.level = [[3, 6], [5, 8]]
    item.save()
    assert "extra_matches" in {finding.check for finding in faults(event)}


def test_the_api_takes_and_shows_the_sets(event, desk):
    path = f"/api/v1/events/{event.slug}/stages/1/extra-matches/"
    sent = {"sets": [[3, 6], [1, 2, 5]]}
    answer = desk.post(path, json.dumps(sent), content_type="application/json")
    assert answer.status_code == 201
    made = answer.json()
    assert made["sets"] == [[3, 6], [1, 2, 5]]
    assert made["level"] == [3, 6, 1, 2, 5]
    assert made["name"] == BOTH
    assert {match["group"] for match in made["matches"]} == {"A", "B"}
