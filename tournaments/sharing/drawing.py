"""Draw preview pictures as PNG, one at a time and each once."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import typst
from django.core.cache import cache

from tournaments.paper.typesetting import fonts
from tournaments.public.release import release

SHEET = Path(__file__).parent / "picture.typ"
WIDE, HIGH = 1200, 630
LIFETIME = 24 * 60 * 60
"""Seconds for which a picture is cached by its content."""
_turn = Lock()


def drawn_picture(content: Mapping[str, Any]) -> bytes:
    """Return a picture of ``WIDE`` × ``HIGH`` pixels; the same content is cached for a day."""
    text = json.dumps(content, sort_keys=True)
    key = f"picture:{hashlib.sha256((release() + text).encode()).hexdigest()}"
    found: bytes | None = cache.get(key)
    if found is not None:
        return found
    with _turn:
        found = cache.get(key)
        if found is None:
            found = _draw(text)
            cache.set(key, found, LIFETIME)
    return found


def _draw(content: str) -> bytes:
    made: bytes = typst.compile(
        str(SHEET),
        root=str(SHEET.parent),
        format="png",
        ppi=72,
        font_paths=fonts(),
        sys_inputs={"content": content},
    )
    return made
