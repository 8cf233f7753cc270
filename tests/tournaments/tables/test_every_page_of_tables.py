"""Every address of an event of tables of four and three answers, to everybody who may read it.

A module that names a side where nobody has one fails here, and a page that speaks of two.
"""

import re
import traceback
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.http import HttpResponse

from tests import factories as make
from tests.around import ROLES, Around
from tests.event_addresses import BODIES, EVENT_PAGES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet"), pytest.mark.deep]
READERS = ("player", "organiser")
HIDDEN = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
SPOKEN = re.compile(r'\b(?:title|alt|aria-label|placeholder|data-said)="([^"]*)"')
OF_TWO = re.compile(
    r"head.to.head|scontr[oi] dirett[oi]|\bopponent\b|\bavversari[oa]\b|\bround of (?:2|two)\b"
    r"|\bboth players\b|\bentrambi\b",
    re.IGNORECASE,
)
"""What says something of matches of two alone."""
FOR_ANY = {"manage-player"}
"""Says of every event what byes are that were awarded before."""


def crashes(around: Around, roles: tuple[str, ...]) -> Iterator[str]:
    """Yield the addresses whose pages or forms crash, and where."""
    for name, (reads, sends) in EVENT_PAGES.items():
        for method, may in (("get", reads), ("post", sends)):
            for role in [role for role in roles if role in may][: None if method == "get" else 1]:
                cache.clear()
                body = BODIES.get(name, {}) if method == "post" else {}
                try:
                    status = around.undone(role, method, around.address(name), body).status_code
                except Exception as fault:  # noqa: BLE001 - each is named below
                    where = traceback.extract_tb(fault.__traceback__)[-1]
                    place = f"{where.filename.partition('/tables/')[2]}:{where.lineno}"
                    yield f"{method} {name} as {role}: {type(fault).__name__}: {fault} ({place})"
                else:
                    if status >= 500:
                        yield f"{method} {name} as {role}: {status}"


def of_two(answer: HttpResponse) -> Iterator[str]:
    """Yield what a page says of two, with some words around."""
    if "text/html" not in answer.headers.get("Content-Type", ""):
        return
    page = answer.content.decode()
    said = re.sub(r"\s+", " ", " ".join((HIDDEN.sub(" ", page), *SPOKEN.findall(page))))
    for found in OF_TWO.finditer(said):
        yield said[max(0, found.start() - 60) : found.end() + 40]


def speaking_of_two(around: Around, languages: tuple[str, ...]) -> Iterator[str]:
    """Yield the addresses whose pages speak of two, and what they say."""
    for name, (reads, _sends) in EVENT_PAGES.items():
        if name in FOR_ANY:
            continue
        for role in [role for role in ("anonymous", *READERS) if role in reads]:
            for language in languages:
                cache.clear()
                headers = {"accept-language": language}
                answer = around.browsers[role].get(around.address(name), headers=headers)
                yield from (f"{name} as {role}: {said}" for said in of_two(answer))


BEFORE_TWO = {"options": {"rounds": 1, "cut": 4, "ending": "two"}}


@pytest.mark.parametrize(
    ("state", "roles", "more"),
    [
        ("running", READERS, {}),
        *(pytest.param(s, ROLES, {}, marks=pytest.mark.deep) for s in ("running", "draft")),
        *(pytest.param("finished", ROLES, m, marks=pytest.mark.deep) for m in ({}, BEFORE_TWO)),
    ],
)
def test_no_page_of_tables_crashes(state, roles, more):
    around = Around(state, players=7, **make.TABLES | more)
    assert not "\n".join(crashes(around, roles))


@pytest.mark.deep
@pytest.mark.parametrize("state", ["registration", "running", "finished", "draft"])
def test_no_page_of_tables_speaks_of_two(state):
    around = Around(state, players=11, **make.TABLES)
    assert not "\n".join(speaking_of_two(around, ("en", "it")))


def test_the_pages_read_most_speak_of_no_two():
    around = Around("running", players=7, **make.TABLES)
    pages = (("me", "player"), ("pairings", "anonymous"), ("rules", "anonymous"))
    for name, role in (*pages, ("manage-settings", "organiser")):
        answer = around.browsers[role].get(around.address(name))
        assert [*of_two(answer)] == []
