"""Formats of games of one's own: by the API, and events that are played by them."""

import json
import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from config.looks import emblem_svg
from decks.models import FormatVersion, HouseFormat
from decks.own_formats.services import FormatInput, change_custom_format, create_custom_format
from decks.stored_formats import base_format, format_cache_middleware, load_format
from rules.deckbuilding.data.files import shipped_rules
from rules.deckbuilding.data.json import rules_to_json
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import by_link, signed_in, url
from tests.crawling import everything
from tests.tournaments.events.test_new_event import filled
from tests.tournaments.own_formats.games import CATAN, PAUPER, posted
from tournaments.core.permissions import Actor, Role
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, Match
from tournaments.staff import services as staff
from tournaments.starting.services import start_event
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
URL = "/api/v1/formats/"


@pytest.fixture
def owner() -> User:
    return make.user()


def browser(user: User | None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user)
    return client


def put(client: Client, slug: str, body: object) -> Any:
    return client.put(f"{URL}{slug}/", json.dumps(body), content_type="application/json")


def test_a_format_is_made_listed_changed_and_deleted(owner: User) -> None:
    client = browser(owner)
    made = posted(client, URL, PAUPER)
    assert made.status_code == 201
    told = made.json()
    assert told["own"] is True
    assert (told["game"], told["game_name"], told["lists"]) == ("Magic", "Magic", "counted")
    assert (told["slug"], told["version"], told["base"]) == ("own_pauper-del-venerdi", 1, None)
    assert told["rules"]["zones"][0]["min"] == 60
    assert told["not_checked"] == ["colours"]
    slug = told["slug"]
    assert client.get(f"{URL}{slug}/").json() == told
    listed = [one["slug"] for one in client.get(f"{URL}?own=1").json()["results"]]
    assert listed == [slug]
    assert browser(make.user()).get(f"{URL}?own=1").json()["results"] == []
    everybody = Client().get(f"{URL}?page_size=100").json()["results"]
    assert slug in {one["slug"] for one in everybody}
    changed = put(client, slug, PAUPER | {"game": "Magia", "version": 1})
    assert (changed.json()["game"], changed.json()["version"]) == ("Magia", 2)
    assert put(client, slug, PAUPER | {"version": 1}).status_code == 409
    assert put(client, slug, PAUPER | {"game": "Magia"}).json()["version"] == 2, "nothing changed"
    assert client.delete(f"{URL}{slug}/").status_code == 204
    assert client.get(f"{URL}{slug}/").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"game": " "}, "game"),
        ({"name": 7}, "name"),
        ({"lists": "some"}, "lists"),
        ({"rules": None}, "$"),
        ({"rules": {"zones": []}}, "zones"),
        ({"lists": "off", "rules": {"match": {"best_of": 2}}}, "match.best_of"),
        ({"lists": "collected", "rules": {"colours": 1}}, "colours"),
        ({"rules": PAUPER["rules"] | {"checks": [{"check": "one_language"}]}}, "checks"),
        ({"rules": PAUPER["rules"] | {"match": {"first": "The youngest."}}}, "match.first"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_stored(
    owner: User, wrong: dict[str, object], path: str
) -> None:
    answer = posted(browser(owner), URL, PAUPER | wrong)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["path"]) == ("invalid_rules", path)
    assert not HouseFormat.objects.exists()


def test_only_its_owner_changes_and_deletes_it(owner: User) -> None:
    slug = posted(browser(owner), URL, CATAN).json()["slug"]
    other = browser(make.user())
    assert put(other, slug, CATAN).status_code == 404
    assert other.delete(f"{URL}{slug}/").status_code == 404
    assert posted(browser(None), URL, CATAN).status_code in (401, 403)
    assert posted(browser(make.user(can_create_events=False)), URL, CATAN).status_code == 403
    assert put(browser(owner), "creatures-of-exo", CATAN).status_code == 404
    assert HouseFormat.objects.get().version == 1


def test_an_event_without_lists_has_points_criteria_and_time_of_its_game(owner: User) -> None:
    client = browser(owner)
    chess = next(one for one in shipped_rules() if one.key == "chess")
    body = {"game": "Scacchi", "name": "Blitz", "lists": "off", "rules": rules_to_json(chess.rules)}
    slug = posted(client, URL, body).json()["slug"]
    event = {"name": "Torneo", "format": slug, "formula": "single-group"}
    made = posted(client, "/api/v1/events/", event | {"decklists": "required"}).json()
    assert made["points"] == {"win": 1, "draw": "1/2", "loss": 0}
    assert (made["decklists"], made["minutes"]) == ("off", 50)
    assert made["criteria"][1] == "buchholz_cut1"
    url = f"/api/v1/events/{made['slug']}/"

    def change(points: object) -> Any:
        body = json.dumps({"points": points})
        return client.patch(url, body, content_type="application/json")

    assert change({"draw": "1/2", "win": 3}).json()["points"] == {
        "win": 3,
        "draw": "1/2",
        "loss": 0,
    }
    assert change({"draw": 1}).json()["points"] == {"win": 3, "draw": 1, "loss": 0}
    for wrong in ("1/3", "x", -1, 101, 0.5, "1e9", None):
        assert change({"draw": wrong}).status_code == 400, wrong


@pytest.mark.deep
def test_a_started_event_keeps_its_version_and_the_format(owner: User) -> None:
    client = browser(owner)
    slug = posted(client, URL, PAUPER).json()["slug"]
    by = Actor(user=owner)
    event = make.started(by, 4, formula="single-group", format=slug, decklists="off")
    longer = {**PAUPER["rules"], "match": {"best_of": 5}}
    assert put(client, slug, PAUPER | {"rules": longer}).json()["version"] == 2
    event = Event.objects.get(pk=event.pk)
    assert event.format_version == 1
    assert load_format(event.format_key).match.best_of == 3
    assert load_format(slug).match.best_of == 5
    assert FormatVersion.objects.get().version == 1
    refused = client.delete(f"{URL}{slug}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "format_in_use")
    make.play_round(make.next_round(event, by), by)
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    make.started(by, 4, formula="single-group", format=slug, decklists="off", name="Dopo")
    assert put(client, slug, PAUPER).json()["version"] == 3
    assert [one.version for one in FormatVersion.objects.all()] == [1, 2]
    assert client.get(f"/api/v1/events/{event.slug}/").json()["format"] == slug


def test_a_request_reads_a_format_once(owner: User, django_assert_num_queries: Any) -> None:
    slugs = [posted(browser(owner), URL, CATAN | {"name": n}).json()["slug"] for n in "ABC"]

    def answer(_request: Any) -> Any:
        with django_assert_num_queries(len(slugs)):
            return [base_format(slug).label for slug in slugs * 3]

    assert len(format_cache_middleware(answer)(None)) == 9  # type: ignore[arg-type]


def test_lists_are_checked_and_collected_by_the_format(owner: User) -> None:
    client = browser(owner)
    slug = posted(client, URL, PAUPER).json()["slug"]
    text = {"text": "Deck\n5 Ragno\n56 Isola"}
    answer = posted(Client(), f"{URL}{slug}/validate/", text).json()
    assert [one["code"] for one in answer["violations"]] == ["copies.too_many"]
    assert answer["not_checked"] == ["colours"]
    kept = posted(client, URL, PAUPER | {"lists": "collected", "rules": None}).json()
    assert "rules" not in kept
    answer = posted(Client(), f"{URL}{kept['slug']}/validate/", text).json()
    assert (answer["legal"], answer["violations"]) == (True, [])


def test_events_of_the_game_are_found_in_the_list(owner: User) -> None:
    slug = posted(browser(owner), URL, CATAN).json()["slug"]
    by = Actor(user=owner)
    make.open_event(by, name="Sera", format=slug, formula="single-group")
    make.open_event(by, name="Altra", format="thoom", formula="single-group")
    page = Client().get("/", {"game": "catan"}).content.decode()
    assert '<a href="/?game=catan" aria-current="true">' in page
    assert ("Sera" in page, "Altra" in page) == (True, False)


def test_pages_have_the_colours_and_the_emblem_of_the_game(by: Actor, owner: User) -> None:
    look = {"palette": "indigo", "emblem": "crown"}
    client = browser(by.user)
    slug = posted(client, URL, CATAN | {"rules": {"look": look}}).json()["slug"]
    event = make.open_event(by, format=slug, decklists="off", formula="single-group")
    for address in (f"/events/{event.slug}/", "/"):
        page = Client().get(address).content.decode()
        assert "g-indigo" in page
        assert emblem_svg("crown") in page
    wrong = CATAN | {"rules": {"look": look | {"palette": "pink"}}}
    assert posted(client, URL, wrong).json()["path"] == "look.palette"
    again = {"rules": {"look": look | {"palette": "red"}}}
    assert put(client, slug, CATAN | again).status_code == 200
    assert "g-red" in Client().get(f"/events/{event.slug}/").content.decode()


NEW = "/events/new/?game=Catan"
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
    yield from (url(name, event) for name in ("event", "rules", "manage-players", "desk", "me"))
    yield from (f"{api}{name}" for name in ("", "standings/", "matches/", "rounds/", "ranking/"))
    yield from (f"{api}archive.json", f"{api}export.xlsx", f"{api}export.xlsx?whole=1")
    yield f"/formats/{event.format}/"
    yield f"/formats/{event.format}/sheet/"


@pytest.fixture
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


@pytest.mark.deep
@pytest.mark.usefixtures("_first_addresses")
def test_an_evening_of_catan(by: Actor) -> None:
    event = made_on_the_page(by, NEW, game="Catan", formula="single-group")
    assert event.decklists == "off"
    make_open(event, by)
    desk = signed_in(by)
    before = ("manage-start", "manage-settings", "manage-players", "arrivals", "event")
    no_decks_are_named(desk, event, *before)
    for name in ("manage-decklists", "my-deck"):
        reader = desk if name == "manage-decklists" else by_link(event.entries.get(number=1), by)
        assert reader.get(url(name, event)).status_code == 404
    event = start(event, by)
    item = make.next_round(event, by)
    assert 'placeholder="1"' in desk.get(url("desk", event)).content.decode()
    assert (
        "Without a winner, the match is a draw." in desk.get(url("rules", event)).content.decode()
    )
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
    no_decks_are_named(
        desk, event, "manage-players", "manage-settings", "desk", "sheets", "event", "rules"
    )
    assert b"Catan" in everything(desk.get(url("workbook", event)))


@pytest.mark.deep
@pytest.mark.usefixtures("_first_addresses")
@pytest.mark.parametrize("score", [pytest.param("games", marks=pytest.mark.deep), "points"])
def test_a_game_whose_lists_are_counted(by: Actor, score: str) -> None:
    assert by.user is not None
    match = {"best_of": 3} if score == "games" else {"score": "points", "target": 20}
    content = PAUPER | {"rules": {**PAUPER["rules"], "match": match}}
    house = create_custom_format(FormatInput(**content), by=by.user)
    event = make.open_event(by, format=house.slug, formula="single-group", decklists="required")
    for entry in make.players(event, 4, by):
        player = by_link(entry, by)
        text = "Deck\n4 Fulmine\n56 Isola\nSideboard\n3 Fonte"
        sent = {"text": text, "base": ""}
        answer = player.post(url("my-deck", event), sent)
        assert answer.status_code == 302, answer.content.decode()[:3000]
        shown = player.get(url("my-deck", event)).content.decode()
        assert (
            "Your decklist has been submitted. Sizes and copies are correct. Not checked: colours."
            in shown
        )
        assert "legal" not in NOT_READ.sub(" ", shown)
    page = by_link(event.entries.get(number=1), by).get(url("me", event)).content.decode()
    assert "Sizes and copies are correct" in page
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
    house = create_custom_format(FormatInput(**PAUPER), by=by.user)
    event = make.open_event(by, format=house.slug, formula="single-group", decklists="required")
    (entry,) = make.players(event, 1, by)
    player = by_link(entry, by)
    player.post(url("my-deck", event), {"text": "Deck\n60 Isola", "base": ""})
    assert "Sizes and copies are correct" in player.get(url("me", event)).content.decode()
    wholly = FormatInput(**PAUPER | {"rules": {**PAUPER["rules"], "not_checked": []}})
    change_custom_format(wholly, slug=house.slug, by=by.user)
    assert "Sizes and copies are correct" not in player.get(url("me", event)).content.decode()


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
