"""What is typed or pressed after a session has ended: signing in again sends it."""

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.steps import all_sent, follow
from tests.journeys.test_desk import enter

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_session_that_ended_keeps_what_was_typed_and_sends_it(open_as, by, watch, axe):
    watch.allow += ["status of 403", "status of 400"]
    event = make.playing(by, 4)
    page = open_as(by.user, f"/events/{event.slug}/desk/")
    expect(page.locator("#quick-table")).to_be_focused()
    page.context.clear_cookies()
    enter(page, "1", "40 5")
    window = page.get_by_role("dialog", name="Sign in again")
    expect(window.get_by_label("Email")).to_have_value(by.user.email)
    axe(page)
    window.get_by_label("Password").fill("not this one")
    window.get_by_role("button", name="Sign in", exact=True).click()
    expect(window.get_by_role("alert")).to_be_visible()
    window.get_by_label("Password").fill("girone-test")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    expect(window).to_be_hidden()
    enter(page, "2", "40 22")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    all_sent(page)
    counts = [match.reports.count() for match in event.rounds.get().matches.all()]
    assert counts == [1, 1]


@pytest.mark.deep
def test_a_mark_at_the_door_is_made_after_signing_in_again(open_as, by, watch):
    watch.allow += ["status of 403", "Response Status Error"]
    event = make.open_event(by)
    make.players_more(event, ["Ada", "Bea"], by)
    page = open_as(by.user, f"/events/{event.slug}/manage/arrivals/")
    page.context.clear_cookies()
    page.locator(".arrival[data-name='Bea'] button").click()
    window = page.get_by_role("dialog", name="Sign in again")
    window.get_by_label("Password").fill("girone-test")
    window.get_by_label("Password").press("Enter")
    expect(page.locator(".arrival.here[data-name='Bea']")).to_be_visible()
    assert event.entries.get(name="Bea").status == "checked_in"


@pytest.mark.deep
def test_a_form_of_another_page_is_sent_after_signing_in_again(open_as, by):
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/")
    page.get_by_label("Players, one a line").fill("Anna Bo\nCarla Di")
    page.context.clear_cookies()
    page.get_by_role("button", name="Look them over").click()
    window = page.get_by_role("dialog", name="Sign in again")
    window.get_by_label("Password").fill("girone-test")
    follow(window.get_by_role("button", name="Sign in", exact=True))
    expect(page.get_by_role("table", name="Players to be added")).to_contain_text("Carla Di")


def test_a_form_stays_as_it_is_when_nobody_signs_in(open_as, by):
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/")
    page.get_by_label("Players, one a line").fill("Anna Bo")
    page.context.clear_cookies()
    page.get_by_role("button", name="Look them over").click()
    page.get_by_role("dialog", name="Sign in again").get_by_role("button", name="Later").click()
    expect(page.locator("p.unsent")).to_be_visible()
    expect(page.get_by_label("Players, one a line")).to_have_value("Anna Bo")
