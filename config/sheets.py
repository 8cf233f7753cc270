"""Style sheets by kind of page, and those inside pages, with their hashes for the policy (CSP).

Each feature keeps its own; a page links one file, in which ``collectstatic`` has joined the parts.
Before they are collected, pages link the parts. ``event`` and what begins with it come after
``inline_styles``, ``desk`` after ``staff`` (tools near the desk then download only what is their
own); the others hold the head. Parts that name the same class for different things stand in
different kinds (``played``).

What the head of a public page needs is sent with it: a reader on a slow line sees whose event it is
before the style sheet has come. A browser applies no other styles inside a page: their hash is not
in the policy. Read once a process; no ``{% url %}`` and nothing of a page can stand in them.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from lightningcss import process_stylesheet

register = template.Library()
ROOT = Path(__file__).resolve().parents[1]
INLINE_STYLES = {
    "girone/head.css": ROOT / "config/static/girone/head.css",
    "tournaments/hero.css": ROOT / "tournaments/public/static/tournaments/hero.css",
}
BROWSERS = ["safari 15.4", "chrome 105", "firefox 121"]
"""The first ones with ``:has()``. Phones of 2016 have them, but no rules inside others."""
FACE = ("tournaments/public.css", "tournaments/face.css")
EVENT = (
    *("girone/girone.css", *FACE, "tournaments/clock.css"),
    *("tournaments/standings.css", "tournaments/player_page.css", "tournaments/prospects.css"),
)
SHEETS: dict[str, tuple[str, ...]] = {
    "site": ("girone/head.css", "girone/girone.css"),
    "event": EVENT,
    "event-bracket": (*EVENT, "tournaments/bracket.css"),
    "event-played": ("girone/girone.css", *FACE, "tournaments/played.css"),
    "own": (
        *("girone/head.css", "girone/girone.css", "tournaments/player.css"),
        *("tournaments/hero.css", "tournaments/face.css", "tournaments/clock.css"),
        "tournaments/player_page.css",
    ),
    "staff": (
        *("girone/head.css", "girone/girone.css", "tournaments/public.css"),
        *("tournaments/hero.css", "tournaments/face.css", "tournaments/staff.css"),
    ),
    "desk": ("tournaments/clock.css", "tournaments/desk.css", "tournaments/panel.css"),
}


def joined_style_sheet(kind: str) -> str:
    """Return the static file name of the joined style sheet of a kind of page.

    kind: key of ``SHEETS``.
    """
    return f"girone/{kind}-pages.css"


def style_sheet_files(kind: str) -> tuple[str, ...]:
    """Return the static file names of the style sheets for a kind of page.

    The joined file if collected files are up to date, else its parts. kind: key of ``SHEETS``.
    """
    return (joined_style_sheet(kind),) if staticfiles_storage.up_to_date else SHEETS[kind]  # type: ignore[attr-defined]


def compile_css(style: str) -> str:
    """Return a style sheet minified and rewritten for the browsers of ``BROWSERS``."""
    return process_stylesheet(style, browsers_list=BROWSERS, minify=True)


@cache
def inline_style(name: str) -> str:
    """Return the compiled CSS of a style sheet; name: a key of ``INLINE_STYLES``. Cached."""
    return compile_css(INLINE_STYLES[name].read_text(encoding="utf-8"))


def csp_hashes() -> list[str]:
    """Return the CSP sources ("'sha256-…'") that allow the inline styles."""
    return [
        f"'sha256-{base64.b64encode(hashlib.sha256(inline_style(name).encode()).digest()).decode()}'"
        for name in INLINE_STYLES
    ]


@register.simple_tag(name="sheet")
def style_sheet_links(kind: str) -> SafeString:
    """Template tag: the ``<link>`` elements of the style sheets for a kind of page.

    kind: key of ``SHEETS``.
    """
    links = ((static(name),) for name in style_sheet_files(kind))
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', links)


@register.simple_tag(name="inline_styles")
def inline_style_elements() -> SafeString:
    """Template tag: the ``<style>`` elements for the head of a public page."""
    styles = ((mark_safe(inline_style(name)),) for name in INLINE_STYLES)  # noqa: S308 - our own files
    return format_html_join("", "<style>{}</style>", styles)
