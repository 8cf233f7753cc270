"""What is typed while the connection comes and goes: at the desk, on a player's phone."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import factories as make
from tests.journeys.browser import CALM, DESK, PATIENCE, PHONE, sign_in
from tests.journeys.steps import all_sent, hurry, unsent, wait_until
from tests.journeys.test_desk import enter
from tournaments.models import Match, Report
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def started_anew(browser: Browser, browser_type_launch_args, tmp_path, watch):
    """Return a function that starts a browser again with what it had stored."""
    contexts = []

    def start(**settings: object) -> Page:
        for one in contexts:
            one.close()
        contexts.clear()
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile",
            **browser_type_launch_args,
            **CALM,  # the script of a worker might be on its way when the wire is cut
            **settings,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.pages[0]
        watch.follow(page)
        return page

    yield start
    for one in contexts:
        one.close()


@pytest.fixture
def desk_of(open_as, by, wire):
    """Return a function that opens an event's desk over the wire, ready for keys."""

    def open_desk(event) -> Page:
        page = open_as(by.user, f"/events/{event.slug}/desk/", base_url=wire.url)
        expect(page.locator("#quick-table")).to_be_focused()
        return page

    return open_desk


def tables(event) -> list[Match]:
    return list(Match.objects.filter(round__event=event).order_by("table"))


@pytest.mark.parametrize("number", [8, pytest.param(50, marks=pytest.mark.deep)])
def test_results_typed_without_connection_survive_a_restart_and_arrive_once_in_order(
    started_anew, client, by, wire, number
):
    event = make.playing(by, 2 * number, formula="single-group")
    page = started_anew(**DESK)
    sign_in(page, client, by.user, wire.url)
    desk = f"{wire.url}/events/{event.slug}/desk/"
    page.goto(desk)
    expect(page.locator("#quick-table")).to_be_focused()
    wire.cut()
    for match in tables(event):
        enter(page, str(match.table), f"40 {match.table % 30}")
    expect(page.locator("#quick-status.unsaved")).to_contain_text("Not saved: no connection")
    expect(page.locator("#outbox li")).to_have_count(number)
    assert unsent(page) == number
    assert not Report.objects.filter(match__round__event=event).exists()

    page = started_anew(**DESK)
    wire.mend()
    page.goto(desk)
    expect(page.locator("tr.desk-row[data-final]")).to_have_count(number)
    all_sent(page)
    sent = list(Report.objects.filter(match__round__event=event).order_by("pk"))
    assert [each.match.table for each in sent] == list(range(1, number + 1))
    assert [(each.score_a, each.score_b) for each in sent] == [
        (40, table % 30) for table in range(1, number + 1)
    ]


def all_in(page: Page, number: int) -> None:
    """Wait until so many results count on the page, though answers are lost."""

    def shown() -> bool:
        hurry(page)  # or the page waits longer from loss to loss
        return page.locator("tr.desk-row[data-final]").count() == number

    wait_until(page, shown)


@pytest.mark.deep
def test_an_answer_lost_on_its_way_leaves_one_result(desk_of, by, wire, watch):
    event = make.playing(by, 12)
    page = desk_of(event)
    wire.lose_answers(2)
    for match in tables(event):
        enter(page, str(match.table), "40 22")
    all_in(page, 6)
    all_sent(page)
    assert wire.lost >= 3
    assert [match.reports.count() for match in tables(event)] == [1] * 6


@pytest.mark.deep
def test_leaving_with_results_unsent_warns(desk_of, by, wire):
    event = make.playing(by, 4)
    page = desk_of(event)
    wire.cut()
    enter(page, "1", "40 5")
    expect(page.locator("#quick-status.unsaved")).to_be_visible()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.close(run_before_unload=True)
    page.wait_for_event("close") if not page.is_closed() else None
    assert asked == ["beforeunload"]


@pytest.mark.deep
def test_a_refusal_among_others_stays_until_it_is_read(desk_of, by, wire, watch):
    watch.allow += ["400 (Bad Request)", "409 (Conflict)"]
    event = make.playing(by, 8)
    page = desk_of(event)
    wire.cut()
    for table, line in (("1", "40 22 1"), ("2", "40 12"), ("3", "40 5")):
        enter(page, table, line)
    expect(page.locator("#outbox li")).to_have_count(3)
    second = tables(event)[1]
    make.results.decide_result(
        match=second, version=0, claim=make.a_wins(second), by=make.staff(event)
    )
    page.locator("#quick-table").fill("4")  # somebody types on while it is sent
    wire.mend()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    refused = page.locator("#refused li")
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text("40 22 1")
    conflict = page.locator(f".conflict[data-match='{second.pk}']")
    expect(conflict.locator("dd")).to_contain_text(["40", "Keep", "40–12", "Accept"])

    page.reload()  # both are still there, with both values
    expect(page.locator("#refused li")).to_contain_text("40 22 1")
    expect(conflict).to_be_visible()
    conflict.get_by_role("link", name="Keep this result").click()
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("#refused")).to_be_hidden()
    page.reload()
    expect(page.locator("#quick-table")).to_be_focused()
    expect(page.locator(".conflict, #refused li")).to_have_count(0)
    assert second.reports.count() == 1


@pytest.mark.deep
def test_a_players_report_typed_without_connection_survives_a_restart(
    started_anew, client, by, wire, watch
):
    event = make.playing(by, 4)
    match = tables(event)[0]
    token = make_link(entry=match.players[0], by=by)
    page = started_anew(**PHONE)
    page.goto(f"{wire.url}/p/{token}/")
    page.locator("input[name=own]").fill("40")
    page.locator("input[name=other]").fill("22")
    wire.cut()
    page.locator("form.report button.send").first.tap()
    expect(page.locator(".kept-notice")).to_contain_text("Salvato su questo telefono")
    assert match.reports.count() == 0

    page = started_anew(**PHONE)
    wire.mend()
    page.goto(f"{wire.url}/events/{event.slug}/me/")
    expect(page.locator(".my-match")).to_contain_text("40")
    expect(page.locator(".my-match[data-state=told]")).to_be_visible()
    assert [(each.score_a, each.score_b) for each in match.reports.all()] == [(40, 22)]
    assert page.evaluate("keptHere.all()") == []


def another_window(page, watch):
    """Close the window that lost its answer; return a new one of the same reader."""
    found = page.context.new_page()
    watch.follow(found)
    page.close()
    return found


@pytest.mark.deep  # unsteady: at times the browser sends a lost form once more by itself
def test_rounds_are_made_and_published_once_though_every_answer_is_lost(open_as, by, wire, watch):
    """Journeys J4 and J7: whoever sees an error comes back, presses again, and nothing doubles."""
    watch.allow += ["ERR_EMPTY_RESPONSE", "status of 409"]
    event = make.started(by, 8)
    page = open_as(by.user, base_url=wire.url)
    desk = f"/events/{event.slug}/desk/"
    for number in (1, 2):
        for state, name in (("draft", "Prepare round"), ("published", "Publish round")):
            page = another_window(page, watch)
            page.goto(desk if state == "draft" else f"{desk}rounds/{number}/")
            button = page.get_by_role("button", name=re.compile(f"^{name} {number}"))
            expect(button).to_be_visible()
            lost = wire.lost
            wire.lose_answers(1)
            button.click(no_wait_after=True)
            wait_until(page, lambda lost=lost: wire.lost > lost)
            wire.lose_answers(0)
            rounds = event.rounds.filter(ordinal=number)
            wait_until(page, lambda rounds=rounds: rounds.exists())
            assert [each.state for each in rounds] == [state]
        page = another_window(page, watch)
        page.goto(desk)
        expect(page.locator("#quick-table")).to_be_focused()
        wire.lose_answers(2)
        for table in range(1, 5):
            enter(page, str(table), "40 22")
        all_in(page, 4)
        wire.lose_answers(0)
    assert event.rounds.count() == 2
    assert [match.reports.count() for match in tables(event)] == [1] * 8


@pytest.mark.deep
def test_a_result_is_saved_quickly_on_a_slow_line(desk_of, by, wire):
    """400 ms and 50 kB/s: what is typed is told as saved in 1.5 seconds, never before it is."""
    event = make.playing(by, 12)
    page = desk_of(event)
    slow = {"offline": False, "latency": 400, "downloadThroughput": 5e4, "uploadThroughput": 5e4}
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", slow)
    said = """table => new Promise(resolve => {
      const status = document.getElementById("quick-status");
      const seen = [];
      const begun = performance.now();
      new MutationObserver(() => {
        seen.push([status.className, Math.round(performance.now() - begun)]);
        if (status.matches(".saved")) resolve(seen);
      }).observe(status, {attributes: true, childList: true});
      document.getElementById("quick-table").value = table;
      document.getElementById("quick-text").value = "40 22";
      document.getElementById("quick-text").focus();
      document.getElementById("quick").requestSubmit();
    })"""
    took: list[int] = []
    for match in tables(event):
        seen = page.evaluate(said, str(match.table))
        assert seen[0][0].endswith("saving")
        took.append(seen[-1][1])
        assert match.reports.count() == 1
        if min(took) <= 1500:  # others use this machine too; half a second was measured
            break
    assert 400 <= min(took) <= 1500, took
