"""Every address, every role, every state of an event: who gets what.

Safety notes, T01 and T07. An address that is missing from ``event_addresses`` and
``site_addresses`` fails the run.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import factories as make
from tests.around import ROLES, STAFF, Around, tables
from tests.crawling import refusing
from tests.event_addresses import (
    BODIES,
    DOOR,
    EVENT_PAGES,
    GONE_ROUNDS,
    HIDDEN,
    NOT_OUT,
    OF_A_ROUND,
    PLAYER,
    QUERIES,
    REDIRECTED,
)
from tests.site_addresses import PARTS, SITE_PAGES
from tournaments.core.permissions import Actor, Role
from tournaments.models import Match
from tournaments.staff import services as staff

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

NUMBERED = re.compile(r"/\d+/")


def names(resolver: URLResolver | None = None, space: str = "") -> Iterator[str]:
    """Yield the name of every address outside the admin site."""
    for item in (resolver or get_resolver()).url_patterns:
        if isinstance(item, URLPattern) and item.name:
            yield f"{space}{item.name}"
        elif isinstance(item, URLResolver) and item.namespace != "admin":
            yield from names(item, f"{space}{item.namespace}:" if item.namespace else space)


def test_every_address_stands_in_a_table() -> None:
    known = {*SITE_PAGES, *(f"tournaments:{name}" for name in EVENT_PAGES)}
    assert set(names()) == known


def test_crawlers_leave_out_what_the_table_calls_405_and_nothing_else() -> None:
    for way, method in enumerate(("GET", "POST")):
        lacks = {name for name, may in EVENT_PAGES.items() if not may[way]}
        left_out = {name.removeprefix("tournaments:") for name in refusing(method)}
        assert left_out & EVENT_PAGES.keys() == lacks, method


def due(state: str, role: str, method: str, name: str) -> set[int]:
    """Return the answers that are right."""
    reads, sends = EVENT_PAGES[name]
    may = reads if method == "get" else sends
    if not may:
        return {405}
    hidden = state == "draft" and (role not in STAFF or name in DOOR)
    if hidden:
        return {404}
    if (name, state) == ("join", "finished"):
        return {409}
    if method == "get" and name in HIDDEN and (role not in STAFF or name == "played"):
        return {404}
    before = name in OF_A_ROUND and state not in ("running", "finished")
    if name == "transcript" and state != "finished":
        return {404}
    if role not in may:
        return {403, 404} if before and role in STAFF else {403}
    if before or name in NOT_OUT:
        return {409} if name in GONE_ROUNDS else {404}
    if method == "get":
        return {302} if (name, state) in REDIRECTED else {200}
    return {200, 302, 400, 409}


STATES = ("draft", "registration", "running", "finished")


@pytest.mark.parametrize(
    "state",
    [
        *(pytest.param(state, marks=pytest.mark.deep) for state in STATES if state != "running"),
        "running",
    ],
)
def test_who_gets_what(state: str) -> None:
    """Each form as the first of those who may; else pages as one role in a state or two."""
    assert not "\n".join(answered_wrongly(state, lambda first, turn: first or turn % 64 == 0))


@pytest.mark.deep
@pytest.mark.parametrize("state", STATES)
def test_who_gets_what_of_all(state: str) -> None:
    """The rest: every page as every role in every state."""
    assert not "\n".join(answered_wrongly(state, lambda first, turn: not first and turn % 64 != 0))


def answered_wrongly(state: str, asked: Callable[[bool, int], bool]) -> Iterator[str]:
    """Ask for each page, and send its form, as the roles whose turn it is; yield what is wrong."""
    around = Around(state)
    for page, name in enumerate(EVENT_PAGES):
        for method in ("get", "post"):
            may = EVENT_PAGES[name][method == "post"]
            first = next((role for role in reversed(ROLES) if role in may), ROLES[-1])
            for turn, role in enumerate(ROLES, start=page + STATES.index(state)):
                sends = method == "post" and role == first
                if not (asked(sends, turn) if may else role == first):
                    continue
                cache.clear()
                body = (BODIES if method == "post" else QUERIES).get(name, {})
                status = around.undone(role, method, around.address(name), body).status_code
                right = due(state, role, method, name)
                if status not in right:
                    yield f"{method} {name} as {role}: {status}, not {sorted(right)}"


@pytest.mark.deep
def test_pages_of_the_site(settings) -> None:
    settings.DEBUG = False
    wrong = []
    for name, expected in SITE_PAGES.items():
        for at, signed_in in enumerate((False, True)):
            for method, right in zip(("get", "post"), expected, strict=True):
                browser = Client()
                if signed_in:
                    browser.force_login(make.user())
                status = getattr(browser, method)(reverse(name, args=PARTS.get(name)))
                if status.status_code != right[at]:
                    who = "signed in" if signed_in else "anonymous"
                    wrong.append(f"{method} {name} {who}: {status.status_code}, not {right[at]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.deep
def test_things_of_another_event_are_not_there() -> None:
    """As organiser and player of one event, with the ids of another."""
    around, other = Around("running"), Around("running")
    around.event.entries.update(number=F("number") + 50)
    around.parts = other.parts | {"slug": around.event.slug, "ordinal": 9}
    before = tables()
    for name, (reads, sends) in EVENT_PAGES.items():
        address = around.address(name)
        if not NUMBERED.search(address):
            continue
        role = "player" if PLAYER in (reads, sends) else "organiser"
        for method, may in (("get", reads), ("post", sends)):
            if may:
                body = (BODIES if method == "post" else QUERIES).get(name, {})
                answer = getattr(around.browsers[role], method)(address, body)
                assert answer.status_code in (404, 409), f"{method} {name}"
    assert tables() == before


@pytest.mark.deep
def test_a_player_of_the_event_is_nobody_in_the_match_of_others() -> None:
    around = Around("running")
    mine = around.parts["match_id"]
    match = Match.objects.filter(round__event=around.event, match_seats__number=2).exclude(pk=mine)[
        0
    ]
    for name in ("my-report", "my-confirm"):
        address = reverse(f"tournaments:{name}", args=[around.event.slug, match.pk])
        assert around.browsers["player"].post(address, {"version": "0"}).status_code == 404


@pytest.mark.deep
def test_who_leaves_the_staff_is_out_at_once() -> None:
    around = Around("running")
    role = around.event.staff.get(role=Role.JUDGE)
    staff.remove_role(event=around.event, role_id=role.pk, by=Actor(user=around.by.user))
    assert around.browsers["judge"].get(around.address("desk")).status_code == 403
