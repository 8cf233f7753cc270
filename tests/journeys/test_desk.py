"""The desk in a real Chromium: by keyboard, by mouse, without a connection, two desks at once."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from rules.events.clock import ClockAction
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.journeys.steps import follow, hurry, wait_until
from tournaments.clock import services as clock
from tournaments.models import Match
from tournaments.results.services import results

pytestmark = pytest.mark.django_db(transaction=True)


def open_desk(open_as, by, event) -> Page:
    return open_as(by.user, f"/events/{event.slug}/desk/")


@pytest.fixture
def event(by):
    return make.playing(by, 12)


def enter(page: Page, table: str, line: str) -> int:
    """Type a result as at the desk; return how many keys it took."""
    page.keyboard.type(table)
    page.keyboard.press("Enter")
    page.keyboard.type(line)
    page.keyboard.press("Enter")
    return len(table) + len(line) + 2


def test_a_result_takes_eight_keys_and_the_focus_comes_back(open_as, by, event):
    page = open_desk(open_as, by, event)
    expect(page.locator("#quick-table")).to_be_focused()
    assert enter(page, "3", "40 22") <= 8
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    expect(page.locator("#quick-table")).to_be_focused()
    assert Match.objects.get(round__event=event, table=3).state == Match.State.FINAL


COMPARE = """() => {
  window.contradictions = [];
  const look = () => {
    const rows = document.querySelectorAll("tr.desk-row[data-final]").length;
    const told = document.querySelector("#next-step progress").value;
    if (rows !== told) window.contradictions.push([rows, told]);
  };
  const all = { childList: true, subtree: true };
  new MutationObserver(look).observe(document.getElementById("desk"), all);
}"""


def test_the_next_step_and_the_rows_say_the_same_at_every_instant(open_as, by, event):
    """With two desks: what another has entered in between comes with the rows, never before."""
    page = open_desk(open_as, by, event)
    page.evaluate(COMPARE)
    progress = page.locator("#next-step .progress-words")
    for done, (here, there) in enumerate([(1, 2), (3, 4), (5, 6)], start=1):
        other = Match.objects.get(round__event=event, table=there)
        claim = Claim(score=(40, 10))
        results.enter_result(match=other, version=0, claim=claim, reason=None, by=by)
        enter(page, str(here), "40 22")
        expect(page.locator(f"#row-{other.pk}")).to_have_attribute("data-final", "")
        expect(progress).to_contain_text(f"{2 * done} of 6")
    assert page.evaluate("window.contradictions") == []


def test_without_a_connection_the_entry_waits_and_is_sent_once(open_as, by, event, watch):
    watch.allow.append("ERR_INTERNET_DISCONNECTED")
    page = open_desk(open_as, by, event)
    page.context.set_offline(True)
    enter(page, "2", "40 5")
    expect(page.locator("#quick-status.unsaved")).to_contain_text("Not saved: no connection")
    expect(page.locator("#outbox li")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert Match.objects.get(round__event=event, table=2).reports.count() == 1


@pytest.mark.deep
def test_who_is_signed_out_is_told_while_the_desk_stands_open(open_as, by, event, watch):
    watch.allow += ["status of 403", "status of 409"]
    page = open_desk(open_as, by, event)
    kept = page.context.cookies()
    page.context.clear_cookies()
    hurry(page)
    expect(page.locator("#connection")).to_contain_text("isn't open to you any more")
    expect(page.locator("tr.desk-row")).to_have_count(6)
    page.context.add_cookies(kept)
    hurry(page)
    expect(page.locator("#connection")).to_be_empty()


@pytest.mark.deep
def test_what_was_refused_at_one_table_is_not_saved_at_the_next(open_as, by, event, watch):
    watch.allow.append("400 (Bad Request)")
    page = open_desk(open_as, by, event)
    enter(page, "1", "40 22 1")
    expect(page.locator("#refused li")).to_contain_text("40 22 1")
    expect(page.locator("#quick-table")).to_be_focused()  # whoever types on types a table
    enter(page, "2", "40 5")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert not Match.objects.get(round__event=event, table=1).reports.exists()
    enter(page, "1", "40 22")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    expect(page.locator("#refused")).to_be_hidden()


def test_a_refusal_that_comes_late_changes_nothing_in_the_line(open_as, by, event, watch):
    watch.allow.append("400 (Bad Request)")
    page = open_desk(open_as, by, event)
    held: list[Route] = []
    page.route("**/desk/save/**", lambda route: held.append(route))
    enter(page, "1", "40 22 1")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    wait_until(page, lambda: bool(held))
    held.pop().continue_()
    page.unroute("**/desk/save/**")
    expect(page.locator("#refused li")).to_be_visible()
    expect(page.locator("#quick-text")).to_be_focused()
    page.keyboard.type("40 5")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert Match.objects.get(round__event=event, table=2).decision.score_b == 5


def test_a_different_entry_shows_both_and_a_click_chooses(open_as, by, event, watch):
    watch.allow += ["409 (Conflict)", "ERR_FAILED"]
    page = open_desk(open_as, by, event)
    page.route("**/desk/tables/*", lambda route: route.abort())
    match = Match.objects.select_related("round__event").get(round__event=event, table=1)
    results.decide_result(match=match, version=0, claim=Claim(score=(40, 12)), by=by)
    enter(page, "1", "12 40")
    expect(page.locator(".conflict")).to_be_visible()
    expect(page.locator("#quick-table")).to_be_focused()  # whoever types on types a table
    page.locator(".conflict form button").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("12–40")
    expect(page.locator(".conflict")).to_have_count(0)


def test_a_choice_between_two_results_never_takes_the_keyboard(open_as, by, watch):
    watch.allow += ["409 (Conflict)", "ERR_FAILED"]
    event = make.playing(by, 8, format="creatures-of-exo", formula="swiss-cut")
    page = open_desk(open_as, by, event)
    page.route("**/desk/tables/*", lambda route: route.abort())
    match = Match.objects.select_related("round__event").get(round__event=event, table=1)
    results.decide_result(match=match, version=0, claim=Claim(score=(2, 0)), by=by)
    page.locator(".desk-row[data-table='1'] .preset[value='0-2']").click()
    expect(page.locator(".conflict")).to_be_visible()
    expect(page.locator(".conflict :focus")).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".conflict")).to_be_visible()
    line = page.locator("#quick-table")
    page.keyboard.press("Escape")  # the result
    page.keyboard.press("Escape")  # the table
    page.keyboard.press("?")
    expect(page.locator("#keys dl")).to_be_visible()
    expect(line).to_be_focused()
    page.locator(".conflict form button").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("0–2")
    expect(line).to_be_focused()
    page.keyboard.type("2 o")
    page.keyboard.press("Enter")
    expect(page.locator("#panel[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#panel[open]")).to_have_count(0)
    expect(line).to_be_focused()


def test_a_preset_is_one_click(open_as, by):
    event = make.started(by, 8, format="creatures-of-exo", formula="groups-knockout")
    make.next_round(event, by)
    page = open_desk(open_as, by, event)
    page.locator(".desk-row[data-table='2'] .preset[value='2-1']").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("2–1")


def test_what_another_desk_enters_appears_in_its_place(open_as, by, event):
    page = open_desk(open_as, by, event)
    order = page.locator(".desk-row .no").all_inner_texts()
    match = Match.objects.select_related("round__event").get(round__event=event, table=4)
    make.results.decide_result(
        match=match, version=0, claim=make.a_wins(match), by=make.staff(event)
    )
    expect(page.locator(".desk-row.final[data-table='4']")).to_be_visible()
    assert page.locator(".desk-row .no").all_inner_texts() == order


def test_news_from_others_leave_a_question_its_form(open_as, by, event):
    clock.run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    page = open_desk(open_as, by, event)
    page.get_by_text("More time").click()
    page.get_by_role("button", name="Set the clock back").click()
    question = page.locator("#confirm-dialog")
    expect(question).to_be_visible()
    match = Match.objects.get(round__event=event, table=1)
    results.decide_result(match=match, version=0, claim=Claim(score=(40, 7)), by=by)
    for _time in range(2):  # the first answer may have been on its way before the result
        with page.expect_response(re.compile("desk/tables/")):
            hurry(page)
    follow(question.get_by_role("button", name="Set the clock back"))
    expect(page.locator("#messages")).to_contain_text("The clock is set back to the whole time.")
