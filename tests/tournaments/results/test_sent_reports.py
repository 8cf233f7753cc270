"""Reports that a script sends: stored at once, once, and answered in JSON."""

import pytest

from tests.report_table import Table
from tournaments.models import Match, Report

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json", "Idempotency-Key": "k-1"}


def sent(table: Table, side: str, **fields: object):
    return table.phones[side].post(table.url("my-report"), fields, headers=JSON)


@pytest.mark.parametrize(
    ("play", "fields"),
    [
        ("games", {"preset": "2-1"}),
        ("games", {"ended": "own_concession"}),
        ("points", {"own": 40, "other": 22, "sure": "1"}),
    ],
)
def test_what_the_button_said_is_stored_without_a_second_page(play, fields):
    table = Table(play)
    assert table.send("a", **fields).status_code == 302
    assert Report.objects.count() == 1


def test_a_script_gets_where_to_go():
    table = Table("games")
    first, again = sent(table, "a", preset="2-1"), sent(table, "a", preset="2-1")
    me = f"/events/{table.event.slug}/me/"
    assert first.json() == again.json() == {"status": "saved", "sentence": "", "to": me}
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"preset": "3-0"}, 400, "2-1"),
        ({"own": "x"}, 400, "2-1"),
    ],
)
def test_a_refusal_is_a_sentence(fields, status, said):
    table = Table("games")
    answer = sent(table, "a", sure="1", **fields)
    assert (answer.status_code, answer.json()["status"]) == (status, "refused")
    assert said in answer.json()["sentence"]
    assert not Report.objects.exists()


def test_a_match_that_was_taken_back_is_a_sentence_too():
    table = Table("games")
    address = table.url("my-report")
    Match.objects.get(pk=table.match.pk).delete()
    answer = table.phones["a"].post(address, {"preset": "2-0"}, headers=JSON)
    assert answer.status_code == 404
    assert "was taken back" in answer.json()["sentence"]


def test_of_two_phones_the_older_report_does_not_undo_the_newer():
    table = Table("games")
    sent(table, "a", preset="2-1", version=0)
    assert sent(table, "a", preset="2-1", version=0).json()["status"] == "saved"
    late = sent(table, "a", preset="1-2", version=0)
    assert (late.status_code, late.json()["code"]) == (409, "reported_since")
    assert Report.objects.count() == 1
    assert sent(table, "a", preset="1-2", version=1).json()["status"] == "saved"
    assert Report.objects.count() == 2


def test_what_counts_already_is_no_refusal_where_it_is_the_same():
    table = Table("games")
    table.report("b", preset="1-2")
    table.confirm("a")
    assert sent(table, "a", preset="2-1", version=0).json()["status"] == "saved"
    assert sent(table, "a", preset="2-0", version=0).status_code == 409
    assert table.match.reports.count() == 2


def test_a_late_report_meets_that_of_the_opponent():
    table = Table("games")
    table.report("b", preset="1-2")
    assert sent(table, "a", preset="2-1", version=0).json()["status"] == "saved"
    table.match.refresh_from_db()
    assert table.match.state == Match.State.FINAL


def test_a_call_is_answered_in_json_too():
    table = Table("games")
    answer = table.phones["a"].post(table.url("my-call"), {"reason": "Rules"}, headers=JSON)
    assert answer.json()["status"] == "saved"
    again = table.phones["a"].post(table.url("my-call"), {"reason": "Rules"}, headers=JSON)
    assert again.json()["code"] == "judge_called"
    assert table.match.calls.count() == 1
