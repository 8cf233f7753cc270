"""Clicks, keys and taps on a page, counted by the browser."""

from playwright.sync_api import Error, Page

COUNT = """for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, (event) => {
  if (event.isTrusted) localStorage.setItem(kind, 1 + Number(localStorage.getItem(kind)));
}, true);"""
COUNT_TAPS = """addEventListener("click", (event) => {
  if (event.isTrusted) localStorage.setItem("taps", 1 + Number(localStorage.getItem("taps")));
}, true);"""


def counted(page: Page, kind: str = "pointerdown") -> int:
    """Return how often the page was clicked, or how many keys were pressed.

    A page that the last click leaves just now is asked again when the next one has come.
    """
    ask = "kind => localStorage.getItem(kind) || 0"
    try:
        return int(page.evaluate(ask, kind))
    except Error as left:
        if "navigation" not in left.message:
            raise
        page.wait_for_load_state()
        return int(page.evaluate(ask, kind))


def taps(page: Page) -> int:
    """Return how often the pages of a context were tapped since ``COUNT_TAPS`` was added to it."""
    return int(page.evaluate("localStorage.getItem('taps')") or 0)
