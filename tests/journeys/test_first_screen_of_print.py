"""The page of sheets: what is due now first, a picture and a number of pages for each."""

import io

import pytest
from pypdf import PdfReader

from tests.journeys.first_screens import controls_of, moved, rows_in_sight, top_of, words_of

pytestmark = pytest.mark.deep

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


@pytest.mark.parametrize(("size", "whole"), [(PHONE, 3), (LAPTOP, 8)])
def test_the_round_in_play_is_printed_first(signed_in, size, whole) -> None:
    page = signed_in(viewport=size)
    page.goto("/events/demo-groups/print/")
    first = page.locator(".sheets > li").first
    assert first.locator("b").inner_text() == "Whole round"
    assert page.locator("main .button.primary").count() == 1
    assert top_of(page, ".button.primary") < 400
    assert rows_in_sight(page, ".sheets > li") >= whole
    assert words_of(page) <= 80
    assert controls_of(page) <= 14
    assert moved(page) <= 0.05
    file = first.locator("button").get_attribute("formaction")
    pages = len(PdfReader(io.BytesIO(page.request.get(file).body())).pages)
    assert first.locator("small").inner_text() == f"Pages: {pages}"
    drawn = page.locator(".sheets img").evaluate_all(
        "all => all.map(one => one.getAttribute('src'))"
    )
    small = [len(page.request.get(address).body()) for address in drawn]
    assert max(small) <= 6_000
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_before_the_start_it_is_the_poster_and_another_round_changes_the_pictures(
    signed_in,
) -> None:
    page = signed_in(viewport=LAPTOP)
    page.goto("/events/demo-registration/print/")
    assert page.locator(".sheets b").first.inner_text() == "Poster with the code"
    page.goto("/events/demo-groups/print/")
    with page.expect_navigation():
        page.get_by_label("Round").select_option(index=0)
    chosen = page.get_by_label("Round").input_value()
    assert f"round={chosen}" in page.locator(".sheets img").first.get_attribute("src")
