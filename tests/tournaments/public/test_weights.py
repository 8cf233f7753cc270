"""What a visit weighs, what stands before its first paint, and the colours of games."""

import base64
import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from config.looks import COLOURS, EMBLEMS, INKS, emblem_svg
from config.sheets import SHEETS
from decks.labels import HOUSE, LOOKS, find_format_emblem, game_labels
from rules.deckbuilding import formats
from tests import factories as make
from tests.large_series import large_series
from tests.tournaments.public.test_finished_pages import PUBLIC, address
from tournaments.decklists.services import publish_decklists
from tournaments.models import Event
from tournaments.prizes.services import set_prizes

pytestmark = pytest.mark.django_db


FIRST, LATER, CELLS = 150_000, 30_000, 45_000
"""Most bytes, compressed: of a first visit, of a later one, and that of a table of 3,600 cells."""
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
    return {name: pair for name, pair in found.items() if pair[0] > FIRST or pair[1] > LATER}


@pytest.mark.deep
def test_no_public_page_of_128_players_is_heavy(by) -> None:
    event = make.playing(by, 128, formula="swiss-cut", options={"rounds": 7, "cut": 8})
    of_the_end = {"tournaments:played", "tournaments:prizes"}
    found = weights(event, [name for name in PAGES if name not in of_the_end])
    assert too_heavy(found) == {}
    first, later = found["tournaments:standings"]
    assert first - later > 35_000, "style sheets and scripts have been weighed"


@pytest.mark.deep
def test_pages_of_the_end_are_not_heavy(by) -> None:
    event = make.played(by, 8, formula="single-group", decklists=Event.Decklists.REQUIRED)
    publish_decklists(event=event, by=by)
    table = {"by": "place", "rows": [{"from": 1, "to": 8, "prize": "Coppa"}], "published": True}
    set_prizes(event=event, table=table, by=by)
    names = ["tournaments:played", "tournaments:prizes", "tournaments:event"]
    assert too_heavy(weights(event, names)) == {}


def test_pages_of_the_site_are_not_heavy() -> None:
    names = ("privacy", "help", "accessibility", "account_login", "decks:format_list")
    assert too_heavy({name: weight(reverse(name)) for name in names}) == {}


def weight(at: str) -> tuple[int, int]:
    """Return what the first visit of a page weighs, and a later one, in bytes."""
    body = Client().get(at).content
    later = len(gzip.compress(body))
    return later + sum(fetched(path)[0] for path in files_of(body.decode(), at)), later


@pytest.mark.deep
def test_pages_of_a_series_of_60_evenings_are_not_heavy(by) -> None:
    series = large_series(by)
    person = min(series.events.first().entries.values_list("pk", flat=True))
    at = series.get_absolute_url()
    found = {path: weight(path) for path in (f"{at}events/", f"{at}players/{person}/")}
    assert too_heavy(found) == {}
    first, later = weight(at)
    assert first <= FIRST
    assert later <= CELLS


HEAD, CONTENT = 9_000, 45_000
"""Most bytes, compressed: of the page up to its head; of the page with its style sheet."""
SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
BLOCKING = re.compile(r"<script(?![^>]*\bdefer\b)[^>]*>")
PAINTED = ("event", "pairings", "standings", "bracket", "players", "formula")
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
    head, tabs, _rest = page.partition('<nav class="tabs event-tabs"')
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


@pytest.mark.deep
@pytest.mark.parametrize("language", LANGUAGES)
def test_styles_inside_pages_are_those_of_the_policy_and_no_others(event, language) -> None:
    paths = [reverse(f"tournaments:{name}", args=[event.slug]) for name in PAINTED]
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


ROOT = Path(__file__).resolve().parents[3]
FACE = (ROOT / "tournaments/public/static/tournaments/hero.css").read_text("utf-8")
RULES = (ROOT / "decks/static/decks/house.css").read_text("utf-8")
SITE = (ROOT / "config/static/girone/head.css").read_text("utf-8")
LEAST = 4.5
GHOST = 0.14
"""How much white a button on the head of an event has over the game's colour."""


def rgb(colour):
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def light(parts):
    """Return the relative luminance, as WCAG defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    bright, dim = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def schemes():
    """Yield (scheme, game, colours) of each game in the stylesheet."""
    begin = FACE.index("@media (prefers-color-scheme: dark)")
    parts = {"light": FACE[:begin], "dark": FACE[begin : FACE.index("/* --- A page of an event")]}
    for scheme, css in parts.items():
        for game, body in re.findall(r"\.g-([a-z-]+) \{([^}]*)\}", css):
            yield scheme, game, dict(re.findall(r"--(\w+): (#\w+)", body))


def of_site(scheme, name):
    begin = SITE.index("@media (prefers-color-scheme: dark)")
    css = SITE[:begin] if scheme == "light" else SITE[begin:]
    found = re.search(rf"--{name}: (#\w+)", css)
    assert found
    return rgb(found[1])


def test_every_game_has_colours_in_both_schemes_and_an_emblem():
    assert {(scheme, palette) for scheme, palette, _colours in schemes()} == {
        (scheme, palette) for scheme in ("light", "dark") for palette in formats.PALETTES
    }
    assert set(COLOURS) == set(formats.PALETTES)
    assert set(EMBLEMS) == set(formats.EMBLEMS)
    for emblem in EMBLEMS:
        assert 'aria-hidden="true"' in emblem_svg(emblem)
    assert set(LOOKS) == set(game_labels())
    assert len({*LOOKS.values(), HOUSE}) == len(LOOKS) + 1
    for look in LOOKS.values():
        assert look.palette in formats.PALETTES
        assert look.emblem in formats.EMBLEMS


@pytest.mark.parametrize(("scheme", "game", "colours"), list(schemes()))
def test_text_is_read_on_the_colours_of_a_game(scheme, game, colours):
    white = rgb("#fff")
    fill = rgb(colours["gf"])
    ghost = [GHOST + (1 - GHOST) * part for part in fill]
    for ground in (fill, rgb(colours["gd"]), ghost):
        assert contrast(white, ground) >= LEAST
    text = rgb(colours["gt"])
    for ground in (of_site(scheme, "surface"), of_site(scheme, "paper"), rgb(colours["gs"])):
        assert contrast(text, ground) >= LEAST


def test_pictures_forms_and_house_formats_have_the_looks_of_the_stylesheet():
    light_ones = {game: colours for scheme, game, colours in schemes() if scheme == "light"}
    drawn = {palette: fills for palette, (_label, *fills) in COLOURS.items()}
    assert {game: [c["gf"], c["gd"]] for game, c in light_ones.items()} == drawn
    assert find_format_emblem("doomtrooper-original") == LOOKS["doomtrooper"]
    assert find_format_emblem("doomtrooper-original_ours") == HOUSE
    shown = dict(re.findall(r"\[value=(\w+)\] \{ background: (#\w+); \}", RULES))
    assert shown == {palette: fill for palette, (fill, _deep) in drawn.items()}


@pytest.mark.parametrize(("ground", "letters"), INKS)
def test_initials_are_read_and_the_stylesheet_has_the_same(ground, letters):
    assert contrast(rgb(ground), rgb(letters)) >= LEAST
    assert f"background: {ground}; color: {letters}" in FACE
