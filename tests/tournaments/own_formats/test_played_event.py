"""Events of games of one's own from sign-up to workbook; nothing of them names another game."""

import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from decks.own_formats.services import OwnFormat, change_own_format, make_own_format
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import by_link, signed_in, url
from tests.crawling import everything
from tests.tournaments.events.test_new_event import filled
from tests.tournaments.own_formats.games import CATAN, PAUPER
from tournaments.core.permissions import Actor, Role
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, Match
from tournaments.staff import services as staff
from tournaments.starting.services import start_event
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
NEW = "/events/new/?template=other-game"
OTHERS = re.compile(
    r"doomtrooper|creatures of exo|\bexo\b|thoom|yu-?gi-?oh|saint seiya|mutant chronicles"
    r"|promotion point|punt[oi] promozione|battle card|carte battaglia|warrior|guerrier"
    r"|sdoppiamento",
    re.IGNORECASE,
)
LINK = re.compile(r'(?:href|src)="([^"#]+)')
STYLES = re.compile(r"<style.*?</style>", re.DOTALL)
"""Style sheets inside a page, with the colours of every game."""
NOT_ITS_OWN = re.compile(r"/manage/settings/|/manage/criteria/|/manage/delete|/change/|/copy/")
"""Forms in which any format and any order of criteria can be chosen."""
DECKS = re.compile(
    r"\bdeck|(?<!waiting )(?<!waits on a )\blists?\b(?! of events|, calendar)", re.IGNORECASE
)
"""Words of decks, which a game without them has none of; there are lists of players and events."""
NOT_READ = re.compile(r"<(script|style|head)\b.*?</\1>|<[^>]+>", re.DOTALL)
MOST_READ, FIRST_READ = 80, 25
"""Addresses that each reader follows: in make test-all, and else."""


def addresses(event: Event) -> Iterator[str]:
    """Yield where a reader of the event begins."""
    api = f"/api/v1/events/{event.slug}/"
    yield from (url(name, event) for name in ("event", "rules", "manage", "desk", "me"))
    yield from (f"{api}{name}" for name in ("", "standings/", "matches/", "rounds/", "ranking/"))
    yield from (f"{api}archive.json", f"{api}export.xlsx", f"{api}export.xlsx?whole=1")
    yield f"/formats/{event.format}/"
    yield f"/formats/{event.format}/sheet/"


@pytest.fixture(autouse=True)
def _first_addresses(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.config.getoption("--deep"):
        monkeypatch.setattr(f"{__name__}.MOST_READ", FIRST_READ)


def found_in(client: Client, event: Event, language: str) -> tuple[list[str], set[str]]:
    """Return where another game is named, and the addresses read: all that can be followed."""
    wrong, seen = [], set[str]()
    todo = deque(addresses(event))
    while todo and len(seen) < MOST_READ:
        path = unescape(todo.popleft())
        inside = f"/{event.slug}/" in path or event.format in path
        if path in seen or not inside or NOT_ITS_OWN.search(path):
            continue
        answer: Any = client.get(path, headers={"accept-language": language})
        if answer.status_code != 200:
            continue
        seen.add(path)
        said = STYLES.sub("", everything(answer).decode(errors="replace"))
        wrong += [f"{path}: {said[m.start() - 30 : m.end() + 30]!r}" for m in OTHERS.finditer(said)]
        todo.extend(LINK.findall(said))
    return wrong, seen


def nothing_else_is_named(event: Event, by: Actor) -> None:
    """Assert that nobody reads another game's name, in either language."""
    person = make.user()
    staff.give_role(event=event, email=person.email, role=Role.JUDGE, by=by)
    judge = Client()
    judge.force_login(person)
    player = by_link(event.entries.get(number=1), by)
    readers = ((signed_in(by), "it"), (judge, "en"), (player, "it"), (Client(), "en"))
    for client, language in readers:
        wrong, seen = found_in(client, event, language)
        assert wrong == []
        assert len(seen) > 12


def no_decks_are_named(client: Client, event: Event, *names: str) -> None:
    """Assert that these pages speak of no decks and no lists of cards."""
    for name in names:
        said = NOT_READ.sub(" ", client.get(url(name, event)).content.decode())
        assert [said[m.start() - 60 : m.end() + 60] for m in DECKS.finditer(said)] == [], name


def made_on_the_page(by: Actor, address: str, **typed: str) -> Event:
    signed = signed_in(by)
    page = signed.get(address)
    assert signed.post(address, filled(page, **typed)).status_code == 302
    return Event.objects.get()


def test_an_evening_of_catan(by: Actor) -> None:
    event = made_on_the_page(by, NEW, game="Catan", formula="single-group")
    assert event.decklists == "off"
    make_open(event, by)
    desk = signed_in(by)
    before = ("manage", "manage-start", "manage-settings", "manage-players", "arrivals", "event")
    no_decks_are_named(desk, event, *before)
    for name in ("manage-decklists", "my-deck"):
        reader = desk if name == "manage-decklists" else by_link(event.entries.get(number=1), by)
        assert reader.get(url(name, event)).status_code == 404
    event = start(event, by)
    item = make.next_round(event, by)
    assert "who wins (1 or 2)" in desk.get(url("desk", event)).content.decode()
    assert "a game without a winner is a draw" in desk.get(url("rules", event)).content.decode()
    first, second = item.matches.filter(table__isnull=False).order_by("table")
    for table, typed in ((first.table, "1"), (second.table, "=")):
        sent = {"ordinal": item.ordinal, "table": table, "text": typed}
        answer = desk.post(url("desk-quick", event), sent)
        assert answer.status_code in (200, 302), answer.content.decode()[:500]
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.decision.winner, second.decision.winner) == ("a", "draw")
    nothing_else_is_named(Event.objects.get(), by)
    make.play_event(Event.objects.get(), by)
    event = Event.objects.get()
    assert list(verify_event(event)) == []
    no_decks_are_named(desk, event, "manage", "manage-settings", "desk", "sheets", "event", "rules")
    assert b"Catan" in everything(desk.get(url("workbook", event)))


@pytest.mark.parametrize("score", [pytest.param("games", marks=pytest.mark.deep), "points"])
def test_a_game_whose_lists_are_counted(by: Actor, score: str) -> None:
    assert by.user is not None
    match = {"best_of": 3} if score == "games" else {"score": "points", "target": 20}
    content = PAUPER | {"rules": {**PAUPER["rules"], "match": match}}
    house = make_own_format(OwnFormat(**content), by=by.user)
    event = make.open_event(by, format=house.slug, formula="single-group", decklists="required")
    for entry in make.players(event, 4, by):
        player = by_link(entry, by)
        text = "Deck\n4 Fulmine\n56 Isola\nSideboard\n3 Fonte"
        sent = {"text": text, "base": ""}
        answer = player.post(url("my-deck", event), sent)
        assert answer.status_code == 302, answer.content.decode()[:3000]
        shown = player.get(url("my-deck", event)).content.decode()
        assert "Your list is handed in. Sizes and copies right; not checked: colours." in shown
        assert "legal" not in NOT_READ.sub(" ", shown)
    page = by_link(event.entries.get(number=1), by).get(url("me", event)).content.decode()
    assert "sizes and copies right" in page
    assert ">legal<" not in page
    event = start(event, by)
    claims = make.a_wins if score == "games" else twenty_to_twelve
    item = make.next_round(event, by)
    nothing_else_is_named(Event.objects.get(), by)
    make.play_round(item, by, claims)
    make.play_event(Event.objects.get(), by, claims)
    nothing_else_is_named(Event.objects.get(), by)
    assert list(verify_event(Event.objects.get())) == []
    assert CATAN["game"] not in everything(Client().get(url("event", event))).decode()


def test_a_player_reads_what_the_rules_check_now(by: Actor) -> None:
    assert by.user is not None
    house = make_own_format(OwnFormat(**PAUPER), by=by.user)
    event = make.open_event(by, format=house.slug, formula="single-group", decklists="required")
    (entry,) = make.players(event, 1, by)
    player = by_link(entry, by)
    player.post(url("my-deck", event), {"text": "Deck\n60 Isola", "base": ""})
    assert "sizes and copies right" in player.get(url("me", event)).content.decode()
    wholly = OwnFormat(**PAUPER | {"rules": {**PAUPER["rules"], "not_checked": []}})
    change_own_format(wholly, slug=house.slug, by=by.user)
    assert "sizes and copies right" not in player.get(url("me", event)).content.decode()


def twenty_to_twelve(_match: Match, _index: int = 0) -> Claim:
    """Return the claim of a game to twenty points."""
    return Claim(score=(20, 12), by_staff=True)


def make_open(event: Event, by: Actor) -> None:
    """Open registration, and let four players sign up."""
    signed_in(by).post(url("manage-move", event), {"action": "open_registration"})
    for number in range(1, 5):
        page = Client().get(url("register", event))
        sent = {"name": f"Ada Conti {number}"} | {
            name: "on" for name in page.context["form"].fields if name in ("consent", "agrees")
        }
        answer = Client().post(url("register", event), sent)
        assert answer.status_code in (200, 302), answer.content.decode()[:2000]
    assert event.entries.count() == 4


def start(event: Event, by: Actor) -> Event:
    """Start an event with a draw."""
    event = Event.objects.get(pk=event.pk)
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)
