"""Five hundred players hand in their lists: within a minute, and all at the same moment.

``make measure-lists``; arguments: players and seconds. Each player has a personal link and a
session of their own. Prints what was answered and how long the hand-in itself took.
"""

import http.client
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from threading import Barrier
from urllib.parse import urlencode

from tests.measures.site import Site, busy, percentile, report

PLAYERS, SECONDS, BEFOREHAND = 500, 60, 8
EVENT = """
from decks.decklists.samples import sample_deck
from tournaments.players.services.entries import make_link
by = make.organiser()
event = make.open_event(by, format="creatures-of-exo", decklists="required", capacity=None)
entries = make.players(event, PLAYERS, by)
tokens = [make_link(entry=entry, by=by) for entry in entries]
texts = [sample_deck("creatures-of-exo", number) for number in range(1, 21)]
print(json.dumps([event.slug, tokens, texts]))
"""
STORED = """
from tournaments.models import Entry
print(json.dumps(Entry.objects.exclude(submission=None).count()))
"""


class Fields(HTMLParser):
    """Collects the hidden fields of the form that goes to an address."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep each hidden field; the last of a name counts."""
        said = dict(attrs)
        if tag == "input" and said.get("type") == "hidden" and said.get("name"):
            self.found[str(said["name"])] = said.get("value") or ""


@dataclass
class Phone:
    """A player's browser: what it keeps between two requests."""

    port: int
    slug: str
    token: str
    cookies: dict[str, str]
    fields: dict[str, str]

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Send a request; return status, page and where it sends on."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            body = None if form is None else urlencode(form)
            connection.request("GET" if form is None else "POST", path, body, headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, _, rest = cookie.partition("=")
                self.cookies[name] = rest.partition(";")[0]
            return answer.status, answer.read().decode(), answer.headers.get("Location", "")
        finally:
            connection.close()

    def open(self) -> None:
        """Follow the personal link and open the page of the list."""
        status, _page, _onward = self.ask(f"/p/{self.token}/")
        assert status == 302, status
        status, page, _onward = self.ask(self.page)
        assert status == 200, status
        self.fields = Fields(page).found

    @property
    def page(self) -> str:
        """Return the address of the player's list."""
        return f"/events/{self.slug}/me/deck/"

    def hand_in(self, text: str) -> tuple[str, float]:
        """Hand in a decklist; return the status, or what broke, and the seconds."""
        began = time.monotonic()
        try:
            status, _page, _onward = self.ask(self.page, self.fields | {"text": text})
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__, time.monotonic() - began
        return str(status), time.monotonic() - began


def crowd(site: Site, players: int) -> tuple[list[Phone], list[str]]:
    """Return the players with their lists' page open, and texts of lists."""
    slug, tokens, texts = site.prepare(EVENT.replace("PLAYERS", str(players)))
    phones = [Phone(site.port, slug, token, {}, {}) for token in tokens]
    with ThreadPoolExecutor(BEFOREHAND) as few:
        list(few.map(Phone.open, phones))
    return phones, texts


def hand_in(
    phones: list[Phone], texts: list[str], wait: Callable[[], object]
) -> list[tuple[str, float]]:
    """Let everybody hand in, each in a thread after its own wait; return what came of it."""

    def one(number: int) -> tuple[str, float]:
        wait()
        return phones[number].hand_in(texts[number % len(texts)])

    with ThreadPoolExecutor(len(phones)) as everybody:
        return list(everybody.map(one, range(len(phones))))


def main(players: int = PLAYERS, seconds: int = SECONDS) -> int:
    """Measure both ways, each on a site of its own; 1 where any list was not taken."""
    bad, chance = 0, random.Random(0)
    line = Barrier(players)
    ways: dict[str, Callable[[], object]] = {
        f"{players} lists in {seconds} s": lambda: time.sleep(chance.uniform(0, seconds)),
        f"{players} lists at once": line.wait,
    }
    for name, wait in ways.items():
        before = busy()
        with tempfile.TemporaryDirectory() as folder:
            site = Site(Path(folder))
            with site.serving():
                phones, texts = crowd(site, players)
                began = time.monotonic()
                answered = hand_in(phones, texts, wait)
                whole = time.monotonic() - began
            stored = site.prepare(STORED)
        statuses, times = Counter(status for status, _ in answered), [t for _, t in answered]
        bad += players - stored + sum(n for said, n in statuses.items() if said != "302")
        figures = (f"p95 {percentile(times, 0.95) * 1000:.0f} ms", f"all in {whole:.1f} s")
        report(before, site.database, name, dict(statuses), f"{stored} stored", *figures)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
