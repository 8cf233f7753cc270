"""What is wrong with the page that is open in a browser, whoever reads it and in which language."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.journeys.letters import letter_problems

LOCALES = {"it": "it-IT", "en": "en-GB"}
PHONE, DESK = WIDTHS = (360, 1366)
LIGHT, DARK = ("light", "dark")
# Own rules, for what axe lets pass.
BARE_TABLES = "table:not(:has(th[scope]))"
INLINE = "[onclick],[style],script:not([src],[type$=json])"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
FACTS = f"""asked => ({{
  lang: document.documentElement.lang, title: document.title, sideways: {SIDEWAYS},
  counts: asked.map(what => [what, document.querySelectorAll(what).length]),
}})"""


def shown(page: Any, width: int, scheme: str = LIGHT) -> Any:
    """Show the page that is open in a width and a colour scheme."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": 768})
        page.evaluate(DRAWN)  # what follows the width by a script has done so
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    return page


def plain_problems(page: Any, language: str, *, public: bool = True) -> Iterator[str]:
    """Yield what is wrong with the page in any width, without asking axe; leave it on the phone.

    ``public`` pages also begin in sight where letters are large.
    """
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
    """Yield what axe finds on the page that is open; in the dark only colours are asked for."""
    for width in widths:
        for scheme in schemes:
            shown(page, width, scheme)
            for found in axe_finds(page, only_colours=scheme == DARK):
                yield f"{page.url} {width} {scheme}: {found}"
