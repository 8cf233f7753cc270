"""The measurements of docs/figures.md run and are able to fail, each at its smallest."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from polib import POEntry

from tests.around import Around
from tests.crawling import refusing
from tests.event_addresses import EVENT_PAGES
from tests.measures import (
    answers,
    costs,
    dearest,
    https,
    kills,
    lists,
    organisers,
    reload,
    shape,
    site,
    tampering,
    words,
)
from tests.measures.shapes import Schema, json_body, of_form, of_json
from tests.site_addresses import SITE_PAGES


@pytest.mark.deep
@pytest.mark.processes
def test_a_kill_loses_no_acknowledged_result(capsys):
    assert kills.main(1) == 0
    assert "| 1 kills |" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.deep
@pytest.mark.browser
def test_the_first_round_is_played_as_the_guides_say():
    # A process of its own: the browser of the other tests keeps a loop running in this one.
    command = [sys.executable, "-m", "tests.measures.first_round"]
    told = subprocess.run(command, cwd=words.ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("| four results |") == 2


@pytest.mark.processes
@pytest.mark.deep
def test_half_sent_requests_keep_no_page_waiting(monkeypatch, capsys):
    for kind in https.OURS:
        _alone, beside, refused = https.measured(kind, 0.1, 5)
        assert (beside.lost, refused) == (0, 0)
    monkeypatch.setattr(https, "GOAL", 0)
    assert https.main(["waitress"], 0.01, 2) == 1
    assert "| waitress |" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.deep
def test_two_organisers_have_one_effect(capsys):
    assert organisers.main(6) == 0
    assert "| 6 times | 0 wrong | verify: 0 |" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.deep
def test_no_reader_is_refused_while_the_site_begins_anew(capsys):
    reload.main(20)  # how long they wait is for a quiet machine
    told = capsys.readouterr().out
    assert "'failed': 0, 'told': 0" in told
    assert "lost 0" in told
    assert "told 0 |" not in told


def test_a_reader_who_was_refused_counts_as_failed():
    told = SimpleNamespace(status=503, body=b"The site is being updated", headers={})
    refused = reload.Reader(0.1, "/", "en", told, 0.5)
    assert not refused.is_told_of_update  # not without Retry-After
    assert reload.summary([refused, reload.Reader(0.2, "/", "en", None, 3.0)]) == {
        "requests": 2,
        "failed": 2,
        "told": 0,
        "slowest": 3.0,
    }
    told.headers["Retry-After"] = "10"
    assert refused.is_told_of_update


@pytest.mark.processes
@pytest.mark.deep
def test_lists_are_taken_however_they_come(capsys):
    assert lists.main(4, 1) == 0
    assert capsys.readouterr().out.count("4 stored") == 2


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_tamperings_are_noticed_and_one_that_is_not_is_named(monkeypatch):
    found = tampering.tried(60, 1)
    assert {kind for kind, _name, _said in found} == {*tampering.SHARES}
    unnoticed = [name for _kind, name, said in found if not said]
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


def test_the_shape_of_a_small_tree_is_counted(tmp_path):
    for app in (*shape.APPS, "tests"):
        (tmp_path / app).mkdir()
    source = (
        '"""A module."""\nfrom typing import (\n    NamedTuple,\n)\n\n\n'
        "class Pair(NamedTuple):\n    a: int\n\n\n"
        "def once():\n    return Pair(1)\n\n\n"
        "def twice():\n    return once(), never\n\n\nboth = twice(), twice()\n"
    )
    (tmp_path / "rules" / "__init__.py").write_text("")
    (tmp_path / "rules" / "pairs.py").write_text(source)
    (tmp_path / "rules" / "migrations").mkdir()
    (tmp_path / "rules" / "migrations" / "left_out.py").write_text("x = 1\n" * 100)
    (tmp_path / "tests" / "test_pairs.py").write_text("x = 1\n" * 3)
    assert shape.counted(tmp_path) == {
        "statements": 9,
        "statements without docstrings": 8,
        "lines": 19,
        "lines of tests": 3,
        "modules": 2,
        "modules of at most 60 lines": 1,
        "value classes built at one place": 1,
        "functions used once, %": 50,
        "lines that import, %": 100 * 3 / 19,
    }


def test_modules_and_depth_of_calls_are_followed(monkeypatch):
    monkeypatch.setattr(shape, "APPS", ("tests/measures",))
    follower = shape.Follower()
    assert follower.follow(lambda: shape.called(ast.parse("f()", mode="eval").body)) == "f"
    assert {Path(each).name for each in follower.modules} == {"shape.py", "test_measures.py"}
    assert follower.deepest == 2


@pytest.mark.deep
@pytest.mark.django_db
def test_costs_are_asked_of_every_operation_and_every_form():
    known = {(name, method) for name, method, _schema in costs.known()}
    operations = {
        (path, method.upper())
        for path, methods in Schema.document()["paths"].items()
        for method in methods
    }
    forms = {f"tournaments:{name}" for name, (_reads, sends) in EVENT_PAGES.items() if sends}
    forms |= {name for name, (_reads, sends) in SITE_PAGES.items() if set(sends) != {405}}
    assert operations <= known
    forms = {name for name in forms - refusing("POST") if "_api:" not in name}
    assert forms <= {name for name, method in known if method == "POST"}
    assert dearest.OWN.keys() <= {name for name, _method in known}
    scene = Around("registration")
    scene.parts |= {"a": 1, "b": 2, "person": 1}
    assert all(dearest.places(scene, name) for name, _method in known)


def test_bodies_of_a_schema_are_as_long_as_it_allows():
    text = {"type": "string", "maxLength": 7}
    shape = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": text,
            "kind": {"enum": ["a", "b"]},
            "seeds": {"type": "array", "maxItems": 3, "items": {"type": "integer", "maximum": 9}},
            "zones": {"type": "object", "additionalProperties": {"$ref": "#/x/schemas/Text"}},
        },
    }
    content = {"application/json": {"schema": shape}}
    schema = Schema(
        {"requestBody": {"content": content}}, {"components": {"schemas": {"Text": text}}}
    )
    made = dict(of_json(schema, json_body({"name": "b"}), 1000))
    sent = {name: json.loads(body.content) for name, body in made.items() if name[0] in "nsz"}
    assert sent["name 'a'"] == {"name": "aaaaaaa"}
    assert sent["seeds distinct"] == {"name": "a", "seeds": [1, 2]}
    assert sent["seeds each largest"] == {"name": "a", "seeds": [9, 9, 9]}
    assert sent["zones k 'a'"] == {"name": "a", "zones": {"k": "aaaaaaa"}}
    assert max(len(body.content) for body in made.values()) <= 1000
    forms = dict(of_form(json_body({})._replace(content=b"a=1"), ["b"], 2000))
    assert forms["b 'a'"].content == b"a=1&b=" + b"a" * 1896
    assert costs.Cost(0.5, 150.0, 200, 0).share(costs.NOBODY) == 1.5
    assert costs.Cost(2.5, 30.0, 200, 0).share(costs.MEMBER) == 0.5


@pytest.mark.deep
def test_words_are_counted_and_a_label_that_no_page_has_is_named(tmp_path, monkeypatch, capsys):
    assert words.main() == 0
    said = ["Nothing was stored.", "in so many level on the line", "Dropped", "dropped."]
    assert [*words.figures(said).values()] == [4, 12, 1, 1, 0]
    entries = [POEntry(msgid=each) for each in (*said, "Opp", "Opp ⌀")]
    assert words.twins(entries) == 1
    assert words.twins([*entries, POEntry(msgid="dropped", msgctxt="button")]) == 1
    (tmp_path / "docs").mkdir()
    (tmp_path / "CHANGELOG.md").write_text("")
    (tmp_path / "README.md").write_text("Press *Advance*, then *Players → Discard\n round 17*.")
    monkeypatch.setattr(words, "ROOT", tmp_path)
    capsys.readouterr()
    assert words.main() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[len(words.GOALS) :] == ["README.md: *Advance*"]
    (tmp_path / "README.md").write_text("More than the goal. " * 200)
    assert words.main() == 1
