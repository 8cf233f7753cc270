"""What a visit weighs: at most 150 kB the first time, and 30 kB once files are kept (U02)."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.tournaments.public.test_finished_pages import PUBLIC, address
from tournaments.decklists.services import publish_lists
from tournaments.models import Event

pytestmark = pytest.mark.django_db
FIRST, LATER = 150_000, 30_000
FILES = {"tournaments:calendar", "tournaments:event-calendar", "tournaments:picture"}
PAGES = sorted(name for name in PUBLIC - FILES if not name.startswith("tournaments_api:"))
# What a browser asks for by itself; an address in <a>, and a picture for other sites, it does not.
LOADED = re.compile(
    r"""<(?:link\s[^>]*rel="(?:stylesheet|icon|manifest|apple-touch-icon)"|script|img|source)
    [^>]*>""",
    re.VERBOSE,
)
ADDRESS = re.compile(r"""\s(?:href|src)="([^"]+)"|url\(["']?([^)"']+)""")


@cache
def fetched(path: str) -> tuple[int, str]:
    """Return what a file weighs on its way, text compressed, and the text of a style sheet."""
    if path.startswith("/static/"):
        body = Path(str(finders.find(path.removeprefix("/static/")))).read_bytes()
    else:
        body = Client().get(path).content
    if path.endswith((".png", ".woff2")):
        return len(body), ""
    return len(gzip.compress(body, 9)), body.decode() if path.endswith(".css") else ""


def files_of(page: str, at: str) -> set[str]:
    """Return the paths of the files that a page loads, and that their style sheets load."""
    tags = (tag.replace("\n", " ") for tag in LOADED.findall(page))
    found = {urljoin(at, href) for tag in tags for href, _url in ADDRESS.findall(tag) if href}
    for path in tuple(found):
        links = (url for _href, url in ADDRESS.findall(fetched(path)[1]) if url)
        found |= {urljoin(path, url) for url in links if not url.startswith(("data:", "#"))}
    return found


def weights(event: Event, names: list[str]) -> dict[str, tuple[int, int]]:
    """Return what the first visit of each page weighs, and a later one, in bytes."""
    found = {}
    for name in names:
        at = address(name, event)
        answer = Client().get(at, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, at
        packed = answer.headers.get("Content-Encoding") == "gzip"
        body = gzip.decompress(answer.content) if packed else answer.content
        files = files_of(body.decode(), at)
        later = len(answer.content)
        found[name] = (later + sum(fetched(path)[0] for path in files), later)
    return found


def too_heavy(found: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the pages above either limit."""
    return {name: pair for name, pair in found.items() if pair[0] > FIRST or pair[1] > LATER}


def test_no_public_page_of_128_players_is_heavy(by) -> None:
    event = make.playing(by, 128, formula="swiss-cut", options={"rounds": 7, "cut": 8})
    found = weights(event, [name for name in PAGES if name != "tournaments:played"])
    assert too_heavy(found) == {}
    first, later = found["tournaments:standings"]
    assert first - later > 35_000, "style sheets and scripts have been weighed"


def test_the_statistics_are_not_heavy(by) -> None:
    event = make.played(by, 8, formula="single-group", decklists=Event.Decklists.REQUIRED)
    publish_lists(event=event, by=by)
    assert too_heavy(weights(event, ["tournaments:played", "tournaments:event"])) == {}


def test_pages_of_the_site_are_not_heavy() -> None:
    for name in ("privacy", "help", "accessibility", "account_login", "decks:format_list"):
        at = reverse(name)
        body = Client().get(at).content
        later = len(gzip.compress(body))
        first = later + sum(fetched(path)[0] for path in files_of(body.decode(), at))
        assert first <= FIRST, name
        assert later <= LATER, name
