"""The measurements of docs/figures.md run and are able to fail, each at its smallest."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.measures import answers, kills, lists, organisers, site, tampering


@pytest.mark.processes
def test_a_kill_loses_no_acknowledged_result(capsys):
    assert kills.main(1) == 0
    assert "| 1 kills |" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.deep
def test_two_organisers_have_one_effect(capsys):
    assert organisers.main(6) == 0
    assert "| 6 times | 0 wrong | verify: 0 |" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.deep
def test_lists_are_taken_however_they_come(capsys):
    assert lists.main(4, 1) == 0
    assert capsys.readouterr().out.count("4 stored") == 2


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_tamperings_are_noticed_and_one_that_is_not_is_named(monkeypatch):
    found = tampering.tried(60, 1)
    assert {kind for kind, _name, _said in found} == {*tampering.SHARES, *tampering.BESIDE}
    unnoticed = [name for kind, name, said in found if not said and kind in tampering.SHARES]
    assert len(unnoticed) <= 0.1 * len(found), unnoticed
    monkeypatch.setattr("tournaments.verification.event.verify_event", lambda _event: [])
    assert not all(said for _kind, _name, said in tampering.tried(10, 1))


def test_a_result_that_is_not_stored_as_acknowledged_is_named():
    rows = [[7, 1, 3, 1], [7, 3, 0, 2]]
    venue = kills.Venue(SimpleNamespace(prepare=lambda _code: rows), "event", "", {7: 1})
    venue.acknowledged = {(7, 1): (3, 1), (7, 2): (2, 2), (7, 3): (2, 0)}
    assert [line.split(":")[0] for line in venue.lost()] == [
        "match 7, version 2",
        "match 7, version 3",
    ]
    assert venue.versions == {7: 3}


@pytest.mark.deep
def test_the_time_of_an_answer_is_measured():
    command = [sys.executable, "-m", "tests.measures.answers", "2"]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.count("| 2 pairs |") == 5, done.stderr


def test_twenty_milliseconds_or_another_status_tell_who_has_an_account():
    assert not answers.tells_who(50.0, 31.0, same=True)
    assert answers.tells_who(50.0, 30.0, same=True)
    assert answers.tells_who(30.0, 50.0, same=True)
    assert answers.tells_who(50.0, 50.0, same=False)


def test_the_largest_of_a_hundred_is_not_the_95th():
    assert site.percentile(range(100), 0.95) == 95
    assert site.percentile([], 0.95) == 0
