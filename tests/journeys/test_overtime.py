"""Overtime on an open page: told after the end, and when it is over too, without a question.

The page's own time is moved on, while it cannot ask.
"""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rules.events.clock import ClockAction
from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.clocked import nearly_over
from tournaments.clock.services import run_clock


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_the_page_counts_on_through_overtime(live_server, open_page, watch) -> None:
    watch.allow.append("ERR_INTERNET_DISCONNECTED")
    by = make.organiser()
    event = make.playing(by, 4, formula="single-group", overtime=5)
    run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    nearly_over(-30)
    page = open_page(base_url=live_server.url)
    page.clock.install()
    page.goto(reverse("tournaments:pairings", args=[event.slug]))
    note = page.locator("[data-clock] .clock-note")
    expect(note).to_have_text("Overtime: 5 min")
    expect(page.locator("[data-clock] .clock-face")).to_contain_text(re.compile(r"\+[0-4]:"))
    page.context.set_offline(True)
    page.clock.fast_forward(300_000)
    expect(note).not_to_have_text("Overtime: 5 min")
    expect(page.locator("[data-clock] .clock-face")).to_contain_text(re.compile(r"\+[5-9]:"))


@pytest.mark.django_db(transaction=True)
def test_overtime_stays_in_its_ring_on_a_phone(live_server, open_page) -> None:
    by = make.organiser()
    event = make.playing(by, 4, formula="single-group")
    run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    nearly_over(-900)
    page = open_page({**PHONE, "viewport": {"width": 360, "height": 740}}, locale="it-IT")
    page.goto(live_server.url + reverse("tournaments:event", args=[event.slug]))
    face = page.locator(".ring .clock-face")
    expect(face).to_contain_text(re.compile(r"\+1\d:"))
    words = face.evaluate(
        "each => { const all = document.createRange(); all.selectNodeContents(each);"
        " return all.getBoundingClientRect().width }"
    )
    assert words <= page.locator(".ring svg").first.bounding_box()["width"] - 20
    tab = page.locator(".event-tabs > ul > li").filter(visible=True).last.bounding_box()
    assert tab["x"] + tab["width"] <= 360
