"""The pages that every visitor sees, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.letters import PHONE, axe_problems, plain_problems
from tests.journeys.steps import follow

PAGES = (
    "/style/",
    "/formats/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
)


@pytest.mark.deep
@pytest.mark.django_db
def test_public_pages_are_accessible(open_page, axe_finds, settings):
    settings.DEBUG = True  # opens /style/
    page = open_page()
    wrong = []
    for path in PAGES:
        page.goto(path)
        wrong += [*plain_problems(page, "en"), *axe_problems(page, axe_finds, (PHONE,))]
    assert wrong == []


@pytest.mark.deep
@pytest.mark.django_db
def test_a_new_organiser_makes_an_account_on_the_phone(phone, axe):
    phone.goto(reverse("account_signup"))
    phone.get_by_label("Nome").fill("Marta")
    phone.get_by_label("E-mail").fill("marta@example.org")
    phone.get_by_label("Password").fill("sala-grande-9")
    follow(phone.get_by_role("button", name="Crea un account"))
    follow(phone.get_by_role("link", name="Marta"))
    axe(phone)
    follow(phone.get_by_role("button", name="Esci"))
    expect(phone.get_by_role("link", name="Accedi", exact=True)).to_be_visible()


@pytest.mark.deep
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


COVERED = """() => {
  const button = document.querySelector('.hero [data-share]').getBoundingClientRect();
  const walk = document.createTreeWalker(document.querySelector('.hero-words'), 4), covered = [];
  while (walk.nextNode()) {
    const words = document.createRange();
    words.selectNodeContents(walk.currentNode);
    for (const each of words.getClientRects())
      if (each.width > 1 && each.left < button.right && each.right > button.left
          && each.top < button.bottom && each.bottom > button.top)
        covered.push(walk.currentNode.data.trim());
  }
  return covered;
}"""
"""The words at the head of an event that lie under its button for sharing."""


@pytest.mark.deep
@pytest.mark.django_db
def test_sharing_covers_no_word_of_the_head_on_a_phone(phone, client, live_server):
    by = make.organiser()
    event = make.open_event(by, name="Notte delle Creature")
    client.force_login(by.user)
    session = {"name": "girone", "value": client.cookies["girone"].value, "url": live_server.url}
    phone.context.add_cookies([session])
    phone.goto(reverse("tournaments:event", args=[event.slug]))
    expect(phone.locator(".hero [data-share]")).to_be_visible()
    assert phone.evaluate(COVERED) == []
