"""Extra matches on the pages: offered at the desk, shown to players and all, told in files."""

import re
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import ENGLISH, page, signed_in, text, url
from tests.level_players import all_drawn, four_level, two_level
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.extra_matches.services import make_extra_round
from tournaments.lots import services as draws
from tournaments.lots.selectors import lots_page
from tournaments.models import Event, Match, Round
from tournaments.players.services import departures
from tournaments.players.services.entries import make_link
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def tied(by) -> Event:
    return four_level(by)


@pytest.fixture
def desk(by) -> Client:
    return signed_in(by)


def ask(desk: Client, event: Event, tied: str = "1,2,3,4"):
    expected = load_facts(event).last_ordinal + 1
    return desk.post(url("lots-extra", event), {"tied": tied, "expected_round": expected})


def higher_wins(item: Round, by) -> None:
    make.play_round(
        item,
        by,
        lambda match, index: Claim(
            score=(40, 10) if match.players[0].number > match.players[1].number else (10, 40)
        ),
    )


def played_out(event: Event, by) -> None:
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        facts = load_facts(event)
        item = make_extra_round(
            event=event,
            sets=[needed[0]],
            expected_round=facts.last_ordinal + 1,
            publish=True,
            by=by,
        )
        higher_wins(item, by)


def test_the_page_offers_lots_an_order_by_hand_and_extra_matches(tied, desk, by):
    shown = page(desk, "lots", tied)
    for words in ("Draw now", "as drawn by hand", "Prepare extra round 1 of 3"):
        assert words in shown
    answer = ask(desk, tied)
    assert answer.status_code == 302
    assert answer.headers["Location"] == url("desk-round", tied, 4)
    draft = page(desk, "desk-round", tied, 4)
    assert "Extra matches for places 1 to 4, round 1 of 3" in draft
    shown = page(desk, "lots", tied)
    assert "Under way:" in shown
    assert "Draw now" not in shown
    assert ask(desk, tied).status_code == 409
    desk.post(url("desk-publish", tied, 4))
    assert "Decide between level players" in page(desk, "desk", tied)
    higher_wins(tied.rounds.get(ordinal=4), by)
    assert "Prepare extra round 2 of 3" in page(desk, "lots", tied)


def test_a_stale_or_unreadable_button_does_nothing(tied, desk):
    late = {"tied": "1,2,3,4", "expected_round": 3}
    assert desk.post(url("lots-extra", tied), late).status_code == 409
    assert desk.post(url("lots-extra", tied), {"tied": "x"}).status_code == 400
    assert ask(desk, tied, "1,2").status_code == 409
    assert tied.rounds.count() == 3


def test_nobody_sees_a_draft_and_everybody_the_round(tied, desk):
    ask(desk, tied)
    everybody = Client(headers=ENGLISH)
    assert "Extra match" not in page(everybody, "pairings", tied)
    desk.post(url("desk-publish", tied, 4))
    shown = page(everybody, "pairings", tied)
    assert "Extra matches for places 1 to 4, round 1 of 3" in shown
    assert "count for nothing else" in shown


def test_a_player_is_told_what_the_match_is_for(by):
    event = make.started(by, 6, formula="single-group")
    make.play_stage(event, by, all_drawn)
    departures.withdraw(entry=event.entries.get(number=6), by=by)
    level = load_facts(event).open_stage.outcome.standings
    (standings,) = level.values()
    item = make_extra_round(
        event=event,
        sets=[standings.tied[0]],
        expected_round=load_facts(event).last_ordinal + 1,
        publish=True,
        by=by,
    )
    pairs = {key for match in item.matches.all() for key in match.seats if key}
    (resting,) = event.entries.exclude(pk__in=pairs)
    for entry in event.entries.exclude(number=6):
        phone = Client(headers=ENGLISH)
        phone.get(reverse("tournaments:open-link", args=[make_link(entry=entry, by=by)]))
        shown = page(phone, "me", event)
        assert "Extra matches for places 1 to 6" in shown
        assert "You have won" not in shown
        said = "You are level in the standings" in shown
        assert said is (entry != resting)


def test_reasons_name_the_extra_match_on_page_and_in_the_workbook(tied, desk, by):
    played_out(tied, by)
    shown = page(desk, "why", tied)
    assert "Extra match among" in shown
    book = load_workbook(BytesIO(desk.get(url("workbook", tied) + "?whole=1").content))
    cells = {cell.value for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "Extra match" in cells
    assert "Extra matches for places 1 to 4, round 3 of 3" in cells
    listed = page(desk, "lots", tied)
    assert "Extra matches of this stage" in listed
    assert re.search(r"<td>\s*counts\s*</td>", listed)


def test_the_correction_page_says_that_it_would_count_for_nothing(desk, by):
    event = two_level(by)
    pair = load_facts(event).open_stage.outcome.lots_needed[0]
    match = make.among(Match.objects.filter(round__event=event), pair).get()
    played_out(event, by)
    data = {"version": match.version, "score_a": 40, "score_b": 20}
    answer = desk.post(url("match-correct", event, match.pk), data)
    assert "Counts for nothing then" in text(answer)
    assert "Round 4: Extra match for place 2" in text(answer)


def test_shared_ranks_of_the_end_are_offered_as_optional(by, desk):
    def alike(match: Match, index: int) -> Claim:
        return make.a_wins(match) if match.best_of > 1 else Claim(score=(40, 10))

    event = make.started(by, 8)
    while (stage := load_facts(event).open_stage) is not None:
        make.play_stage(event, by, alike)
        while needed := load_facts(event).open_stage.outcome.lots_needed:
            draws.draw_lots(event=event, tied=needed[0], seed=str(needed[0]), by=by)
        if stage.stage.number == len(load_facts(event).stages):
            break
        make.stages.close_stage(event=event, expected_stage=stage.stage.number, by=by)
    shared = lots_page(load_facts(event)).shared
    assert shared, "the fourth of both groups share a rank"
    assert (shared[0].first, shared[0].last) == (7, 8)
    shown = page(desk, "lots", event)
    assert "not needed for play" in shown
    assert "Ranks 7 to 8" in shown
    answer = desk.post(url("lots-draw", event), {"tied": shared[0].numbers})
    assert answer.status_code == 302
    assert lots_page(load_facts(event)).shared == ()


def test_it_goes_into_an_archive_and_out_of_it(tied, by):
    played_out(tied, by)
    first = archive(Event.objects.get(pk=tied.pk))
    Event.objects.filter(pk=tied.pk).delete()
    again = restore(first)
    assert archive(again) == first
    assert list(verify_event(again)) == []
    rows = next(iter(load_facts(again).open_stage.outcome.standings.values())).rows
    assert [row.player for row in rows] == [4, 3, 2, 1]


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
