"""The pages that every visitor sees, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.journeys.steps import follow

SCHEMES = ("light", "dark")
PAGES = (
    "/style/",
    "/formats/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
)


@pytest.mark.django_db
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", PAGES)
def test_public_pages_are_accessible(path, scheme, open_page, axe, settings):
    settings.DEBUG = True  # opens /style/
    for width in (360, 1366):
        page = open_page(viewport={"width": width, "height": 768}, color_scheme=scheme)
        page.goto(path)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.django_db
def test_a_new_organiser_makes_an_account_on_the_phone(phone, axe):
    phone.goto(reverse("account_signup"))
    phone.get_by_label("Nome").fill("Marta")
    phone.get_by_label("Email").fill("marta@example.org")
    phone.get_by_label("Password").fill("sala-grande-9")
    follow(phone.get_by_role("button", name="Crea l’account"))
    follow(phone.get_by_role("link", name="Marta"))
    axe(phone)
    follow(phone.get_by_role("button", name="Esci"))
    expect(phone.get_by_role("link", name="Accedi", exact=True)).to_be_visible()


@pytest.mark.django_db
def test_the_language_switch_keeps_the_place(desk):
    desk.goto("/formats/?page=1")
    follow(desk.get_by_role("button", name="Italiano"))
    assert desk.url.endswith("/formats/?page=1")
    assert desk.locator("html").get_attribute("lang") == "it"


@pytest.mark.django_db
def test_the_first_tab_leads_to_the_content(desk):
    desk.goto("/formats/")
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.locator("#content")).to_be_focused()


def test_the_site_comes_back_after_a_pulled_plug(server_process, open_page):
    server_process.kill()
    server_process.start()
    assert server_process.seconds_of_work() < 20
    page = open_page(base_url=server_process.url)
    page.goto("/formats/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
