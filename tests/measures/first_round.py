"""From an installed program to the first round: what the guides say, done in a browser.

``python -m tests.measures.first_round [GIRONE]`` starts a program (unset: this repository's) with
an empty data folder, makes the organiser, an event and eight players, opens the hall, pairs and
publishes a round, types its results, and prints the seconds of each step: in English with the
labels of docs/start.md, then in Italian with those of docs/start.it.md.
"""

import gettext
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

from config import venue
from tests.journeys.browser import CHROMIUM, DESK, FLAGS
from tests.servers import running

GOAL = 600.0
"""Seconds from the start of the program to the last result of the first round."""
PATIENCE = 300_000
LANGUAGES = ("en", "it")
NAMES = ("Ada", "Bea", "Carlo", "Dino", "Elsa", "Furio", "Gaia", "Ivo")
OWN = [sys.executable, "-m", "config.program"]
Step = tuple[str, Callable[[], None]]
Say = Callable[[str], str]
"""Translates a label of the site."""


def make_organiser(page: Page, say: Say, link: str) -> None:
    """Choose a name and a password by the link of the first start."""
    page.goto(link)
    page.get_by_label(say("Your name")).fill("Marta")
    page.get_by_label(say("Password")).fill("sala-grande-9")
    page.get_by_role("button", name=say("Create an account")).click()
    expect(page.get_by_role("heading", name=say("New event"))).to_be_visible()


def make_event(page: Page, say: Say) -> None:
    """Fill in the page of a new event, to which the account leads."""
    page.get_by_role("link", name="Magic", exact=True).click()
    page.wait_for_url("**game=Magic**")
    page.get_by_label(say("Name"), exact=True).fill("Friday night")
    page.get_by_label(say("Date and time")).fill("2027-05-07T20:30")
    page.get_by_role("button", name=say("Create the event")).click()
    expect(page.get_by_label(say("Players, one per line"))).to_be_visible()


def add_players(page: Page, say: Say) -> None:
    """Paste the names."""
    page.get_by_label(say("Players, one per line")).fill("\n".join(NAMES))
    page.get_by_role("button", name=say("Preview")).click()
    page.get_by_role("button", name=re.compile(f"^{say('Add')} ")).click()
    expect(page.locator("main")).to_contain_text(
        say("Players added: %(count)s") % {"count": len(NAMES)}
    )


def open_hall(page: Page, say: Say) -> None:
    """Let phones in, and come back."""
    back = page.url
    page.get_by_role("link", name="Girone").first.click()
    page.get_by_role("link", name=say("Phones in this hall")).click()
    if venue.local_addresses():
        page.get_by_role("button", name=say("Let phones in")).click()
        expect(page.locator("svg.qr")).to_be_visible()
    page.goto(back)


def pair(page: Page, say: Say) -> None:
    """Pair and publish the first round."""
    page.get_by_role("link", name=say("Desk")).first.click()
    page.get_by_role("button", name=say("Pair round 1")).click()
    page.get_by_role("button", name=say("Publish round %(number)s") % {"number": 1}).click()
    expect(page.locator("#quick-table")).to_be_visible()


def enter_results(page: Page, say: Say) -> None:
    """Type the four results at the desk."""
    page.locator("#quick-table").focus()
    for table in range(1, 5):
        for part in (str(table), "2 0"):
            page.keyboard.type(part)
            page.keyboard.press("Enter")
    expect(
        page.get_by_role("button", name=say("Prepare round %(number)s") % {"number": 2})
    ).to_be_enabled()


def steps_of(page: Page, say: Say, link: str) -> tuple[Step, ...]:
    """Return the steps of a guide in their order."""
    return (
        ("organiser", lambda: make_organiser(page, say, link)),
        ("event", lambda: make_event(page, say)),
        ("eight players", lambda: add_players(page, say)),
        ("phones in this hall", lambda: open_hall(page, say)),
        ("round 1 published", lambda: pair(page, say)),
        ("four results", lambda: enter_results(page, say)),
    )


def played(command: list[str], language: str) -> float:
    """Print a row for each step of the guide in a language; return the seconds of all."""
    say = gettext.translation("django", running.ROOT / "locale", [language], fallback=True).gettext
    began = time.monotonic()
    with TemporaryDirectory(prefix="Läden ") as name, sync_playwright() as playwright:
        log, port = Path(name) / "log", running.free_port()
        left_out = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "SECRET_KEY", "STATIC_ROOT", "DEBUG")
        env = {key: value for key, value in os.environ.items() if key not in left_out}
        env |= {"GIRONE_DATA": str(Path(name) / "i miei dàti"), "ENV_FILE": ""}
        cwd = running.ROOT if command == OWN else name
        command = [*command, "--no-browser", "--port", str(port)]
        with running.program(command, log, cwd=cwd, env=env):
            running.until(lambda: running.answers(port), seconds=PATIENCE / 1000, why="no answer")
            last = _row("started", began)
            (link,) = re.findall(r"http://\S+/accounts/first/\S+", log.read_text())
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_context(**DESK | {"locale": language}).new_page()
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            for title, step in steps_of(page, say, link):
                step()
                last = _row(title, last)
            browser.close()
    return time.monotonic() - began


def main(command: list[str]) -> int:
    """Print the rows of each language and their sum; return 1 if one is above the goal."""
    missed = 0
    for language in LANGUAGES:
        took = played(command, language)
        sys.stdout.write(f"| in all, {language} | {took:.0f} s | {GOAL:.0f} s |\n")
        missed |= took > GOAL
    return int(missed)


def _row(title: str, since: float) -> float:
    now = time.monotonic()
    sys.stdout.write(f"| {title} | {now - since:.1f} s |\n")
    sys.stdout.flush()
    return now


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or OWN))
