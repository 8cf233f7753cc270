"""Settings, a new event and the builder of formulas: what their first screens hold, counted."""

import pytest

from tests.journeys.first_screens import controls_of, moved, top_of, words_of
from tests.journeys.steps import follow, open_setting

pytestmark = pytest.mark.deep

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
SETTINGS = "/events/demo-registration/manage/settings/"
LONGEST = 120
"""Words of the longest setting, that of the tournament format aside."""


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_each_setting_says_its_value_and_opens_alone(signed_in, size) -> None:
    page = signed_in(viewport=size)
    for address in (SETTINGS, "/events/new/"):
        page.goto(address)
        assert moved(page) <= 0.05
        closed = words_of(page, ".setting-chips")
        assert closed <= 70
        for chip in page.locator(".setting-chips > details").all():
            chip.locator("> summary").click()
            assert page.locator(".setting-chips > [open]").count() == 1
            if chip.get_attribute("id") not in ("chip-way", "chip-criteria", "chip-open_lists"):
                assert words_of(page, ".setting-chips") - closed <= LONGEST
                assert controls_of(page, ".setting-chips [open]") <= 10
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_the_start_fixed_is_named_once_and_takes_no_field(signed_in) -> None:
    page = signed_in(viewport=LAPTOP)
    page.goto("/events/demo-groups/manage/settings/")
    assert page.get_by_text("Can’t be changed after the start").count() == 1
    assert page.locator(".setting-chips p.chip").count() >= 4
    assert page.locator("form[data-event-form] :disabled").count() == 0
    follow(page.locator("#chip-criteria"))
    assert page.url.endswith("/manage/criteria/")


def test_the_bar_of_a_phone_lets_everything_out_from_under_it(signed_in) -> None:
    page = signed_in(viewport=PHONE, has_touch=True)
    page.goto(SETTINGS)
    open_setting(page, "others")
    bar = page.locator(".make")
    assert bar.bounding_box()["y"] + bar.bounding_box()["height"] == PHONE["height"]
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    last = page.locator(".setting-chips > *").last.bounding_box()
    assert last["y"] + last["height"] <= bar.bounding_box()["y"]
    assert page.locator("main [style], .actions.sticky").count() == 0


def test_the_picture_stays_beside_the_steps_of_a_formula(signed_in) -> None:
    page = signed_in(viewport=LAPTOP)
    page.goto("/formulas/")
    follow(page.locator(".formulas .card :is(h2, h3) a").first)
    picture = page.locator(".plays .picture svg")
    assert top_of(page, ".plays .picture svg") < 330  # 3,894 before it stood beside them
    assert moved(page) <= 0.05
    page.locator(".work select").last.focus()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    box, save = picture.bounding_box(), page.locator(".save-bar .primary").bounding_box()
    assert save["y"] >= 0
    assert box["y"] >= save["y"] + save["height"]
    assert box["y"] + box["height"] <= LAPTOP["height"]
    steps = page.locator(".work").bounding_box()
    assert box["x"] >= steps["x"] + steps["width"]
