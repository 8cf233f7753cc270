"""People forgotten on a phone: a player by the organiser, and an account by its owner."""

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import follow
from tests.scenes.base import GROUP
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db(transaction=True)
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"


def sign_in(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(email)
    page.locator("[name=password]").fill("girone-test")
    follow(page.locator("main form").get_by_role("button"))


@pytest.mark.deep
def test_people_are_forgotten_on_a_phone(open_page, live_server, by, axe) -> None:
    event = make.open_event(by, **GROUP)
    make.players_more(event, ("Ada", "Zefirino Canarelli"), by)
    departures.withdraw(entry=event.entries.get(number=2), by=by)
    judge = make.user(name="Gino Fischietto")

    phone = open_page(PHONE)
    sign_in(phone, by.user.email)
    phone.goto(f"/events/{event.slug}/manage/players/2/")
    follow(phone.get_by_role("link", name="Cancella questa persona"))
    expect(phone.get_by_text("Non si può annullare")).to_be_visible()
    axe(phone)
    assert not phone.evaluate(SIDEWAYS)
    phone.get_by_label("Scrivi “Zefirino Canarelli” per confermare").fill("Zefirino Canarelli")
    follow(phone.get_by_role("button", name="Cancella questa persona"))
    expect(phone.locator("#messages .good")).to_contain_text("Giocatore 2")
    expect(phone.locator("#players")).to_contain_text("Giocatore 2")
    expect(phone.locator("body")).not_to_contain_text("Zefirino")

    own = open_page(PHONE)
    sign_in(own, judge.email)
    own.goto("/accounts/me/")
    axe(own)
    follow(own.get_by_role("link", name="Cancella il tuo account"))
    own.locator("[name=password]").fill("girone-test")
    follow(own.locator("main form").get_by_role("button").first)
    expect(own.get_by_role("heading", name="Cancella il tuo account")).to_be_visible()
    axe(own)
    assert not own.evaluate(SIDEWAYS)
    own.locator("[name=confirm]").fill(judge.email)
    follow(own.get_by_role("button", name="Cancella il tuo account"))
    expect(own.locator("#messages")).to_contain_text("Account cancellato")
    expect(own.get_by_role("link", name="Accedi")).to_be_visible()
    follow(own.get_by_role("link", name="Privacy"))
    expect(own.get_by_role("heading", name="Per quanto tempo")).to_be_visible()
