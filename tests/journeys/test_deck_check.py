"""A judge with a phone: from the desk to a check at random in three taps, ticks that stay."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.counting import COUNT_TAPS, taps
from tests.journeys.steps import follow
from tournaments.checks import services as checks
from tournaments.models import DeckCheck, TimeExtension

pytestmark = pytest.mark.django_db(transaction=True)
A4 = {"width": 718, "height": 1032}  # CSS pixels inside the margins


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


def opened(open_as, actor, path: str, settings=PHONE) -> Page:
    page = open_as(actor.user, settings=settings, locale="en-GB")
    page.context.add_init_script(COUNT_TAPS)
    page.goto(path)
    return page


def test_a_check_at_random_in_three_taps(open_as, event, axe):
    judge = make.staff(event)
    page = opened(open_as, judge, f"/events/{event.slug}/desk/")
    page.locator(".event-menu summary").tap()
    follow(page.get_by_role("link", name="Deck checks"))
    follow(page.get_by_role("button", name="Pick a table at random"))
    assert taps(page) == 3
    expect(page.locator("#ticks")).to_be_visible()
    assert DeckCheck.objects.filter(finished_at=None, by=judge.user).count() == 2
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    axe(page)


@pytest.mark.deep
def test_ticks_stay_and_a_second_device_goes_on(open_as, event):
    judge = make.staff(event)
    check = checks.check_player(entry=event.entries.get(number=1), by=judge)
    path = f"/events/{event.slug}/checks/{check.pk}/"
    page = opened(open_as, judge, path)
    boxes = page.locator("input[name=line]")
    for at in range(4):
        boxes.nth(at).tap()
    expect(page.locator(".stored")).to_contain_text("stored")
    expect(page.locator("input[name=version]")).not_to_have_value("0")
    expect(page.locator("#tick-state")).to_contain_text("Cards found: 20 of")
    kept = DeckCheck.objects.get(pk=check.pk)
    assert kept.ticked == [0, 1, 2, 3]
    other = opened(open_as, judge, path, DESK)
    expect(other.locator("input[name=line]:checked")).to_have_count(4)
    other.locator("input[name=line]").nth(4).check()
    expect(other.locator(".stored")).to_contain_text("stored")
    boxes.nth(8).tap()  # this page has not seen the fifth line
    expect(page.locator("input[name=line]:checked")).to_have_count(6)
    expect(page.locator("#tick-state")).to_contain_text("Cards found: 30 of")
    assert DeckCheck.objects.get(pk=check.pk).ticked == [0, 1, 2, 3, 4, 8]


def test_each_tick_has_room_for_a_thumb(open_as, event):
    judge = make.staff(event)
    check = checks.check_player(entry=event.entries.get(number=1), by=judge)
    path = f"/events/{event.slug}/checks/{check.pk}/"
    page = opened(open_as, judge, path)
    heights = page.locator(".tick-list label").evaluate_all(
        "labels => labels.map(label => label.getBoundingClientRect().height)"
    )
    assert len(heights) > 15
    assert min(heights) >= 44


@pytest.mark.deep
def test_finishing_gives_the_table_its_time(open_as, event):
    judge = make.staff(event)
    check = checks.check_player(entry=event.entries.get(number=1), by=judge)
    path = f"/events/{event.slug}/checks/{check.pk}/"
    page = opened(open_as, judge, path)
    page.get_by_label("In order").check()
    follow(page.get_by_role("button", name="Finish the check"))
    expect(page.locator("#messages")).to_contain_text("is finished.")
    minutes = TimeExtension.objects.get().minutes
    assert minutes >= 2  # one begun, and one to sit down again
    page.goto(f"/events/{event.slug}/pairings/")
    expect(page.locator("#by-table")).to_contain_text(f"+{minutes} min")


@pytest.mark.deep
def test_extra_time_in_four_taps(open_as, event):
    judge = make.staff(event)
    page = opened(open_as, judge, f"/events/{event.slug}/desk/")
    page.locator("tr[data-table='3'] th a").tap()
    follow(page.locator("#sheet").get_by_role("link", name="Judge", exact=True))
    page.get_by_label("Reason").first.tap()
    page.keyboard.type("Chiamata lunga")
    follow(page.get_by_role("button", name="Give the time"))
    assert taps(page) == 4
    expect(page.locator("#extra-time")).to_contain_text("+5 min")


def pages_of(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.fixture
def long_list() -> str:
    """Return sixty different cards with long names, and a reserve."""
    deck = [f"1 Una carta dal nome molto lungo {at} (DT) {{Guerriero}}" for at in range(60)]
    reserve = [f"5 Riserva {at} (DT) {{Speciale}}" for at in range(5)]
    return "\n".join(["Lingua: it", "Mazzo da combattimento", *deck, "Riserve", *reserve])


@pytest.mark.deep
def test_sheets_fit_their_paper(open_as, event, by, long_list):
    make.decklists.submit_decklist(
        entry=event.entries.get(number=1), text=long_list, reason="Prova", by=by
    )
    path = f"/events/{event.slug}/sheets/"
    page = opened(open_as, by, path, DESK)
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 12
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    outside = page.locator(".sheet *").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().right > innerWidth + 1).length"
    )
    assert outside == 0
    page.goto(f"{path}1/")
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 1


@pytest.mark.parametrize("slug", ["creatures-of-exo", "doomtrooper-original", "yugioh-2009"])
def test_an_empty_sheet_is_one_page(open_page, live_server, slug):
    page = open_page()
    page.goto(f"/formats/{slug}/sheet/")
    assert pages_of(page.pdf(prefer_css_page_size=True)) == 1
