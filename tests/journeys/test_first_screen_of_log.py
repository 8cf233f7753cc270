"""The log in the first screen; what moves nowhere; mails as a picture; "/" leads to the search."""

from typing import Any

import pytest
from django.utils.translation import override
from playwright.sync_api import expect

from accounts.mail import build_mail
from tests import factories as make
from tests.browsers import url
from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, rows_in_sight
from tournaments.models import Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
NARROW = PHONE | {"viewport": {"width": 390, "height": 844}}
STILL = 0.05


@pytest.fixture
def event(by: Any, live_server: Any) -> Any:
    return make.playing(by, 12)


def test_twelve_lines_of_the_log_are_seen_and_one_opens(open_as, by, event):
    for match in Match.objects.filter(round__event=event):
        make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    page = open_as(by.user, url("log", event))
    assert rows_in_sight(page, ".log-day li") >= 12
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.type("publi")
    expect(page.locator(".log-day li:not([hidden])")).to_have_count(1)
    page.locator(".log-day summary:visible").first.click()
    expect(page.locator(".log-day code:visible")).to_have_count(1)


@pytest.mark.deep
@pytest.mark.parametrize("device", [NARROW, DESK], ids=["390", "1366"])
def test_nothing_moves_after_it_was_painted(open_as, by, event, device):
    page = open_as(by.user, settings=device)
    for name in ("desk", "floor", "standings", "event", "players", "log"):
        page.goto(url(name, event))
        page.wait_for_load_state("networkidle")
        assert moved(page) <= STILL, name


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_mail_is_a_picture_with_one_button(open_page, axe_finds, language):
    page = open_page(NARROW)
    with override(language):
        text = "Ciao Ada,\n\nil tuo link:\n\nhttps://girone.example/p/abcdefgh/\n\nTienilo per te."
        sent = build_mail("Coppa di Selce", text, "ada@example.org", button="Apri la tua pagina")
    page.set_content(sent.alternatives[0][0])
    button = page.locator(".button").bounding_box()
    assert button["height"] >= 44
    assert button["y"] < 500
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
    assert axe_finds(page) == []
