"""Every page of an event, as each reader sees it: both languages, widths and colour schemes.

``make test`` loads the ``pages`` of the visits in ``MOST_SEEN`` in Italian, and those of the visits
in ``FIRST`` in English too. In Italian, on a phone: axe finds nothing, and no colour in the dark
scheme of ``FIRST`` either. In both widths: nothing scrolls sideways. On a phone, with letters of
the usual size and twice as large: what ``letters`` measures. Of every page: the language and the
title are right, tables have headers, no script stands in the page; and over the whole visit the
console is silent and no other host is asked.

``make test-all`` loads every page in both languages, ``more`` too, and asks axe in each language,
width and scheme.
"""

import re
from collections.abc import Callable, Container, Iterator
from functools import cache
from typing import Any

import pytest

from tests.journeys.browser import CALM, PATIENCE
from tests.journeys.browser import DESK as A_DESK
from tests.journeys.letters import (
    DARK,
    LIGHT,
    LOCALES,
    PHONE,
    WIDTHS,
    axe_problems,
    plain_problems,
)
from tests.journeys.visits import VISITS, addresses

pytestmark = [pytest.mark.browser, pytest.mark.deep]

PASSWORD = "girone-demo"
# A player's visit and the staff's: in English and in the dark too; the others by ``make test-all``.
FIRST = ("player-reports", "desk")
MOST_SEEN = (*FIRST, "everybody", "player-confirms")


def visits(everyday: Container[str]) -> list[Any]:
    """Return the names of all visits, those that are not of every day marked ``deep``."""
    return [
        pytest.param(name, marks=[] if name in everyday else pytest.mark.deep) for name in VISITS
    ]


@pytest.fixture(scope="session")
def windows(browser, demo_site) -> Iterator[Callable[[str], Any]]:
    """Return a function that gives the one page of all visits in a language.

    A window of its own for each visit would take as long as opening three pages in it.
    """
    contexts = []

    @cache
    def window(language: str) -> Any:
        server, _printed = demo_site
        settings = {**CALM, **A_DESK, "locale": LOCALES[language], "base_url": server.url}
        contexts.append(browser.new_context(**settings))
        contexts[-1].set_default_timeout(PATIENCE)
        return contexts[-1].new_page()

    yield window
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def keys() -> dict[str, list[Any]]:
    """Return the cookies of each reader: everybody signs in once."""
    return {}


@pytest.fixture
def enter(demo_site, windows, keys, watch) -> Iterator[Callable[[str, str], Any]]:
    """Return a function that gives a page in a language to somebody."""
    _server, printed = demo_site
    links = {name: path for path, name in re.findall(r"^(/p/\S+)\t(\w+)$", printed, re.MULTILINE)}
    leave = []

    def open_as(who: str, language: str) -> Any:
        page = windows(language)
        page.goto("about:blank")  # the page before asks for news, soon without its cookie
        leave.append(watch.follow(page))
        page.context.clear_cookies()
        if who in keys:
            page.context.add_cookies(keys[who])
        elif who:
            come_in(page, who, links.get(who, ""))
            keys[who] = page.context.cookies()
        return page

    yield open_as
    for end in leave:
        end()


def come_in(page: Any, who: str, link: str) -> None:
    """Open a player's link, or sign in."""
    if link:
        page.goto(link)
    else:
        page.goto("/accounts/login/")
        page.fill("[name=login]", who)
        page.fill("[name=password]", PASSWORD)
        with page.expect_navigation():
            page.click("main form [type=submit]")
    assert "/login/" not in page.url


@pytest.fixture
def each(request, enter) -> Callable[..., Iterator[Any]]:
    """Return a function that opens a visit's pages one after the other, and yields each."""
    every = request.config.getoption("--deep")

    def opened(name: str, language: str) -> Iterator[Any]:
        page = enter(VISITS[name].who, language)
        for address in addresses(page, VISITS[name], every=every):
            answer = page.goto(address)
            assert answer.status == 200, address
            yield page

    return opened


@pytest.mark.parametrize("name", visits(FIRST))
def test_pages_fit_in_english_too(name, each):
    public = not VISITS[name].who
    wrong = [one for page in each(name, "en") for one in plain_problems(page, "en", public=public)]
    assert wrong == []


@pytest.mark.parametrize("name", visits(MOST_SEEN))
def test_pages_are_accessible(name, each, axe_finds):
    schemes = (LIGHT, DARK) if name in FIRST else (LIGHT,)
    wrong = []
    for page in each(name, "it"):
        wrong += plain_problems(page, "it", public=not VISITS[name].who)
        wrong += axe_problems(page, axe_finds, (PHONE,), schemes)
    assert wrong == []


@pytest.mark.deep
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", VISITS)
def test_axe_finds_nothing_in_any_language_and_width(name, language, each, axe_finds):
    wrong = [one for page in each(name, language) for one in axe_problems(page, axe_finds, WIDTHS)]
    assert wrong == []
