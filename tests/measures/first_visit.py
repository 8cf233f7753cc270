"""How long a first visit takes on a slow line: seconds until a phone shows something.

``make measure-first-visit`` serves an event of 200 players as it is shipped, opens its pages in
Chromium with nothing kept, at 50 kB/s and 400 ms, with the processor as it is and four times
slower, and prints a row for docs/figures.md for each: first content (First Contentful Paint: whose
event it is, and its pages), what the page says below that, how many answers had come before the
first content, and what the visit weighs.
"""

import os
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.journeys.browser import CHROMIUM, FLAGS, PHONE
from tests.measures.site import Site

GOAL = 2.5
"""Seconds until the first content."""
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 5e4, "uploadThroughput": 5e4}
PAGES = {"event": "", "standings": "standings/", "pairings": "pairings/", "players": "players/"}
SLOWER = (1, 4)
TIMES = 3
PLAYING = """
options = {{"rounds": 7, "cut": 8}}
event = make.playing(make.organiser(), {players}, formula="swiss-cut", options=options)
print(json.dumps(event.slug))
"""
# Where the content is drawn with its style sheet; asked at each frame.
WATCHING = """
const look = () => {
  const parts = [...document.querySelectorAll("#live, .ranks, #players")];
  const styled = [...document.styleSheets].some(({ href }) => href);
  if (styled && parts.some((part) => part.offsetHeight > 100)) {
    window.contentAt = performance.now();
  } else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
SEEN = """() => new Promise((resolve) => setTimeout(() => {
  const first = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const all = [...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource")];
  const before = all.filter(({ responseEnd }) => responseEnd && responseEnd <= first);
  resolve({ first, content: window.contentAt, before: before.length,
    bytes: all.reduce((sum, { transferSize }) => sum + transferSize, 0) });
}, 500))"""


def visit(page: Page, line: CDPSession, address: str) -> dict[str, float]:
    """Return what a visit with nothing kept took, in milliseconds and bytes."""
    line.send("Network.clearBrowserCache")
    page.goto(address, wait_until="load")
    seen: dict[str, float] = page.evaluate(SEEN)
    return seen


def rows(page: Page, line: CDPSession, event: str) -> list[tuple[bool, str]]:
    """Return for each page and speed whether it holds the goal, and its row."""
    found = []
    for slower in SLOWER:
        line.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        for name, part in PAGES.items():
            seen = [visit(page, line, f"{event}{part}") for _ in range(TIMES)]
            first, content = (
                statistics.median(each[key] for each in seen) / 1000 for key in ("first", "content")
            )
            before = max(each["before"] for each in seen)
            told = f"{first:.1f} | {content:.1f} | {before:.0f} | {seen[0]['bytes'] / 1000:.0f}"
            found.append((first <= GOAL, f"| {name} | {slower}× | {told} |"))
    return found


def measured(players: int) -> list[tuple[bool, str]]:
    """Serve an event and return its rows."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        slug = site.prepare(PLAYING.format(players=players))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with site.serving():
            settings: dict[str, Any] = {**PHONE, "service_workers": "block"}
            page = browser.new_context(**settings).new_page()
            event = f"http://127.0.0.1:{site.port}/events/{slug}/"
            for part in PAGES.values():
                page.goto(f"{event}{part}")  # the server has rendered it
            page.context.add_init_script(WATCHING)
            line = page.context.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.emulateNetworkConditions", SLOW)
            found = rows(page, line, event)
        browser.close()
    return found


def main(arguments: list[str]) -> int:
    """Print the rows; return 1 where a page misses the goal."""
    found = measured(int(arguments[0]) if arguments else 200)
    sys.stdout.write(
        "| page | processor | first content, s | below it, s | answers before | kB |\n"
        "|---|---|---|---|---|---|\n"
    )
    sys.stdout.writelines(f"{row}\n" for _holds, row in found)
    sys.stdout.write(f"Load of the machine afterwards: {os.getloadavg()[0]:.1f}\n")
    return 0 if all(holds for holds, _row in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
