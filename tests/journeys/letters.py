"""Letters, targets and what else is wrong with the page that is open, whoever reads it.

Letters twice as large are the reader's own setting, as a browser keeps it: ``rem`` and the widths
of media queries follow it. What is measured on a phone of 360 pixels:

- in either size no word is split that the window has room for, and nothing scrolls sideways;
- twice as large, what a page says begins within ``BEGINS`` pixels (its heads shrink), and the
  number of a player's table stands in the first screen;
- nothing has moved after it was painted, beyond ``MOST_MOVED``;
- nothing that can be pressed is smaller than 24 × 24 pixels, unless it stands inside a sentence,
  and what people press while they stand is 48 high (``STANDING``).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from tests.journeys.first_screens import shifts

BEGINS = 700
"""Pixels from the top within which what a page says begins; WCAG has no number for it."""
MOST_MOVED = 0.05
"""Of the cumulative layout shift while a page is read in; CLS calls up to 0.1 good."""
LEAST, AT_ARMS_LENGTH = 24, 48
USUAL, TWICE = 16, 32
HEADS = ", ".join(
    (
        *(".tabs", ".crumbs", ".undo-offer", ".stand", "main:not(:has(.hero)) h1"),
        *("main:not(:has(.hero)) .page-head", ".event-filters", ".finder", ".chips"),
        *("template", "[role=status]", "#messages"),
    )
)
"""What stands above the content of a page; below the head of an event a heading is content."""
STANDING = ", ".join(
    (
        *(".me main :is(.button, summary, .choices label, input)", ".tile", ".floor-foot a"),
        *(".floor main :is(.button, .pick, .reasons label)", ".door :is(.button, button)"),
    )
)
"""What is pressed by a player at the table, by a judge on the floor and at the door."""

# ``hidden`` leaves out what is there for screen readers alone.
SHARED = """
  const hidden = (each) => {
    if (!each.checkVisibility({ visibilityProperty: true })) return true;
    for (let box = each; box; box = box.parentElement)
      if (getComputedStyle(box).clipPath !== "none") return true;
    return false;
  };
  const named = (each) => each.outerHTML.replace(/\\s+/g, " ").slice(0, 90);
"""
SPLIT = f"""() => {{
  {SHARED}
  const found = new Set(), range = document.createRange(), room = innerWidth * 2 / 3;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {{
    const text = texts.currentNode, box = text.parentElement;
    if (!text.data.trim() || text.data.includes("@") || box.closest("pre, code, svg")) continue;
    range.selectNodeContents(text);
    if (range.getClientRects().length < 2 || hidden(box)) continue;
    for (const {{ 0: word, index }} of text.data.matchAll(/[\\p{{L}}\\p{{N}}_’']{{2,}}/gu)) {{
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const parts = [...range.getClientRects()].filter(({{ width }}) => width > 1);
      const lines = new Set(parts.map(({{ top }}) => Math.round(top / 4)));
      const wide = parts.reduce((sum, {{ width }}) => sum + width, 0);
      if (lines.size > 1 && wide < room) found.add(`${{word}} in ${{named(box)}}`);
    }}
  }}
  return [...found];
}}"""
BEGINNING = f"""(heads) => {{
  {SHARED}
  const seen = (each) => !each.matches(heads) && !hidden(each) && each.offsetHeight > 4;
  const first = (box) => {{
    for (const each of box.children) {{
      if (each.matches(".hero:not(.seat)")) {{
        const own = each.querySelector(".steps, .places");
        if (own) return own;
      }} else if (seen(each)) {{
        const inner = each.matches("div:not([class]), #live, [class*=grid], .columns, .with-aside");
        const found = inner ? first(each) : each;
        if (found) return found;
      }}
    }}
    return null;
  }};
  const found = first(document.querySelector("main"));
  return found && [Math.round(found.getBoundingClientRect().top + scrollY), named(found)];
}}"""
TARGETS = f"""([asked, wide, high]) => {{
  {SHARED}
  const size = (each) => {{
    let box = each.getBoundingClientRect();
    const label = each.matches("[type=checkbox], [type=radio]") && each.labels[0];
    if (label) {{
      const beside = label.getBoundingClientRect();
      if (beside.height) box = {{
        width: Math.max(box.width, beside.width), height: Math.max(box.height, beside.height),
      }};
    }}
    const {{ content, position, top }} = getComputedStyle(each, "::after");
    if (content === "none" || position !== "absolute" || top !== "0px") return box;
    let card = each;  // which is a link as a whole
    do card = card.parentElement; while (getComputedStyle(card).position === "static");
    return card.getBoundingClientRect();
  }};
  const inSentence = (each) => {{
    if (getComputedStyle(each).display !== "inline") return false;
    let box = each;
    do box = box.parentElement; while (getComputedStyle(box).display.startsWith("inline"));
    return box.innerText.trim().length > each.innerText.trim().length + 1;
  }};
  return [...document.querySelectorAll(asked)].filter((each) => !hidden(each)).flatMap((each) => {{
    const {{ width, height }} = size(each);
    const fits = width > wide - .5 && height > high - .5;
    if (fits || width < 3 || each.matches(".skip") || inSentence(each)) return [];
    return [`${{Math.round(width)}} × ${{Math.round(height)}}: ${{named(each)}}`];
  }});
}}"""
PRESSED = "a[href], button, input:not([type=hidden]), select, textarea, summary"
TABLE = "document.querySelector('.my-table:not(.to-come)')?.getBoundingClientRect().bottom"

# A line to a page's tools: one that is let go takes the passkeys with it that another plugged in.
LINES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


@contextmanager
def twice_as_large(page: Any) -> Iterator[None]:
    """Give the page that is open letters twice as large, as its reader's own setting."""
    if page not in LINES:
        LINES[page] = page.context.new_cdp_session(page)
    try:
        set_letters(page, LINES[page], TWICE)
        yield
    finally:
        set_letters(page, LINES[page], USUAL)


def set_letters(page: Any, line: Any, size: int) -> None:
    """Set the size of letters in pixels; the page is as if it had been opened with it."""
    line.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}})
    page.evaluate("dispatchEvent(new Event('resize'))")


def letter_problems(page: Any, sideways: str, *, public: bool) -> Iterator[str]:
    """Yield what is wrong with letters and targets of the page that is open, as wide as a phone."""
    yield from (f"{page.url}: split: {each}" for each in page.evaluate(SPLIT))
    for asked, wide, high in ((PRESSED, LEAST, LEAST), (STANDING, LEAST, AT_ARMS_LENGTH)):
        small = page.evaluate(TARGETS, [asked, wide, high])
        yield from (f"{page.url}: too small: {each}" for each in small)
    with twice_as_large(page):
        if page.evaluate(sideways):
            yield f"{page.url}: scrolls sideways, letters twice as large"
        yield from (f"{page.url}: split at 200 %: {each}" for each in page.evaluate(SPLIT))
        begins = page.evaluate(BEGINNING, HEADS)
        if public and begins and begins[0] > BEGINS:
            yield f"{page.url}: begins at {begins[0]} pixels at 200 %: {begins[1]}"
        if (page.evaluate(TABLE) or 0) > page.viewport_size["height"]:
            yield f"{page.url}: the table's number is out of sight at 200 %"


LOCALES = {"it": "it-IT", "en": "en-GB"}
PHONE, DESK = WIDTHS = (360, 1366)
HEIGHT = 768
LIGHT, DARK = ("light", "dark")

# Own rules, for what axe lets pass.
BARE_TABLES = "table:not(:has(th[scope]))"
INLINE = "[onclick],[style],script:not([src],[type$=json])"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
WHOLE = f"Math.max({HEIGHT}, document.documentElement.scrollHeight)"
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
FACTS = f"""asked => ({{
  lang: document.documentElement.lang, title: document.title, sideways: {SIDEWAYS},
  counts: asked.map(what => [what, document.querySelectorAll(what).length]),
}})"""


def shown(page: Any, width: int, scheme: str = LIGHT) -> Any:
    """Show the page that is open in a width and a colour scheme."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.evaluate(DRAWN)  # what follows the width by a script has done so
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    return page


def plain_problems(page: Any, language: str, *, public: bool = True) -> Iterator[str]:
    """Yield what is wrong with the page in any width, without asking axe; leave it on the phone.

    ``public`` pages also begin in sight where letters are large.
    """
    moves = shifts(page)
    if (shift := sum(value for value, _what in moves)) > MOST_MOVED:
        what = "; ".join(what for value, what in moves if value > MOST_MOVED / 5)
        yield f"{page.url}: moved by {shift:.3f} while it was read in: {what}"
    facts = shown(page, DESK).evaluate(FACTS, [BARE_TABLES, INLINE])
    if (lang := facts["lang"]) != language:
        yield f"{page.url}: in {lang}"
    title = facts["title"]
    if not title.removesuffix("– Girone").strip() or not title.endswith("– Girone"):
        yield f"{page.url}: the title is {title!r}"
    for what, count in facts["counts"]:
        if count:
            yield f"{page.url}: {count} of {what}"
    if facts["sideways"]:
        yield f"{page.url} {DESK}: scrolls sideways"
    if shown(page, PHONE).evaluate(SIDEWAYS):
        yield f"{page.url} {PHONE}: scrolls sideways"
    yield from letter_problems(page, SIDEWAYS, public=public)


def axe_problems(
    page: Any,
    axe_finds: Callable[..., list[Any]],
    widths: tuple[int, ...],
    schemes: tuple[str, ...] = (LIGHT, DARK),
) -> Iterator[str]:
    """Yield what axe finds on the page that is open; in the dark only colours are asked for.

    The window is as high as the page, so that a bar at its bottom covers no field.
    """
    for width in widths:
        for scheme in schemes:
            shown(page, width, scheme)
            page.set_viewport_size({"width": width, "height": page.evaluate(WHOLE)})
            for found in axe_finds(page, only_colours=scheme == DARK):
                yield f"{page.url} {width} {scheme}: {found}"
        page.set_viewport_size({"width": width, "height": HEIGHT})
