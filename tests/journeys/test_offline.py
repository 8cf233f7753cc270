"""Pages seen before are there without connection, the own page too; what is kept goes."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from config import offline
from config.venue import local_addresses
from tests import factories as make
from tests.convention import hold_convention
from tests.journeys.browser import PATIENCE, PHONE
from tests.journeys.steps import follow, hurry
from tests.journeys.test_desk import enter
from tests.journeys.wire import wire_to
from tournaments.models import Match
from tournaments.players.services import entries

pytestmark = pytest.mark.django_db(transaction=True)
CONTROLLED = "navigator.serviceWorker.controller !== null"
CACHED_PATHS = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    if (!/-(public|own-.*)$/.test(name)) continue;
    const kept = await (await caches.open(name)).keys();
    found.push(...kept.map(request => new URL(request.url).pathname));
  }
  return found.sort();
}"""

NOTED_LANGUAGE = """async () => {
  const found = await caches.match("/offline/language");
  return found ? found.text() : "";
}"""


@pytest.fixture
def wire(wire, watch):
    watch.allow.append("ERR_FAILED")
    return wire


@pytest.fixture
def reader(open_page, wire) -> Page:
    """Return a page whose site has a service worker."""
    page = open_page(base_url=wire.url, service_workers="allow")
    page.goto("/formats/")
    until(page, lambda: page.evaluate(CONTROLLED))
    return page


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for what a page's policy does not let Playwright ask for by itself."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < deadline, page.evaluate(CACHED_PATHS)
        page.wait_for_timeout(100)


def keeps(page: Page, path: str) -> None:
    """Wait until a page is kept."""
    until(page, lambda: path in page.evaluate(CACHED_PATHS))


def forgets(page: Page, path: str) -> None:
    """Wait until a page is not kept any more."""
    until(page, lambda: path not in page.evaluate(CACHED_PATHS))


def sign_in(page: Page, who) -> None:
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(who.user.email)
    page.locator("[name=password]").fill("girone-test")
    follow(page.locator("main form button[type=submit]").first)


@pytest.mark.deep
def test_the_page_last_seen_is_read_without_connection(reader, by, wire, axe):
    event = make.playing(by, 4)
    address = f"/events/{event.slug}/"
    reader.goto(address)
    keeps(reader, address)
    wire.cut()
    reader.goto(address)
    expect(reader.locator(".stand")).to_have_text(re.compile(r"^\s*Offline since \d\d:\d\d\.\s*$"))
    expect(reader.locator("main")).to_contain_text(event.name)
    colour = "getComputedStyle(document.querySelector('header.site')).backgroundColor"
    assert reader.evaluate(colour) != "rgba(0, 0, 0, 0)"  # the shell is there too
    axe(reader)

    reader.goto(f"/events/{event.slug}/players/")  # never seen
    expect(reader.get_by_role("heading", name="No connection")).to_be_visible()
    expect(reader.get_by_role("link", name=re.compile(event.name)).first).to_be_visible()
    axe(reader)
    wire.mend()
    expect(reader.locator("main")).to_contain_text("Ada")  # it opened by itself
    expect(reader.locator(".stand")).to_have_count(0)

    login = "/accounts/login/"  # seen, in another language, and never kept
    reader.goto(f"/language/it/?next={login}")
    expect(reader.locator("html")).to_have_attribute("lang", "it")
    until(reader, lambda: reader.evaluate(NOTED_LANGUAGE) == "it")
    wire.cut()
    reader.goto(login)
    expect(reader.locator("main")).to_contain_text("si aprirà appena torna la connessione")
    expect(reader.locator("main")).not_to_contain_text("mai")


@pytest.mark.deep
def test_the_day_of_a_series_is_read_without_connection(reader, by, wire):
    hold_convention(by)
    reader.goto("/series/fiera/today/")
    keeps(reader, "/series/fiera/today/")
    wire.cut()
    reader.goto("/series/fiera/today/")
    expect(reader.locator(".stand")).to_contain_text("Offline since")
    expect(reader.locator("main")).to_contain_text("Still open: 6 / 6")
    reader.get_by_role("searchbox").fill("ada")
    expect(reader.locator("#day-said")).to_contain_text("No connection.")
    wire.mend()


@pytest.mark.deep
def test_the_first_page_is_kept_too(open_page, by, wire):
    event = make.playing(by, 4)
    address = f"/events/{event.slug}/"
    page = open_page(base_url=wire.url, service_workers="allow")
    page.goto(address)
    keeps(page, address)
    wire.cut()
    page.reload()
    expect(page.locator(".stand")).to_be_visible()
    expect(page.locator("main")).to_contain_text(event.name)


@pytest.mark.deep
def test_what_one_reader_saw_is_gone_when_they_sign_out(reader, by, wire):
    event = make.playing(by, 4)
    desk = f"/events/{event.slug}/desk/"
    sign_in(reader, by)
    reader.goto(desk)
    keeps(reader, desk)
    for secret in ("manage/staff/", "manage/players/", "manage/players/links/"):
        reader.goto(f"/events/{event.slug}/{secret}")
    wire.cut()
    reader.goto(desk)
    expect(reader.locator(".stand")).to_be_visible()
    expect(reader.locator("tr.desk-row")).to_have_count(2)
    assert not [path for path in reader.evaluate(CACHED_PATHS) if "/manage/" in path]
    wire.mend()
    expect(reader.locator(".stand")).to_have_count(0)
    reader.goto("/accounts/logout/")
    follow(reader.locator("main form button[type=submit]").first)
    forgets(reader, desk)
    wire.cut()
    reader.goto(desk)
    expect(reader.get_by_role("heading", name="No connection")).to_be_visible()
    assert "Ada" not in reader.content()


def test_the_desk_goes_on_through_a_reload_without_connection(reader, by, wire, watch):
    watch.allow.append("status of 403")
    event = make.playing(by, 4)
    desk = f"/events/{event.slug}/desk/"
    asked = []
    sign_in(reader, by)
    reader.goto(desk)
    keeps(reader, desk)
    wire.cut()
    enter(reader, "1", "40 5")
    expect(reader.locator("#outbox li")).to_have_count(1)
    reader.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    reader.reload()
    expect(reader.locator(".stand")).to_be_visible()
    expect(reader.locator("#outbox li")).to_have_count(1)
    enter(reader, "2", "40 22")
    expect(reader.locator("#outbox li")).to_have_count(2)
    asked.clear()
    wire.mend()
    expect(reader.locator("tr.desk-row[data-final]")).to_have_count(2)
    expect(reader.locator(".stand")).to_have_count(0)  # it came back by itself, and asked nothing
    assert asked == []
    found = Match.objects.filter(round__event=event).order_by("table")
    assert [[report.score_b for report in match.reports.all()] for match in found] == [[5], [22]]


@pytest.mark.deep
def test_somebody_else_finds_nothing_of_the_reader_before(reader, by, wire):
    event = make.playing(by, 4)
    desk = f"/events/{event.slug}/desk/"
    sign_in(reader, by)
    reader.goto(desk)
    keeps(reader, desk)
    reader.context.clear_cookies()  # a session that ended without a word
    reader.goto("/formats/")
    forgets(reader, desk)


@pytest.mark.deep
def test_a_new_release_takes_over_and_the_old_one_leaves_nothing(reader, by, wire, monkeypatch):
    event = make.playing(by, 4)
    address = f"/events/{event.slug}/"
    reader.goto(address)
    keeps(reader, address)
    (before,) = {name.split("-")[1] for name in reader.evaluate("caches.keys()")}
    assert before == offline.release_digest()
    monkeypatch.setattr(offline, "release_digest", lambda: "0123456789ab")
    reader.evaluate("navigator.serviceWorker.ready.then(found => found.update())")
    names = "caches.keys().then(names => names.map(name => name.split('-')[1]))"
    until(reader, lambda: set(reader.evaluate(names)) == {"0123456789ab"})
    reader.reload()
    keeps(reader, address)
    wire.cut()
    reader.reload()
    expect(reader.locator(".stand")).to_be_visible()


@pytest.mark.deep
def test_a_form_is_never_answered_from_what_was_kept(reader, by, wire):
    event = make.playing(by, 4)
    desk = f"/events/{event.slug}/desk/"
    sign_in(reader, by)
    reader.goto(desk)
    keeps(reader, desk)
    wire.cut()
    sent = """async address => fetch(address, {method: "POST", body: new FormData()})
      .then(answer => answer.status, () => "lost")"""
    assert reader.evaluate(sent, desk) == "lost"


@pytest.mark.deep
@pytest.mark.skipif(not local_addresses(), reason="this machine is on no network")
def test_plain_http_has_no_worker_and_says_nothing_of_it(
    open_page, live_server, by, watch, settings
):
    settings.ALLOWED_HOSTS = ["*"]
    (host, *_more) = local_addresses()
    watch.allow.append("request to")
    event = make.playing(by, 4)
    with wire_to(live_server.url, host) as wire:
        page = open_page(base_url=wire.url, service_workers="allow")
        page.goto(f"/events/{event.slug}/")
        assert page.evaluate("window.isSecureContext") is False
        assert page.evaluate("'serviceWorker' in navigator") is False
        sign_in(page, by)  # a cookie without Secure
        page.goto(f"/events/{event.slug}/desk/")
        expect(page.locator("#quick-table")).to_be_focused()
        page.goto(f"/events/{event.slug}/screen/")
        expect(page.get_by_text("Turn off this device’s screen saver.")).to_be_visible()
    assert all(host in each or "request to" in each for each in watch.seen)


NO_TABLE = "You are offline. Check the pairings"


@pytest.mark.deep
def test_a_page_without_connection_promises_no_table(reader, by, wire):
    event = make.halfway(by, 4, formula="single-group", format="creatures-of-exo")
    reader.goto(f"/p/{entries.make_link(entry=event.entries.get(number=1), by=by)}/")
    keeps(reader, f"/events/{event.slug}/me/")
    says = reader.locator(".seat-say")
    expect(says).to_have_text("Your table will appear here automatically.")
    wire.cut()
    hurry(reader)
    expect(says).to_contain_text(NO_TABLE)
    reader.reload()
    expect(reader.locator(".stand")).to_be_visible()
    expect(says).to_contain_text(NO_TABLE)
    wire.mend()
    expect(says).to_have_text("Your table will appear here automatically.")


@pytest.mark.deep
def test_the_place_is_shared_by_the_phone(open_page, by):
    event = make.played(by, 12)
    entry = event.entries.get(number=3)
    page = open_page(PHONE)
    page.add_init_script("navigator.share = async (shared) => { window.shared = shared; };")
    page.goto(f"/p/{entries.make_link(entry=entry, by=by)}/")
    page.get_by_role("link", name="Condividi").tap()
    assert page.evaluate("window.shared.url").endswith(f"/events/{event.slug}/players/3/")
