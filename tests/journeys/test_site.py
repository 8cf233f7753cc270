"""The pages that every visitor sees, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.journeys.looks import PHONE, axe_problems, plain_problems
from tests.journeys.steps import follow

PAGES = (
    "/style/",
    "/formats/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
)


@pytest.mark.django_db
def test_public_pages_are_accessible(open_page, axe_finds, settings):
    settings.DEBUG = True  # opens /style/
    page = open_page()
    wrong = []
    for path in PAGES:
        page.goto(path)
        wrong += [*plain_problems(page, "en"), *axe_problems(page, axe_finds, (PHONE,))]
    assert wrong == []


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
    follow(desk.get_by_role("link", name="Italiano"))
    assert desk.url.endswith("/formats/?page=1")
    assert desk.locator("html").get_attribute("lang") == "it"


@pytest.mark.django_db
def test_the_first_tab_leads_to_the_content(desk):
    desk.goto("/formats/")
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(desk.locator("#content")).to_be_focused()
