"""A log whose lines hang together: each carries the digest of the one before and of its content.

A line has an open part, which anybody may read once the event is over, and a closed one with
names and words. Of the closed part only a salted digest enters the chain: who throws the salt
away may change names in it, and the chain still holds.
"""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

FIRST = "0" * 64
"""What stands for the digest of the line before the first one."""


def canonical(content: Any) -> bytes:
    """Return plain data as JSON in UTF-8 in one way only: keys in order, no spaces.

    What a database gives back has the same form as what was handed to it.
    """
    plain = json.loads(json.dumps(content))
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def closed_digest(salt: str, closed: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a salt and a closed part."""
    return sha256(salt.encode() + canonical(closed)).hexdigest()


def line_digest(before: str, content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the digest of the line before and a line's open content."""
    return sha256(before.encode() + canonical(content)).hexdigest()


def signature(key: bytes, number: int, digest: str) -> str:
    """Return the HMAC-SHA-256 by which who has the key vouches for a line."""
    return hmac.new(key, f"{number}:{digest}".encode(), sha256).hexdigest()


def key_name(key: bytes) -> str:
    """Return by what a key is known without being given away."""
    return sha256(b"girone log key:" + key).hexdigest()[:16]
