"""What the desk feels while phones ask: results typed in Chromium, from Enter to the word *saved*.

``python -m bench.crowd desk``: results of one table after another, as fast as they are confirmed,
first with nobody else there, then beside ``PHONES`` phones, half of them on the pairings and half
on their own pages. What the desk itself stores changes both pages each time.
"""

from collections.abc import Iterator
from pathlib import Path
from shutil import which
from statistics import median
from threading import Thread

from playwright.sync_api import Page, sync_playwright

from bench.hall import HOST, Hall, gunicorn
from bench.phones import Crowd, asking, p95
from bench.timing import Figure

PLAYERS = PHONES = 300
TABLES = 60
SECONDS = 30
IMMEDIATE = 200
"""Milliseconds that nobody feels as waiting while typing."""
SAVED = """said => document.querySelector('#quick-status.saved')?.textContent.includes(said)"""


def measure(folder: Path) -> Iterator[Figure]:
    """Yield what a result at the desk takes alone, and with the phones beside it."""
    hall = Hall(folder, PLAYERS, people=PHONES // 2)
    with gunicorn("config.wsgi", folder) as (port, _site), sync_playwright() as program:
        browser = program.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        open_desk(page, f"http://{HOST}:{port}", hall)
        alone = [typed(page, table) for table in range(1, TABLES + 1)]
        yield from told("nobody else", alone)
        public = [(hall.page(), {})] * (PHONES // 2)
        own = [(f"/events/{hall.slug}/me/now/", cookie) for cookie in hall.cookies]
        faults: list[str] = []
        crowd = Crowd(port, HOST, SECONDS, [*public, *own])
        phones = Thread(target=lambda: faults.extend(asking(crowd)["faults"]))
        phones.start()
        page.wait_for_timeout(1000 * crowd.period)  # until all of them have begun
        beside = [typed(page, TABLES + table) for table in range(1, TABLES + 1)]
        phones.join()
        yield from told(f"{PHONES} phones", beside)
        yield Figure(f"{PHONES} phones: faults {faults[:2]}", len(faults), 0)


def open_desk(page: Page, site: str, hall: Hall) -> None:
    """Sign in as the organiser and open the desk."""
    page.goto(f"{site}/accounts/login/")
    page.locator("[name=login]").fill(hall.organiser)
    page.locator("[name=password]").fill("girone-test")
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url(f"{site}/**/")
    page.goto(site + hall.page("desk"))


def typed(page: Page, table: int) -> float:
    """Type a result that no other table has; return the milliseconds until it is confirmed."""
    points = (40, table % 40)
    page.keyboard.type(str(table))
    page.keyboard.press("Enter")
    page.keyboard.type("{} {}".format(*points))
    page.evaluate("began = performance.now()")
    page.keyboard.press("Enter")
    page.wait_for_function(SAVED, arg="{}–{}".format(*points), polling="raf")
    return float(page.evaluate("performance.now() - began"))


def told(title: str, took: list[float]) -> Iterator[Figure]:
    """Yield the median and the 95th percentile of some results."""
    yield Figure(f"desk, {title}: median ms of {len(took)} results", median(took), IMMEDIATE)
    yield Figure(f"desk, {title}: p95", p95(took), IMMEDIATE)
