"""A player's report: one tap stores it, and without connection it waits and is sent by itself."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import follow, hurry, wait_until
from tests.journeys.test_offline import CACHED_PATHS, CONTROLLED
from tests.journeys.test_player_budgets import COUNT, taps
from tests.playing_again import play_again
from tournaments.models import Match
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)
KEPT = re.compile("Resta qui: parte da solo")


@pytest.fixture
def match(by) -> Match:
    event = make.playing(by, 4)
    found = Match.objects.select_related("round__event")
    return found.get(round__event=event, table=1)


@pytest.fixture
def phone(open_page, match, by, wire, watch) -> Page:
    """Return the first player's phone, over a wire, with a worker that has kept the page."""
    watch.allow += ["ERR_FAILED", "status of 409"]
    page = open_page(PHONE, base_url=wire.url, service_workers="allow")
    page.context.add_init_script(COUNT)
    page.goto(f"/p/{make_link(entry=match.players[0], by=by)}/")
    wait_until(page, lambda: page.evaluate(CONTROLLED))
    here = page.evaluate("location.pathname")
    wait_until(page, lambda: here in page.evaluate(CACHED_PATHS))
    return page


def type_points(page: Page, own: int, other: int) -> None:
    page.locator("input[name=own]").fill(str(own))
    page.locator("input[name=other]").fill(str(other))


def scores(match: Match) -> list[tuple[int, int]]:
    return [(each.score_a, each.score_b) for each in match.reports.order_by("version")]


def waits(page: Page) -> int:
    return page.evaluate("keptHere.all().then(all => all.length)")


def test_a_report_without_connection_is_sent_by_itself(phone, match, wire, axe):
    type_points(phone, 41, 22)
    wire.cut()
    phone.get_by_role("button", name="Comunica: hai vinto 41–22").tap()
    notice = phone.locator(".kept-notice.is-kept")
    expect(notice).to_contain_text(f"hai vinto 41–22 contro {match.players[1].name}")
    expect(notice).to_contain_text(KEPT)
    axe(phone)
    notice.get_by_role("button", name="Annulla").tap()
    expect(notice).to_have_count(0)
    assert waits(phone) == 0

    type_points(phone, 40, 22)
    phone.get_by_role("button", name="Comunica: hai vinto 40–22").tap()
    expect(notice).to_contain_text("hai vinto 40–22")
    before = taps(phone)
    phone.reload()  # the page that was kept
    expect(phone.locator(".stand")).to_be_visible()
    expect(notice).to_contain_text(KEPT)
    expect(phone.locator("form.report")).to_be_hidden()
    expect(phone.locator("[data-clock-goes]")).to_be_hidden()  # it was not started: no end to tell
    wire.mend()
    expect(phone.locator(".my-match[data-state=told]")).to_be_visible()
    assert taps(phone) == before
    assert scores(match) == [(40, 22)]
    assert waits(phone) == 0


def test_the_worker_sends_with_the_page_closed(phone, match, wire, open_page):
    type_points(phone, 40, 22)
    wire.cut()
    phone.locator("form.report button.send").tap()
    expect(phone.locator(".kept-notice.is-kept")).to_contain_text(KEPT)
    line = phone.context.new_cdp_session(phone)
    found: dict[str, str] = {}
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.update(
            {each["scopeURL"]: each["registrationId"] for each in told["registrations"]}
        ),
    )
    line.send("ServiceWorker.enable")
    wait_until(phone, lambda: bool(found))
    phone.evaluate("location.assign('about:blank')")
    phone.wait_for_url("about:blank")
    wire.mend()
    (scope,) = found
    line.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": scope.rstrip("/"),
            "registrationId": found[scope],
            "tag": "girone-kept",
            "lastChance": False,
        },
    )
    wait_until(phone, lambda: match.reports.exists())
    assert scores(match) == [(40, 22)]


@pytest.mark.deep
def test_one_tap_stores_it_and_for_ten_seconds_another_changes_it(phone, match, open_page, by):
    type_points(phone, 40, 22)
    follow(phone.get_by_role("button", name="Comunica: hai vinto 40–22"))
    change = phone.locator(".kept-notice.is-sent").get_by_role("button", name="Cambia")
    expect(change).to_be_visible()
    assert taps(phone) == 1
    assert scores(match) == [(40, 22)]
    follow(change)
    expect(phone.locator("#own")).to_have_value("40")
    type_points(phone, 22, 40)
    follow(phone.get_by_role("button", name="Comunica: hai perso 22–40"))
    expect(phone.locator(".my-match[data-state=told]")).to_be_visible()
    assert scores(match) == [(40, 22), (22, 40)]
    expect(change).to_be_visible()
    expect(change).to_have_count(0, timeout=20_000)


@pytest.mark.deep
def test_a_refusal_stays_with_its_reason(phone, match, wire):
    type_points(phone, 40, 22)
    wire.cut()
    phone.locator("form.report button.send").tap()
    expect(phone.locator(".kept-notice.is-kept")).to_be_visible()
    staff = make.staff(match.round.event)
    claim = make.a_wins(match)
    make.results.decide_result(match=match, version=0, claim=claim, by=staff)
    match.refresh_from_db()
    wire.mend()
    hurry(phone)
    notice = phone.locator(".kept-notice.is-refused")
    expect(notice).to_contain_text("hai vinto 40–22")
    expect(notice).not_to_contain_text(KEPT)
    phone.reload()
    expect(notice).to_be_visible()
    notice.get_by_role("button", name="Ho letto").tap()
    expect(notice).to_have_count(0)
    assert waits(phone) == 0


@pytest.mark.deep
def test_of_two_matches_to_play_each_report_waits_at_its_own(phone, match, by, wire, axe):
    make.play_round(match.round, by)
    make.next_round(match.round.event, by)
    play_again(match.round.event, Match.objects.get(pk=match.pk), by)
    phone.reload()
    first, again = phone.locator(".my-match").all()
    expect(again).to_contain_text("Tavolo 3")
    for section, points in ((first, "40"), (again, "38")):
        section.locator("input[name=own]").fill(points)
        section.locator("input[name=other]").fill("20")
    expect(again.get_by_role("button", name="Comunica: hai vinto 38–20")).to_be_visible()
    wire.cut()
    again.locator("form.report button.send").tap()
    expect(again.locator(".kept-notice.is-kept")).to_contain_text("hai vinto 38–20")
    expect(again.locator("form.report")).to_be_hidden()
    expect(first.locator("form.report")).to_be_visible()
    first.locator("form.report button.send").tap()
    expect(first.locator(".kept-notice.is-kept")).to_contain_text("hai vinto 40–20")
    axe(phone)
    wire.mend()
    expect(phone.locator(".my-match[data-state=told]")).to_have_count(2)  # each leads there anew
    wait_until(phone, lambda: waits(phone) == 0)
    assert scores(match)[-1] == (38, 20)
