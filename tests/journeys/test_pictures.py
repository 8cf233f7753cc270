"""Approved pictures of pages: whoever changes a page looks at the difference.

Each state of ``PICTURES`` is drawn with a packaged font and compared with ``pictures/NAME.png``;
each of ``HELP`` in every language with the picture that the help shows. Moments, clocks and codes
differ every time: they are covered, or told in the same words in the help. A difference fails; the
page as it is now and the difference lie in ``test-results/pictures/`` then. ``make pictures`` makes
what is drawn the approved pictures.
"""

import base64
import re
from collections.abc import Callable, Iterator
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import font_source_sans_pro
import pytest
from django.utils import dates
from django.utils.translation import override
from PIL import Image, ImageChops

from accounts.mail import build_mail
from tests.journeys.browser import DESK, PATIENCE, PHONE
from tests.journeys.conftest import run_demo
from tests.journeys.test_pages_are_accessible import come_in
from tests.journeys.visits import Visit, addresses
from tests.servers.running import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.deep]

APPROVED = Path(__file__).parent / "pictures"
SHOWN = ROOT / "config" / "static" / "girone" / "help"
DIFFERENT = ROOT / "test-results" / "pictures"
MOST = 0.005
"""Share of the pixels that may differ: an edge drawn by another version of the browser."""
VISIBLE = 48
"""Steps of 255 from which on a pixel counts as different."""
WIDE, HAND = DESK, {**PHONE, "device_scale_factor": 1}
TELEVISION = {**DESK, "viewport": {"width": 1280, "height": 720}}
COVERED = ", ".join(
    (
        *("time", ".date-block", ".zone", ".clock", ".ring", "[data-clock]", ".card-clock"),
        *(".qr", ".qr-frame", ".short-address", ".log-print"),
    )
)
SAME_TIME = r"""([words, left]) => {
  for (const age of document.querySelectorAll(".age")) age.textContent = "5 min";
  for (const clock of document.querySelectorAll(".clock-face")) {
    const still = clock.cloneNode();  // the script goes on with the other
    still.textContent = left;
    clock.replaceWith(still);
  }
  for (const time of document.querySelectorAll("time, form[action$='/repeat/'] button")) {
    const walk = document.createTreeWalker(time, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      for (const [found, put] of words) {
        walk.currentNode.data = walk.currentNode.data.replace(new RegExp(found, "gi"), put);
      }
    }
  }
}"""
"""Gives every moment the same words, whose width then depends on no day."""
DAY = date(2027, 5, 7)
NAMES_OF_DAYS = (
    *((dates.WEEKDAYS, DAY.weekday()), (dates.MONTHS, DAY.month)),
    *((dates.WEEKDAYS_ABBR, DAY.weekday()), (dates.MONTHS_AP, DAY.month)),
    (dates.MONTHS_3, DAY.month),
)
FONT = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Regular.ttf"
G, K, D, F, R = (
    f"/events/demo-{name}/"
    for name in ("groups", "knock-out", "double-elimination", "finished", "registration")
)
PICTURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "events-1366": ("", "/", WIDE),
    "events-360": ("", "/", HAND),
    "event-running-1366": ("", G, WIDE),
    "event-running-360": ("", G, HAND),
    "event-before-360": ("", R, HAND),
    "event-finished-1366": ("", F, WIDE),
    "standings-1366": ("", f"{G}standings/", WIDE),
    "standings-360": ("", f"{G}standings/", HAND),
    "pairings-360": ("", f"{G}pairings/", HAND),
    "bracket-1366": ("", f"{K}bracket/", WIDE),
    "bracket-360": ("", f"{K}bracket/", HAND),
    "double-1366": ("", f"{D}bracket/", WIDE),
    "played-1366": ("", f"{F}played/", WIDE),
    "judge-360": ("judge@example.org", f"{G}floor/", HAND),
    "player-360": ("", f"{G}players/3/", HAND),
    "person-360": ("player@example.org", "{person}", HAND),
    "screen-1280": ("", f"{G}screen/?view=names", TELEVISION),
    "own-page-360": ("Alba", f"{G}me/", HAND),
    "own-list-360": ("Guido", f"{R}me/deck/", HAND),
    "desk-1366": ("organiser@example.org", f"{G}desk/", WIDE),
    "desk-360": ("organiser@example.org", f"{G}desk/", HAND),
    "arrivals-360": ("organiser@example.org", f"{R}manage/arrivals/", HAND),
    "new-event-1366": ("organiser@example.org", "/events/new/", WIDE),
    "new-event-360": ("organiser@example.org", "/events/new/", HAND),
}
TABLET = {**DESK, "viewport": {"width": 768, "height": 560}, "device_scale_factor": 1.5}
PALM = {**PHONE, "viewport": {"width": 390, "height": 600}, "device_scale_factor": 1.5}
LOW = {**TABLET, "viewport": {"width": 768, "height": 460}}
HIGH = {**TABLET, "viewport": {"width": 768, "height": 740}}
LONG = {**PALM, "viewport": {"width": 390, "height": 900}}
HELP: dict[str, tuple[str, str, dict[str, Any]]] = {
    "new-event": ("organiser@example.org", "/events/new/", LOW),
    "check-in": ("organiser@example.org", f"{R}manage/arrivals/", TABLET),
    "desk": ("organiser@example.org", f"{G}desk/", TABLET),
    "judge": ("judge@example.org", f"{G}floor/", PALM),
    "own-page": ("Alba", f"{G}me/", PALM),
    "standings": ("", f"{G}standings/", PALM),
    "decklist": ("Guido", f"{R}me/deck/", LONG),
    "season": ("", "/series/demo-league/", TABLET),
    "names": ("organiser@example.org", f"{R}manage/players/", HIGH),
}
LINES = {
    "decklist": "4 Lama del Sale\n3x Corvo di Vetro\n4. Marea del Gelo\nSideboard\n2 Ronda",
    "names": "Nome;Club\nAnna Rossi;Drago\nUgo Bo;Torre\nPaola Neri;\nUgo Bo;Drago",
}
"""What is typed on a page of the help, and looked over."""

MAIL = "mail-360"


@pytest.fixture(scope="module")
def faces() -> str:
    """Return the rules that put the packaged font in place of the device's own."""
    data = base64.b64encode(FONT.read_bytes()).decode()
    return (
        f"@font-face {{ font-family: Packaged; src: url(data:font/ttf;base64,{data}) }}"
        "* { font-family: Packaged !important; caret-color: transparent !important }"
    )


@pytest.fixture(scope="module")
def untouched_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """Return a site with the demo's events that no other test changes, and what was printed."""
    yield from run_demo(tmp_path_factory, "pictures")


@pytest.fixture
def draw(
    browser: Any, untouched_site: Any, watch: Any, faces: str
) -> Iterator[Callable[..., bytes]]:
    """Return a function that opens an address as somebody and returns what is seen as a PNG."""
    server, printed = untouched_site
    links = {name: path for path, name in re.findall(r"^(/p/\S+)\t(\w+)$", printed, re.MULTILINE)}
    contexts = []

    def drawn(
        who: str, address: str, device: dict[str, Any], help_in: str = "", lines: str = ""
    ) -> bytes:
        language = help_in or "it"
        settings = {**device, "locale": language, "base_url": server.url, "bypass_csp": True}
        contexts.append(browser.new_context(**settings, reduced_motion="reduce"))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        watch.follow(page)
        if who:
            come_in(page, who, links.get(who, ""))
        (address,) = addresses(page, Visit(who, (address,)))
        page.goto(address)
        if lines:
            look_over(page, lines)
        if not help_in:
            page.add_style_tag(content=faces)
        page.evaluate(SAME_TIME, [words_of_days(language), "32:10"])
        page.evaluate("document.fonts.ready")
        covered = [] if help_in else [page.locator(COVERED)]
        picture: bytes = page.screenshot(mask=covered, mask_color="#888", animations="disabled")
        return picture

    yield drawn
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PICTURES)
def test_page_looks_as_approved(
    name: str, draw: Callable[..., bytes], request: pytest.FixtureRequest
) -> None:
    check(APPROVED / f"{name}.png", draw(*PICTURES[name]), request)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("name", HELP)
def test_picture_of_the_help_shows_the_page(
    name: str, language: str, draw: Callable[..., bytes], request: pytest.FixtureRequest
) -> None:
    check(
        SHOWN / language / f"{name}.webp", draw(*HELP[name], language, LINES.get(name, "")), request
    )


def test_a_mail_looks_as_approved(browser: Any, faces: str, request: pytest.FixtureRequest) -> None:
    text = (
        "Ciao Nora,\n\nquesto è il tuo link per Coppa di Selce: il tuo tavolo, i tuoi incontri, "
        "i tuoi risultati.\n\nhttps://girone.example/p/abcdefghijklmnop/\n\nTienilo per te."
    )
    with override("it"):
        sent = build_mail("Il tuo link per Coppa di Selce", text, "a@example.org", button="Apri")
    context = browser.new_context(**HAND)
    page = context.new_page()
    page.set_content(sent.alternatives[0][0])
    page.add_style_tag(content=faces)
    page.evaluate("document.fonts.ready")
    check(APPROVED / f"{MAIL}.png", page.screenshot(), request)
    context.close()


def look_over(page: Any, lines: str) -> None:
    """Type lines, and see what the page reads in them."""
    form = page.locator("form:has(textarea[name=text])")
    if not form.is_visible():
        page.locator("details:has(textarea[name=text]) > summary").click()
    form.locator("textarea").fill(lines)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        form.locator("button[hx-post], .sticky button").first.click()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.activeElement.blur()")


def words_of_days(language: str) -> list[tuple[str, str]]:
    """Return patterns of what tells a moment in a language, each with what stands for it."""
    with override(language):
        days = [
            ([str(name).rstrip(".") for name in names.values()], str(names[number]).rstrip("."))
            for names, number in NAMES_OF_DAYS
        ]
    put = str.lower if language == "it" else str.capitalize
    named = [(rf"(?<!\w)({'|'.join(names)})(?!\w)", put(name)) for names, name in days]
    numbers = [(r"\d?\d:\d\d", "20:30"), (r"\d{4}", "2027"), (r"(?<![\d:])\d\d?(?![\d:])", "7")]
    return [*named, *numbers]


def check(approved: Path, drawn: bytes, request: pytest.FixtureRequest) -> None:
    """Compare what is drawn, a PNG, with the approved picture; ``--approve`` makes it that."""
    now = Image.open(BytesIO(drawn)).convert("RGB")
    if request.config.getoption("--approve"):
        approved.parent.mkdir(parents=True, exist_ok=True)
        few = now.quantize(64 if approved.suffix == ".webp" else 256, dither=Image.Dither.NONE)
        few.save(approved, optimize=True, lossless=True, method=6)
    known = Image.open(approved).convert("RGB")
    assert now.size == known.size
    different = differing(now, known)
    if different > MOST:
        DIFFERENT.mkdir(parents=True, exist_ok=True)
        now.save(DIFFERENT / f"{approved.stem}.png")
        ImageChops.difference(now, known).save(DIFFERENT / f"{approved.stem}-difference.png")
    assert different <= MOST, f"look at {DIFFERENT}; --approve if it is meant"


def test_no_picture_is_left_that_nothing_draws() -> None:
    assert {path.stem for path in APPROVED.glob("*.png")} == {*PICTURES, MAIL}


def test_a_moved_box_counts_and_a_softer_edge_does_not() -> None:
    known = Image.new("RGB", (100, 100), "white")
    known.paste("black", (10, 10, 40, 40))
    moved = Image.new("RGB", (100, 100), "white")
    moved.paste("black", (14, 10, 44, 40))
    soft = known.copy()
    soft.paste("#ddd", (40, 10, 41, 40))
    assert differing(moved, known) > MOST
    assert differing(soft, known) <= MOST


def differing(one: Image.Image, other: Image.Image) -> float:
    """Return the share of the pixels in which two pictures of one size differ visibly."""
    channels = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    histogram = most.histogram()
    return sum(histogram[VISIBLE:]) / (one.width * one.height)
