"""What is typed after a session has ended, or as another account, waits for whose it is."""

import json

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.steps import all_sent, follow
from tests.journeys.test_desk import enter
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match, StaffRole

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other(by: Actor) -> Actor:
    return make.organiser()


def sign_in(page: Page, who: Actor) -> None:
    assert who.user is not None
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(who.user.email)
    page.locator("[name=password]").fill("girone-test")
    follow(page.locator("main form button[type=submit]").first)


def sign_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    follow(page.locator("main form button[type=submit]").first)


def organised(event: Event, other: Actor) -> None:
    StaffRole.objects.create(event=event, user=other.user, role="organiser")


@pytest.mark.deep
def test_a_typed_list_comes_back_to_who_typed_it_alone(open_page, by, other) -> None:
    event = make.open_event(by, format="doomtrooper-original", decklists="required")
    organised(event, other)
    (entry,) = make.players(event, 1, by)
    editor = reverse("tournaments:manage-player-decklist", args=[event.slug, entry.number])
    page = open_page()
    sign_in(page, by)
    page.goto(editor)
    page.locator("#id_text").fill("3 Of Anna's")
    page.goto("/")
    page.go_back()
    expect(page.locator("#id_text")).to_have_value("3 Of Anna's")
    expect(page.locator("#check")).to_contain_text("3 Combat deck")
    sign_out(page)
    sign_in(page, other)
    for _page in range(12):
        if page.url.endswith(editor):
            break
        page.go_back()
    assert page.url.endswith(editor)
    visit = "performance.getEntriesByType('navigation')[0].type"
    assert page.evaluate(visit) == "back_forward"
    expect(page.locator("#id_text")).to_have_value("")
    assert "Anna" not in page.content()


@pytest.mark.deep
def test_what_a_desk_has_not_sent_is_sent_by_who_typed_it(open_page, by, other, watch) -> None:
    watch.allow += ["ERR_INTERNET_DISCONNECTED", "status of 403"]
    event = make.playing(by, 4)
    organised(event, other)
    desk = reverse("tournaments:desk", args=[event.slug])
    page = open_page()
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(page, by)
    page.goto(desk)
    # The line is dead for results alone: the desk is left by what ends its session.
    page.route("**/save/**", lambda route: route.abort("internetdisconnected"))
    enter(page, "1", "40 5")
    expect(page.locator("#quick-status.unsaved")).to_be_visible()
    kept = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('girone-desk'))")
    assert len(kept) == 1
    page.evaluate("localStorage.setItem('girone-own-some-event', '3')")
    sign_out(page)
    assert page.evaluate("localStorage.getItem('girone-own-some-event')") is None
    page.unroute_all()
    sign_in(page, other)
    page.goto(desk)
    expect(page.locator("#quick-table")).to_be_focused()
    expect(page.locator("#outbox li")).to_have_count(0)
    enter(page, "2", "40 22")
    expect(page.locator("#quick-status.saved")).to_contain_text("40–22")
    first = Match.objects.get(round__event=event, table=1)
    assert first.reports.count() == 0
    sign_out(page)
    sign_in(page, by)
    page.goto(desk)
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    assert [report.by for report in first.reports.all()] == [by.user]


@pytest.mark.deep
def test_results_of_an_older_version_are_shown_and_wait_for_a_word(open_page, by, axe) -> None:
    event = make.playing(by, 4)
    match = Match.objects.get(round__event=event, table=1)
    old = [{"match": str(match.pk), "version": str(match.version), "text": "40 5"}]
    page = open_page()
    sign_in(page, by)
    keep = f"localStorage.setItem('girone-desk-{event.pk}', {json.dumps(json.dumps(old))})"
    page.evaluate(keep)
    desk = reverse("tournaments:desk", args=[event.slug])
    page.goto(desk)
    before = page.locator("#before")
    expect(before.locator("li")).to_contain_text("40 5")
    axe(page)
    assert match.reports.count() == 0
    before.get_by_role("button", name="Discard").click()
    expect(before).to_be_hidden()
    page.evaluate(keep)
    page.reload()
    before.get_by_role("button", name="Send").click()
    expect(page.locator("#quick-status.saved")).to_contain_text("40–5")
    page.reload()
    expect(page.locator("#quick-table")).to_be_focused()
    expect(before).to_be_hidden()
    assert match.reports.count() == 1


@pytest.mark.deep
def test_a_session_that_ended_keeps_what_was_typed_and_sends_it(open_as, by, watch, axe):
    watch.allow += ["status of 403", "status of 400"]
    event = make.playing(by, 4)
    page = open_as(by.user, f"/events/{event.slug}/desk/")
    expect(page.locator("#quick-table")).to_be_focused()
    page.context.clear_cookies()
    enter(page, "1", "40 5")
    window = page.get_by_role("dialog", name="Sign in")
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
    window = page.get_by_role("dialog", name="Sign in")
    window.get_by_label("Password").fill("girone-test")
    window.get_by_label("Password").press("Enter")
    expect(page.locator(".arrival.here[data-name='Bea']")).to_be_visible()
    assert event.entries.get(name="Bea").status == "checked_in"


@pytest.mark.deep
def test_a_form_of_another_page_is_sent_after_signing_in_again(open_as, by):
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/")
    page.get_by_label("Players, one per line").fill("Anna Bo\nCarla Di")
    page.context.clear_cookies()
    page.get_by_role("button", name="Preview").click()
    window = page.get_by_role("dialog", name="Sign in")
    window.get_by_label("Password").fill("girone-test")
    follow(window.get_by_role("button", name="Sign in", exact=True))
    expect(page.locator("#pasted-people")).to_contain_text("Carla Di")


def test_a_form_stays_as_it_is_when_nobody_signs_in(open_as, by):
    event = make.open_event(by)
    page = open_as(by.user, f"/events/{event.slug}/manage/players/")
    page.get_by_label("Players, one per line").fill("Anna Bo")
    page.context.clear_cookies()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("dialog", name="Sign in").get_by_role("button", name="Cancel").click()
    expect(page.locator("p.unsent")).to_be_visible()
    expect(page.get_by_label("Players, one per line")).to_have_value("Anna Bo")
