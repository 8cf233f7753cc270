"""What other desks learn of a row, and how heavy the desk of a large event is."""

import re

import pytest

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.clock import services as clock
from tournaments.core.permissions import Actor
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.judging import services as calls
from tournaments.models import Match
from tournaments.players.services import departures
from tournaments.results.services import reports, results
from tournaments.rounds.services import publish_round
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def event(by):
    return make.playing(by, 8, **SWISS)


def loaded(event, table=1):
    found = Match.objects.select_related("round__event", "group__stage")
    return found.get(round__event=event, table=table)


def marks(client, event, since=0):
    """Return the mark of each match as the polled answer tells it."""
    fresh = text(client.get(url("desk-tables", event), {"since": since}))
    told = re.search(r'data-marks="([^"]*)"', fresh).group(1)
    return dict(pair.split("=") for pair in told.split())


def test_every_act_on_a_table_changes_its_mark(event, by):
    client, match = signed_in(by), loaded(event)
    seen = [marks(client, event)[str(match.pk)]]

    def happened():
        seen.append(marks(client, event)[str(match.pk)])

    clock.extend_time(match=match, minutes=5, reason="late", by=by)
    happened()
    calls.call_judge(
        match=match, entry=match.players[0], reason="", by=Actor(entry=match.players[0])
    )
    happened()
    reports.report_result(match=match, claim=Claim(score=(2, 0)), by=Actor(entry=match.players[0]))
    happened()
    results.decide_result(
        match=loaded(event), version=loaded(event).version, claim=Claim(score=(2, 1)), by=by
    )
    happened()
    departures.withdraw(entry=match.players[1], by=by)
    happened()
    assert len(set(seen)) == len(seen)


def test_a_result_taken_back_changes_the_mark_though_no_report_is_new(event, by):
    client = signed_in(by)
    decided = results.decide_result(
        match=loaded(event), version=0, claim=Claim(score=(2, 0)), by=by
    )
    key, last = str(decided.pk), decided.decision_id
    before = marks(client, event, last)[key]
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert marks(client, event, last)[key] != before
    rows = text(client.get(url("desk-tables", event), {"since": 0}))
    assert f'id="row-{key}"' not in rows.split('data-marks="')[0]


def test_a_dispute_names_both_versions_in_one_button(event, by):
    match = loaded(event)
    for entry, score in ((match.players[0], (2, 0)), (match.players[1], (1, 2))):
        reports.report_result(match=match, claim=Claim(score=score), by=Actor(entry=entry))
    page = text(signed_in(by).get(url("desk", event)))
    assert re.search(r"Decide:\s+2–0 / 1–2", page)
    assert "To decide: 1" in page


def test_a_bye_is_a_line_beside_the_list_and_no_row(by):
    event = make.playing(by, 7, **SWISS)
    page = text(signed_in(by).get(url("desk", event)))
    assert page.count('class="desk-row') == 3
    resting = Match.objects.exclude(match_seats__number=2).get(round__event=event).players[0]
    told = page.partition("Without a table:")[2].partition("</p>")[0]
    assert resting.name in told
    assert "(bye)" in told
    assert "rests" not in told


@pytest.mark.deep
def test_the_desk_of_512_players_weighs_two_thirds_of_what_it_did(by):
    event = make.playing(by, 512, **SWISS)
    page = signed_in(by).get(url("desk", event)).content
    assert page.count(b'class="desk-row') == 256
    assert len(page) < 460_000
    match = loaded(event)
    results.decide_result(match=match, version=0, claim=Claim(score=(2, 0)), by=by)
    since = Match.objects.get(pk=match.pk).decision_id
    fresh = signed_in(by).get(url("desk-tables", event), {"since": since})
    assert len(fresh.content) < 20_000


@pytest.mark.deep
def test_a_result_is_refused_where_the_line_showed_another_table(event, by):
    client, match = signed_in(by), loaded(event)
    players = f"{match.players[0].number}-{match.players[1].number}"
    page = text(client.get(url("desk", event)))
    assert f'data-shown="1:{players}"' in page
    before = marks(client, event)[str(match.pk)]
    undo(event=event, expected=last_act(event).line.number, by=by)
    elsewhere = ChangeRequest(action="table", matches=(match.pk,), table=2)
    change_draft(event=event, ordinal=1, asked=elsewhere, by=by)
    publish_round(event=event, ordinal=1, by=by)
    assert marks(client, event)[str(match.pk)] != before  # other desks get the row anew

    def save(shown):
        data = {"version": 0, "text": "2-1", "shown": shown}
        address = url("desk-save", event, match.pk)
        return client.post(address, data, headers={"Accept": "application/json"})

    answer = save(f"1:{players}")
    assert (answer.status_code, answer.json()["code"]) == (409, "table_changed")
    assert not match.reports.exists()
    assert save(f"2:{players}").json()["status"] == "saved"


def test_a_match_that_nobody_plays_is_no_bye(by):
    event = make.halfway(by, 4, formula="single-group")
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    make.next_round(event, by)
    page = text(signed_in(by).get(url("desk", event)))
    other = event.rounds.get(ordinal=2).matches.get(table=None)
    told = page.partition("Without a table:")[2].partition("</p>")[0]
    assert other.players[0].name in told
    assert other.players[1].name in told
    assert "Ada concedes" in told
    assert "bye" not in told
