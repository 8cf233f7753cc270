"""Results at the desk: one line, one click, field by field."""

import re

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import ENGLISH, signed_in, text, url
from tournaments.models import Event, Match, Report, StaffRole
from tournaments.undo.selectors import last_act

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def games_match(by) -> Match:
    fresh = make.playing(
        by, 8, format="creatures-of-exo", formula="groups-knockout", decklists="off"
    )
    item = fresh.rounds.get()
    return item.matches.select_related("round__event").order_by("table").first()


def save(client: Client, event: Event, match: Match, line: str, version: int = 0, **more):
    data = {"version": version, "text": line} | more
    return client.post(url("desk-save", event, match.pk), data, headers=ENGLISH | JSON)


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_line_is_saved_with_the_servers_time(event, match, role):
    answer = save(signed_in(make.staff(event, role)), event, match, "40 22")
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] == "saved"
    assert body["sentence"].startswith(
        f"Saved: Table 1: {match.players[0]} 40–22 {match.players[1]} · "
    )
    assert f'id="row-{match.pk}"' in body["row"]
    assert len(answer.content) < 6000
    match.refresh_from_db()
    assert match.state == Match.State.FINAL
    again = save(signed_in(make.staff(event, role)), event, match, "40 22")
    assert (again.json()["status"], match.reports.count()) == ("saved", 1)


def row_in(page: str, match: Match) -> str:
    """Return the row of a match in a page, without its token and spaces."""
    row = page.partition(f'id="row-{match.pk}"')[2].partition("</tr>")[0]
    assert row
    return re.sub(r"\s+|<input[^>]*csrf[^>]*>", "", row)


def test_the_row_of_a_saved_result_is_that_of_the_page(event, match, by):
    client = signed_in(by)
    saved = save(client, event, match, "40 22").json()["row"]
    assert row_in(saved, match) == row_in(text(client.get(url("desk", event))), match)


@pytest.mark.deep
def test_a_late_result_brings_the_row_of_its_own_round(event, match, by):
    client = signed_in(by)
    make.play_round(match.round, by)
    make.next_round(event, by)
    answer = save(client, event, match, "40 22").json()
    assert answer["round"] == "2"
    assert answer["status"] == "conflict"
    assert 'data-table="1"' in row_in(answer["row"], match)
    assert f'id="row-{match.pk}"' not in text(client.get(url("desk", event)))


def test_an_entry_brings_its_own_undo(event, match, by):
    answer = save(signed_in(by), event, match, "40 22")
    last = last_act(event)
    assert last.line.action == "result.entered"
    assert f'name="expected" value="{last.line.number}"' in answer.json()["undo"]
    assert url("log-undo", event) in answer.json()["undo"]
    assert len(answer.content) < 6000
    scorekeeper = signed_in(make.staff(event, "scorekeeper"))
    assert save(scorekeeper, event, match, "40 22").json()["undo"] == ""  # only organisers undo


def test_minutes_bring_their_own_undo_or_why_they_were_not_stored(event, match, by):
    values = {"minutes": 5, "reason": "Late"}
    answer = signed_in(by).post(url("match-extend", event, match.pk), values, headers=JSON)
    assert last_act(event).line.action == "extension.given"
    assert f'name="expected" value="{last_act(event).line.number}"' in answer.json()["undo"]
    assert answer.json()["sentence"] == "Table 1: +5 min."
    values["reason"] = ""
    refused = signed_in(by).post(url("match-extend", event, match.pk), values, headers=JSON)
    assert (refused.status_code, refused.json()["status"]) == (400, "refused")
    assert "Reason: " in refused.json()["sentence"]


def test_others_save_nothing(event, match, client):
    assert save(client, event, match, "40 22").status_code == 403
    assert save(signed_in(make.organiser()), event, match, "40 22").status_code == 403
    assert not Report.objects.exists()


def test_another_line_meanwhile_shows_both_and_one_click_chooses(event, match, by):
    save(signed_in(make.staff(event)), event, match, "40 22")
    client = signed_in(by)
    answer = save(client, event, match, "22 40")
    body = answer.json()
    assert answer.status_code == 409
    assert body["status"] == "conflict"
    assert f"{match.players[0]} wins: 40–22" in body["conflict"]
    assert f"{match.players[1]} wins: 40–22" in body["conflict"]
    match.refresh_from_db()
    assert match.decision.score_a == 40
    chosen = save(client, event, match, "22 40", version=match.version, chosen="yes")
    assert chosen.json()["status"] == "saved"
    match.refresh_from_db()
    assert (match.decision.score_a, match.reports.count()) == (22, 2)


def test_a_conflict_without_script_is_a_page(event, match, by):
    save(signed_in(make.staff(event)), event, match, "40 22")
    data = {"version": 0, "text": "22 40"}
    answer = signed_in(by).post(url("desk-save", event, match.pk), data)
    assert answer.status_code == 409
    assert "Accept this result" in text(answer)


@pytest.mark.parametrize("line", ["", "x", "40", "40 22 9", "9999 1", "<b>", "²-1"])
def test_an_unreadable_line_is_refused_in_words(event, match, by, line):
    answer = save(signed_in(by), event, match, line)
    assert answer.status_code == 400
    assert answer.json()["status"] == "refused"
    assert len(answer.json()["sentence"]) > 20
    assert not Report.objects.exists()


def test_without_script_the_numbers_of_a_row_are_enough(event, match, by):
    data = {"version": 0, "score_a": "40", "score_b": "22"}
    answer = signed_in(by).post(url("desk-save", event, match.pk), data, follow=True)
    assert f"{match.players[0]} 40–22 {match.players[1]}" in text(answer)


def test_without_script_a_table_is_found_by_its_number(event, match, by):
    client = signed_in(by)
    found = client.post(url("desk-quick", event), {"ordinal": 1, "table": 1})
    assert found.headers["Location"] == url("desk-result", event, match.pk)
    data = {"ordinal": 1, "table": 1, "text": "40 22"}
    assert "saved" in text(client.post(url("desk-quick", event), data, follow=True))


def test_a_match_taken_back_says_so(event, match, by):
    client = signed_in(by)
    client.post(url("desk-undo-round", event, 1))
    answer = save(client, event, match, "40 22")
    assert answer.status_code == 409
    assert answer.json()["code"] == "match_gone"
    assert client.get(url("match", event, match.pk)).status_code == 404


def test_a_best_of_three_has_a_button_for_each_result(games_match, by):
    event = games_match.round.event
    client = signed_in(by)
    page = text(client.get(url("desk", event)))
    assert all(f'value="{key}"' in page for key in ("2-0", "2-1", "1-2", "0-2", "1-1"))
    answer = save(client, event, games_match, "2-1")
    assert f"{games_match.players[0]} 2–1 {games_match.players[1]}" in answer.json()["sentence"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"version": "x"},
        {"version": 0, "winner": "z"},
        {"version": 0, "ended_by": "bye"},
        {"version": 0, "score_a": 40},
        {"version": 0, "score_a": 40, "score_b": 22, "winner": "b"},
    ],
)
def test_what_cannot_be_stays_in_the_form(event, match, by, data):
    answer = signed_in(by).post(url("desk-result", event, match.pk), data)
    assert answer.status_code == 400
    assert 'class="notice bad"' in text(answer)
    assert not Report.objects.exists()


def test_battle_cards_are_added_before_it_is_sent(event, match, by):
    data = {"version": 0, "score_a": 40, "score_b": 35, "battle_b": "on"}
    refused = signed_in(by).post(url("desk-result", event, match.pk), data)
    assert (refused.status_code, "winner." in text(refused)) == (400, True)
    seen = signed_in(by).get(url("desk-battle", event, match.pk), data)
    assert text(seen) == "With battle cards: 40–45. Enter the winner."
    assert text(signed_in(by).get(url("desk-battle", event, match.pk), {"score_a": "x"})) == ""


@pytest.mark.deep
def test_a_level_knock_out_match_asks_what_decided(by):
    event = make.started(by, 13)
    match = make.next_round(event, by).matches.exclude(state="final").first()
    client = signed_in(by)
    assert save(client, event, match, "30 30").status_code == 400
    page = text(client.get(url("desk-result", event, match.pk)))
    assert "More warriors in play" in page
    data = {"version": 0, "score_a": 30, "score_b": 30, "winner": "b", "tie_break": "extra_turns"}
    assert client.post(url("desk-result", event, match.pk), data).status_code == 302
    match.refresh_from_db()
    assert (match.decision.winner, match.decision.tie_break) == ("b", "extra_turns")


def test_the_form_leads_to_the_rest_of_the_table(event, match, by):
    page = signed_in(by).get(url("desk-result", event, match.pk))
    assert f'href="{url("match", event, match.pk)}"' in text(page)


def test_a_bye_has_no_result_to_enter_or_correct(by):
    event = make.started(by, 9)
    bye = make.next_round(event, by).matches.exclude(match_seats__number=2).first()
    client = signed_in(by)
    for name in ("desk-result", "match-correct"):
        answer = client.post(url(name, event, bye.pk), {"version": 1, "score_a": 1, "score_b": 2})
        assert answer.headers["Location"] == url("match", event, bye.pk)
    assert ": bye" in text(client.get(url("match", event, bye.pk)))
    answer = save(client, event, bye, "1 40", version=1, chosen="yes")
    assert answer.json()["code"] == "no_opponent"
    assert bye.reports.count() == 1
