"""Style sheets that stand inside pages, and their hashes for the policy of content (CSP).

What the head of a public page needs is sent with it: a reader on a slow line sees whose event it is
before the style sheet has come. A browser applies no other styles inside a page: their hash is not
in the policy. Read once a process; no ``{% url %}`` and nothing of a page can stand in them.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INLINE_STYLES = {
    "girone/head.css": ROOT / "config/static/girone/head.css",
    "tournaments/hero.css": ROOT / "tournaments/public/static/tournaments/hero.css",
}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@cache
def inline_style(name: str) -> str:
    """Return the text of a style sheet as pages hold it: without comments and empty lines."""
    text = COMMENT.sub("", INLINE_STYLES[name].read_text(encoding="utf-8"))
    return "\n".join(line for each in text.splitlines() if (line := each.strip()))


def hashes() -> list[str]:
    """Return the sources of the policy that allow these styles and no others."""
    return [
        f"'sha256-{base64.b64encode(hashlib.sha256(inline_style(name).encode()).digest()).decode()}'"
        for name in INLINE_STYLES
    ]
