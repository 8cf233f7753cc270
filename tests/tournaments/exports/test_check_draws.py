"""The program of the docs computes every draw and the order of every Swiss round from its seed."""

import ast
import json
import subprocess
import sys
from collections import Counter

import pytest

from rules.formulas import FORMULAS
from tests import factories as make
from tests.chance_events import FORMULAS as PLAYED
from tests.chance_events import chance_event
from tests.lives.by_chance import life_by_chance
from tests.transcripts import CHECK_DRAWS, draws_of, faults_in, golden, golden_names, program, told
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.exports.views import event_transcript
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.rounds import services as rounds
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}


def test_every_shipped_formula_is_played() -> None:
    assert set(PLAYED) == {formula.key for formula in FORMULAS}


@pytest.mark.deep
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("formula", "seed"),
    [
        pytest.param(formula, seed, marks=pytest.mark.deep if seed else [])
        for formula in PLAYED
        for seed in range(15)
    ],
)
def test_all_is_right_in_an_honest_event(by, formula, seed):
    event = chance_event(by, formula, seed)
    found = draws_of(event_transcript(event))
    swiss = event.rounds.filter(stage__kind="swiss", level=[])
    assert {what for what in found if what.startswith("round ")} == {
        f"round {item.ordinal}" for item in swiss
    }
    assert sum(what.startswith("draw ") for what in found) == event.draws.exclude(order=[]).count()
    assert not any("not checked" in words for words in found.values())
    assert list(map(str, verify_event(event))) == []


@pytest.mark.django_db
def test_all_is_right_in_an_honest_event_of_tables(by):
    found = draws_of(event_transcript(make.played(by, 11, **make.TABLES)))
    assert "right" in found["draw 1"]


@pytest.mark.django_db
@pytest.mark.deep
@pytest.mark.parametrize("seed", range(30))
def test_all_is_right_in_a_life_by_chance(seed):
    draws_of(event_transcript(life_by_chance(seed, 60)))


@pytest.mark.parametrize("name", golden_names())
def test_all_is_right_in_a_transcript_of_before(name):
    assert draws_of(golden(name))


def draw(document, number=1):
    """Yield each row of a draw that was made, in the rows and in the log."""
    yield document["rows"][f"draw/{number}"]
    yield from (row for _line, _place, row in told(document, "draw") if row["state"] == "drawn")


def change_seed(document):
    for row in draw(document):
        row["seed"] += "x"


def change_seed_and_fingerprint(document):
    for row in draw(document):
        row["seed"], row["fingerprint"] = "x", program().digest("x")


def change_order(document):
    for row in draw(document):
        row["order"][2:4] = row["order"][3:1:-1]


def change_seed_position(document):
    for row in draw(document):
        row["entrants"][5][1] = 1


def change_rows_alone(document):
    document["rows"]["draw/1"]["order"].reverse()


def change_seed_of_stage(document):
    for row in (document["rows"]["stage/1"], *(row for _l, p, row in told(document, "stage"))):
        row["seed"] = row["seed"] and "0" * 32


def exchange_matches(document):
    one, other = (document["rows"][f"round/3/match/{number}"] for number in (9, 10))
    one["a"], one["b"], other["a"], other["b"] = other["a"], other["b"], one["a"], one["b"]


def exchange_sides(document):
    match = document["rows"]["round/1/match/1"]
    match["a"], match["b"] = match["b"], match["a"]


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        (change_seed, "draw 1", "the fingerprint of its seed would be"),
        (change_seed_and_fingerprint, "draw 1", "the order would be"),
        (change_order, "draw 1", "the order would be"),
        (change_seed_position, "draw 1", "the order would be"),
        (change_rows_alone, "draw/1", "it is not what the log tells"),
        (change_seed_of_stage, "round 1", "its pairs would be"),
        (exchange_matches, "round 3", "its pairs would be"),
        (exchange_sides, "round 1", "its pairs would be"),
    ],
)
def test_what_was_changed_is_named(change, where, words):
    document = golden("swiss-cut-5")
    assert faults_in(document) == {}
    change(document)
    assert words in faults_in(document)[where]


@pytest.mark.deep
@pytest.mark.django_db
def test_where_a_seed_comes_from_is_said(by):
    event = make.open_event(by, formula="single-elimination")
    make.players(event, 2, by)
    draws.draw_start_order(event=event, by=by)
    draws.record_start_order(event=event, order=[2, 1], witnesses="Ada", by=by)
    made = draws.draw_start_order(event=event, seed="mine", by=by)
    starting.start_event(event=event, draw_number=made.number, by=by)
    found = draws_of(event_transcript(make.play_event(Event.objects.get(pk=event.pk), by)))
    assert found["draw 1"] == "right; its fingerprint was public from line 1 on"
    assert found["draw 2"] == "drawn by hand"
    assert "somebody gave its seed" in found["draw 3"]


@pytest.mark.deep
@pytest.mark.django_db
def test_what_people_paired_is_said_not_to_be_compared(by):
    event = make.started(by, 8, **SWISS)
    draft = rounds.draft_round(event=event, expected_round=1, by=by)
    one, other, *_rest = draft.matches.order_by("number")
    asked = ChangeRequest(action="swap", players=(one.players[1].number, other.players[1].number))
    change_draft(event=event, ordinal=1, asked=asked, by=by)
    rounds.publish_round(event=event, ordinal=1, by=by)
    make.play_round(draft, by)
    document = event_transcript(make.play_event(Event.objects.get(pk=event.pk), by))
    assert "people paired it" in draws_of(document)["round 1"]
    assert draws_of(document)["round 2"].startswith("right: its order was [")
    del document["pairings"]
    assert "people paired it" in draws_of(document)["round 1"], "as the log tells"


def run(path):
    """Run the program as a stranger does; return its exit and what it prints."""
    command = [sys.executable, "-I", str(CHECK_DRAWS), *path]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return ran.returncode, ran.stdout


def test_the_exit_says_what_was_found(tmp_path):
    path = tmp_path / "transcript.json"
    path.write_text(json.dumps(golden("3-swiss-cut")))
    code, said = run([str(path)])
    assert (code, Counter("right" in line for line in said.splitlines())) == (0, {True: 5})
    document = golden("3-swiss-cut")
    change_seed(document)
    path.write_text(json.dumps(document))
    code, said = run([str(path)])
    assert (code, said.count("WRONG")) == (1, 1)


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b"[]", b"null", b"{}"])
def test_what_is_no_transcript_is_refused(tmp_path, capsys, content):
    path = tmp_path / "transcript.json"
    path.write_bytes(content)
    assert program().main([str(path)]) == 2
    assert program().main([]) == 2
    assert program().main([str(tmp_path / "nothing.json")]) == 2
    assert "python check_draws.py transcript.json" in capsys.readouterr().out


def test_it_is_one_short_file_of_plain_python():
    text = CHECK_DRAWS.read_text()
    assert len(text.splitlines()) <= 150
    parsed = ast.walk(ast.parse(text))
    imports = {node.names[0].name for node in parsed if isinstance(node, ast.Import)}
    parsed = ast.walk(ast.parse(text))
    imports |= {node.module for node in parsed if isinstance(node, ast.ImportFrom)}
    assert imports <= sys.stdlib_module_names
