"""Style sheets as browsers get them; those inside pages, and their hashes for the policy (CSP).

What the head of a public page needs is sent with it: a reader on a slow line sees whose event it is
before the style sheet has come. A browser applies no other styles inside a page: their hash is not
in the policy. Read once a process; no ``{% url %}`` and nothing of a page can stand in them.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path

from lightningcss import process_stylesheet

ROOT = Path(__file__).resolve().parents[1]
INLINE_STYLES = {
    "girone/head.css": ROOT / "config/static/girone/head.css",
    "tournaments/hero.css": ROOT / "tournaments/public/static/tournaments/hero.css",
}
BROWSERS = ["safari 15.4", "chrome 105", "firefox 121"]
"""The first ones with ``:has()``. Phones of 2016 have them, but no rules inside others."""


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
