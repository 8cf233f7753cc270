"""What stands before the first paint of a public page: the page itself, and nothing else.

Its head has its styles inside, allowed by their hash; one style sheet follows the head, scripts
wait. ``make measure-first-visit`` tells the seconds.
"""

import base64
import gzip
import hashlib
import re

import pytest
from django.test import Client
from django.urls import reverse

from config.sheets import SHEETS
from tests import factories as make
from tests.tournaments.public.test_weights import fetched

pytestmark = pytest.mark.django_db
HEAD, CONTENT = 9_000, 45_000
"""Most bytes, compressed: of the page up to its head; of the page with its style sheet."""
SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
BLOCKING = re.compile(r"<script(?![^>]*\bdefer\b)[^>]*>")
PAGES = ("event", "pairings", "standings", "ranking", "bracket", "players", "formula")
LANGUAGES = ("it", "en")


@pytest.fixture
def event(by):
    """Return an event of 128 players in its first round."""
    return make.playing(by, 128, formula="swiss-cut", options={"rounds": 7, "cut": 8})


def opened(path: str, language: str = "it") -> tuple[str, str]:
    """Return a page and its policy."""
    answer = Client(headers={"Accept-Language": language}).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode(), answer["Content-Security-Policy"]


def source(style: str) -> str:
    """Return what a policy says of a style inside a page."""
    digest = hashlib.sha256(style.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@pytest.mark.parametrize("name", ["event", "standings"])
def test_a_page_is_painted_before_anything_else_is_asked_for(event, name) -> None:
    page, _policy = opened(reverse(f"tournaments:{name}", args=[event.slug]))
    head, tabs, _rest = page.partition('<nav class="tabs"')
    assert tabs
    assert event.name in head
    assert len(STYLE.findall(head)) == 2
    assert SHEET.findall(head) == []
    assert BLOCKING.findall(page) == []
    assert len(gzip.compress(head.encode(), 9)) <= HEAD
    sheets = SHEET.findall(page)
    assert sheets == [f"/static/{part}" for part in SHEETS["event"]], "joined once collected"
    joined = "\n".join(fetched(each)[1] for each in sheets)
    assert len(gzip.compress(page.encode())) + len(gzip.compress(joined.encode(), 9)) <= CONTENT


@pytest.mark.parametrize("language", LANGUAGES)
def test_styles_inside_pages_are_those_of_the_policy_and_no_others(event, language) -> None:
    paths = [reverse(f"tournaments:{name}", args=[event.slug]) for name in PAGES]
    for path in (*paths, "/", "/formats/", "/privacy/", "/accounts/login/"):
        page, policy = opened(path, language)
        (allowed,) = re.findall(r"style-src ([^;]+)", policy)
        assert "unsafe" not in policy, path
        styles = {source(style) for style in STYLE.findall(page)}
        assert styles <= set(allowed.split()), path
        assert "<style" not in STYLE.sub("", page), path
        assert bool(styles) == (path in paths or path == "/"), path


@pytest.mark.parametrize("kind", SHEETS)
def test_every_sheet_holds_the_head_or_follows_it(kind) -> None:
    parts = SHEETS[kind]
    assert len(set(parts)) == len(parts)
    assert ("girone/head.css" in parts) != kind.startswith(("event", "desk"))
    assert [part for part in parts if not fetched(f"/static/{part}")[1]] == []
