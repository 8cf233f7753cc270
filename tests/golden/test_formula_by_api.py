"""Whole Mutant Chronicles events (formula.json, pending.json) played through the API.

An event that a program has played then goes through the commands: out, in and out again, verified.
``make test`` plays as many as show each number of legs with and without lots and withdrawals; each
of these goes through the commands. ``make test-all`` plays every one through both. The rules alone
compute every one in ``test_every_case.py``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.golden.program import Program
from tests.golden.tables import FORMULA, PENDING
from tests.pairwise import pairwise
from tournaments.core.event_state import load_facts
from tournaments.models import Event

pytestmark = pytest.mark.django_db

COVERS = {
    *(("api", f"formula {case['id']} event") for case in FORMULA["cases"]),
    *(("commands", f"formula {case['id']} event") for case in FORMULA["cases"]),
    *(("api", f"pending {case['id']} closing") for case in PENDING["cases"]),
}


def settings_of(golden: dict[str, Any], legs: list[int]) -> dict[str, Any]:
    return {"criteria": golden["criteria"], "points": golden["points"], "legs": legs}


def shape(case: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield what kind of event a case is, whatever its results."""
    yield "legs", *case["legs"]
    yield "lots", bool(case["lots_used"])
    yield "withdrawn", bool(case["withdrawn"])


TELLING = {case["id"] for case in pairwise(FORMULA["cases"], shape)[::3]}
EVENTS = [
    pytest.param(case, id=case["id"], marks=[] if case["id"] in TELLING else [pytest.mark.deep])
    for case in FORMULA["cases"]
]


@pytest.mark.parametrize("case", EVENTS)
def test_a_whole_event_goes_as_published(case: dict[str, Any], tmp_path: Path) -> None:
    program = Program(case, settings_of(FORMULA, case["legs"]))
    program.start()
    places: dict[str, str] = {}
    for number, expected in enumerate(case["stages"], start=1):
        stages = program.call("get", "stages/")
        matches = [expected["match"]] if "match" in expected else []
        for group in expected.get("groups", []):
            stored = {g["name"]: g["seats"] for g in stages[number - 1]["groups"]}
            seats = [program.name[seat] for seat in stored[group["name"]]]
            assert seats == group["seats"]
            matches += group["matches"]
        program.play(number, matches)
        places |= program.close(number)
    assert {name: places[name] for name in case["slots"]} == case["slots"]
    program.draw_for_ranks(len(case["stages"]))
    assert program.ranking() == case["final_ranking"]
    by_the_commands(program, case, tmp_path)


def by_the_commands(program: Program, case: dict[str, Any], folder: Path) -> None:
    """Take the event out, in and out again by the commands; verify it."""
    slug, first, second = program.slug, folder / "first.json", folder / "second.json"
    call_command("archive", slug, str(first))
    Event.objects.filter(slug=slug).delete()
    call_command("restore", str(first))
    call_command("archive", slug, str(second))
    assert second.read_bytes() == first.read_bytes()
    call_command("verify", slug)
    ranking = load_facts(Event.objects.get(slug=slug)).ranking
    assert [[program.name[int(one)] for one in level] for level in ranking] == case["final_ranking"]


@pytest.mark.deep
@pytest.mark.parametrize("case", PENDING["cases"], ids=lambda case: case["id"])
def test_only_ties_that_matter_stop_the_stage(case: dict[str, Any]) -> None:
    program = Program(case, settings_of(PENDING, [case["legs"], 1, 1]))
    program.start()
    program.play(1, [match for table in case["tables"] for match in table["matches"]])
    closed = program.ask("post", "stages/1/close/")
    assert (closed.status_code == 200) is case["can_close"]
    tied = [] if case["can_close"] else closed.json()["tied"]
    needed = {frozenset(program.name[number] for number in level) for level in tied}
    for shared in case["shared"]:
        assert (frozenset(shared["players"]) in needed) is shared["advancement_depends"]
