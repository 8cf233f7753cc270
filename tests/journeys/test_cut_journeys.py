"""J6, J17, J18 and J19 over a line that is cut or loses answers: nothing is lost, nothing doubles.

J4, J5 and J7 over such a line: ``test_bad_wifi``; J22: ``test_judge_offline``.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from decks.cards.services import load_cards
from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.decks.cards.files import sample_catalogue
from tests.journeys.browser import PHONE
from tests.journeys.steps import all_sent, hurry, wait_until
from tests.journeys.test_bad_wifi import another_window, tables
from tournaments.models import DeckSubmission, Match
from tournaments.players.services.entries import make_link

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
EXO = "creatures-of-exo"
SWISS = {"formula": "swiss-cut", "format": EXO, "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def wire(wire, watch):
    watch.allow += ["Failed to load resource", "htmx:"]
    return wire


def lose(page: Page, wire, press) -> None:
    """Press what sends a form, and lose the answer to it."""
    lost = wire.lost
    wire.lose_answers(1)
    press()
    wait_until(page, lambda: wire.lost > lost)
    wire.lose_answers(0)


def by_link(open_page, entry, by, wire) -> Page:
    page = open_page(PHONE, base_url=wire.url)
    page.goto(f"/p/{make_link(entry=entry, by=by)}/")
    return page


def test_j6_results_by_mouse_arrive_once_though_answers_are_lost(open_as, by, wire):
    event = make.playing(by, 12, **SWISS)
    page = open_as(by.user, f"/events/{event.slug}/desk/", base_url=wire.url)
    wire.lose_answers(2)
    for match in tables(event):
        page.locator(f"#row-{match.pk} .preset[value='2-1']").click()
    expect(page.locator("tr.desk-row[data-final]")).to_have_count(6)
    all_sent(page)
    assert wire.lost >= 3
    assert [match.reports.count() for match in tables(event)] == [1] * 6
    wire.lose_answers(0)
    wire.cut()  # one more click while nothing goes through, then the line is back
    page.locator("#quick-table").fill("1 0 2")
    save = page.get_by_role("button", name="Save", exact=True).first
    save.click()
    expect(page.locator("#quick-names")).to_contain_text("This table already has a result")
    save.click()
    expect(page.locator("#quick-status.unsaved")).to_be_visible()
    wire.mend()
    hurry(page)
    expect(page.locator(".conflict")).to_be_visible()  # a different result asks first
    assert tables(event)[0].reports.count() == 1


def test_j17_a_pasted_list_is_handed_in_though_the_line_goes(open_page, by, wire, watch):
    load_cards(game=EXO, cards=sample_catalogue(EXO), owner=by.user)
    event = make.open_event(by, format=EXO, decklists="required")
    (entry,) = make.players(event, 1, by)
    page = by_link(open_page, entry, by, wire)
    address = reverse("tournaments:my-deck", args=[event.slug])
    page.goto(address)
    page.locator("#id_text").fill(sample_deck(EXO, 7))
    expect(page.locator("#verdict")).to_contain_text("La lista è valida")
    wire.cut()
    page.get_by_role("button", name="Consegna", exact=True).tap()
    expect(page.locator(".unsent")).to_be_visible()
    expect(page.locator("#id_text")).to_have_value(sample_deck(EXO, 7))  # nothing typed is lost
    wire.mend()
    button = page.get_by_role("button", name="Consegna", exact=True)
    lose(page, wire, lambda: button.tap(no_wait_after=True))
    page = another_window(page, watch)
    page.goto(address)
    expect(page.locator("#handed[data-handed=yes]")).to_be_visible()
    assert DeckSubmission.objects.filter(entry=entry).count() == 1


def test_j18_the_own_table_appears_by_itself_once_the_line_is_back(open_page, by, wire):
    event = make.started(by, 8, **SWISS)
    entry = event.entries.get(number=3)
    page = by_link(open_page, entry, by, wire)
    expect(page.locator("main")).to_contain_text(entry.name)
    wire.cut()
    make.next_round(event, by)
    hurry(page)
    table = Match.objects.get(round__event=event, match_seats__entry=entry).table
    expect(page.locator(".my-match[data-report]")).to_have_count(0)
    wire.mend()
    hurry(page)
    expect(page.locator(".my-match[data-report]")).to_contain_text(str(table))  # no tap


def test_j19_a_report_and_its_confirmation_count_once_though_answers_are_lost(
    open_page, by, wire, watch
):
    event = make.playing(by, 4)
    match = tables(event)[0]
    first, second = (by_link(open_page, entry, by, wire) for entry in match.players)
    first.locator("input[name=own]").fill("40")
    first.locator("input[name=other]").fill("22")
    button = first.locator("form.report button.send").first
    lose(first, wire, lambda: button.tap(no_wait_after=True))
    first = another_window(first, watch)
    first.goto(f"/events/{event.slug}/me/")
    expect(first.locator(".my-match[data-state=told]")).to_be_visible()
    assert [(each.score_a, each.score_b) for each in match.reports.all()] == [(40, 22)]

    second.goto(f"/events/{event.slug}/me/")
    agree = second.locator("form[action$='/confirm/'] button")
    lose(second, wire, lambda: agree.tap(no_wait_after=True))
    second = another_window(second, watch)
    second.goto(f"/events/{event.slug}/me/")
    expect(second.locator(".my-match")).to_contain_text("hai perso 22–40")
    match.refresh_from_db()
    assert match.state == Match.State.FINAL
    told = match.reports.order_by("version").values_list("kind", "by_entry")
    assert list(told) == [("report", match.seats[0]), ("confirmation", match.seats[1])]
