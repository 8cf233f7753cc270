"""What is wrong with the page that is open in a browser, whoever reads it and in which language."""

from collections.abc import Callable, Iterator
from typing import Any

LOCALES = {"it": "it-IT", "en": "en-GB"}
PHONE, DESK = WIDTHS = (360, 1366)
LIGHT, DARK = ("light", "dark")
# Own rules, for what axe lets pass.
BARE_TABLES = "document.querySelectorAll('table:not(:has(th[scope]))')"
INLINE = "document.querySelectorAll('[onclick],[style],script:not([src],[type$=json])')"
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"


def shown(page: Any, width: int, scheme: str = LIGHT) -> Any:
    """Show the page that is open in a width and a colour scheme."""
    page.set_viewport_size({"width": width, "height": 768})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    return page


def plain_problems(page: Any, language: str) -> Iterator[str]:
    """Yield what is wrong with the page in any width, without asking axe."""
    if (lang := page.locator("html").get_attribute("lang")) != language:
        yield f"{page.url}: in {lang}"
    if not page.title().removesuffix("– Girone").strip() or not page.title().endswith("– Girone"):
        yield f"{page.url}: the title is {page.title()!r}"
    for width in WIDTHS:
        if shown(page, width).evaluate(SIDEWAYS):
            yield f"{page.url} {width}: scrolls sideways"
    for what in (BARE_TABLES, INLINE):
        if count := page.evaluate(f"{what}.length"):
            yield f"{page.url}: {count} of {what}"


def axe_problems(
    page: Any, axe_finds: Callable[..., list[Any]], widths: tuple[int, ...]
) -> Iterator[str]:
    """Yield what axe finds on the page that is open; in the dark only colours are asked for."""
    for width in widths:
        for scheme in (LIGHT, DARK):
            shown(page, width, scheme)
            for found in axe_finds(page, only_colours=scheme == DARK):
                yield f"{page.url} {width} {scheme}: {found}"
