"""A hash chain of log lines: each contains the digest of the previous line and of its own content.

A line has an open part, public once the event is over, and a closed part with names and texts.
Only a salted digest of the closed part enters the chain: once the salt is deleted, names in it
can be changed without breaking the chain.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

FIRST = "0" * 64
"""The previous digest of the first line."""


def canonical(content: Any) -> bytes:
    """Return JSON data in canonical form: UTF-8, sorted keys, no spaces.

    Stable under a round trip through the database.
    """
    plain = json.loads(json.dumps(content))
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def closed_digest(salt: str, closed: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a salt and a closed part."""
    return sha256(salt.encode() + canonical(closed)).hexdigest()


def line_digest(before: str, content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the previous line's digest and ``content``, the public part of a line.

    Its closed columns are in it as one salted digest.
    """
    return sha256(before.encode() + canonical(content)).hexdigest()
