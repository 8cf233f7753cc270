"""Every page of an event, as each reader sees it: both languages, widths and colour schemes.

``make test`` loads each page in Italian, and those of the visits in ``ENGLISH`` in English too. In
Italian, on a phone: axe finds nothing, and no colour in the dark scheme either. In both widths:
nothing scrolls sideways. Of every page: the language and the title are right, tables have headers,
no script stands in the page; and over the whole visit the console is silent and no other host is
asked.

``make test-all`` loads every page in English, and asks axe in each language, width and scheme.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.journeys.looks import DESK, LOCALES, PHONE, WIDTHS, axe_problems, plain_problems
from tests.journeys.visits import VISITS, Visit, addresses

PASSWORD = "girone-demo"
# One visit of each kind of reader; the others are left to ``make test-all``.
ENGLISH = ("everybody", "player-reports", "desk", "judge", "organiser-players")
IN_ENGLISH = [
    pytest.param(name, marks=[] if name in ENGLISH else pytest.mark.deep) for name in VISITS
]


@pytest.fixture(scope="session")
def keys() -> dict[str, dict[str, Any]]:
    """Return where the signed-in state of each reader is kept: everybody signs in once."""
    return {}


@pytest.fixture
def enter(demo_site, open_page, keys) -> Callable[..., Any]:
    """Return a function that opens a page as somebody."""
    server, printed = demo_site
    links = {name: path for path, name in re.findall(r"^(/p/\S+)\t(\w+)$", printed, re.MULTILINE)}

    def open_as(who: str, **settings: Any) -> Any:
        if not who:
            return open_page(base_url=server.url, **settings)
        if who not in keys:
            page = open_page(base_url=server.url)
            if who in links:
                page.goto(links[who])
            else:
                page.goto("/accounts/login/")
                page.fill("[name=login]", who)
                page.fill("[name=password]", PASSWORD)
                with page.expect_navigation():
                    page.click("main form [type=submit]")
            assert "/login/" not in page.url
            keys[who] = page.context.storage_state()
        return open_page(base_url=server.url, storage_state=keys[who], **settings)

    return open_as


def each(page: Any, visit: Visit) -> Iterator[str]:
    """Open the visit's pages one after the other; yield the address of each."""
    for address in addresses(page, visit):
        answer = page.goto(address)
        assert answer.status == 200, address
        yield page.url


@pytest.mark.parametrize("name", IN_ENGLISH)
def test_pages_fit_in_english_too(name, enter):
    page = enter(VISITS[name].who, locale=LOCALES["en"])
    urls = each(page, VISITS[name])
    assert [one for _url in urls for one in plain_problems(page, "en")] == []


@pytest.mark.parametrize("name", VISITS)
def test_pages_are_accessible(name, enter, axe_finds):
    page = enter(VISITS[name].who, locale=LOCALES["it"])
    wrong = []
    for _url in each(page, VISITS[name]):
        wrong += [*plain_problems(page, "it"), *axe_problems(page, axe_finds, (PHONE,))]
    assert wrong == []


@pytest.mark.deep
@pytest.mark.parametrize(("language", "widths"), [("it", (DESK,)), ("en", WIDTHS)])
@pytest.mark.parametrize("name", VISITS)
def test_axe_finds_nothing_in_any_language_and_width(name, language, widths, enter, axe_finds):
    page = enter(VISITS[name].who, locale=LOCALES[language])
    urls = each(page, VISITS[name])
    assert [one for _url in urls for one in axe_problems(page, axe_finds, widths)] == []
