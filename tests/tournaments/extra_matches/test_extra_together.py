"""Several tied sets play their extra matches in one round: named, played, counted, taken back."""

import json
import re
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import ENGLISH, page, signed_in, url
from tests.level_players import two_groups_level
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.labels import round_label
from tournaments.core.permissions import Rights
from tournaments.desk.selectors.desk import desk_of
from tournaments.extra_matches.services import make_extra_round
from tournaments.lots.selectors import lots_page
from tournaments.models import Event, Match, Round
from tournaments.players.services.entries import make_link
from tournaments.results.services import results
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
BOTH = "Extra matches: places 2 to 3 of group A; places 2 to 4 of group B (round 1 of 3)"


@pytest.fixture
def event(by) -> Event:
    return two_groups_level(by)


@pytest.fixture
def desk(by) -> Client:
    return signed_in(by)


def ask(desk: Client, event: Event, *tied: str):
    expected = load_facts(event).last_ordinal + 1
    return desk.post(url("lots-extra", event), {"tied": tied, "expected_round": expected})


def extra(event: Event, by, sets=None, *, publish=True) -> Round:
    facts = load_facts(event)
    return make_extra_round(
        event=event,
        sets=sets or facts.open_stage.outcome.lots_needed,
        expected_round=facts.last_ordinal + 1,
        publish=publish,
        by=by,
    )


def higher_wins(item: Round, by) -> None:
    make.play_round(
        item,
        by,
        lambda match, index: Claim(
            score=(40, 10) if match.players[0].number > match.players[1].number else (10, 40)
        ),
    )


def faults(event: Event) -> list:
    return list(verify_event(Event.objects.get(pk=event.pk)))


def needed(event: Event) -> list[set[int]]:
    return [set(level) for level in load_facts(event).open_stage.outcome.lots_needed]


def test_one_round_for_all_who_are_marked(event, desk, by):
    shown = page(desk, "lots", event)
    assert "Extra matches at the same time" in shown
    first, second = lots_page(load_facts(event)).together
    assert ask(desk, event, first.numbers, second.numbers).status_code == 302
    item = event.rounds.get(ordinal=4)
    assert item.level_sets == ((3, 6), (1, 2, 5))
    assert [match.table for match in item.matches.order_by("number")] == [1, 2]
    assert BOTH in page(desk, "desk-round", event, 4)
    desk.post(url("desk-publish", event, 4))
    assert f"<b>{BOTH}</b>" in page(desk, "lots", event)
    assert "Extra matches at the same time" not in page(desk, "lots", event)
    higher_wins(item, by)
    assert needed(event) == [{1, 2, 5}]
    assert faults(event) == []


def ticked(shown: str) -> list[str]:
    """Return the sets that stand marked in the form of a joint round."""
    boxes = re.findall(r'<input type="checkbox"[^>]* name="tied"[^>]*>', shown)
    return [re.search(r'value="([^"]*)"', box)[1] for box in boxes if " checked" in box]


def test_a_refused_form_keeps_the_marks(event, desk):
    first, second = (tied.numbers for tied in lots_page(load_facts(event)).together)
    assert ticked(page(desk, "lots", event)) == [first, second]
    address, going = url("lots-extra", event), {"together": "yes", "expected_round": 4}
    for marked in ([], [second], [first, second]):
        stale = desk.post(address, going | {"tied": marked, "expected_round": 3})
        assert stale.status_code in (400, 409)
        assert ticked(stale.content.decode()) == marked
    nothing = desk.post(address, going)
    assert (nothing.status_code, ticked(nothing.content.decode())) == (400, [])
    assert "Mark at least one set of players." in nothing.content.decode()
    # The button of one set alone says nothing about the marks.
    alone = desk.post(address, {"tied": [second], "expected_round": 3})
    assert ticked(alone.content.decode()) == [first, second]


def test_who_needs_more_rounds_goes_on_alone(event, by):
    higher_wins(extra(event, by), by)
    for number in (2, 3):
        item = extra(event, by)
        label = round_label(load_facts(event).open_stage, item)
        assert label == f"Extra matches for places 2 to 4 of group B, round {number} of 3"
        higher_wins(item, by)
    tables = load_facts(event).open_stage.outcome.standings
    assert [row.player for row in tables["A"].rows] == [7, 6, 3, 4]
    assert [row.player for row in tables["B"].rows] == [8, 5, 2, 1]
    assert faults(event) == []
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    assert faults(event) == []


def test_each_table_names_what_it_is_for(event, desk, by):
    item = extra(event, by)
    shown = page(Client(headers=ENGLISH), "pairings", event)
    assert BOTH in shown
    facts = load_facts(event)
    rows = pairings_page(facts).tables
    assert [row.group for row in rows] == ["Places 2 to 3 of group A", "Places 2 to 4 of group B"]
    assert all(row.group in shown for row in rows)
    desk_rows = desk_of(facts, Rights(run=True, rule=True, manage=True)).rows
    assert [row.bracket for row in desk_rows] == [row.group for row in rows]
    for match, words in zip(
        item.matches.order_by("number"),
        (
            "Extra match for place 2 of group A",
            "Extra matches for places 2 to 4 of group B, round 1 of 3",
        ),
        strict=True,
    ):
        phone = Client(headers=ENGLISH)
        phone.get(reverse("tournaments:open-link", args=[make_link(entry=match.players[0], by=by)]))
        assert words in page(phone, "me", event)
    higher_wins(item, by)
    book = load_workbook(BytesIO(desk.get(url("workbook", event) + "?whole=1").content))
    cells = {cell.value for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "Extra match for place 2 of group A" in cells


def test_the_desk_of_a_joint_round_asks_nothing_more_for_its_tables(
    event, desk, by, django_assert_max_num_queries
):
    desk.get(url("desk", event))
    with django_assert_max_num_queries(40) as before:
        desk.get(url("desk", event))
    extra(event, by)
    with django_assert_max_num_queries(len(before) + 1):
        desk.get(url("desk", event))


def test_a_set_alone_names_its_group(event, by):
    item = extra(event, by, [(3, 6)])
    label = round_label(load_facts(event).open_stage, item)
    assert label == "Extra match for place 2 of group A"


def test_who_stands_in_two_sets_or_is_not_level_is_refused(event, desk, by):
    for sets, said in (
        ([(3, 6), (6, 3)], "sets_overlap"),
        ([(3, 6), (1, 2)], "not_tied"),
        ([], "not_tied"),
    ):
        with pytest.raises(RuleError) as refused:
            make_extra_round(event=event, sets=sets, expected_round=4, by=by)
        assert refused.value.code == said
    nothing = ask(desk, event)
    assert nothing.status_code == 400
    assert "Mark at least one set of players." in nothing.content.decode()
    assert event.rounds.count() == 3


def test_it_is_taken_back_as_any_round(event, by):
    extra(event, by, publish=False)
    act = last_act(Event.objects.get(pk=event.pk))
    assert (act.line.action, act.why_not) == ("round.drafted", None)
    undo(event=event, expected=act.line.number, by=by)
    assert event.rounds.count() == 3
    assert len(needed(event)) == 2


def test_a_correction_that_ends_one_tie_keeps_the_round(event, by):
    item = extra(event, by)
    higher_wins(item, by)
    match = make.among(Match.objects.exclude(round=item).filter(round__event=event), (3, 6)).get()
    claim = Claim(score=(40, 10), by_staff=True)
    _match, effects = results.correct_result(
        match=match, version=match.version, claim=claim, reason="Typo", take_back=True, by=by
    )
    assert (effects.rounds, effects.idle) == ((), ())
    counts = {tuple(row["counts"] for row in lots_page(load_facts(event)).extra)}
    assert counts == {(False, True)}
    assert needed(event) == [{1, 2, 5}]
    assert faults(event) == []


def test_a_result_of_the_round_is_corrected(event, by):
    item = extra(event, by)
    higher_wins(item, by)
    match = item.matches.get(match_seats__number=1, match_seats__entry__number__in=(3, 6))
    claim = Claim(score=(10, 40) if match.players[0].number == 6 else (40, 10))
    results.correct_result(match=match, version=match.version, claim=claim, reason="Swapped", by=by)
    rows = load_facts(event).open_stage.outcome.standings["A"].rows
    assert [row.player for row in rows] == [7, 3, 6, 4]
    assert faults(event) == []


def test_it_goes_into_an_archive_and_out_of_it(event, by):
    higher_wins(extra(event, by), by)
    first = archive(Event.objects.get(pk=event.pk))
    Event.objects.filter(pk=event.pk).delete()
    again = restore(first)
    assert archive(again) == first
    assert faults(again) == []


def test_a_match_of_strangers_in_it_is_found(event, by):
    item = extra(event, by)
    higher_wins(item, by)
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
