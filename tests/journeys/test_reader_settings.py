"""Public pages where the reader forces colours, wants no motion, or letters twice as large."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.journeys.browser import PHONE as A_PHONE
from tests.journeys.letters import DESK, LOCALES, PHONE, SIDEWAYS, twice_as_large
from tests.journeys.visits import VISITS, E, F, G, K, P, R, addresses

pytestmark = [pytest.mark.browser, pytest.mark.deep]
MAIN = ("/", G, f"{G}standings/", f"{G}players/1/", f"{K}bracket/?p=1", F, R, f"{E}bracket/")
MORE = tuple(f"{P}{part}" for part in ("", "bracket/", "standings/"))
# Text that a box cuts off: not what a box scrolls, and not what is there for screen readers alone.
CUT = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    for (let box = node.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(box);
      const edge = box.getBoundingClientRect();
      const scrolls = [overflowX, overflowY].some((how) => ["auto", "scroll"].includes(how));
      if (scrolls || clipPath !== "none" || box.tagName === "svg" || edge.width < 2) break;
      if (overflowX === "visible") continue;
      const over = [edge.left - text.left, text.right - edge.right, text.bottom - edge.bottom];
      if (Math.max(...over) > 1.5) found.push(`${box.className}: ${node.textContent.trim()}`);
    }
  }
  return [...new Set(found)];
}"""
# What colours tell must have a line where colours are the reader's own.
LINELESS = """() => {
  const drawn = (each) => {
    const style = getComputedStyle(each);
    const lined = (what) =>
      style[`${what}Style`] !== "none" && parseFloat(style[`${what}Width`]) > 0;
    return ["borderTop", "borderLeft", "outline"].some(lined);
  };
  const shapes = [...document.querySelectorAll(
    ".button, .badge, .panel, .match-tile, .disc, .face-disc, .emblem-box, .my-table")];
  const here = [...document.querySelectorAll(".tabs [aria-current], nav.main [aria-current]")];
  return [
    ...shapes.filter((each) => each.checkVisibility() && !drawn(each)),
    ...here.filter((each) => !getComputedStyle(each).textDecorationLine.includes("underline")),
  ].map((each) => each.outerHTML.slice(0, 90));
}"""
MOVING = "document.getAnimations().length"


def problems(page: Any, address: str, width: int) -> Iterator[str]:
    """Yield what is wrong with a page in each of the three settings."""
    page.set_viewport_size({"width": width, "height": 768})
    assert page.goto(address).status == 200, address
    where = f"{address} {width}"
    page.emulate_media(forced_colors="active")
    yield from (f"{where}: no line around {each}" for each in page.evaluate(LINELESS))
    page.emulate_media(forced_colors="none", reduced_motion="reduce")
    if page.evaluate(MOVING):
        yield f"{where}: something moves"
    with twice_as_large(page):
        if page.evaluate(SIDEWAYS):
            yield f"{where}: scrolls sideways at 200 %"
        yield from (f"{where}: cut at 200 %: {each}" for each in page.evaluate(CUT))
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.deep
def test_main_pages_with_forced_colours_no_motion_and_large_text(demo_site, open_page) -> None:
    server, _printed = demo_site
    page = open_page(A_PHONE, base_url=server.url)
    assert [one for address in MAIN for one in problems(page, address, PHONE)] == []


@pytest.mark.deep
def test_a_reader_in_another_time_zone_sees_their_hour_whole(demo_site, open_page) -> None:
    server, _printed = demo_site
    elsewhere = {"locale": "en-GB", "timezone_id": "America/Denver"}
    page = open_page(A_PHONE | elsewhere, base_url=server.url)
    page.goto(F)
    told = page.locator(".when-where")
    assert re.search(r"Europe/Rome \(your time: \w{3} \d\d:00\)", told.inner_text())
    assert not told.evaluate("(each) => each.scrollWidth > each.clientWidth")


def test_what_moves_is_counted_and_comes_to_rest_by_itself(demo_site, open_page) -> None:
    """The control of ``MOVING``: the same page moves for who wants it, and not for ever."""
    server, _printed = demo_site
    page = open_page(A_PHONE, base_url=server.url, reduced_motion="no-preference")
    page.goto(G)
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) == 0
    page.emulate_media(reduced_motion="no-preference")  # what moves begins anew
    timed = "document.getAnimations().map(({effect}) => effect.getTiming())"
    times, moving = page.evaluate(f"[{timed}, {MOVING}]")
    assert len(times) == moving > 0
    lasting = [time["iterations"] * time["duration"] for time in times]
    assert max(lasting) <= 10_000, "a phone would draw it as long as the page is open"


@pytest.mark.deep
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_public_page_in_these_settings(demo_site, open_page, language, scheme) -> None:
    server, _printed = demo_site
    page = open_page(base_url=server.url, locale=LOCALES[language], color_scheme=scheme)
    public = [visit for visit in VISITS.values() if not visit.who]
    visited = [one for visit in public for one in addresses(page, visit, every=False)]
    found = [
        one
        for width in (PHONE, DESK)
        for address in sorted({*MAIN, *MORE, *visited})
        for one in problems(page, address, width)
    ]
    assert found == []
